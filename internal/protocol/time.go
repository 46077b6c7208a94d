package protocol

import (
	"regexp"
	"time"
)

var isoTime = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:([T ])(\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9})\d*)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$`)

// Timestamp is a moment and how it was written.
type Timestamp struct {
	Time      time.Time // in UTC
	HasTime   bool      // false for a bare date
	HasOffset bool      // false for a naive time, which counts as UTC (decisions.md 16)
}

// ParseTime reads an ISO 8601 date or time, with T or (as Agent Mail's database
// writes it) a space, with or without fraction and offset. Naive times are UTC.
func ParseTime(s string) (Timestamp, bool) {
	m := isoTime.FindStringSubmatch(s)
	if m == nil {
		return Timestamp{}, false
	}
	clock, frac, zone := m[3], m[4], m[5]
	switch len(clock) {
	case 0:
		clock = "00:00:00"
	case 5:
		clock += ":00"
	}
	if frac != "" {
		clock += "." + frac
	}
	ts := Timestamp{HasTime: m[2] != "", HasOffset: zone != ""}
	switch len(zone) {
	case 0:
		zone = "Z"
	case 3:
		zone += ":00"
	case 5:
		zone = zone[:3] + ":" + zone[3:]
	}
	t, err := time.Parse(time.RFC3339Nano, m[1]+"T"+clock+zone)
	if err != nil {
		return Timestamp{}, false
	}
	ts.Time = t.UTC()
	return ts, true
}

// FormatTime writes a moment as RFC 3339 in UTC, with the fraction it has; ""
// for the zero time.
func FormatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
