package merge_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// departures are the points in which the reference compiler departs from the
// specifications and that a record may touch, each with the passage, and what of it
// this test sees. Those that no record touches say so: M1 (text order of timestamps),
// M2 (ties), M7 to M9 (replace flags, labels), M11 (N/A of killed hypotheses), M13 to
// M16 (post-conditions, roster, scoped ids, score ranges) and M19 (references); the
// tests of this package check what the merge does there.
var departures = map[string]string{
	"M3":  "one bad delta fails the whole merge; delta_output_format, Error Handling: it alone is rejected, so the rest is compared by its count",
	"M4":  "a second KILL counts as applied; artifact_delta_spec, Merge Algorithm: it is passed over",
	"M5":  "required fields are not checked; delta_output_format, Failure Mode 5: the ADD is rejected with DL-006, and applied here all the same",
	"M6":  "only active hypotheses count towards the limit: so says decisions.md 23 too",
	"M10": "anchors given as text are ignored in the research thread; decisions.md 18: DL-007 is reported and the value stored as given",
	"M12": "killing the last third alternative is done with a warning: so says decisions.md 22 too, and MR-005 is judged apart from the merge",
	"M17": "an EDIT of a killed item is skipped with a warning: so says artifact_delta_spec, Merge Algorithm, and MR-002",
	"M18": "keys such as __proto__ are dropped; the specifications say nothing of them, and they are stored as any unknown field",
	"P9":  "the merge takes a KILL without a reason, though its parser does not; delta_output_format, KILL payload: rejected with DL-008, and applied here all the same",
	"P8":  "EDIT of research_thread may leave target_id null: so says decisions.md 18 by DL-003",
}

type record struct {
	Fn    string
	Input struct {
		Base   struct{ Sections map[string]any }
		Deltas []struct {
			Raw, Timestamp, Agent string
		}
	}
	Output struct {
		OK       bool
		Artifact struct{ Sections map[string]any }
		Applied  int `json:"applied_count"`
		Errors   []struct{ Code string }
		Warnings []struct{ Code string }
	}
	Test     string
	Deviates []string
}

// faults are the names of faults of deltas that records have.
var faults = map[delta.Kind]string{
	delta.ThreadOperation: "ThreadOperation", delta.ThreadTarget: "ThreadTarget", delta.MissingTarget: "MissingTarget", delta.NoPayload: "NoPayload",
}

// reasons are the rules that report why the merge rejects a delta.
var reasons = map[merge.Reason]string{merge.NoTarget: "NoTarget", merge.SectionFull: "SectionFull", merge.SecondThread: "SecondThread"}

// codes are the reference's codes for what the merge or the delta's checks reject.
var codes = map[string][]string{
	"INVALID_TARGET":         {"NoTarget", "MissingTarget", "ThreadOperation", "ThreadTarget"},
	"SECTION_LIMIT_EXCEEDED": {"SectionFull"},
	"RT_ADD_NOT_ALLOWED":     {"ThreadOperation", "SecondThread"},
	"MISSING_REQUIRED_FIELD": {"NoPayload"},
}

func TestReferenceVectors(t *testing.T) {
	f, err := os.Open("../../testdata/corpus/vectors/merge.jsonl")
	must.OK(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n, touched := 0, map[string]int{}
	for lines.Scan() {
		var r record
		must.OK(t, json.Unmarshal(lines.Bytes(), &r))
		n++
		t.Run(r.Test, func(t *testing.T) { compare(t, &r, touched) })
	}
	if lines.Err() != nil || n != 51 {
		t.Errorf("%d records, %v", n, lines.Err())
	}
	for _, m := range []string{"M3", "M4", "M5", "M10", "M12", "M17", "M18", "P9"} {
		if touched[m] == 0 {
			t.Errorf("no record departs in %s any more", m)
		}
	}
}

func compare(t *testing.T, r *record, touched map[string]int) {
	for _, m := range r.Deviates {
		if departures[m] == "" {
			t.Errorf("departs in %s, which is not listed", m)
		}
	}
	var in []*merge.Delta
	var rejected []string
	for i, d := range r.Input.Deltas {
		read := delta.Extract(markdown.Parse(source.NewText([]byte("```delta\n"+d.Raw+"\n```\n"))), jsontree.Options{})[0]
		if fault := read.Rejected(); fault != nil {
			switch {
			case fault.Kind == delta.LacksFields && slices.Contains(r.Deviates, "M5"):
				touched["M5"]++
			case fault.Kind == delta.NoReason && r.Output.OK:
				touched["P9"]++
			default:
				rejected = append(rejected, faults[fault.Kind])
				continue
			}
		}
		m := mergeDelta(t, read, d.Agent, d.Timestamp)
		if m.Message, m.Position = "1", i+1; r.Fn == "mergeArtifactWithTimestamps" {
			m.Message, m.Position = string(rune('a'+i)), 1
		}
		in = append(in, m)
	}
	got := merge.Merge(stateOf(t, r.Input.Base.Sections), in, merge.Options{})
	counts := map[merge.Outcome]int{}
	for _, e := range got.Log {
		if counts[e.Outcome]++; e.Outcome == merge.Rejected {
			rejected = append(rejected, reasons[e.Refusal.Reason])
		}
	}
	compareCounts(t, r, counts, rejected, touched)
	if !r.Output.OK {
		touched["M3"]++
		return
	}
	want := stateOf(t, r.Output.Artifact.Sections)
	if anchors, isText := r.anchorsOfThread(); isText {
		touched["M10"]++
		if it := got.State.Find(brenner.ItemID{Section: brenner.ResearchThread}); it.Text("anchors") != anchors {
			t.Errorf("anchors given as text are %v", it.Fields()["anchors"])
		}
		return
	}
	if have := withoutForbidden(got.State, touched); have.Hash() != want.Hash() {
		t.Errorf("(-reference +merge):\n%s", cmp.Diff(string(want.CanonicalJSON()), string(have.CanonicalJSON())))
	}
}

// anchorsOfThread returns the text that the record's one EDIT of the research thread
// sets as anchors.
func (r *record) anchorsOfThread() (string, bool) {
	var d struct {
		Section string
		Payload map[string]any
	}
	if len(r.Input.Deltas) != 1 || json.Unmarshal([]byte(r.Input.Deltas[0].Raw), &d) != nil || d.Section != "research_thread" {
		return "", false
	}
	text, ok := d.Payload["anchors"].(string)
	return text, ok
}

func mergeDelta(t *testing.T, d *delta.Delta, agent, timestamp string) *merge.Delta {
	ts, ok := brenner.ParseTime(timestamp)
	if !ok {
		t.Fatalf("%q is no time", timestamp)
	}
	out := &merge.Delta{Operation: d.Operation, Section: d.Section, Target: d.Target, Reason: d.Reason, Agent: agent, Time: ts.Time}
	out.Payload, _ = d.Payload.Value().(map[string]any)
	if d.Section == brenner.ResearchThread {
		out.Target = brenner.ItemID{Section: brenner.ResearchThread}
	}
	return out
}

// compareCounts compares what was applied, skipped and rejected, and why.
func compareCounts(t *testing.T, r *record, counts map[merge.Outcome]int, rejected []string, touched map[string]int) {
	applied := counts[merge.Applied] + counts[merge.Unchanged]
	if counts[merge.Unchanged] > 0 {
		touched["M4"]++
	}
	if applied != r.Output.Applied {
		t.Errorf("%d deltas applied, the reference says %d", applied, r.Output.Applied)
	}
	skipped := 0
	for _, w := range r.Output.Warnings {
		switch w.Code {
		case "TARGET_KILLED":
			skipped++
			touched["M17"]++
		case "NO_THIRD_ALTERNATIVE", "NO_SCALE_CHECK":
			touched["M12"]++
		case "FORBIDDEN_PAYLOAD_KEY":
		default:
			t.Errorf("the reference warns of %s", w.Code)
		}
	}
	if skipped != counts[merge.Skipped] {
		t.Errorf("%d deltas skipped, the reference says %d", counts[merge.Skipped], skipped)
	}
	if len(rejected) != len(r.Output.Errors) {
		t.Fatalf("rejected %v, the reference says %v", rejected, r.Output.Errors)
	}
	for i, e := range r.Output.Errors {
		if !slices.Contains(codes[e.Code], rejected[i]) {
			t.Errorf("rejected by %s, the reference says %s", rejected[i], e.Code)
		}
	}
}

// withoutForbidden drops the keys that the reference drops (M18).
func withoutForbidden(s *brenner.State, touched map[string]int) *brenner.State {
	s = s.Clone()
	for _, sec := range brenner.Sections {
		for _, it := range s.Items(sec) {
			for _, key := range []string{"__proto__", "constructor", "prototype"} {
				if _, ok := it.Fields()[key]; ok {
					touched["M18"]++
					it = it.Clone()
					delete(it.Fields(), key)
					s.Put(it)
				}
			}
		}
	}
	return s
}

// stateOf reads the sections of an artifact in JSON.
func stateOf(t *testing.T, sections map[string]any) *brenner.State {
	out := &brenner.State{}
	for _, sec := range brenner.Sections {
		items, isList := sections[sec.ID()].([]any)
		if one := sections[sec.ID()]; one != nil && !isList {
			items = []any{one}
		}
		for _, item := range items {
			fields := item.(map[string]any)
			id, ok := brenner.ParseItemID(fields["id"].(string))
			if !ok {
				t.Fatalf("%v is no id", fields["id"])
			}
			it := brenner.NewItem(id, map[string]any{})
			for key, v := range fields {
				if !slices.Contains(brenner.SystemFields, key) {
					it.Fields()[key] = v
				}
			}
			if fields["killed"] == true {
				ts, _ := brenner.ParseTime(fields["killed_at"].(string))
				it.Killed = &brenner.Killing{By: fields["killed_by"].(string), At: ts.Time, Reason: fields["kill_reason"].(string)}
			}
			out.Add(it)
		}
	}
	return out
}

// Two messages of one id are two (decisions.md 73): what they set at one instant is a
// conflict; what one message sets twice is not.
func TestMessagesOfOneID(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	h1 := brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}
	edit := func(nth, position int, claim string) *merge.Delta {
		return &merge.Delta{Operation: brenner.Edit, Section: h1.Section, Target: h1, Payload: map[string]any{"claim": claim},
			Agent: "Ada", Time: at.Add(time.Minute), Message: "4", Nth: nth, Position: position}
	}
	add := &merge.Delta{Operation: brenner.Add, Section: h1.Section, Payload: map[string]any{"claim": "a"}, Agent: "Ada", Time: at, Message: "1", Position: 1}
	for nth, want := range map[int]any{0: "c", 1: `CONFLICT: "b" | "c"`} {
		res := merge.Merge(nil, []*merge.Delta{add, edit(0, 1, "b"), edit(nth, 2, "c")}, merge.Options{})
		if got := res.State.Find(h1).Fields()["claim"]; got != want || len(res.Conflicts) != nth {
			t.Errorf("of messages 0 and %d the claim is %v, want %v; %d conflicts", nth, got, want, len(res.Conflicts))
		}
	}
}
