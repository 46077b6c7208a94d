package slips

import (
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/internal/gen"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

var only = flag.String("slip", "", "try the slip of this name alone")

// family is slips that belong together.
type family struct {
	title string
	slips []slip
}

var families = []family{
	{"Subjects and thread ids", subjects},
	{"Message bodies", bodies},
	{"Acknowledgement", acks},
	{"Blocks and JSON of deltas", syntax},
	{"Fields of deltas", fields},
	{"Deltas published although no merge may apply them", applied(syntax, fields)},
	{"Merges and references", merges},
	{"COMPILED messages", compiled},
	{"What the publisher changes", publisher},
	{"Front matter of artifacts", frontMatter},
	{"Sections and headings of artifacts", sections},
	{"Items of artifacts", items},
	{"Predictions tables", tables},
	{"Artifacts as JSON", inJSON},
	{"Artifact files beside their thread", files},
	{"Exports and suppressions", inputs},
}

// all returns the slips of all families.
func all() []*slip {
	var out []*slip
	for _, family := range families {
		for i := range family.slips {
			out = append(out, &family.slips[i])
		}
	}
	return out
}

// needs returns the stage that the slip is made in.
func (sl *slip) needs() stage {
	if sl.do != nil {
		return sl.stage
	}
	return sl.in.stage
}

// TestNames checks that slips are distinguished by their names.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, sl := range all() {
		if seen[sl.name] {
			t.Errorf("two slips are named %q", sl.name)
		}
		seen[sl.name] = true
	}
}

// TestDetection checks that every slip is reported only by its rule, at its place, and
// that its fix clears it. The seeds are fixed.
func TestDetection(t *testing.T) {
	testenv.SkipUnderRace(t)
	for _, sl := range all() {
		if *only != "" && sl.name != *only {
			continue
		}
		t.Run(sl.name, func(t *testing.T) {
			tried, err := sl.detect(t.TempDir())
			switch {
			case tried < draws:
				t.Errorf("found a place for it %d times, expected %d", tried, draws)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// draws is how often a slip is tried with fixed seeds: once by day, twice every night.
var draws = map[bool]int{false: 1, true: 2}[testenv.Nightly()]

// maxSeeds is how many inputs may have no place for a slip.
const maxSeeds = 40

// detect tries a slip in conforming inputs; the error is that of the first that was not
// found as expected.
func (sl *slip) detect(dir string) (tried int, err error) {
	for seed := uint64(0); seed < maxSeeds && tried < draws; seed++ {
		a := try(sl, newScene(rand.New(rand.NewPCG(seed, 2)), sl.needs()))
		if a == nil {
			continue
		}
		tried++
		if e := a.check(dir + "/in"); e != nil && err == nil {
			err = e
		}
	}
	return tried, err
}

// drawn takes the choices of a session from a property test, which can then shrink it.
type drawn struct{ t *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func (d drawn) Perm(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return rapid.Permutation(list).Draw(d.t, "order")
}

var _ gen.Chance = drawn{}

// attempts draws a slip and an input that has a place for it.
var attempts = rapid.Custom(func(t *rapid.T) *attempt {
	var sound []*slip
	for _, sl := range all() {
		if *only == "" || strings.Contains(sl.name, *only) {
			sound = append(sound, sl)
		}
	}
	sl := rapid.SampledFrom(sound).Draw(t, "slip")
	for range maxSeeds {
		if a := try(sl, newScene(drawn{t}, sl.needs())); a != nil {
			return a
		}
	}
	t.Skip("no place for it")
	return nil
})

func property(t *rapid.T) {
	a := attempts.Draw(t, "slip")
	dir, err := os.MkdirTemp("", "slips")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := a.check(dir + "/in"); err != nil {
		t.Fatal(err)
	}
}

// TestSlips tries randomly drawn slips in randomly drawn inputs; nightly with new seeds.
func TestSlips(t *testing.T) { rapid.Check(t, property) }

func FuzzSlips(f *testing.F) { f.Fuzz(rapid.MakeFuzz(property)) }
