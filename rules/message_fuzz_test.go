package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"unicode"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/rules"
)

// FuzzMessageRules checks messages of any content: no rule may panic, point outside the
// input, or output terminal control sequences.
func FuzzMessageRules(f *testing.F) {
	f.Add("KICKOFF: [RS-20251230-cell-fate] x", "RS-20251230-Cell\x1bFate", "{x}\n# \n## Context\n{a}\n## Excerpt\n", true)
	f.Add("COMPILED: v2 x", "a\u202e/..", "# v3\n- **Thread ID**: `\x1b[2J`\n## Contributors\n| Agent |\n|---|\n", false)
	f.Add("HANDOFF: x", "", "## From\n\x1b[31m\n## To\nRedLake\n", true)
	f.Add("ACK:\u200b", "17", "## Message ID\n#17, 18\n## Status\n\u2066", true)
	f.Add("DELTA[\x00]: x", "COORD-", "```delta\n{\"operation\": \"\u202e\"}\n```\nDELTA[x]: y", false)
	f.Add("INFO: Artifact v1 persisted", "x", "- **Path**: \x07", false)
	f.Fuzz(func(t *testing.T, subject, thread, body string, ack bool) {
		data, err := json.Marshal(map[string]any{"messages": []any{
			map[string]any{"id": 17, "from": "a\x1bb", "to": []string{"c\u202ed"}, "created_ts": "2025-12-30T10:00:00Z", "subject": subject, "thread_id": thread, "body_md": body, "ack_required": ack},
			map[string]any{"id": 18, "from": "GreenDog", "created_ts": "2025-12-30T11:00:00Z", "subject": "Re: " + subject, "thread_id": thread, "body_md": body},
		}})
		if err != nil {
			t.Skip()
		}
		rep, err := engine.Check(context.Background(), rules.All(), engine.Options{Workers: 1, Stdin: engine.Stdin{Reader: bytes.NewReader(data)}}, "-")
		if err != nil {
			t.Skip(err)
		}
		for _, failure := range rep.Failures {
			t.Errorf("rule %s: %s", failure.Rule, failure.Reason)
		}
		for _, finding := range rep.Findings {
			if r := finding.Range; r != nil && (r.Start.Offset > r.End.Offset || r.End.Offset > len(data)) {
				t.Errorf("%s is at %v", finding.Rule, *r)
			}
			for _, r := range finding.Message + finding.Suggestion {
				if !unicode.IsPrint(r) {
					t.Errorf("%s says %q", finding.Rule, finding.Message+finding.Suggestion)
					break
				}
			}
		}
	})
}
