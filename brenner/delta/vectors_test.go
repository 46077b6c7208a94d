package delta

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
)

// departures are the records in which the reference parser departs from the
// specifications: by the record's test, what departs (see the vectors' README) and the
// passage that decides. blocks is our number of blocks, rejected the faults that reject
// ours, in order.
var departures = map[string]struct {
	departs, passage string
	blocks           int
	rejected         []Kind
}{
	"parses a valid ADD delta":                                         {"P7", lacksAnchors, 1, []Kind{LacksFields}},
	"parses delta blocks with CRLF line endings":                       {"P7", lacksAnchors, 1, []Kind{LacksFields}},
	"parses :::delta blocks":                                           {"P1", "delta_output_format, Parsing Rules 1: fenced code blocks with language tag delta", 0, nil},
	"accepts ADD with non-null target_id (ignores it for leniency)":    {"P7", lacksAnchors, 1, []Kind{LacksFields}}, // P6 is TargetOfAdd, which does not reject
	"handles multiple delta blocks":                                    {"P7", lacksAnchors, 2, []Kind{LacksFields, LacksFields}},
	"parses blocks with 4 backticks (variable fence length)":           {"P7", lacksAnchors, 1, []Kind{LacksFields}},
	"filters to only valid deltas":                                     {"P7", lacksAnchors, 3, []Kind{LacksFields, BadOperation, LacksFields}},
	"correctly parses fenced delta alongside prose with JSON keywords": {"P7", lacksAnchors, 1, []Kind{LacksFields}},
}

const lacksAnchors = "delta_output_format, Failure Mode 5 and Error Handling: a missing required field rejects the block"

// TestReferenceVectors checks the recorded calls of the reference parser against ours:
// the same blocks found, the same accepted, except for the departures.
func TestReferenceVectors(t *testing.T) {
	data := must.Read(t, "../../testdata/corpus/vectors/parse_delta.jsonl")
	departed := 0
	for line := range strings.Lines(string(data)) {
		var record struct {
			Input, Test string
			Output      struct {
				Deltas []struct {
					Valid                   bool
					Operation, Section, Raw string
					Target                  *string `json:"target_id"`
					Payload                 any
				}
			}
			Deviates []string
		}
		must.OK(t, json.Unmarshal([]byte(line), &record))
		name := record.Test[strings.LastIndex(record.Test, " > ")+3:]
		got := extract(record.Input)
		if d, ok := departures[name]; ok {
			departed++
			if len(got) != d.blocks {
				t.Errorf("%s (%s): %d blocks, want %d by %s", name, d.departs, len(got), d.blocks, d.passage)
				continue
			}
			for i, kind := range d.rejected {
				if r := got[i].Rejected(); r == nil || r.Kind != kind {
					t.Errorf("%s (%s): block %d is rejected for %v, want %s by %s", name, d.departs, i+1, r, kind, d.passage)
				}
			}
			continue
		}
		if len(got) != len(record.Output.Deltas) {
			t.Errorf("%s: %d blocks, want %d", name, len(got), len(record.Output.Deltas))
			continue
		}
		for i, want := range record.Output.Deltas {
			d := got[i]
			if rejected := d.Rejected(); (rejected == nil) != want.Valid {
				t.Errorf("%s: block %d is rejected for %v, want valid %v", name, i+1, rejected, want.Valid)
			}
			if raw := strings.TrimSpace(string(d.Text.Data)); raw != want.Raw {
				t.Errorf("%s: block %d holds %q, want %q", name, i+1, raw, want.Raw)
			}
			if !want.Valid {
				continue
			}
			if string(d.Operation) != want.Operation || d.Section.ID() != want.Section || want.Target != nil && d.TargetID != *want.Target {
				t.Errorf("%s: block %d is %s %s %q", name, i+1, d.Operation, d.Section, d.TargetID)
			}
			ours, _ := json.Marshal(d.Payload.Value())
			theirs, _ := json.Marshal(want.Payload)
			if string(ours) != string(theirs) {
				t.Errorf("%s: block %d carries %s, want %s", name, i+1, ours, theirs)
			}
		}
	}
	if departed != len(departures) {
		t.Errorf("%d of the %d departures are among the records", departed, len(departures))
	}
}
