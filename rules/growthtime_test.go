package rules_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

const (
	// leastTime is what a check of the first size takes at least, so that the clock tells
	// it from others; mostSizes bounds how often a size is doubled for that.
	leastTime = 5 * time.Millisecond
	mostSizes = 8
)

// TestGrowthOfTime checks that time grows with the input and not with its square, for all
// shapes of TestGrowth. It takes half an hour: make growth runs it every night.
func TestGrowthOfTime(t *testing.T) {
	pattern := os.Getenv("BRENNERLINT_GROWTH")
	if pattern == "" {
		t.Skip("BRENNERLINT_GROWTH, a pattern of names of shapes, is not set: see make growth")
	}
	named := regexp.MustCompile(pattern)
	for kind, shapes := range allShapes(t) {
		for _, s := range shapes {
			if !named.MatchString(kind + "/" + s.name) {
				continue
			}
			t.Run(kind+"/"+s.name, func(t *testing.T) {
				grew := timeGrowth(t, s, s.start)
				// Other programs may have been in the way, or a bound: a square continues.
				for n := s.start; grew != "" && n <= 16*s.start; n *= 4 {
					grew = timeGrowth(t, s, n)
				}
				if grew != "" {
					t.Error(grew)
				}
			})
		}
	}
}

// timeGrowth describes how a shape takes more time for 4n than it should; "" if it does
// not.
func timeGrowth(t *testing.T, s shape, n int) string {
	t.Helper()
	few, one := median(t, s, 1), median(t, s, n)
	for i := 0; i < mostSizes && one-few < leastTime; i++ {
		n *= 2
		one = median(t, s, n)
	}
	two, four := median(t, s, 2*n), median(t, s, 4*n)
	said := fmt.Sprintf("1 takes %v, %d %v, %d %v, %d %v", few, n, one, 2*n, two, 4*n, four)
	t.Log(said)
	if four-few > mostGrowth*max(one-few, leastTime) {
		return said
	}
	return ""
}

// median returns the processor time of a check, the median of five.
func median(t *testing.T, s shape, n int) time.Duration {
	t.Helper()
	check, remove := prepared(t, s, n)
	defer remove()
	times := make([]time.Duration, 5)
	for i := range times {
		runtime.GC()
		before := testenv.CPUTime()
		check()
		times[i] = testenv.CPUTime() - before
	}
	slices.Sort(times)
	return times[len(times)/2]
}
