package delta

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// check finds the structural faults. What follows from a fault is not a separate fact
// (decisions.md 1).
func (d *Delta) check() {
	switch {
	case d.Syntax != nil:
		d.checkSyntax()
		return
	case !d.Root.Is(jsontree.Object) || len(d.Root.Members()) == 0:
		d.fault(NotObject, "", d.Root)
		return
	}
	keyed, _ := d.Keyed()
	d.other = keyed != nil || d.IsPatch()
	switch {
	case d.other && d.Root.Get("operation") != nil:
		d.fault(BadSection, "section", nil)
		return
	case d.other:
		d.fault(BadOperation, "operation", nil)
		return
	}
	if d.Operation == "" {
		d.fault(BadOperation, "operation", d.Root.Get("operation"))
	}
	if d.Section == 0 {
		d.fault(BadSection, "section", d.Root.Get("section"))
	}
	switch {
	case d.Section == brenner.ResearchThread && d.Operation != "":
		if d.checkResearchThread() {
			d.checkPayload()
		}
	case d.Operation != "":
		d.checkTarget()
		d.checkPayload()
	}
	slices.SortStableFunc(d.Faults, func(a, b Fault) int {
		return cmp.Compare(a.At.Span.Start, b.At.Span.Start)
	})
}

// fault adds a fault of a value, which may be absent, at its place.
func (d *Delta) fault(k Kind, field string, n *jsontree.Node) {
	d.Faults = append(d.Faults, Fault{Kind: k, At: d.Pos(n), Node: n, Field: field})
}

// checkResearchThread reports whether operation and target of the research thread
// are right: else nothing else is checked.
func (d *Delta) checkResearchThread() bool {
	target := d.Root.Get("target_id")
	switch {
	case d.Operation != brenner.Edit:
		d.Misfiled = d.onlyComplete()
		d.fault(ThreadOperation, "operation", d.Root.Get("operation"))
		return false
	case !target.Absent() && target.StringOr("") != "RT":
		d.fault(ThreadTarget, "target_id", target)
		return false
	}
	return true
}

func (d *Delta) checkTarget() {
	n := d.Root.Get("target_id")
	switch {
	case d.Operation == brenner.Add && !n.Absent() && !d.ChangesItem(): // else it lacks fields of a new one
		d.fault(TargetOfAdd, "target_id", n)
	case d.Operation == brenner.Add:
	case !n.Is(jsontree.String):
		d.fault(MissingTarget, "target_id", n)
	case d.Section != 0 && d.Target == brenner.ItemID{}:
		d.fault(ForeignTarget, "target_id", n)
	}
}

func (d *Delta) checkPayload() {
	switch {
	case d.Operation == brenner.Kill:
		d.checkReason()
	case len(d.Payload.Members()) == 0:
		d.Faults = append(d.Faults, Fault{
			Kind: NoPayload, At: d.Pos(d.Root.Get("payload")), Node: d.Root.Get("payload"), Field: "payload", Misplaced: d.misplacedFields(),
		})
	case d.Section != 0:
		if d.checkRequired(); d.Misfiled == 0 {
			d.checkValues()
		}
	}
}

// checkReason finds a KILL without a reason. The fault is at the reason, else at the
// payload if that is not an object, else at the delta.
func (d *Delta) checkReason() {
	reason := d.Payload.Get("reason")
	if reason.Is(jsontree.String) && !Blank(reason) {
		return
	}
	f := Fault{Kind: NoReason, Field: "reason", Node: reason}
	if d.Payload == nil {
		f.Node = d.Root.Get("payload")
	}
	f.At = d.Pos(f.Node)
	if d.Root.Get("reason") != nil {
		f.Misplaced = []string{"reason"}
	}
	d.Faults = append(d.Faults, f)
}

// checkRequired finds the required fields that an ADD lacks or an EDIT blanks: one fault
// for all. It is at the first that is empty, unless one is missing.
func (d *Delta) checkRequired() {
	f := Fault{Kind: LacksFields}
	for _, field := range d.Section.Fields() {
		if !field.Required {
			continue
		}
		switch n := d.Payload.Get(field.Key); {
		case d.Operation == brenner.Edit && !d.blanks(field.Key):
			continue
		case n == nil:
			f.Missing = append(f.Missing, field.Key)
		case Blank(n):
			f.Empty = append(f.Empty, field.Key)
			if f.Node == nil {
				f.Node = n
			}
		default:
			continue
		}
		f.Field = field.Key
	}
	switch len(f.Missing) + len(f.Empty) {
	case 0:
		return
	case 1:
	default:
		f.Field = "" // no single field is concerned
	}
	if len(f.Missing) > 0 {
		f.Node = nil
		f.Misplaced = d.besidePayload(f.Missing)
		if s := d.onlyComplete(); d.FieldsOf(s) > d.FieldsOf(d.Section) {
			d.Misfiled = s
		}
	}
	if d.Misfiled != 0 {
		f.Node, f.Field = d.Root.Get("section"), "section"
	}
	f.At = d.Pos(f.Node)
	d.Faults = append(d.Faults, f)
}

// blanks reports whether an EDIT sets a field to nothing (decisions.md 71): to null, an
// empty text or object, or an empty list that replaces what was there. Without replace, an
// empty list adds nothing.
func (d *Delta) blanks(key string) bool {
	switch n := d.Payload.Get(key); {
	case n == nil:
		return false
	case n.Is(jsontree.Array):
		return isEmpty(n) && (d.Payload.Get("replace").True() || d.Payload.Get(key+"_replace").True())
	default:
		return isEmpty(n)
	}
}
