package rules_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// mailOf is a message in thread JSON; later ones have later times.
type mailOf struct {
	subject, from, body, time string
	ack                       bool
}

// TestReferenceDepartures checks that if the reference's reading of subjects and threads
// departs from the specifications (testdata/corpus/vectors, Subjects, thread status), the
// specification decides.
func TestReferenceDepartures(t *testing.T) {
	for _, tt := range []struct {
		id, passage string
		thread      string
		mail        []mailOf
		want        string
	}{
		{"S1", "thread_subject_conventions, Subject Validation: the pattern has capital letters", "", []mailOf{{subject: "Compiled: v1"}}, "MB-001"},
		{"S2", "thread_subject_conventions, Subject Validation: DELTA\\[[a-z]+\\]", "", []mailOf{{subject: "DELTA[Test Designer]: x"}}, "MB-001"},
		{"S3", "thread_subject_conventions, Defined Prefixes: there are ten", "", []mailOf{{subject: "TRIBUNAL[devils_advocate]: H-1023"}}, "MB-001"},
		{"S4", "thread_subject_conventions, Subject Validation: anchored at the start", "", []mailOf{{subject: "  KICKOFF: x", ack: true}}, "MB-001"},
		{"S5", "thread_subject_conventions, Subject Validation: EMPTY_SUBJECT_DESCRIPTION", "", []mailOf{{subject: "INFO: "}}, "SU-001"},
		{"S6", "artifact_publish_spec, AP-001: COMPILED: v{N}", "", []mailOf{{subject: "COMPILED: rev2 of TV5"}}, "AP-001"},
		{"S7", "message_body_schema, ACK Semantics Summary: a QUESTION is acknowledged too", "",
			[]mailOf{{subject: "QUESTION: x", ack: true}, {subject: "INFO: y", time: "2025-12-30T11:00:00Z"}}, "MB-030"},
		{"S8", "message_body_schema, ACK Workflow: an ACK acknowledges, not any message", "",
			[]mailOf{{subject: "KICKOFF: x", ack: true}, {subject: "INFO: y", from: "GreenDog", time: "2025-12-30T11:00:00Z"}}, "MB-030"},
		{"S8", "message_body_schema, ACK Messages: the Message ID says which", "",
			[]mailOf{{subject: "KICKOFF: x", ack: true}, {subject: "ACK: y", from: "GreenDog", body: "## Message ID\n2", time: "2025-12-30T11:00:00Z"}}, "MB-030"},
		{"S9", "artifact_publish_spec, AP-002: N is greater than before", "",
			[]mailOf{{subject: "COMPILED: v3 x"}, {subject: "COMPILED: v2 y", time: "2025-12-30T11:00:00Z"}}, "AP-002"},
		{"S10", "thread_subject_conventions, Role Shorthand for DELTA: the tag is the model's", "", []mailOf{{subject: "DELTA[testdesigner]: x"}}, "SU-004"},
		{"S11", "artifact_delta_spec, Ordering Rules: times are ISO 8601", "", []mailOf{{subject: "INFO: x", time: "Dec 30, 2025"}}, "IN-003"},
		{"S12", "thread_subject_conventions, Thread ID Validation", "RS-20251230-Cell-Fate", []mailOf{{subject: "INFO: x"}}, "TH-002"},
		{"S13", "artifact_publish_spec, AP-003: the body's Thread ID is the message's", "",
			[]mailOf{{subject: "COMPILED: v1 x", body: "- **Thread ID**: RS-20251230-other-thread"}}, "AP-003"},
	} {
		if found := checkThread(t, tt.thread, tt.mail); !slices.Contains(found, tt.want) {
			t.Errorf("%s (%s): found %v, want %s", tt.id, tt.passage, found, tt.want)
		}
	}
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
	if err != nil {
		t.Fatal(err)
	}
	opts := engine.Options{Severities: levels, Workers: 1, Stdin: engine.Stdin{Reader: bytes.NewReader(data)}}
	rep, err := engine.Check(context.Background(), all, opts, "-")
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
