package protocol

import (
	"strings"
	"time"
)

// Timestamp is a moment and how it was written.
type Timestamp struct {
	Time      time.Time // in UTC
	HasTime   bool      // false for a bare date
	HasOffset bool      // false for a naive time, which counts as UTC (decisions.md 16)
}

// ParseISO is [ParseTime] without the space, which ISO 8601 does not know: for
// what agents write, not for what Agent Mail's database does.
func ParseISO(s string) (Timestamp, bool) {
	if strings.Contains(s, " ") {
		return Timestamp{}, false
	}
	return ParseTime(s)
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

// isDate reports whether t was not made of a day that does not exist.
func isDate(t time.Time, year, month, day int) bool {
	return t.Year() == year && int(t.Month()) == month && t.Day() == day
}

// timeParser reads a time from left to right; once something is wrong it is bad.
type timeParser struct {
	rest string
	bad  bool
}

// skip passes over a byte if it comes next.
func (p *timeParser) skip(b byte) bool {
	if p.rest == "" || p.rest[0] != b {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// number reads a number of n digits.
func (p *timeParser) number(n int) int {
	value := 0
	for range n {
		if p.bad = p.bad || !p.digit(); p.bad {
			return 0
		}
		value = 10*value + int(p.rest[0]-'0')
		p.rest = p.rest[1:]
	}
	return value
}

// after reads two digits after a separator.
func (p *timeParser) after(separator byte) int {
	p.bad = p.bad || !p.skip(separator)
	return p.number(2)
}

func (p *timeParser) digit() bool { return p.rest != "" && '0' <= p.rest[0] && p.rest[0] <= '9' }

// fraction reads one digit or more as nanoseconds; what is finer is dropped.
func (p *timeParser) fraction() int {
	p.bad = p.bad || !p.digit()
	nanos := 0
	for unit := 100_000_000; !p.bad && p.digit(); unit /= 10 {
		nanos += unit * p.number(1)
	}
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

// FormatTime writes a moment as RFC 3339 in UTC, with the fraction it has; ""
// for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
