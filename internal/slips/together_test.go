package slips

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

var update = flag.Bool("update", false, "write the cases that ask for all rules")

// The cases of the suite that ask for all rules: how many slips of a family become one,
// and how large their files may be, in bytes; of each rule on threads one slip does,
// whose files may be larger.
const (
	casesOfFamily = 5
	maxCase       = 16_000
	maxThread     = 80_000
)

// conforming are the stages of sessions without a slip.
var conforming = []stage{research, published, pair, work}

// TestTogether checks that the cases of the conformance suite that ask for all rules are
// what slips make of conforming sessions: one fault is one finding. With -update it
// writes them (go generate ./conformance).
func TestTogether(t *testing.T) {
	now := together(t)
	path := filepath.Join("..", "..", "conformance", "cases", conformance.TogetherFile)
	if *update {
		data, err := conformance.Encode(now)
		must.OK(t, err)
		must.Write(t, path, data)
		return
	}
	byID := map[string]*conformance.Case{}
	for _, c := range now {
		byID[c.ID] = c
	}
	released, err := conformance.Cases()
	must.OK(t, err)
	n := 0
	for _, c := range released {
		if !strings.HasPrefix(c.ID, "lint/together-") {
			continue
		}
		n++
		now := byID[c.ID]
		if now == nil && !testenv.Nightly() {
			continue
		}
		if now == nil || !bytes.Equal(now.Input, c.Input) || !bytes.Equal(now.Expected, c.Expected) {
			t.Errorf("suite %s is stale: %s is not what its slip gives: run go generate ./conformance", conformance.Version, c.ID)
		}
	}
	if n < 60 {
		t.Errorf("%d cases ask for all rules; expected 60", n)
	}
}

// together makes the cases.
func together(t *testing.T) (out []*conformance.Case) {
	t.Helper()
	passages := passagesOfRules(t)
	for i, st := range conforming {
		files := smallest(func(seed uint64) []conformance.LintFile { return filesOf(sceneOf(seed, st, true)) })
		out = append(out, caseOf(t, fmt.Sprintf("conforming-%d", i+1), "conforming mail: breaks no rule", files, nil, passages["MR-011"]))
	}
	perRule := map[string]int{}
	for i, f := range families {
		if !*update && !testenv.Sampled(i, 3) {
			continue
		}
		n := 0
		for i := range f.slips {
			sl := &f.slips[i]
			from := passages[sl.rule]
			ofThreads := slices.Contains([]string{"MR", "AP", "XR"}, sl.rule[:2]) && perRule[sl.rule] == 0
			if n >= casesOfFamily && !ofThreads || from == nil || strings.HasPrefix(sl.rule, "IN-") {
				continue
			}
			files := sl.files()
			if files == nil || sizeOf(files) > maxThread || !ofThreads && sizeOf(files) > maxCase {
				continue
			}
			n++
			perRule[sl.rule]++
			expected := []string{sl.rule}
			for _, f := range sl.also {
				if !slices.Contains(expected, f.rule) {
					expected = append(expected, f.rule)
				}
			}
			out = append(out, caseOf(t, sl.name, sl.name+": breaks "+strings.Join(expected, " and ")+" alone", files, expected, from))
		}
	}
	conformance.Sort(out)
	return out
}

// caseOf makes a case.
func caseOf(t *testing.T, name, title string, files []conformance.LintFile, rules []string, from *conformance.Case) *conformance.Case {
	t.Helper()
	c := &conformance.Case{
		ID: "lint/together-" + strings.Join(strings.FieldsFunc(strings.ToLower(name), notAlphanumeric), "-"), Kind: conformance.LintKind, Title: "all rules, " + title,
		Spec: from.Spec, Decisions: from.Decisions, Source: "internal/slips",
	}
	if rules == nil {
		rules = []string{}
	}
	var err error
	if c.Input, err = conformance.ToJSON(conformance.LintInput{Files: files}); err == nil {
		c.Expected, err = conformance.ToJSON(expectedRules{rules})
	}
	must.OK(t, err)
	return c
}

func notAlphanumeric(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }

// expectedRules are the rules that are broken, wherever.
type expectedRules struct {
	Rules []string `json:"rules"`
}

// passagesOfRules returns a case of each rule, for its passages.
func passagesOfRules(t *testing.T) map[string]*conformance.Case {
	t.Helper()
	cases, err := conformance.Cases()
	must.OK(t, err)
	out := map[string]*conformance.Case{}
	for _, c := range cases {
		rule, _, ok := strings.Cut(strings.TrimPrefix(c.ID, "lint/"), "-bad-")
		if ok && c.Kind == conformance.LintKind && out[rule] == nil {
			out[rule] = c
		}
	}
	return out
}

// files returns the files of the slip in the smallest session that has a place for it;
// nil if there is none, or if it has a configuration.
func (sl *slip) files() []conformance.LintFile {
	for _, f := range sl.also {
		if f.many {
			return nil
		}
	}
	return smallest(func(seed uint64) []conformance.LintFile {
		if a := try(sl, sceneOf(seed, sl.needs(), true)); a != nil && a.scene.config == "" {
			a.scene.cut()
			return filesOf(a.scene)
		}
		return nil
	})
}

// cut removes what comes after the last version and the slip.
func (s *scene) cut() {
	if s.stage == research && s.export == "" {
		end := max(s.last(), s.at.message, s.changed.message) + 1
		s.thread.Messages = s.thread.Messages[:end]
	}
}

// smallest returns the smallest files of the first few sessions that have some; nil if none has.
func smallest(draw func(seed uint64) []conformance.LintFile) (out []conformance.LintFile) {
	found := 0
	for seed := uint64(0); seed < maxSeeds && found < 4; seed++ {
		files := draw(seed)
		if files == nil {
			continue
		}
		if found++; out == nil || sizeOf(files) < sizeOf(out) {
			out = files
		}
	}
	return out
}

func sizeOf(files []conformance.LintFile) (size int) {
	for _, f := range files {
		size += len(f.Text)
	}
	return size
}

// filesOf returns the files of a scene; nil if they are no case.
func filesOf(s *scene) (out []conformance.LintFile) {
	for _, f := range s.files() {
		if !utf8.Valid(f.Data) {
			return nil
		}
		out = append(out, conformance.LintFile{Path: f.Name, Text: string(f.Data)})
	}
	return out
}
