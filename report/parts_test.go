package report

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/result"
)

// manyPlaces returns a report of findings of which some are at one place, also more than
// are written at a time, so that some parts would begin within a place.
func manyPlaces() *result.Report {
	r := large(5_000)
	for i := 200; i < 300; i++ {
		*r.Findings[i] = *r.Findings[200]
		r.Findings[i].Message = fmt.Sprint("one of many: ", i)
	}
	for i := 2000; i < 2000+3*partSize; i++ {
		*r.Findings[i] = *r.Findings[2000]
		r.Findings[i].Message = fmt.Sprint("one of more: ", i)
	}
	return r
}

// TestParts checks what several goroutines write against what one does.
func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := manyPlaces()
	for _, n := range []int{0, 1, 2*partSize - 1, 2 * partSize, 2*partSize + 1, 2000 + partSize, len(r.Findings)} {
		o := &Options{Width: 100, Color: true, Hyperlinks: true}
		one := newTextWriter(r, o)
		one.places(r.Findings[:n], 0, n)
		for _, procs := range []int{1, 2, 3, 64} {
			runtime.GOMAXPROCS(procs)
			var got bytes.Buffer
			w := bufio.NewWriter(&got)
			newTextWriter(r, o).parts(w, r.Findings[:n])
			w.Flush()
			if !bytes.Equal(got.Bytes(), one.text) {
				t.Errorf("%d findings: %d processors write %d bytes, one goroutine %d others", n, procs, got.Len(), len(one.text))
			}
		}
	}
}

// TestPartsEnd checks that nothing more is written once a writer fails.
func TestPartsEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	w := &failing{}
	err := Write(w, "text", manyPlaces(), Options{})
	if !errors.Is(err, errFull) || w.calls != 1 {
		t.Errorf("%d calls and the error %v, want one and that of the writer", w.calls, err)
	}
}

// failing is a writer that counts how often it fails.
type failing struct{ calls int }

func (f *failing) Write([]byte) (int, error) {
	f.calls++
	return 0, errFull
}

// TestPlaceFrom checks that parts begin where places do.
func TestPlaceFrom(t *testing.T) {
	var findings []*result.Finding
	for _, line := range strings.Split("1 1 2 3 3 3", " ") {
		findings = append(findings, &result.Finding{Frame: &result.Frame{Lines: []string{line}}})
	}
	for i, want := range map[int]int{1: 2, 2: 2, 3: 3, 4: 6, 5: 6, 6: 6, 9: 6} {
		if got := placeFrom(findings, i); got != want {
			t.Errorf("the first place from %d on is at %d, want %d", i, got, want)
		}
	}
}
