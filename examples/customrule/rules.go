// Command customrule is brennerlint with two rules of a research group in addition to those
// of the catalogue: the same flags, configuration, formats and hooks.
package main

import (
	"embed"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

//go:embed doc
var pages embed.FS

// customRules are the rules of the group.
var customRules = []*lint.Rule{
	{
		ID: "GRP-001", Name: "calm-subject", Severity: lint.Warning,
		SpecRef: "custom rules", Summary: "A subject has no exclamation mark.",
		Check: lint.MessageCheck(checkCalmSubject),
		Page:  page("GRP-001"),
	},
	{
		ID: "GRP-002", Name: "test-names-budget", Severity: lint.Warning,
		SpecRef: "custom rules", Summary: "The procedure of each active test names its budget.",
		Check: lint.ArtifactCheck(checkBudget),
		Page:  page("GRP-002"),
	},
}

func checkCalmSubject(p *lint.MessagePass) {
	at := strings.IndexByte(p.Message.SubjectText, '!')
	if at < 0 {
		return
	}
	p.Report(lint.Diagnostic{
		At:         p.Message.InSubject(source.Span{Start: at, End: at + 1}),
		Message:    "the subject has an exclamation mark",
		Suggestion: "remove it",
	})
}

func checkBudget(p *lint.ArtifactPass) {
	section := p.Artifact.Section(brenner.DiscriminativeTests)
	if section == nil {
		return
	}
	for _, test := range section.Items {
		procedure := test.Field("procedure")
		if test.Killed || procedure == nil || strings.Contains(strings.ToLower(procedure.Text), "budget") {
			continue
		}
		p.Report(lint.Diagnostic{
			At: p.Artifact.Text.Place(procedure.Value), Item: test.ID.String(), Field: "procedure",
			Message:    test.ID.String() + " has a procedure without a budget",
			Suggestion: "end the procedure with its budget, as in `Budget: 3 days`",
		})
	}
}

// page reads the page of a rule when it is asked for.
func page(id string) func() []byte {
	return func() []byte {
		data, err := pages.ReadFile("doc/" + id + ".md")
		if err != nil {
			panic(err) // it is embedded
		}
		return data
	}
}

func main() { cli.Main(append(rules.All(), customRules...)...) }
