package delta

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// check finds the structural faults. One fault is one finding: what follows from
// a fault is not reported again (decisions.md 1).
func (d *Delta) check() {
	switch {
	case d.Syntax != nil:
		d.checkSyntax()
		return
	case !d.Root.Is(jsontree.Object) || len(d.Root.Members) == 0:
		d.checkObject()
		return
	}
	d.checkOperation()
	d.checkSection()
	switch {
	case d.Section == protocol.ResearchThread && d.Operation != 0:
		if d.checkResearchThread() {
			d.checkPayload()
		}
	case d.Operation != 0:
		d.checkTarget()
		d.checkPayload()
	}
	slices.SortStableFunc(d.Faults, func(a, b Fault) int {
		return cmp.Compare(a.At.Span.Start, b.At.Span.Start)
	})
}

func (d *Delta) fault(f Fault) { d.Faults = append(d.Faults, f) }

// checkObject reports a block that holds something else than one JSON object
// with members (DL-024).
func (d *Delta) checkObject() {
	f := Fault{Rule: "DL-024", At: d.Pos(d.Root)}
	n := len(d.Root.Items)
	switch {
	case d.Root.Is(jsontree.Object):
		f.Message = "delta is an empty object: it says neither operation nor section"
	case !d.Root.Is(jsontree.Array):
		f.Message = fmt.Sprintf("delta block holds %s, expected a JSON object", d.Root.Kind)
	case n == 0:
		f.Message = "delta block holds an empty array, expected a JSON object"
	default:
		f.Message = fmt.Sprintf("delta block holds an array of %d, expected one JSON object", n)
		if allObjects(d.Root.Items) {
			f.Suggestion = "write each delta in a fence of its own"
			f.SuggestedFix = d.split()
		}
	}
	d.fault(f)
}

func allObjects(items []*jsontree.Node) bool {
	for _, item := range items {
		if !item.Is(jsontree.Object) {
			return false
		}
	}
	return true
}

// split is the mend that gives each object of an array a fence of its own.
func (d *Delta) split() *SuggestedFix {
	items := d.Root.Items
	if !d.Block.Closed {
		return nil
	}
	fence := strings.Repeat(string(d.Block.FenceChar), d.Block.FenceLen)
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	between := below + fence + strings.TrimRight(below, " \t") + below + fence + "delta" + below
	edits := []source.Edit{{Span: source.Span{Start: d.Root.Span.Start, End: items[0].Span.Start}}}
	for i := 1; i < len(items); i++ {
		gap := source.Span{Start: items[i-1].Span.End, End: items[i].Span.Start}
		edits = append(edits, source.Edit{Span: gap, Text: between})
	}
	edits = append(edits, source.Edit{Span: source.Span{Start: items[len(items)-1].Span.End, End: d.Root.Span.End}})
	for i := range edits { // in the body, where each edit takes the marks of its lines along
		edits[i].Span = source.Span{Start: d.inBody(edits[i].Span.Start), End: d.inBody(edits[i].Span.End)}
	}
	return &SuggestedFix{Description: "write each delta in a fence of its own", Text: d.Fence.Text, Edits: edits}
}

// inBody is an offset of the delta's text in the body.
func (d *Delta) inBody(off int) int {
	s, _ := d.Text.Within(d.Fence.Text, source.Span{Start: off, End: off})
	return s.Start
}

// replace is the mend that writes a string in place of a value.
func (d *Delta) replace(n *jsontree.Node, text string, unsafe bool) *SuggestedFix {
	return &SuggestedFix{
		Description: fmt.Sprintf("write %q", text),
		Text:        d.Text,
		Edits:       []source.Edit{{Span: n.Span, Text: `"` + text + `"`}},
		Unsafe:      unsafe,
	}
}

// operationAliases are words that writers use for the three operations.
var operationAliases = map[string]string{
	"create": "ADD", "insert": "ADD", "new": "ADD", "propose": "ADD", "append": "ADD",
	"update": "EDIT", "modify": "EDIT", "change": "EDIT", "set": "EDIT", "replace": "EDIT", "patch": "EDIT",
	"delete": "KILL", "remove": "KILL", "drop": "KILL", "retire": "KILL", "supersede": "KILL",
}

func (d *Delta) checkOperation() {
	if d.Operation != 0 {
		return
	}
	n := d.Root.Get("operation")
	f := Fault{Rule: "DL-001", At: d.Pos(n), Field: "operation"}
	known := operations
	switch {
	case n == nil:
		f.Message = "delta has no operation, expected " + wording.Or(known) + d.misnamed("operation")
	case !n.Is(jsontree.String):
		f.Message = fmt.Sprintf("operation is %s, expected %s", n.Kind, wording.Or(known))
	default:
		f.Message = fmt.Sprintf("operation %s is not %s", wording.Quote(n.Text), wording.Or(known))
		word := strings.ToUpper(strings.TrimSpace(n.Text))
		exact := slices.Contains(known, word)
		if op := meantOperation(n.Text); op != 0 {
			meant := op.String()
			f.Message += fmt.Sprintf("; did you mean %q?", meant)
			f.Suggestion = fmt.Sprintf("write %q", meant)
			f.SuggestedFix = d.replace(n, meant, !exact)
		}
	}
	d.fault(f)
}

// sectionAliases are names that writers give to sections, folded.
var sectionAliases = map[string]protocol.Section{
	"research_question": protocol.ResearchThread, "thread": protocol.ResearchThread, "problem_statement": protocol.ResearchThread, "rt": protocol.ResearchThread,
	"hypothesis": protocol.HypothesisSlate, "hypotheses": protocol.HypothesisSlate, "h": protocol.HypothesisSlate,
	"prediction": protocol.PredictionsTable, "predictions": protocol.PredictionsTable, "p": protocol.PredictionsTable,
	"test": protocol.DiscriminativeTests, "tests": protocol.DiscriminativeTests, "experiments": protocol.DiscriminativeTests, "t": protocol.DiscriminativeTests,
	"assumption": protocol.AssumptionLedger, "assumptions": protocol.AssumptionLedger, "a": protocol.AssumptionLedger,
	"anomaly": protocol.AnomalyRegister, "anomalies": protocol.AnomalyRegister, "x": protocol.AnomalyRegister,
	"critique": protocol.AdversarialCritique, "critiques": protocol.AdversarialCritique, "objection": protocol.AdversarialCritique,
	"objections": protocol.AdversarialCritique, "attacks": protocol.AdversarialCritique, "c": protocol.AdversarialCritique,
}

var sectionIDs = func() []string {
	var ids []string
	for _, s := range protocol.Sections {
		ids = append(ids, s.ID())
	}
	return ids
}()

// meantSection is the section that a wrong id most likely means, and whether
// that is sure: an alias, the title, or the id in other case.
func meantSection(word string) (meant string, sure bool) {
	if len(word) > 64 {
		return "", false
	}
	folded := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
	if s := sectionAliases[folded]; s != 0 {
		return s.ID(), true
	}
	if s := protocol.SectionByTitle(word); s != 0 {
		return s.ID(), true
	}
	return wording.Nearest(word, sectionIDs), slices.Contains(sectionIDs, folded)
}

func (d *Delta) checkSection() {
	if d.Section != 0 {
		return
	}
	n := d.Root.Get("section")
	f := Fault{Rule: "DL-002", At: d.Pos(n), Field: "section"}
	switch {
	case n == nil:
		f.Message = "delta has no section, expected " + wording.Or(sectionIDs) + d.misnamed("section")
	case !n.Is(jsontree.String):
		f.Message = fmt.Sprintf("section is %s, expected %s", n.Kind, wording.Or(sectionIDs))
	default:
		f.Message = fmt.Sprintf("section %s is not a section id", wording.Quote(n.Text))
		if meant, sure := meantSection(n.Text); meant != "" {
			f.Message += fmt.Sprintf("; did you mean %q?", meant)
			f.Suggestion = fmt.Sprintf("write %q", meant)
			f.SuggestedFix = d.replace(n, meant, !sure)
		} else {
			f.Message += ", expected " + wording.Or(sectionIDs)
		}
	}
	d.fault(f)
}

// checkResearchThread reports a wrong operation or target of the research
// thread (DL-009), and whether both are right: else nothing else is reported.
func (d *Delta) checkResearchThread() bool {
	target := d.Root.Get("target_id")
	switch {
	case d.Operation != protocol.Edit:
		d.fault(Fault{
			Rule: "DL-009", At: d.Pos(d.Root.Get("operation")), Field: "operation",
			Message:    fmt.Sprintf("research_thread takes EDIT only, not %s: there is exactly one research thread", d.Operation),
			Suggestion: `write "EDIT"`,
		})
		return false
	case !target.Absent() && target.Str() != "RT":
		d.fault(Fault{
			Rule: "DL-009", At: d.Pos(target), Field: "target_id",
			Message:    fmt.Sprintf("target_id of research_thread is %s, expected \"RT\" or null", show(target)),
			Suggestion: `write "RT"`,
		})
		return false
	}
	return true
}

// show is a value as messages name it.
func show(n *jsontree.Node) string {
	switch {
	case n.Is(jsontree.String):
		return wording.Quote(n.Text)
	case n.Is(jsontree.Number), n.Is(jsontree.Bool):
		return strings.Trim(wording.Quote(n.Text), `"`)
	case n == nil:
		return "absent"
	}
	return n.Kind.String()
}

func (d *Delta) checkTarget() {
	n := d.Root.Get("target_id")
	switch {
	case d.Operation == protocol.Add && !n.Absent():
		d.fault(Fault{
			Rule: "DL-004", At: d.Pos(n), Field: "target_id",
			Message:      fmt.Sprintf("ADD has target_id %s, expected null: ids are assigned by the merge", show(n)),
			Suggestion:   "set target_id to null, or write EDIT to change an item",
			SuggestedFix: &SuggestedFix{Description: "set target_id to null", Text: d.Text, Edits: []source.Edit{{Span: n.Span, Text: "null"}}},
		})
	case d.Operation == protocol.Add:
	case !n.Is(jsontree.String):
		what, hint := "no target_id", ""
		if n != nil {
			what = "target_id " + show(n)
		} else {
			hint = d.misnamed("target_id")
		}
		d.fault(Fault{
			Rule: "DL-003", At: d.Pos(n), Field: "target_id",
			Message: fmt.Sprintf("%s has %s, expected the id of the item concerned%s", d.Operation, what, d.example()) + hint,
		})
	case d.Section != 0 && d.Target == protocol.ItemID{}:
		d.checkTargetForm(n)
	}
}

// example is an id of the section, for messages.
func (d *Delta) example() string {
	if d.Section == 0 {
		return ""
	}
	return ", such as " + d.Section.Prefix() + "1"
}

// checkTargetForm reports a target_id that is no id of the section (DL-010).
func (d *Delta) checkTargetForm(n *jsontree.Node) {
	f := Fault{Rule: "DL-010", At: d.Pos(n), Field: "target_id"}
	form := d.Section.Prefix() + " followed by a number"
	if d.Section == protocol.PredictionsTable {
		form += " (or P1.H1)"
	}
	f.Message = fmt.Sprintf("target_id %s is no id of %s, expected %s", wording.Quote(n.Text), d.Section, form)
	if id, ok := protocol.ParseItemID(n.Text); ok {
		f.Suggestion = fmt.Sprintf("%s is an item of %s: one of the two is wrong", wording.Quote(n.Text), id.Section)
	} else if id, ok := protocol.ParseItemID(tidied(n.Text)); ok && id.Section == d.Section {
		f.Suggestion = fmt.Sprintf("write %q", id)
	}
	d.fault(f)
}
