package mcp

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// ruleArgs are the arguments of explain_rule.
type ruleArgs struct {
	Rule string `json:"rule" jsonschema:"id, name or specification code of the rule, such as MB-005, or a family such as MB"`
}

// ruleList is what explain_rule gives.
type ruleList struct {
	Rules []ruleEntry `json:"rules"`
}

// ruleEntry is a rule in a list: enough to choose whose page to read.
type ruleEntry struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
}

// explainRule documents one rule, or lists several.
func (s *server) explainRule(_ context.Context, a ruleArgs) (*mcp.CallToolResult, *ruleList, error) {
	found := s.rules.Match(a.Rule)
	if len(found) == 0 {
		return nil, nil, s.unknownRule(a.Rule)
	}
	var out bytes.Buffer
	list := &ruleList{}
	for _, r := range found {
		list.Rules = append(list.Rules, ruleEntry{r.ID, r.Name, r.Severity.String(), r.Summary})
		if len(found) > 1 {
			fmt.Fprintf(&out, "%s %s (%s): %s\n", r.ID, r.Name, r.Severity, r.Summary)
		}
	}
	if len(found) == 1 {
		if err := report.Explain(&out, found[0]); err != nil {
			return nil, nil, err
		}
	}
	return textResult(out.String()), list, nil
}

// unknownRule returns the error for a word that names no rule.
func (s *server) unknownRule(word string) error {
	var known []string
	for _, r := range s.rules {
		known = append(known, r.ID, r.Name)
	}
	if best := text.Nearest(word, known); best != "" {
		return fmt.Errorf("unknown rule %q; did you mean %s?", word, best)
	}
	return fmt.Errorf("unknown rule %q; expected an id, name or code, such as MB-005, or a family, such as MB", word)
}

// rulesURI begins the address of each rule's page.
const rulesURI = "brennerlint://rules/"

// addResources offers the pages of the rules. Each is listed by its id, and found by
// its name and code too.
func (s *server) addResources(m *mcp.Server) {
	for _, r := range s.rules {
		m.AddResource(&mcp.Resource{
			URI: rulesURI + r.ID, Name: r.ID, Title: r.ID + " " + r.Name, Description: r.Summary, MIMEType: "text/markdown",
		}, s.readRule)
	}
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: rulesURI + "{rule}", Name: "rule", Title: "Page of a rule", MIMEType: "text/markdown",
		Description: "what a rule checks, why, and examples; rule is an id, a name or a specification code",
	}, s.readRule)
}

// readRule implements mcp.ResourceHandler.
func (s *server) readRule(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := r.Params.URI
	word, _ := strings.CutPrefix(uri, rulesURI)
	found := s.rules.Match(word)
	if len(found) != 1 {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	page, err := pageOf(found[0])
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: page}}}, nil
}

// pageOf returns the page of a rule, or its explanation if it has none.
func pageOf(r *lint.Rule) (string, error) {
	if r.Page != nil {
		return docgen.RulePage(r), nil
	}
	var out bytes.Buffer
	err := report.Explain(&out, r)
	return out.String(), err
}
