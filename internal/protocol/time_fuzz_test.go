package protocol

import (
	"testing"
	"time"
)

// FuzzParseTime holds that what is read is a time that Go reads too, when it is
// written as RFC 3339.
func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"2025-12-30T12:05:00Z", "2025-12-30 02:20:05.667390", "2025-12-30T,0:00:00+00:00", "2025-12-30T00:00:00,5+0130", "2025-02-29", "2025-12-30T"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ts, ok := ParseTime(s)
		if !ok {
			return
		}
		if ts.Time.Location() != time.UTC {
			t.Fatal(ts.Time)
		}
		if back, err := time.Parse(time.RFC3339Nano, FormatTime(ts.Time)); ts.Time.Year() < 10000 && ts.Time.Year() > 0 && (err != nil || !back.Equal(ts.Time)) {
			t.Fatal(s, ts.Time, err)
		}
	})
}
