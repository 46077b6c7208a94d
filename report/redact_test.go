package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// TestRedactReworded checks that redaction does not depend on the words of a message:
// what it repeats of the input without quotation marks is marked where it is made.
func TestRedactReworded(t *testing.T) {
	for _, text := range []string{`{zebra: 1}`, `{"a": zebra}`, `{"a": 1 zebra}`, `{"a": "x", zebra zebra: 1}`, `{"a": 0x5eb4a}`} {
		_, fault := jsontree.Parse([]byte(text), jsontree.Options{})
		if len(fault.Quoted) == 0 {
			t.Fatalf("%s: %q repeats nothing", text, fault.Message)
		}
		words := strings.Join(fault.Quoted, " and ")
		for _, message := range []string{fault.Message, "look, " + words, words + ": odd", "(" + words + ")", strings.ReplaceAll(fault.Message, "is not", "should be"), "«" + words + "»"} {
			in := &lint.Report{
				Findings: []*lint.Finding{{Rule: "IN-002", Message: message, Suggestion: "try " + message, Quoted: fault.Quoted, Related: []lint.Related{{Message: message}}}},
				Notices:  []string{"mail.json: " + message}, Quoted: fault.Quoted,
			}
			in.Hidden, in.Accepted, in.AfterFixes = in.Findings, in.Findings, in.Findings
			replayed := &replay.Results{
				Notices: in.Notices, Quoted: fault.Quoted,
				Threads: []replay.ThreadResult{{Windows: []replay.WindowResult{{Rejected: []replay.RejectedDelta{{Message: message, Quoted: fault.Quoted}}}}}},
			}
			var out bytes.Buffer
			for _, format := range []string{"text", "json", "html", "sarif"} {
				must.OK(t, report.Write(&out, format, report.Redact(in), report.Options{}))
			}
			redacted := report.RedactReplay(replayed)
			out.WriteString(report.ReplayJSON(redacted))
			for _, f := range slices.Concat(report.Redact(in).Hidden, report.Redact(in).Accepted, report.Redact(in).AfterFixes) {
				out.WriteString(f.Message + f.Suggestion)
			}
			out.WriteString(strings.Join(redacted.Notices, " ") + strings.Join(report.Redact(in).Notices, " "))
			for _, part := range append(fault.Quoted, "zebra") {
				if strings.Contains(out.String(), part) {
					t.Errorf("%s: %q is shown, in a report of %q", text, part, message)
				}
			}
			if !strings.Contains(replayed.Threads[0].Windows[0].Rejected[0].Message, words[:5]) || !strings.Contains(in.Notices[0], words[:5]) {
				t.Errorf("the report of %q itself was changed", message)
			}
		}
	}
}

// Each outcome of a delta of a draft has its words.
func TestMergePreview(t *testing.T) {
	r := &lint.Report{MergePreview: []lint.DeltaView{
		{Delta: 1, Outcome: merge.Applied, Operation: brenner.Add, Item: "A3"},
		{Delta: 2, Outcome: merge.Applied, Operation: brenner.Edit, Item: "A3"},
		{Delta: 3, Outcome: merge.Applied, Operation: brenner.Kill, Item: "A3"},
		{Delta: 4, Outcome: merge.Unchanged, Operation: brenner.Edit, Item: "A3"},
		{Delta: 5, Outcome: merge.Skipped, Operation: brenner.Edit, Item: "A3"},
		{Delta: 6, Outcome: merge.Dropped, Operation: brenner.Edit, Item: "A3"},
		{Delta: 7, Outcome: merge.Rejected, Rule: "MR-001"},
		{Delta: 8, Outcome: merge.Rejected},
		{Delta: 9},
	}}
	want := []string{
		"delta 1: this ADD becomes A3", "delta 2: edits A3", "delta 3: kills A3", "delta 4: would change nothing", "delta 5: would be skipped: A3 is killed",
		"delta 6: would be dropped: A3 is killed at the same instant", "delta 7: would be rejected (MR-001)", "delta 8: would be rejected", "delta 9: would not be read",
	}
	if got := report.MergePreview(r); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
