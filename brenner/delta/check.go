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
	case len(d.Root.Members()) == 0:
		d.fault(Fault{Kind: NotObject, Node: d.Root})
		return
	}
	keyed, _ := d.Keyed()
	d.OtherShape = keyed != nil || d.IsPatch()
	switch {
	case d.OtherShape && d.Root.Get("operation") != nil:
		d.fault(Fault{Kind: BadSection, Field: "section"})
		return
	case d.OtherShape:
		d.fault(Fault{Kind: BadOperation, Field: "operation"})
		return
	}
	if d.Operation == "" {
		d.fault(Fault{Kind: BadOperation, Field: "operation", Node: d.Root.Get("operation")})
	}
	if d.Section == 0 {
		if wrapped, _ := d.Wrapped(); wrapped == nil { // of a wrapper, the missing operation says it
			d.fault(Fault{Kind: BadSection, Field: "section", Node: d.Root.Get("section")})
		}
	}
	if d.Operation != "" && d.checkTarget() {
		d.checkPayload()
	}
	slices.SortStableFunc(d.Faults, func(a, b Fault) int {
		return cmp.Compare(a.At.Span.Start, b.At.Span.Start)
	})
}

// fault adds a fault at the place of its value, which may be absent.
func (d *Delta) fault(f Fault) {
	f.At = d.Pos(f.Node)
	d.Faults = append(d.Faults, f)
}

// checkTarget checks the target, and what else the research thread takes. It reports whether the payload is to
// be checked too.
func (d *Delta) checkTarget() bool {
	n, isThread := d.Root.Get("target_id"), d.Section == brenner.ResearchThread
	switch {
	case isThread && d.Operation != brenner.Edit:
		d.BelongsTo = d.onlyComplete()
		d.fault(Fault{Kind: ThreadOperation, Field: "operation", Node: d.Root.Get("operation")})
		return false
	case isThread && !n.Absent() && n.StringOr("") != "RT":
		d.fault(Fault{Kind: ThreadTarget, Field: "target_id", Node: n})
		return false
	case isThread:
	case d.Operation == brenner.Add && !n.Absent() && !d.ChangesItem(): // else it lacks fields of a new one
		d.fault(Fault{Kind: TargetOfAdd, Field: "target_id", Node: n})
	case d.Operation == brenner.Add:
	case !n.Is(jsontree.String):
		d.fault(Fault{Kind: MissingTarget, Field: "target_id", Node: n})
	case d.Section != 0 && d.Target == brenner.ItemID{}:
		d.fault(Fault{Kind: ForeignTarget, Field: "target_id", Node: n})
	}
	return true
}

func (d *Delta) checkPayload() {
	switch {
	case d.Operation == brenner.Kill:
		d.checkReason()
	case len(d.Payload.Members()) == 0:
		d.fault(Fault{Kind: NoPayload, Field: "payload", Node: d.Root.Get("payload"), Misplaced: d.misplacedFields()})
	case d.Section != 0:
		if d.checkRequired(); d.BelongsTo == 0 {
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
	if d.Root.Get("reason") != nil {
		f.Misplaced = []string{"reason"}
	}
	d.fault(f)
}

// isRequired reports whether an item must have a field. The research thread, which no delta adds, must have a statement and a
// context.
func isRequired(f *brenner.Field) bool {
	return f.Required || f.Key == "statement" || f.Key == "context"
}

// checkRequired finds the required fields that an ADD lacks or an EDIT blanks: one fault
// for all. It is at the first that is empty, unless one is missing.
func (d *Delta) checkRequired() {
	f := Fault{Kind: LacksFields}
	for _, field := range d.Section.Fields() {
		if !isRequired(field) {
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
	if n := len(f.Missing) + len(f.Empty); n == 0 {
		return
	} else if n > 1 {
		f.Field = "" // no single field is concerned
	}
	if len(f.Missing) > 0 {
		f.Node = nil
		f.Misplaced = d.besidePayload(f.Missing)
		if s := d.onlyComplete(); d.FieldsOf(s) > d.FieldsOf(d.Section) {
			d.BelongsTo = s
		}
	}
	if d.BelongsTo != 0 {
		f.Node, f.Field = d.Root.Get("section"), "section"
	}
	d.fault(f)
}

// blanks reports whether an EDIT sets a field to nothing (decisions.md 71): to null, an
// empty text or object, or an empty list that replaces what was there. Without replace, an
// empty list adds nothing.
func (d *Delta) blanks(key string) bool {
	n := d.Payload.Get(key)
	return n != nil && isEmpty(n) && (!n.Is(jsontree.Array) || d.Payload.Get("replace").True() || d.Payload.Get(key+"_replace").True())
}
