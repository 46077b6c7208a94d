package ruletest

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// shout returns a rule against the word LOUD; its fix writes another word, if any.
func shout(fixed string) *lint.Rule {
	return &lint.Rule{
		ID: "ZZ-001", Name: "shout", Severity: lint.Warning, SpecRef: "x", Summary: "x",
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
	loud = "\n## Reported\n\n### A\n\n`" + file + "`:\n\n```\n## 2. Hypothesis Slate\nLOUD\n```\n"
	want = "\nFindings:\n\n```\n" + file + ":2:1-2:5: it shouts\n```\n"
	fixd = "\nFindings:\n\n```\n" + file + ":2:1-2:5: it shouts\n  fix: lower it\n```\n"
	done = "\n`" + file + "`, fixed:\n\n```\n## 2. Hypothesis Slate\nloud\n```\n"
	calm = "\n## Not reported\n\n### B\n\n`" + file + "`:\n\n```\n## 2. Hypothesis Slate\nloud\n```\n"
)

// TestProblems checks the problems that are reported for pages that do not show what their
// rule does.
func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		rule *lint.Rule
		page string
		want string // in a problem; "" if there is none
	}{
		"all is well":         {shout("loud"), "What for.\n" + loud + fixd + done + calm, ""},
		"no purpose":          {shout("loud"), loud + fixd + done + calm, "it does not say what the rule is for"},
		"no bad example":      {shout(""), "What for.\n" + calm, "it has no bad example below ## Reported"},
		"no good example":     {shout(""), "What for.\n" + loud + want, "it has no good example below ## Not reported"},
		"a fix not shown":     {shout("loud"), "What for.\n" + loud + fixd + calm, "the rule offers a fix of " + file + " that the page does not show"},
		"another fix":         {shout("quiet"), "What for.\n" + loud + fixd + done + calm, "quiet"},
		"a fix that fails":    {shout("LOUD!"), "What for.\n" + loud + fixd + strings.Replace(done, "loud", "LOUD!", 1) + calm, "leaves a fault that it would fix: it shouts"},
		"another place":       {shout("loud"), "What for.\n" + loud + strings.Replace(fixd, "2:1-", "2:2-", 1) + done + calm, ":2:1-2:5: it shouts"},
		"a finding in a good": {shout("loud"), "What for.\n" + loud + fixd + done + strings.Replace(calm, "loud", "LOUD", 1), "it shouts"},
		"another form":        {shout("loud"), "What for.\n" + loud + fixd + done + calm + "More.\n", "expected a file"},
	} {
		page, problems := rulepage.Parse([]byte(c.page))
		problems = append(problems, Missing(page)...)
		found, _ := Run(page, c.rule, lint.Catalogue{c.rule}, false)
		problems = append(problems, found...)
		if all := strings.Join(problems, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: the problems are %q, expected %q", name, all, c.want)
		}
	}
}
