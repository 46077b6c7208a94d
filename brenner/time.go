package brenner

import (
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/text"
)

// Timestamp is a moment and how it was written.
type Timestamp struct {
	Time      time.Time // in UTC
	HasTime   bool      // false for a bare date
	HasSecond bool      // false for a bare date, and for hour and minute alone
	HasOffset bool      // false for a naive time, which counts as UTC (decisions.md 16: naive times)
}

// ParseTimestamp reads the timestamp of a delta like ParseTime, but only with a T between date
// and time. Forms without hyphens and colons are not accepted (decisions.md 59: timestamps).
func ParseTimestamp(s string) (Timestamp, bool) {
	if strings.Contains(s, " ") {
		return Timestamp{}, false
	}
	return ParseTime(s)
}

// ParseISO reads an ISO 8601 date or time that an agent wrote. Unlike [ParseTime] it knows the
// basic, week and ordinal forms (20251230T120500Z, 2025-W52-2, 2025-364). It rejects a space
// between date and time, which Agent Mail's database writes and ISO 8601 does not allow.
func ParseISO(s string) (Timestamp, bool) {
	if t, ok := ParseTimestamp(s); ok || strings.Contains(s, " ") {
		return t, ok
	}
	date, clock, hasClock := strings.Cut(s, "T")
	day, ok := parseDay(date)
	if !ok {
		return Timestamp{}, false
	}
	s = day.Format(time.DateOnly)
	if hasClock && !strings.Contains(date, "-") {
		m := basicClock().FindStringSubmatch(clock)
		if m == nil {
			return Timestamp{}, false
		}
		if clock = m[1] + ":" + m[2]; m[3] != "" {
			clock += ":" + m[3]
		}
		clock += m[4]
	}
	if hasClock {
		s += "T" + clock
	}
	return ParseTime(s)
}

// basicClock is a time of day without colons; weekDate is a day of a week of a year.
var (
	basicClock = text.Pattern(`^(\d\d)(\d\d)(\d\d)?(|[^\d:][^:]*)$`)
	weekDate   = text.Pattern(`^(\d{4})(-?)W(\d\d)(-?)([1-7])$`)
)

// parseDay reads a day in one of the other forms of ISO 8601: a calendar date in basic form, a
// week date or an ordinal date in either form.
func parseDay(s string) (time.Time, bool) {
	for _, form := range [...]string{"20060102", "2006-002", "2006002"} {
		if day, err := time.Parse(form, s); err == nil {
			return day, true
		}
	}
	m := weekDate().FindStringSubmatch(s)
	if m == nil || m[2] != m[4] {
		return time.Time{}, false
	}
	year, _ := strconv.Atoi(m[1])
	week, _ := strconv.Atoi(m[3])
	first := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // is in week 1
	monday := first.AddDate(0, 0, -(int(first.Weekday())+6)%7)
	day := monday.AddDate(0, 0, 7*(week-1)+int(m[5][0]-'1'))
	y, w := day.ISOWeek()
	return day, y == year && w == week
}

// ParseTime reads an ISO 8601 date or time, with T or (as Agent Mail's database
// writes it) a space, with or without seconds, fraction and offset. Naive times are UTC.
func ParseTime(s string) (Timestamp, bool) {
	const date, hour, minute = len("2006-01-02"), len("2006-01-02T15"), len("2006-01-02T15:04")
	form, hasTime, hasOffset := time.DateOnly, len(s) > date, false
	hasSecond := hasTime && len(s) > minute && s[minute] == ':'
	if hasTime {
		if len(s) < minute || s[date] != 'T' && s[date] != ' ' || !IsNumber(s[date+1:hour]) || s[hour] != ':' {
			return Timestamp{}, false
		}
		if !hasSecond {
			s = s[:minute] + ":00" + s[minute:]
		}
		form += s[date:date+1] + time.TimeOnly
		if n := strings.IndexAny(s[minute:], "Z+-"); n >= 0 {
			form, hasOffset = form+offsetForms[len(s)-minute-n], true
		}
	}
	t, err := time.Parse(form, s)
	_, offset := t.Zone()
	// Package time allows offsets of 24 hours and of 60 minutes.
	if err != nil || offset <= -secondsOfDay || offset >= secondsOfDay || hasOffset && strings.HasSuffix(s, "60") {
		return Timestamp{}, false
	}
	return Timestamp{Time: t.UTC(), HasTime: hasTime, HasSecond: hasSecond, HasOffset: hasOffset}, true
}

const secondsOfDay = 24 * 60 * 60

// offsetForms are the forms of an offset by its length.
var offsetForms = map[int]string{len("Z"): "Z07:00", len("+01"): "Z07", len("+0100"): "Z0700", len("+01:00"): "Z07:00"}

// FormatTime writes a moment as RFC 3339 in UTC, with its fraction if it has one. It
// returns "" for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// FormatMinute writes a moment for people, to the minute; "" for the zero time.
func FormatMinute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
