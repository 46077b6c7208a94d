package slips

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
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
// that its fix clears it.
func TestDetection(t *testing.T) {
	testenv.SkipUnderRace(t)
	first := firstSeed(t)
	for _, sl := range all() {
		if *only != "" && sl.name != *only {
			continue
		}
		t.Run(sl.name, func(t *testing.T) {
			tried := 0
			for seed := first; seed < first+uint64(maxSeeds*draws) && tried < draws; seed++ {
				a := try(sl, sceneOf(seed, sl.needs(), false))
				if a == nil {
					continue
				}
				tried++
				if err := a.check(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if tried < draws {
				t.Errorf("found a place for it %d times, expected %d", tried, draws)
			}
		})
	}
}

// TestClean checks that the inputs for slips conform: they have no finding, not even an
// info.
func TestClean(t *testing.T) {
	testenv.SkipUnderRace(t)
	first := firstSeed(t)
	for st := research; st <= pair; st++ {
		for seed := range uint64(2 * draws) {
			findings, err := ruletest.Check(newScene(rand.New(rand.NewPCG(first+seed, 3)), st, false).files(), rules.All()...)
			must.OK(t, err)
			for _, f := range simplify(findings) {
				t.Errorf("stage %d, seed %d: %s", st, first+seed, f)
			}
		}
	}
}

// draws is in how many inputs a slip is tried: one by day, more every night.
var draws = map[bool]int{false: 1, true: 6}[testenv.Nightly()]

// maxSeeds is how many inputs are tried for each draw: some have no place for a slip.
const maxSeeds = 40

// firstSeed returns the seed of the first input: always the same by day, a new one every night.
func firstSeed(t *testing.T) uint64 {
	t.Helper()
	if !testenv.Nightly() {
		return 0
	}
	seed := rand.Uint64() / 2
	t.Logf("the first seed is %d", seed)
	return seed
}
