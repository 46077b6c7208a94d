package brenner

import (
	"regexp"
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	for in, want := range map[string]string{
		"2025-12-30T00:00:00Z":             "2025-12-30T00:00:00Z",
		"2025-12-30T12:05:00.123456+00:00": "2025-12-30T12:05:00.123456Z",
		"2025-12-30 02:20:05.667390":       "2025-12-30T02:20:05.66739Z",
		"2025-12-30T02:31:00.118845":       "2025-12-30T02:31:00.118845Z",
		"2025-12-30T12:05+02":              "2025-12-30T10:05:00Z",
		"2025-12-30T12:05:09-0330":         "2025-12-30T15:35:09Z",
		"2025-12-30T12:05:09,5Z":           "2025-12-30T12:05:09.5Z",
		"2025-12-30T12:05:09.1234567891Z":  "2025-12-30T12:05:09.123456789Z",
		"2025-12-30":                       "2025-12-30T00:00:00Z",
		"2024-02-29T23:59:59+23:59":        "2024-02-29T00:00:59Z",

		"2025-02-29":                "",
		"2025-13-01T00:00:00Z":      "",
		"2025-12-30T24:00:00Z":      "",
		"2025-12-30T12:60:00Z":      "",
		"2025-12-30T12:05:60Z":      "",
		"2025-12-30T12:05:00+24:00": "",
		"2025-12-30  9:05":          "",
		"2025-12-30T9:05:00":        "",
		"2025-12-30T12:05:00+01:60": "",
		"2025-12-30T12:05:00.Z":     "",
		"2025-12-30T12:05:00 Z":     "",
		"2025-12-30t12:05:00Z":      "",
		"2025-12-30T12:05:00z":      "",
		"2025-12-30T":               "",
		"2025-12-30T12":             "",
		"2025-12-30T,0:00:00+00:00": "",
		"25-12-30":                  "",
		" 2025-12-30":               "",
		"2025-12-30T12:05:00+1":     "",
		"yesterday":                 "",
		"":                          "",
	} {
		got, ok := ParseTime(in)
		if ok != (want != "") || ok && got.Time.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: %v %v, want %s", in, got.Time, ok, want)
		}
	}
	for in, want := range map[string]Timestamp{
		"2025-12-30":           {},
		"2025-12-30 10:00":     {HasTime: true},
		"2025-12-30T10:00:00Z": {HasTime: true, HasOffset: true},
	} {
		if got, _ := ParseTime(in); got.HasTime != want.HasTime || got.HasOffset != want.HasOffset {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

func TestParseISO(t *testing.T) {
	for in, want := range map[string]string{
		"2025-12-30T12:05:00Z":       "2025-12-30T12:05:00Z",
		"20251230T120500Z":           "2025-12-30T12:05:00Z",
		"20251230T1205+0200":         "2025-12-30T10:05:00Z",
		"20251230T120500.25-03":      "2025-12-30T15:05:00.25Z",
		"20251230":                   "2025-12-30T00:00:00Z",
		"2025-W52-2T12:05:00Z":       "2025-12-23T12:05:00Z",
		"2026W011T120500Z":           "2025-12-29T12:05:00Z",
		"2020-W53-7":                 "2021-01-03T00:00:00Z",
		"2025-364T12:05:00Z":         "2025-12-30T12:05:00Z",
		"2024366":                    "2024-12-31T00:00:00Z",
		"2025364T1205Z":              "2025-12-30T12:05:00Z",
		"2025-12-30T12:05:00.5+0100": "2025-12-30T11:05:00.5Z",

		"2025-12-30 12:05:00Z":  "", // the space of the database
		"20251230T12:05:00Z":    "", // basic and extended mixed
		"2025-12-30T120500Z":    "",
		"2025-364T120500Z":      "",
		"20251230T120500+01:00": "",
		"20251330":              "",
		"20250229T120500Z":      "",
		"20251230T240000Z":      "",
		"20251230T126000Z":      "",
		"20251230T12050Z":       "",
		"20251230T":             "",
		"2025-W53-1":            "", // 2025 has 52 weeks
		"2025-W00-1":            "",
		"2025-W52-0":            "",
		"2025-W52-8":            "",
		"2025-W522":             "",
		"2025W52-2":             "",
		"2025-W52":              "",
		"2025-000":              "",
		"2025-366":              "",
		"2025366":               "",
		"2025-1230":             "",
		"1767096300":            "", // seconds since 1970
		"20251230120500":        "",
		"30122025":              "",
		"20251230t120500Z":      "",
		"2025-W52-2T":           "",
		"2025-12":               "",
		"²0251230":              "",
		"":                      "",
	} {
		got, ok := ParseISO(in)
		if ok != (want != "") || ok && got.Time.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: %v %v, want %s", in, got.Time, ok, want)
		}
	}
	for in, want := range map[string]Timestamp{"20251230": {}, "2025364T1205": {HasTime: true}, "20251230T1205Z": {HasTime: true, HasOffset: true}} {
		if got, _ := ParseISO(in); got.HasTime != want.HasTime || got.HasOffset != want.HasOffset {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

var timePattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$`)

// FuzzParseTime checks that a text that parses has the form of a time, and that formatting
// and parsing it gives the same instant.
func FuzzParseTime(f *testing.F) {
	f.Add("2025-12-30T12:05:09.5+02:00")
	f.Add("2025-12-30 02:20:05.667390")
	f.Add("2025-12-30T,0:00:00+00:00")
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := ParseTime(s)
		if !ok || got.Time.IsZero() {
			return
		}
		if !timePattern.MatchString(s) {
			t.Errorf("%q is taken for a time", s)
		}
		if again, ok := ParseTime(FormatTime(got.Time)); got.Time.Year() > 0 && got.Time.Year() < 10000 && (!ok || !again.Time.Equal(got.Time)) {
			t.Errorf("%q: %v came back as %v", s, got.Time, again.Time)
		}
	})
}
