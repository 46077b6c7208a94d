package engine

import (
	"slices"
	"testing"
)

// TestChoose takes what has findings first, and of each kind as much as there is room
// for.
func TestChoose(t *testing.T) {
	type thing struct {
		weight int
		size   int64
	}
	for name, test := range map[string]struct {
		things []thing
		want   []int
	}{
		"none":                {nil, nil},
		"all":                 {[]thing{{0, 10}, {3, 10}, {1, 10}}, []int{0, 1, 2}},
		"the heaviest":        {[]thing{{1, maxViewed - 5}, {3, 10}, {3, 10}}, []int{1, 2}},
		"what still fits":     {[]thing{{3, maxViewed - 5}, {2, 10}, {1, 5}}, []int{0, 2}},
		"a room of their own": {[]thing{{3, maxViewed}, {0, maxViewedClean - 1}, {0, 2}, {0, 1}}, []int{0, 1, 3}},
		"too large":           {[]thing{{3, maxViewed + 1}, {0, maxViewedClean + 1}}, nil},
	} {
		got := choose(len(test.things), func(i int) (int, int64) { return test.things[i].weight, test.things[i].size })
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
