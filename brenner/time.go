package brenner

import (
	"strings"
	"time"
)

// Timestamp is a moment and how it was written.
type Timestamp struct {
	Time      time.Time // in UTC
	HasTime   bool      // false for a bare date
	HasOffset bool      // false for a naive time, which counts as UTC (decisions.md 16: naive times)
}

// ParseTimestamp reads the timestamp of a delta: as ParseTime does, with a T between date and
// clock. Forms without hyphens and colons are none (decisions.md 59: timestamps).
func ParseTimestamp(s string) (Timestamp, bool) {
	if strings.Contains(s, " ") {
		return Timestamp{}, false
	}
	return ParseTime(s)
}

// ParseISO reads an ISO 8601 date or time that an agent wrote. It knows more forms than
// [ParseTime], the basic, week and ordinal ones (20251230T120500Z, 2025-W52-2, 2025-364), and
// rejects the space between date and time, which Agent Mail's database has and ISO 8601 does
// not allow.
func ParseISO(s string) (Timestamp, bool) {
	if t, ok := ParseTimestamp(s); ok || strings.Contains(s, " ") {
		return t, ok
	}
	date, clock, hasClock := strings.Cut(s, "T")
	day, basic, ok := parseDay(date)
	if !ok {
		return Timestamp{}, false
	}
	s = day.Format(time.DateOnly)
	if hasClock && basic {
		clock, ok = extendedClock(clock)
	}
	if hasClock {
		s += "T" + clock
	}
	t, isTime := ParseTime(s)
	return t, ok && isTime
}

// parseDay reads a day in one of the other forms of ISO 8601: a calendar date in basic form, a
// week date or an ordinal date in either form.
func parseDay(s string) (day time.Time, basic, ok bool) {
	p := timeParser{rest: s}
	year := p.number(4)
	basic = !p.skip('-')
	switch {
	case p.skip('W'):
		week := p.number(2)
		if !basic {
			p.bad = p.bad || !p.skip('-')
		}
		weekday := p.number(1)
		first := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // is in week 1
		monday := first.AddDate(0, 0, -(int(first.Weekday())+6)%7)
		day = monday.AddDate(0, 0, 7*(week-1)+weekday-1)
		y, w := day.ISOWeek()
		ok = y == year && w == week && 1 <= weekday && weekday <= 7
	case len(p.rest) == len("364"):
		number := p.number(3)
		day = time.Date(year, time.January, number, 0, 0, 0, 0, time.UTC)
		ok = number > 0 && day.Year() == year
	case basic:
		month, number := p.number(2), p.number(2)
		day = time.Date(year, time.Month(month), number, 0, 0, 0, 0, time.UTC)
		ok = isDate(day, year, month, number)
	}
	return day, basic, ok && !p.bad && p.rest == ""
}

// extendedClock returns a time of day in basic form, hhmm or hhmmss with what follows, in the
// extended form.
func extendedClock(s string) (string, bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	if strings.Contains(s, ":") || end != len("1205") && end != len("120500") {
		return "", false
	}
	out := s[:2] + ":" + s[2:4]
	if end > 4 {
		out += ":" + s[4:6]
	}
	return out + s[end:], true
}

// ParseTime reads an ISO 8601 date or time, with T or (as Agent Mail's database
// writes it) a space, with or without fraction and offset. Naive times are UTC.
func ParseTime(s string) (Timestamp, bool) {
	p := timeParser{rest: s}
	year, month, day := p.number(4), p.after('-'), p.after('-')
	if p.bad || p.rest == "" {
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		return Timestamp{Time: t}, !p.bad && isDate(t, year, month, day)
	}
	p.bad = !p.skip('T') && !p.skip(' ')
	hour, minute, second := p.number(2), p.after(':'), 0
	if p.skip(':') {
		second = p.number(2)
	}
	nanos := 0
	if p.skip('.') || p.skip(',') {
		nanos = p.fraction()
	}
	hasOffset := p.rest != ""
	offset := p.offset()
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC)
	if p.bad || p.rest != "" || hour > 23 || minute > 59 || second > 59 || !isDate(t, year, month, day) {
		return Timestamp{}, false
	}
	return Timestamp{Time: t.Add(-offset), HasTime: true, HasOffset: hasOffset}, true
}

// isDate reports whether t was made from a day of the calendar that exists.
func isDate(t time.Time, year, month, day int) bool {
	y, m, d := t.Date()
	return y == year && int(m) == month && d == day
}

// timeParser reads a time from left to right; after an error bad is set.
type timeParser struct {
	rest string
	bad  bool
}

// skip skips a byte if it comes next.
func (p *timeParser) skip(b byte) bool {
	if p.rest == "" || p.rest[0] != b {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// number reads a number of n digits.
func (p *timeParser) number(n int) int {
	if p.bad = p.bad || len(p.rest) < n; p.bad {
		return 0
	}
	digits, value := p.rest[:n], 0
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			p.bad = true
			return 0
		}
		value = 10*value + int(digits[i]-'0')
	}
	p.rest = p.rest[n:]
	return value
}

// after reads two digits after a separator.
func (p *timeParser) after(separator byte) int {
	p.bad = p.bad || !p.skip(separator)
	return p.number(2)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// fraction reads one or more digits as nanoseconds, and drops further digits.
func (p *timeParser) fraction() int {
	nanos, n, rest := 0, 0, p.rest
	for unit := 100_000_000; n < len(rest) && isDigit(rest[n]); unit /= 10 {
		nanos += unit * int(rest[n]-'0')
		n++
	}
	p.bad, p.rest = p.bad || n == 0, p.rest[n:]
	return nanos
}

// offset reads Z, +01, +0100 or +01:00, or nothing.
func (p *timeParser) offset() time.Duration {
	if p.rest == "" || p.skip('Z') {
		return 0
	}
	sign := time.Duration(1)
	if !p.skip('+') {
		p.bad = p.bad || !p.skip('-')
		sign = -1
	}
	hours, minutes := p.number(2), 0
	if p.rest != "" {
		p.skip(':')
		minutes = p.number(2)
	}
	p.bad = p.bad || hours > 23 || minutes > 59
	return sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
}

// FormatTime writes a moment as RFC 3339 in UTC, with its fraction if it has one. It
// returns "" for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
