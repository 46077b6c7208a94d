package mcp

import (
	"bytes"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

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

// pageOf returns the page of a rule. Rules of other programs may have none.
func pageOf(r *lint.Rule) (string, error) {
	if r.Page != nil {
		return docgen.RulePage(r), nil
	}
	var out bytes.Buffer
	err := report.Explain(&out, r)
	return out.String(), err
}
