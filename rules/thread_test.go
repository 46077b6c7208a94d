package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// mailOf is a message in thread JSON; later ones have later times.
type mailOf struct {
	subject, from, body, time string
	ack                       bool
}

// checkThread checks thread JSON and lists the rules that find something. It has
// recipients as outbox JSON does.
func checkThread(t *testing.T, thread string, mail []mailOf) []string {
	t.Helper()
	var out []string
	for _, f := range threadReport(t, rules.All(), engine.Severities{}, thread, mail).Findings {
		out = append(out, f.Rule)
	}
	return out
}

// threadReport returns the report of rules on a thread.
func threadReport(t *testing.T, all []*lint.Rule, levels engine.Severities, thread string, mail []mailOf) *lint.Report {
	t.Helper()
	if thread == "" {
		thread = "RS-20251230-gradient-vs-lineage"
	}
	var messages []any
	for i, m := range mail {
		for value, usual := range map[*string]string{&m.from: "BlueLake", &m.time: "2025-12-30T10:00:00Z"} {
			if *value == "" {
				*value = usual
			}
		}
		messages = append(messages, map[string]any{
			"id": i + 1, "from": m.from, "to": []string{"GreenDog", "BlueLake"}, "created_ts": m.time,
			"subject": m.subject, "thread_id": thread, "body_md": m.body, "ack_required": m.ack,
		})
	}
	data, err := json.Marshal(map[string]any{"project": "/x", "thread_id": thread, "messages": messages})
	must.OK(t, err)
	opts := engine.Options{Severities: levels, Workers: 1, Stdin: engine.Stdin{Reader: bytes.NewReader(data)}}
	rep, err := engine.Check(context.Background(), all, opts, "-")
	must.OK(t, err)
	return rep
}
