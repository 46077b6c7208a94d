package ruletest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// shout returns a rule against the word LOUD; its fix writes another word, if any.
func shout(fixable bool, fixed string) *lint.Rule {
	return &lint.Rule{
		ID: "ZZ-001", Name: "shout", Scope: lint.ArtifactScope, Severity: lint.Warning, SpecRef: "x", Summary: "x", Fixable: fixable,
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			text := p.Artifact.Text
			i := strings.Index(string(text.Data), "LOUD")
			if i < 0 {
				return
			}
			d := lint.Diagnostic{At: text.Place(source.Span{Start: i, End: i + 4}), Message: "it shouts"}
			if fixed != "" {
				d.Fix = &lint.SuggestedFix{Description: "lower it", Edits: []lint.TextEdit{{At: d.At, Text: fixed}}}
			}
			p.Report(d)
		}),
	}
}

const (
	file = "artifacts/RS-20251230-a.md"
	loud = "-- bad/a/" + file + " --\n## 2. Hypothesis Slate\nLOUD\n"
	want = "-- bad/a/want --\n" + file + ":2:1: it shouts\n"
	calm = "-- good/b/" + file + " --\n## 2. Hypothesis Slate\nloud\n"
	done = "-- fixed/a/" + file + " --\n## 2. Hypothesis Slate\nloud\n"
)

// TestProblems checks what is said of archives that do not show what their rule does.
func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		rule    *lint.Rule
		archive string
		want    string // in a problem; "" if there is none
	}{
		"all is well":          {shout(true, "loud"), "What for.\n" + loud + want + done + calm, ""},
		"no purpose":           {shout(true, "loud"), loud + want + done + calm, "it does not say what the rule is for"},
		"no bad example":       {shout(false, ""), "What for.\n" + calm, "it has no bad example"},
		"no good example":      {shout(false, ""), "What for.\n" + loud + want, "it has no good example"},
		"no fix is shown":      {shout(true, ""), "What for.\n" + loud + want + calm, "it shows no fix, but the rule is Fixable"},
		"not fixable":          {shout(false, "loud"), "What for.\n" + loud + want + done + calm, "rule ZZ-001 offers a fix but is not Fixable"},
		"a fix not shown":      {shout(true, "loud"), "What for.\n" + loud + want + calm, "the rule offers a fix of " + file + " that fixed/ does not show"},
		"another fix":          {shout(true, "quiet"), "What for.\n" + loud + want + done + calm, "quiet"},
		"a fix that fails":     {shout(true, "LOUD!"), "What for.\n" + loud + want + strings.Replace(done, "loud", "LOUD!", 1) + calm, "leaves a fault that it would fix: it shouts"},
		"another place":        {shout(true, "loud"), "What for.\n" + loud + strings.Replace(want, "2:1", "2:2", 1) + done + calm, ":2:1: it shouts"},
		"a finding in a good":  {shout(true, "loud"), "What for.\n" + loud + want + done + strings.Replace(calm, "loud", "LOUD", 1), "it shouts"},
		"a file of no example": {shout(true, "loud"), "What for.\n" + loud + want + done + calm + "-- other --\n", `file "other" is not bad/NAME/FILE`},
	} {
		a := txtar.Parse([]byte(c.archive))
		examples, problems := Examples(a)
		problems = append(problems, Missing(c.rule, a, examples)...)
		tester := &Tester{Rule: c.rule, Rules: []*lint.Rule{c.rule}, Temp: func() (string, error) { return t.TempDir(), nil }}
		for _, ex := range examples {
			found, _ := tester.Run(ex)
			problems = append(problems, found...)
		}
		if all := strings.Join(problems, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: the problems are %q, expected %q", name, all, c.want)
		}
	}
}
