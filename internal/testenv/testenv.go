// Package testenv describes to tests where they run.
package testenv

import (
	"os"
	"runtime/debug"
	"testing"
)

// A test ends soon: garbage is collected a third as often, which saves a tenth of the time of all.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
}

// Race reports whether the race detector runs.
const Race = raceDetector

// SkipUnderRace skips a test under the race detector. It is for tests that take long
// and in which the detector finds nothing: they use one goroutine, or hold how much
// memory something takes.
func SkipUnderRace(tb testing.TB) {
	tb.Helper()
	if Race {
		tb.Skip("the race detector finds nothing here")
	}
}

// SkipChildrenUnderRace skips a test under the race detector that runs the program
// many times, as a process of its own. The detector watches those processes too (they
// are the test's own program, or built with it), and a race in one of them fails; but
// that takes long, and is for every night, when RACE_CHILDREN is set.
func SkipChildrenUnderRace(tb testing.TB) {
	tb.Helper()
	if Race && os.Getenv("RACE_CHILDREN") == "" {
		tb.Skip("RACE_CHILDREN is not set")
	}
}

// SkipBuilds skips a test that builds the whole program from a copy of the repository,
// which takes as long as many other tests together. CI sets TEST_BUILDS in one job.
func SkipBuilds(tb testing.TB) {
	tb.Helper()
	if os.Getenv("TEST_BUILDS") == "" {
		tb.Skip("TEST_BUILDS is not set")
	}
}

// Nightly reports whether all tests run, with all their cases: TEST_NIGHTLY is set, as
// every night.
func Nightly() bool { return os.Getenv("TEST_NIGHTLY") != "" }

// SkipByDay skips a test that takes long until the night.
func SkipByDay(tb testing.TB) {
	tb.Helper()
	if !Nightly() {
		tb.Skip("TEST_NIGHTLY is not set")
	}
}

// Sampled reports whether a test of very many cases tries case i by day: each n-th one.
// Every night it tries all.
func Sampled(i, n int) bool { return Nightly() || i%n == 0 }
