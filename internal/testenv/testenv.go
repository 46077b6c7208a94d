// Package testenv tells tests where they run.
package testenv

import "testing"

// SkipUnderRace skips a test under the race detector. It is for tests that take long
// and in which the detector finds nothing: they use one goroutine, or run other
// processes, or hold how much memory something takes.
func SkipUnderRace(tb testing.TB) {
	tb.Helper()
	if raceDetector {
		tb.Skip("the race detector finds nothing here")
	}
}
