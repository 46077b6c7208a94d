package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// TestCustomRulesDoNotCount: what a COMPILED claims of its validation is about the rules
// of the protocol (AP-019), not about those of a group.
func TestCustomRulesDoNotCount(t *testing.T) {
	r := &lint.Rule{ID: "GRP-001", Protocol: true, Severity: lint.Error, Check: lint.ArtifactCheck(func(*lint.ArtifactPass) {})}
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 1 || len(p.rules) != 1 {
		t.Errorf("a rule of the protocol: %d counted, %d run", len(p.counted), len(p.rules))
	}
	r.Protocol = false
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 0 || len(p.rules) != 1 {
		t.Errorf("a custom rule: %d counted, %d run", len(p.counted), len(p.rules))
	}
}

// TestStoppedRule: a rule that is stopped is reported once, whatever the number of
// inputs and workers, and what it had found before stays.
func TestStoppedRule(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		text := fmt.Sprintf("# Brenner Protocol Artifact: x%d\n\n## 2. Hypothesis Slate\n\n### H1: A\n**Claim**: x\n", i)
		must.Write(t, filepath.Join(dir, fmt.Sprintf("a%02d.md", i)), text)
	}
	r := &lint.Rule{
		ID: "GRP-001", Name: "a", Severity: lint.Warning, SpecRef: "custom rules", Summary: "x",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			p.Report(lint.Diagnostic{At: p.Artifact.Text.WholePlace(), Message: "found"})
			p.Stop("too slow")
			p.Stop("again")
		}),
	}
	for _, workers := range []int{1, 8} {
		rep, err := Check(context.Background(), lint.Catalogue{r}, Options{Workers: workers}, dir)
		must.OK(t, err)
		if len(rep.Failures) != 1 || !rep.Failures[0].Stopped || rep.Failures[0].Reason != "too slow" || filepath.Base(rep.Failures[0].Path) != "a00.md" {
			t.Errorf("%d workers: %+v", workers, rep.Failures)
		}
		if len(rep.Findings) != 20 || rep.Summary.Valid {
			t.Errorf("%d workers: %d findings, valid %v", workers, len(rep.Findings), rep.Summary.Valid)
		}
	}
}

// TestMergedFindings checks that what is kept and what is counted depends on what tasks
// found, not on which of them ends first: also where a task found something twice.
func TestMergedFindings(t *testing.T) {
	tasks := func() []*findings {
		var out []*findings
		for task := range 8 {
			s := &findings{perFile: 3, total: 30, pruneAt: 6, omitted: map[string]int{}}
			for i := range 1 + task%3 {
				f := lint.Finding{Rule: "MB-001", Severity: lint.Warning, Path: "mail.json", Range: &source.Range{Start: source.Position{Offset: 10*task + i}}}
				again := f
				s.add(&f)
				s.add(&again)
			}
			out = append(out, s)
		}
		return out
	}
	merged := func(order []int) string {
		all := &findings{perFile: 3, total: 30, pruneAt: 6, omitted: map[string]int{}}
		list := tasks()
		for _, i := range order {
			all.merge(list[i])
		}
		all.prune()
		out := ""
		for _, f := range all.list {
			out += fmt.Sprint(f.Range.Start.Offset, " ")
		}
		return out + fmt.Sprint(all.omitted, all.omittedBy)
	}
	want := merged([]int{0, 1, 2, 3, 4, 5, 6, 7})
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		order := r.Perm(8)
		if got := merged(order); got != want {
			t.Fatalf("the tasks in the order %v give %s; in theirs %s", order, got, want)
		}
	}
}

// TestNamesCredential checks that a credential counts if it is in what a frame would show, or
// near it in a long line.
func TestNamesCredential(t *testing.T) {
	f := source.NewFile("mail.json", []byte("[{\"id\": 1},\n{\"token\": \"x\", \"subject\": \"y\"},\n{\"id\": 2},\n{\"id\": 3}]"))
	for line, want := range []bool{false, true, false, false} {
		at := f.Text().Line(line + 1)
		if got := namesCredential(f.Place(source.Span{Start: at.Start + 1, End: at.Start + 2}), 10); got != want {
			t.Errorf("line %d: %v, want %v", line+1, got, want)
		}
	}
}

// The smallest limit still keeps a byte of a line.
func TestCutLine(t *testing.T) {
	text := source.NewText([]byte("abcdefgh"))
	for most, want := range map[int]string{1: "d", 2: "de", 4: "cdef", 8: "abcdefgh"} {
		if got := text.Slice(cutLine(text, source.Span{End: 8}, 3, most)); got != want {
			t.Errorf("of %d bytes: %q, want %q", most, got, want)
		}
	}
}

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

// TestLevels checks that the last override of a path wins, and that globs with a slash begin in the
// folder.
func TestLevels(t *testing.T) {
	l := &Severities{
		Ignore:   map[string]bool{"BB-001": true},
		Severity: map[string]lint.Severity{"AA-001": lint.Error, "AA-002": lint.Info},
		Overrides: []SeverityOverride{
			{Paths: []string{"old/**"}, Ignore: map[string]bool{"AA-001": true}},
			{Paths: []string{"./old/kept/*.md", "x.md"}, Severity: map[string]lint.Severity{"AA-001": lint.Info}},
		},
	}
	folder := input.NewFolder("")
	var globs []input.Globs
	for _, o := range l.Overrides {
		globs = append(globs, folder.Globs(o.Paths...))
	}
	for _, c := range []struct {
		rule  int
		path  string
		level lint.Severity
		on    bool
	}{
		{0, "a.md", lint.Error, true}, {1, "a.md", lint.Info, true},
		{0, "old/a.md", lint.Error, false}, {0, "./old/a.md", lint.Error, false}, {0, "below/old/a.md", lint.Error, true}, {0, "older/a.md", lint.Error, true},
		{0, "old/kept/a.md", lint.Info, true}, {0, "old/kept/deep/a.md", lint.Error, false}, {0, "y/x.md", lint.Info, true}, {1, "x.md", lint.Info, true},
	} {
		r := *threeRules[c.rule]
		r.Severity = lint.Warning
		if level, on := l.of(&r, l.at(globs, folder.Spellings(c.path)), false); level != c.level || on != c.on {
			t.Errorf("%s in %s: %v, on %v; want %v, %v", r.ID, c.path, level, on, c.level, c.on)
		}
	}
	drafts := &lint.Rule{ID: "AA-009", Severity: lint.Warning, DraftSeverity: lint.Error}
	for draft, want := range map[bool]lint.Severity{false: lint.Warning, true: lint.Error} {
		if level, _ := l.of(drafts, nil, draft); level != want {
			t.Errorf("draft %v: %v, want %v", draft, level, want)
		}
		set := &Severities{Severity: map[string]lint.Severity{"AA-009": lint.Info}}
		if level, _ := set.of(drafts, nil, draft); level != lint.Info {
			t.Errorf("draft %v: %v, but the configuration says info", draft, level)
		}
	}
	selected := &Severities{Select: map[string]bool{"AA-001": true, "BB-001": true}, Ignore: l.Ignore}
	var runs []string
	for _, r := range threeRules {
		if selected.runs(r) {
			runs = append(runs, r.ID)
		}
	}
	if !slices.Equal(runs, []string{"AA-001"}) {
		t.Errorf("%v run", runs)
	}
}

func TestBaselineFile(t *testing.T) {
	rep := &lint.Report{Findings: []*lint.Finding{
		{Path: "b.md", Rule: "AA-001", Fingerprint: "1"},
		{Path: "a.md", Rule: "BB-001", Fingerprint: "2"},
		{Path: "a.md", Rule: "AA-001", Fingerprint: "4"},
		{Path: "a.md", Rule: "AA-001", Fingerprint: "3"},
	}}
	var order []string
	for _, e := range NewBaseline(rep.Findings).Findings {
		order = append(order, e.Fingerprint)
	}
	if got := strings.Join(order, ""); got != "3421" {
		t.Errorf("findings are in the order %s, want by path, rule and fingerprint", got)
	}
	begin := `{"schema": "` + BaselineSchema + `", `
	for text, want := range map[string]string{
		"":                      "it is empty",
		"{":                     "unexpected EOF",
		"[]":                    "it has the wrong type: array",
		begin + `"findings":1}`: "findings has the wrong type: number",
		`{"schema": "other"}`:   `schema is "other"`,
		begin + `"more": 1}`:    `unknown field "more"`,
		begin + `"findings": [{"rule": "AA-001", "path": "a.md"}]}`: "entry 1 (AA-001, a.md) has no fingerprint",
		begin + "\"findings\": []}\n>>>>>>> theirs\n":               "it goes on after its end",
	} {
		if _, err := ReadBaseline(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), "read baseline: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, expected %q", text, err, want)
		}
	}
	for _, mark := range []string{"", "\ufeff"} {
		if b, err := ReadBaseline(strings.NewReader(mark + begin + `"findings": []}`)); err != nil || len(b.Findings) != 0 {
			t.Errorf("an empty baseline gives %v, %v", b, err)
		}
	}
}

// TestSuppressionFaults checks what is wrong with entries of the configuration.
func TestSuppressionFaults(t *testing.T) {
	for _, c := range []struct {
		entry Suppression
		fault lint.SuppressionFault
		word  string
	}{
		{Suppression{Rule: "AA", Reason: "x"}, 0, ""},
		{Suppression{Rule: "AA-001, three", Reason: "x"}, 0, ""},
		{Suppression{Reason: "x"}, lint.NoRuleNamed, ""},
		{Suppression{Rule: "AA", Reason: " \t"}, lint.NoReasonGiven, ""},
		{Suppression{Rule: "AA,ZZ", Reason: "x"}, lint.UnknownRule, "ZZ"},
	} {
		got := entrySuppressions([]Suppression{c.entry}, threeRules, input.NewFolder(""))[0]
		if got.Fault != c.fault || got.Word != c.word || c.fault == 0 && len(got.rules) != 2 {
			t.Errorf("%+v covers %v, has fault %d at %q; want %d at %q", c.entry, got.rules, got.Fault, got.Word, c.fault, c.word)
		}
	}
}

var threeRules = lint.Catalogue{{ID: "AA-001", Name: "one"}, {ID: "AA-002", Name: "two", Code: "TWO"}, {ID: "BB-001", Name: "three"}}

// FuzzDirectives checks what is true of the suppression comments of any artifact:
// each is either at fault or covers a part of the file for the rules that it names.
func FuzzDirectives(f *testing.F) {
	for _, s := range []string{
		"---\nversion: 1\n---\n<!-- brennerlint:ignore-file AA -- x -->\n## 2. Hypothesis Slate\n<!-- brennerlint:ignore AA-001,BB-001 -- x -->\n### H1: x\n**Claim**: x\n### H2: y\n",
		"## 1. Research Thread\n<!-- brennerlint:ignore two -- é -->\n**RT**: x\n<!-- brennerlint:ignore TWO -- x --><!-- brennerlint:ignore BB --x-->\n## 3. Predictions Table\n<!--brennerlint:ignore AA-001 -- x-->\n| ID | H1 |\n|--|--|\n| P1 | x |\n",
		"<!-- brennerlint:ignore-all AA-001 -- x -->\n<!-- brennerlint:ignore -- x -->\n<!-- brennerlint:ignore AA-001 -->\n<!-- x -->\n<!-- brennerlint:ignore-file ZZ-9 -- x -->",
		"<!-- brennerlint:ignore AA -- x", "> <!-- brennerlint:ignore AA -- x -->\n> ### H1: x\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		file := source.NewFile("a.md", data)
		found := directives(artifact.ParseMarkdown(file.Text(), artifact.Limits{}), "", threeRules)
		for _, s := range found {
			at, ok := s.At.Text.ToFile(s.At.Span)
			if !ok || at.Start < 0 || at.End > len(data) || !bytes.HasPrefix(data[at.Start:], []byte("<!--")) {
				t.Fatalf("a directive is at %v", at)
			}
			if s.Fault != 0 {
				if !utf8.ValidString(s.Word) && utf8.Valid(data) {
					t.Fatalf("fault %d at %q", s.Fault, s.Word)
				}
				continue
			}
			if len(s.rules) == 0 || s.span.Start < 0 || s.span.End < s.span.Start || s.span.End > len(data) {
				t.Fatalf("%q covers %v for %v", data[at.Start:at.End], s.span, s.rules)
			}
		}
	})
}

// TestTooManyDirectives checks that the directives of a file are bounded, and that the first
// without effect is reported.
func TestTooManyDirectives(t *testing.T) {
	text := strings.Repeat("<!-- brennerlint:ignore AA-001 -- x -->\n", maxDirectives+2) + "## 2. Hypothesis Slate\n"
	found := directives(artifact.ParseMarkdown(source.NewFile("a.md", []byte(text)).Text(), artifact.Limits{}), "", threeRules)
	if len(found) != maxDirectives+1 {
		t.Fatalf("%d directives are read, want %d", len(found), maxDirectives+1)
	}
	for i, s := range found {
		if want := i == maxDirectives; (s.Fault == lint.TooManyDirectives) != want || !want && s.Fault != 0 {
			t.Errorf("directive %d has fault %d", i, s.Fault)
		}
	}
}

// prints gives findings their fingerprints and returns these.
func prints(findings ...*lint.Finding) []string {
	setFingerprints(findings)
	out := make([]string, len(findings))
	for i, f := range findings {
		out[i] = f.Fingerprint
	}
	return out
}

func base() *lint.Finding {
	return &lint.Finding{
		Rule: "MB-005", Message: "delta 2 is not valid JSON", Path: "mail/thread.json",
		Thread: "RS-20251230-cell-fate", MessageID: "17", Item: "T1", Field: "name",
		Range: &source.Range{Start: source.Position{Line: 41, Column: 330}},
		Frame: &lint.Frame{Line: 12, Lines: []string{"above", `  "anchors": ["§161",]`}, Start: 20, End: 21},
	}
}

// TestFingerprint checks what changes the fingerprint of a finding, and what does not.
func TestFingerprint(t *testing.T) {
	ofFile := func(path, thread string) func(*lint.Finding) {
		return func(f *lint.Finding) { f.Path, f.Thread, f.MessageID, f.Artifact = path, thread, "", true }
	}
	ofLine := func(before, after string) func(*lint.Finding) {
		return func(f *lint.Finding) {
			line := before + `"§161",]` + strings.Repeat("§", 150) + after
			f.Frame = &lint.Frame{Lines: []string{line}, Start: len(before), End: len(before) + 1}
		}
	}
	seen := map[string]string{}
	for _, group := range []map[string]func(*lint.Finding){ // those of one group have one fingerprint
		{
			"the finding itself": func(*lint.Finding) {}, "a moved line": func(f *lint.Finding) { f.Range.Start.Line, f.Frame.Line = 99, 40 },
			"another line above": func(f *lint.Finding) { f.Frame.Lines[0] = "new" }, "no line above": func(f *lint.Finding) { f.Frame.Lines = f.Frame.Lines[1:] },
			"another export": func(f *lint.Finding) { f.Path = "storage.sqlite3" }, "another wording": func(f *lint.Finding) { f.Message = "delta 2 is no JSON" },
			"indentation": func(f *lint.Finding) { f.Frame.Lines[1] = "\t\"anchors\":  [\"§161\",]" },
		},
		{"rule": func(f *lint.Finding) { f.Rule = "DL-006" }},
		{"thread": func(f *lint.Finding) { f.Thread = "RS-20260101-other" }},
		{"message": func(f *lint.Finding) { f.MessageID = "18" }},
		{"item": func(f *lint.Finding) { f.Item = "T2" }},
		{"field": func(f *lint.Finding) { f.Field = "anchors" }},
		{"line": func(f *lint.Finding) { f.Frame.Lines[1] = `"anchors": ["§162",]` }},
		{"no text": func(f *lint.Finding) { f.Frame = nil }},
		{"no message": func(f *lint.Finding) { f.MessageID, f.Thread = "", "" }},
		{
			"an artifact":         ofFile("artifacts/RS-20251230-cell-fate.md", "RS-20251230-cell-fate"),
			"in another folder":   ofFile("/home/me/old/RS-20251230-cell-fate.md", "RS-20251230-cell-fate"),
			"without its session": ofFile("artifacts/RS-20251230-cell-fate.md", ""),
		},
		{"another artifact": ofFile("artifacts/RS-20260101-other.md", "RS-20251230-cell-fate")},
		{"a long line": ofLine(strings.Repeat("x", 500), ""), "text far from the fault": ofLine(strings.Repeat("y", 900), " more")},
	} {
		first := ""
		for name, change := range group {
			f := base()
			change(f)
			got := prints(f)[0]
			if other, ok := seen[got]; ok && first == "" {
				t.Errorf("%s has the fingerprint of %s", name, other)
			}
			if first = cmp.Or(first, got); got != first || len(got) != 32 {
				t.Errorf("%s changes the fingerprint to %s", name, got)
			}
			seen[got] = name
		}
	}
}

// TestFingerprintCounts checks that alike findings are told apart by counting them.
func TestFingerprintCounts(t *testing.T) {
	three := prints(base(), base(), base())
	if three[0] == three[1] || three[1] == three[2] || three[0] == three[2] {
		t.Errorf("alike findings share a fingerprint: %q", three)
	}
	if two := prints(base(), base()); two[0] != three[0] || two[1] != three[1] {
		t.Error("a further alike finding changes those before it")
	}
}

// TestFindingsOfBaseline checks that a baseline is given all findings of a file, up to the bound of
// a run. (That those beyond a bound are counted, TestMergedFindings checks.)
func TestFindingsOfBaseline(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want int
	}{
		{Options{Limits: Limits{Findings: 7}}, 7},
		{Options{Limits: Limits{Findings: MaxFindings}}, MaxFindings},
		{Options{Limits: Limits{Findings: 7}, Baseline: &Baseline{}}, MaxFindings},
	} {
		if k := (&Mailbox{opts: c.opts}).newFindings(); k.perFile != c.want || k.perFile == MaxFindings && k.total != MaxFindings {
			t.Errorf("%+v: %d findings of a file are kept, %d in all", c.opts.Limits, k.perFile, k.total)
		}
	}
}
