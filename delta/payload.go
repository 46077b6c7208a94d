package delta

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/protocol"
)

func (d *Delta) checkPayload() {
	n := d.Root.Get("payload")
	switch {
	case d.Operation == protocol.Kill:
		d.checkReason(n)
	case d.Payload == nil || len(d.Payload.Members) == 0:
		d.checkNoPayload(n)
	case d.Section != 0:
		if d.Operation == protocol.Add {
			d.checkRequired()
		}
		d.checkValues()
	}
}

// checkReason reports a KILL without a reason (DL-008).
func (d *Delta) checkReason(payload *jsontree.Node) {
	reason := d.Payload.Get("reason")
	f := Fault{Rule: "DL-008", Field: "reason", Suggestion: `write "payload": {"reason": "…"}`}
	switch {
	case reason.Is(jsontree.String) && !Blank(reason):
		return
	case reason != nil:
		f.At = d.Pos(reason)
		f.Message = "reason of the KILL is " + emptyOr(reason) + ", expected a text that says why the item is killed"
		f.Suggestion = ""
	case payload == nil:
		f.At = d.ObjectStart()
		f.Message = "KILL has no payload, expected one with a reason"
	case d.Payload == nil:
		f.At = d.Pos(payload)
		f.Message = fmt.Sprintf("payload of the KILL is %s, expected an object with a reason", payload.Kind)
	default:
		f.At = d.ObjectStart()
		f.Message = "KILL has no reason in its payload"
	}
	if d.Root.Get("reason") != nil {
		f.Suggestion = "move reason into the payload"
		f.Members = []string{"reason"}
	}
	d.fault(f)
}

// checkNoPayload reports an ADD or EDIT without content (DL-005). Where the fields
// are beside operation, it names them (decisions.md 50).
func (d *Delta) checkNoPayload(payload *jsontree.Node) {
	f := Fault{Rule: "DL-005", At: d.Pos(payload), Field: "payload"}
	switch {
	case payload == nil:
		f.Message = fmt.Sprintf("%s has no payload, expected an object with the fields of the item%s", d.Operation, d.misnamed("payload"))
	case d.Payload == nil:
		f.Message = fmt.Sprintf("payload of the %s is %s, expected an object", d.Operation, payload.Kind)
	default:
		f.Message = fmt.Sprintf("payload of the %s is empty", d.Operation)
		if required := requiredKeys(d.Section); d.Operation == protocol.Add && len(required) > 0 {
			f.Suggestion = fmt.Sprintf("%s needs %s", d.Section, wording.And(required))
		}
	}
	if f.Members = d.fieldsBeside(); len(f.Members) > 0 {
		verb := "are"
		if len(f.Members) == 1 {
			verb = "is"
		}
		f.Message += fmt.Sprintf("; %s %s beside operation", wording.And(shortened(f.Members)), verb)
		f.Suggestion = "move the fields of the item into payload"
	}
	d.fault(f)
}

// fieldsBeside are the members of the delta that are fields of its section, or
// mean one: they belong into the payload.
func (d *Delta) fieldsBeside() []string {
	if d.Section == 0 {
		return nil
	}
	var out []string
	for _, m := range d.Root.Members[:min(len(d.Root.Members), maxMembers)] {
		if m.Repeated || slices.Contains(Members, m.Name) {
			continue
		}
		if d.Section.Field(m.Name) != nil || memberAliases[strings.ToLower(m.Name)] == "" && d.Section.Suggest(m.Name) != nil {
			out = append(out, m.Name)
		}
	}
	return out
}

// shortened is at most eight names.
func shortened(names []string) []string {
	const most = 8
	out := wording.QuoteAll(names[:min(len(names), most)])
	if more := len(names) - most; more > 0 {
		out = append(out, wording.Count(more, "other", "others"))
	}
	return out
}

func requiredKeys(s protocol.Section) []string {
	var keys []string
	if s != 0 {
		for _, f := range s.Fields() {
			if f.Required {
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

// Blank reports a value that says nothing: absent, null, a text of white space,
// an empty array or object.
func Blank(n *jsontree.Node) bool {
	switch {
	case n.Absent():
		return true
	case n.Is(jsontree.String):
		return strings.TrimSpace(n.Text) == ""
	}
	return (n.Is(jsontree.Array) || n.Is(jsontree.Object)) && len(n.Items)+len(n.Members) == 0
}

func emptyOr(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return "empty"
	}
	return n.Kind.String()
}

// checkRequired reports the required fields that an ADD lacks, all in one
// finding (DL-006).
func (d *Delta) checkRequired() {
	var missing, empty []string
	var at *jsontree.Node
	for _, field := range d.Section.Fields() {
		if !field.Required {
			continue
		}
		switch n := d.Payload.Get(field.Key); {
		case n == nil:
			missing = append(missing, field.Key)
		case Blank(n):
			empty = append(empty, field.Key)
			if at == nil {
				at = n
			}
		}
	}
	if len(missing)+len(empty) == 0 {
		return
	}
	f := Fault{Rule: "DL-006", At: d.ObjectStart(), Suggestion: "write into the payload: " + d.templates(append(missing[:len(missing):len(missing)], empty...))}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "lacks "+wording.And(missing))
	} else {
		f.At = d.Pos(at)
	}
	if len(empty) > 0 {
		parts = append(parts, "leaves "+wording.And(empty)+" empty")
	}
	if len(missing)+len(empty) == 1 {
		f.Field = strings.Join(append(missing, empty...), "")
	}
	f.Message = fmt.Sprintf("ADD to %s %s", d.Section, strings.Join(parts, " and "))
	if hints := d.misnamedFields(missing); len(hints) > 0 {
		f.Message += "; " + wording.And(hints)
	}
	d.fault(f)
}

// templates shows the form of fields.
func (d *Delta) templates(keys []string) string {
	var out []string
	for _, key := range keys {
		form := `"…"`
		switch f := d.Section.Field(key); {
		case f.Key == "anchors":
			form = `["§…"]`
		case f.Kind == protocol.ListField:
			form = `["…"]`
		case f.Kind == protocol.OutcomesField:
			form = `{"H1": "…"}`
		case f.Kind == protocol.ScoreField:
			form = `{…}`
		case len(f.Values) > 0:
			form = strconv.Quote(strings.Join(f.Values, "|"))
		}
		out = append(out, strconv.Quote(key)+": "+form)
	}
	return strings.Join(out, ", ")
}

// checkValues reports values of the wrong type, range or enumeration, one
// finding a field (DL-007). An empty required field is DL-006's.
func (d *Delta) checkValues() {
	for i := range d.Payload.Members {
		m := &d.Payload.Members[i]
		if d.Payload.Member(m.Name) != m {
			continue // a key given twice: the last counts
		}
		field := d.Section.Field(m.Name)
		var at *jsontree.Node
		var problem string
		switch {
		case field == nil && d.IsReplaceKey(m.Name):
			at, problem = expect(m.Value, jsontree.Bool, "true or false")
		case field == nil || d.Operation == protocol.Add && field.Required && Blank(m.Value):
			continue
		default:
			at, problem = checkValue(field, m.Value)
		}
		if problem != "" {
			d.fault(Fault{Rule: "DL-007", At: d.Pos(at), Field: m.Name, Message: m.Name + " " + problem})
		}
	}
}

// expect tells what is wrong with a value that should be of one kind.
func expect(n *jsontree.Node, k jsontree.Kind, expected string) (*jsontree.Node, string) {
	if n.Is(k) {
		return nil, ""
	}
	return n, fmt.Sprintf("is %s, expected %s", n.Kind, expected)
}

// checkValue tells what is wrong with the value of a field, and where.
func checkValue(f *protocol.Field, n *jsontree.Node) (*jsontree.Node, string) {
	switch f.Kind {
	case protocol.TextField:
		return checkText(f, n)
	case protocol.ListField:
		return checkEach(n, n.Items, jsontree.Array, jsontree.String, "an array of strings")
	case protocol.FlagField:
		return expect(n, jsontree.Bool, "true or false")
	case protocol.OutcomesField:
		return checkEach(n, values(n), jsontree.Object, jsontree.String, `an object from hypothesis ids to texts, {"H1": "…"}`)
	case protocol.ScoreField:
		return checkScore(n)
	case protocol.ReferenceField: // what stands in it is DL-016's
		return expect(n, jsontree.Array, "an array of references")
	}
	return nil, "" // no schema gives last_run a type
}

func values(n *jsontree.Node) []*jsontree.Node {
	out := make([]*jsontree.Node, len(n.Members))
	for i, m := range n.Members {
		out[i] = m.Value
	}
	return out
}

// checkEach tells what is wrong with a value of kind outer whose elements should
// all be of kind inner.
func checkEach(n *jsontree.Node, elements []*jsontree.Node, outer, inner jsontree.Kind, expected string) (*jsontree.Node, string) {
	if !n.Is(outer) {
		return expect(n, outer, expected)
	}
	for _, e := range elements {
		if !e.Is(inner) {
			return e, fmt.Sprintf("holds %s, expected %s", e.Kind, expected)
		}
	}
	return nil, ""
}

func checkText(f *protocol.Field, n *jsontree.Node) (*jsontree.Node, string) {
	if len(f.Values) == 0 || !n.Is(jsontree.String) {
		return expect(n, jsontree.String, "a string")
	}
	if slices.Contains(f.Values, n.Text) {
		return nil, ""
	}
	problem := fmt.Sprintf("is %s, expected %s", wording.Quote(n.Text), wording.Or(f.Values))
	if meant := wording.Nearest(n.Text, f.Values); meant != "" {
		problem += fmt.Sprintf("; did you mean %q?", meant)
	}
	return n, problem
}

// checkScore tells which parts of a score are no integers from 0 to 3, or no
// parts of a score.
func checkScore(n *jsontree.Node) (*jsontree.Node, string) {
	if !n.Is(jsontree.Object) {
		return expect(n, jsontree.Object, "an object of "+wording.And(protocol.ScoreParts[:]))
	}
	var first *jsontree.Node
	var bad []string
	for _, m := range n.Members {
		var problem string
		switch {
		case !slices.Contains(protocol.ScoreParts[:], m.Name):
			problem = "no part of a score"
		case !isScore(m.Value):
			problem = show(m.Value)
		default:
			continue
		}
		if first == nil {
			first = m.Value
		}
		bad = append(bad, fmt.Sprintf("%s is %s", strings.Trim(wording.Quote(m.Name), `"`), problem))
	}
	if first == nil {
		return nil, ""
	}
	if len(bad) > 4 {
		bad = append(bad[:4:4], fmt.Sprintf("%d more", len(bad)-4))
	}
	return first, "part " + wording.And(bad) + ", expected integers from 0 to 3 for " + wording.And(protocol.ScoreParts[:])
}

func isScore(n *jsontree.Node) bool {
	if !n.Is(jsontree.Number) {
		return false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return err == nil && (v == 0 || v == 1 || v == 2 || v == 3)
}
