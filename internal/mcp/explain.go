package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
)

// ruleArgs are the arguments of explain_rule.
type ruleArgs struct {
	Rule string `json:"rule"`
}

// ruleEntry is a rule in a list: enough to choose whose page to read.
type ruleEntry struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
}

// explainRule documents one rule; of several it gives a list.
func (s *server) explainRule(_ context.Context, raw json.RawMessage) (*mcp.CallToolResult, error) {
	a, err := arguments[ruleArgs](raw)
	if err != nil {
		return nil, err
	}
	found := s.rules.Match(a.Rule)
	if len(found) == 0 {
		return nil, s.unknownRule(a.Rule)
	}
	var out bytes.Buffer
	if len(found) == 1 {
		err = report.Explain(&out, found[0])
	} else {
		for _, r := range found {
			fmt.Fprintf(&out, "%s %s (%s): %s\n", r.ID, r.Name, r.Severity, r.Summary)
		}
	}
	if err != nil {
		return nil, err
	}
	list := make([]ruleEntry, 0, len(found))
	for _, r := range found {
		list = append(list, ruleEntry{r.ID, r.Name, r.Severity.String(), r.Summary})
	}
	data, err := json.Marshal(map[string]any{"rules": list})
	if err != nil {
		return nil, err
	}
	return toolResult(out.String(), data), nil
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
