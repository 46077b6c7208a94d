package oracle

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
)

// compiledVersion is the version that a COMPILED subject gives (decisions.md 60).
var compiledVersion = regexp.MustCompile(`(?i)^\s*COMPILED\s*:\s*v([1-9]\d*)(\.\d)?`)

// Answer answers a merge case of the conformance suite.
func Answer(in conformance.MergeInput) conformance.MergeResult {
	var messages []Message
	for _, m := range in.Messages {
		messages = append(messages, Message{ID: m.ID, Subject: m.Subject, From: m.From, Created: m.Created, Body: m.Body})
	}
	var out conformance.MergeResult
	for _, w := range Replay(messages, Options{Roster: in.Roster, Priority: in.Priority}) {
		each := conformance.Window{State: json.RawMessage(w.merged.canonical()), Hash: w.Hash, Applied: w.Applied, Rejected: []conformance.Rejected{}, Conflicts: []conformance.Conflict{}}
		if w.Compiled != nil {
			each.Version = versionOf(w.Compiled.Subject)
		}
		for _, d := range w.Rejected {
			each.Rejected = append(each.Rejected, conformance.Rejected{MessageID: d.In.ID, Delta: d.Position, Code: d.Code})
		}
		for _, c := range w.Conflicts {
			item, field, _ := strings.Cut(c, " ")
			each.Conflicts = append(each.Conflicts, conformance.Conflict{Item: item, Field: field})
		}
		out.Windows = append(out.Windows, each)
	}
	return out
}

// versionOf returns the version that a subject states, nil if none.
func versionOf(subject string) *int {
	m := compiledVersion.FindStringSubmatch(subject)
	if m == nil || m[2] != "" {
		return nil
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return nil
	}
	return &n
}
