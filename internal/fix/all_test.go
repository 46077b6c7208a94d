package fix

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// toy finds faults in a text of letters:
//
//	x, y  can be removed           u  can be removed, unsafely
//	o     two fixes that overlap   n  has no fix
//	b     a fix that fixes nothing but doubles it
//	e     a fix that brings up n
//	c     a fix that brings up x
//	g     a fix that brings up two more of itself
//	w     a fix that brings up v, which is lesser and has no fix
//	i     a lesser one with a fix that brings up n
//	l     a lesser one that can be removed
//
// Every other letter is right.
func toy(data []byte) ([]*lint.Finding, error) {
	var out []*lint.Finding
	for i, c := range data {
		level := lint.Error
		if bytes.IndexByte([]byte("vil"), c) >= 0 {
			level = lint.Warning
		}
		add := func(text string, unsafe bool) {
			f := &lint.Finding{Rule: string(c), Severity: level, Range: at(i), Fix: &lint.Fix{Unsafe: unsafe, Edits: []lint.Edit{edit(i, i+1, text)}}}
			out = append(out, f)
		}
		switch c {
		case 'x', 'y', 'l':
			add("", false)
		case 'u':
			add("", true)
		case 'n', 'v':
			out = append(out, &lint.Finding{Rule: string(c), Severity: level, Range: at(i)})
		case 'o':
			add("", false)
			add("p", false)
		case 'b':
			add("bb", false)
		case 'e', 'i':
			add("n", false)
		case 'w':
			add("v", false)
		case 'c':
			add("x", false)
		case 'g':
			add("ggg", false)
		}
	}
	return out, nil
}

// at returns the place of one letter.
func at(i int) *source.Range {
	r := edit(i, i+1, "").Range
	return &r
}

// unplaced is toy, but its findings do not tell where they are.
func unplaced(data []byte) ([]*lint.Finding, error) {
	findings, err := toy(data)
	for _, f := range findings {
		f.Range = nil
	}
	return findings, err
}

// TestAll holds for any text: what can be fixed is, what cannot stays as it was, no fault is there
// that was not before but v, a second run changes nothing, and there are few checks.
func TestAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[agx]{0,5}|[acx]{0,4}|[abeilnouvwxyz]{0,14}|(xa){0,200}b?`).Draw(t, "in")
		unsafe := rapid.Bool().Draw(t, "unsafe")
		want := strings.NewReplacer("x", "", "y", "", "o", "", "l", "", "c", "", "w", "v").Replace(in)
		if unsafe {
			want = strings.ReplaceAll(want, "u", "")
		}
		toy := toy
		if rapid.Bool().Draw(t, "unplaced") {
			toy = unplaced
		}
		checks := 0
		r, err := All([]byte(in), unsafe, func(data []byte) ([]*lint.Finding, error) {
			checks++
			return toy(data)
		})
		if err != nil || string(r.Data) != want || (r.Fixed > 0) != (want != in) {
			t.Fatalf("got %q, %d fixed, %v, want %q", r.Data, r.Fixed, err, want)
		}
		if checks > maxWork/checkWork+maxRounds {
			t.Errorf("it takes %d checks", checks)
		}
		again, err := All(r.Data, unsafe, toy)
		if err != nil || !bytes.Equal(again.Data, r.Data) || again.Fixed != 0 {
			t.Fatalf("a second run gives %q, %d fixed, %v", again.Data, again.Fixed, err)
		}
		before, _ := toy([]byte(in))
		after, _ := toy(r.Data)
		for _, f := range after {
			if f.Rule == "v" {
				continue
			}
			i := slices.IndexFunc(before, func(b *lint.Finding) bool { return b.Rule == f.Rule })
			if i < 0 {
				t.Fatalf("rule %s has a new finding in %q", f.Rule, r.Data)
			}
			before = slices.Delete(before, i, i+1)
		}
		held := slices.DeleteFunc(after, func(f *lint.Finding) bool { return f.Fix == nil })
		if len(r.Held) != len(held) || slices.ContainsFunc(r.Held, func(f *lint.Finding) bool { return f.Fix.NotApplied == "" }) {
			t.Fatalf("%d fixes are held, want %d, each with a reason", len(r.Held), len(held))
		}
	})
}

// TestAllWork checks that fixes among which others are no good are found, in a large
// content as far as its checks allow.
func TestAllWork(t *testing.T) {
	testenv.SkipUnderRace(t)
	work := func(check Check, in string) (r Result, checks int) {
		r, err := All([]byte(in), false, func(data []byte) ([]*lint.Finding, error) {
			checks++
			return check(data)
		})
		if err != nil {
			t.Error(err)
		}
		return r, checks
	}
	for name, check := range map[string]Check{"placed": toy, "unplaced": unplaced} {
		for unit, want := range map[string]string{"ea": "ea", "xaea": "aea", "baxaeaxa": "baaeaa"} {
			if r, _ := work(check, strings.Repeat(unit, 10)); string(r.Data) != strings.Repeat(want, 10) {
				t.Errorf("%s: 10 times %q is fixed to %q", name, unit, r.Data)
			}
			in := strings.Repeat(unit, 1000) + strings.Repeat("a", 1<<20)
			r, checks := work(check, in)
			if most := maxWork/len(in) + maxRounds; checks > most {
				t.Errorf("%s: %d checks of %d bytes, want at most %d", name, checks, len(in), most)
			}
			if _, checks := work(check, strings.Repeat(unit, 4000)); checks > 2*maxRounds {
				t.Errorf("%s: %d checks of very many findings", name, checks)
			}
			if bytes.Count(r.Data, []byte("e")) != 1000 {
				t.Errorf("%s: %q is fixed to %.40q", name, unit, r.Data)
			}
		}
	}
}

// TestCheckFails checks that an error of a check is returned, whichever check it is.
func TestCheckFails(t *testing.T) {
	broken := errors.New("broken")
	for at := range 3 {
		n := 0
		check := func(data []byte) ([]*lint.Finding, error) {
			if n++; n > at {
				return nil, broken
			}
			return toy(data)
		}
		if _, err := All([]byte("axbxo"), false, check); !errors.Is(err, broken) {
			t.Errorf("All: an error at check %d is lost: %v", at+1, err)
		}
	}
	before, _ := toy([]byte("x"))
	if _, err := Ahead([]byte("x"), before, func([]byte) ([]*lint.Finding, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("Ahead: the error is lost: %v", err)
	}
}

// layered is toy, where m has no fix but assumes ee, and of what e brings up, n, two
// are reported at once.
func layered(data []byte) ([]*lint.Finding, error) {
	out, err := toy(data)
	for i, c := range data {
		if c == 'm' {
			out = append(out, &lint.Finding{Rule: "m", Range: at(i), Severity: lint.Error, Assume: &lint.Fix{Edits: []lint.Edit{edit(i, i+1, "ee")}}})
		}
	}
	return out, err
}

func TestAhead(t *testing.T) {
	for in, want := range map[string]string{
		"":       "",
		"ok":     "",
		"aaexa":  "n@2",
		"nnena":  "n@2", // the others were there before
		"caec":   "x@0 n@2 x@3",
		"xxxxxw": "v@5",
		"xam":    "e@2 e@2 n@2 n@2",
		"iuun":   "n@0",
	} {
		before, _ := layered([]byte(in))
		after, err := Ahead([]byte(in), before, layered)
		must.OK(t, err)
		if got := messages(after); got != want {
			t.Errorf("Ahead(%q) = %q, want %q", in, got, want)
		}
		for _, f := range after {
			if f.Fix != nil || f.Assume != nil {
				t.Errorf("Ahead(%q) offers a fix of a text that does not exist", in)
			}
		}
	}
}

func messages(findings []*lint.Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s@%d", f.Rule, f.Range.Start.Offset))
	}
	return strings.Join(out, " ")
}

// TestAheadSpins checks that a fix that begets its own fault ends, in few checks, and
// that a content that is large is checked once only.
func TestAheadSpins(t *testing.T) {
	large := make([]byte, maxAhead+1)
	large[0] = 'g'
	for _, in := range [][]byte{[]byte("agb"), large} {
		before, _ := toy(in[:3])
		checks := 0
		_, err := Ahead(in, before, func(data []byte) ([]*lint.Finding, error) {
			checks++
			return toy(data[:min(len(data), 1000)])
		})
		must.OK(t, err)
		if want := min(maxSteps, max(1, maxAhead/len(in)+1)); checks > want {
			t.Errorf("%d bytes are checked %d times, want %d", len(in), checks, want)
		}
	}
}
