package slips

import (
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

var only = flag.String("slip", "", "try this slip alone")

// all are the slips of all families.
func all() []*slip {
	var out []*slip
	for _, family := range families {
		for i := range family.slips {
			out = append(out, &family.slips[i])
		}
	}
	return out
}

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
	{"Front matter of artifacts", frontMatter},
	{"Sections and headings of artifacts", sections},
	{"Items of artifacts", items},
	{"Predictions tables", tables},
	{"COMPILED messages", compiled},
	{"What the publisher changes", publisher},
	{"Merges and references", merges},
	{"Artifact files beside their thread", files},
	{"Artifacts as JSON", inJSON},
	{"Exports and suppressions", inputs},
}

// stage of a slip.
func (sl *slip) needs() stage {
	if sl.do != nil {
		return sl.stage
	}
	return sl.in.stage
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, sl := range all() {
		if seen[sl.name] {
			t.Errorf("two slips are named %q", sl.name)
		}
		seen[sl.name] = true
	}
}

func TestDetection(t *testing.T) {
	const draws = 4
	for _, sl := range all() {
		t.Run(sl.name, func(t *testing.T) {
			if *only != "" && sl.name != *only {
				t.Skip()
			}
			dir := t.TempDir()
			var err error
			tried := 0
			for seed := uint64(0); seed < 40 && tried < draws; seed++ {
				s := newScene(rand.New(rand.NewPCG(seed, 2)), sl.needs())
				ok, e := sl.try(s, filepath.Join(dir, "in"))
				if ok {
					tried++
				}
				err = errors.Join(err, e)
				if e != nil {
					break
				}
			}
			switch {
			case tried == 0:
				t.Error("nothing to do it to")
			case sl.pending == "" && err != nil:
				t.Error(err)
			case sl.pending != "" && err == nil:
				t.Logf("no longer hidden by %s: %s", sl.pending, sl.name)
			}
		})
	}
}
