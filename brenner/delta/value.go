package delta

import (
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// Blank reports whether a value is empty: absent, null, a text of white space or comments, an empty
// array or object, or one with a placeholder of a suggestion.
func Blank(n *jsontree.Node) bool {
	return isEmpty(n) || PlaceholderIn(n) != nil
}

// isEmpty is Blank for a value without placeholders.
func isEmpty(n *jsontree.Node) bool {
	switch {
	case n.Absent():
		return true
	case n.Is(jsontree.String):
		return strings.TrimSpace(brenner.HideComments(n.Text)) == "" // decisions.md 64
	}
	return (n.Is(jsontree.Array) || n.Is(jsontree.Object)) && len(n.Items())+len(n.Members()) == 0
}

// PlaceholderIn returns the first placeholder of a suggestion that was left in a text, an
// array or an object; nil if none was.
func PlaceholderIn(n *jsontree.Node) *jsontree.Node {
	isLeft := func(n *jsontree.Node) bool { return n.Is(jsontree.String) && brenner.IsPlaceholder(n.Text) }
	if isLeft(n) {
		return n
	}
	for _, item := range n.Items() {
		if isLeft(item) {
			return item
		}
	}
	for _, m := range n.Members() {
		if isLeft(m.Value) {
			return m.Value
		}
	}
	return nil
}

// checkValues finds values of the wrong type, range or enumeration: one fault per field.
// An empty required field is LacksFields, and an empty potency_check of an ADD is not a
// matter of the structure.
func (d *Delta) checkValues() {
	members := d.Payload.Members()
	for i := range members {
		m := &members[i]
		if m.Replaced {
			continue
		}
		bad := PlaceholderIn(m.Value)
		var parts []jsontree.Member
		schema := d.Section.Field(m.Name)
		switch {
		case schema == nil && d.IsReplaceKey(m.Name):
			bad, schema = unless(m.Value, jsontree.Bool), &brenner.Field{Key: m.Name}
		case schema == nil || d.Operation == brenner.Add && (schema.Required || schema.Key == "potency_check") && (bad != nil || isEmpty(m.Value)):
			continue
		case d.Operation == brenner.Edit && isRequired(schema) && d.blanks(m.Name):
			continue
		case bad == nil:
			bad, parts = badValue(schema, m.Value)
		}
		if bad == nil {
			continue
		}
		f := Fault{Kind: BadValue, At: d.Pos(bad), Node: bad, Field: m.Name, Schema: schema, Parts: parts}
		if len(parts) > 0 && (f.Schema.Kind == brenner.OutcomesField || !slices.Contains(brenner.ScoreParts[:], parts[0].Name)) {
			f.At = d.Text.Place(parts[0].NameSpan())
		}
		d.Faults = append(d.Faults, f)
	}
}

// unless returns n if it is present and not of a kind, else nil.
func unless(n *jsontree.Node, k jsontree.Kind) *jsontree.Node {
	if n.Is(k) {
		return nil
	}
	return n
}

// badValue returns the value of a field, or the first value in it, that is not what the
// field takes, nil if there is none; parts are all bad ones of a score or of outcomes.
func badValue(f *brenner.Field, n *jsontree.Node) (bad *jsontree.Node, parts []jsontree.Member) {
	switch f.Kind {
	case brenner.TextField:
		if !n.Is(jsontree.String) || len(f.Values) > 0 && !slices.Contains(f.Values, n.Text) {
			return n, nil
		}
	case brenner.ListField:
		for _, item := range n.Items() {
			if !item.Is(jsontree.String) {
				return item, nil
			}
		}
		return unless(n, jsontree.Array), nil
	case brenner.FlagField:
		return unless(n, jsontree.Bool), nil
	case brenner.OutcomesField: // no schema names those of actual outcomes
		for _, m := range n.Members() {
			if _, isMeant := SuggestTarget(m.Name); (isMeant || !f.Required) && !m.Replaced && !m.Value.Is(jsontree.String) {
				return m.Value, nil
			}
		}
		return badParts(n, func(m jsontree.Member) bool {
			id, ok := brenner.ParseItemID(m.Name)
			return !f.Required || ok && id.Section == brenner.HypothesisSlate
		})
	case brenner.ScoreField:
		return badParts(n, isScorePart)
	case brenner.ReferenceField: // a rule checks its content
		return unless(n, jsontree.Array), nil
	}
	return nil, nil // no schema gives last_run a type
}

// Encoded returns the JSON of a list or an object that the value is as a string, if the field takes it; else "".
func (f *Fault) Encoded() string {
	said := f.Node.StringOr("")
	if f.Schema.Kind == 0 || f.Parts != nil || !strings.HasPrefix(said, "[") && !strings.HasPrefix(said, "{") {
		return ""
	}
	r := jsontree.Recover([]byte(said), jsontree.Options{})
	if bad, _ := badValue(f.Schema, r.Root); !r.Certain || isEmpty(r.Root) || bad != nil {
		return ""
	}
	return jsontree.Compact(string(r.Text))
}

// badParts returns the members of a value that are not as they should be, and the value of the
// first; the value itself if it is no object.
func badParts(n *jsontree.Node, isGood func(jsontree.Member) bool) (first *jsontree.Node, parts []jsontree.Member) {
	if !n.Is(jsontree.Object) {
		return n, nil
	}
	for _, m := range n.Members() {
		if !m.Replaced && !isGood(m) { // DL-014 reports one that is replaced
			parts = append(parts, m)
		}
	}
	if parts == nil {
		return nil, nil
	}
	return parts[0].Value, parts
}

// isScorePart reports whether a member is a part of a score: an integer from 0 to 3.
func isScorePart(m jsontree.Member) bool {
	if !m.Value.Is(jsontree.Number) || !slices.Contains(brenner.ScoreParts[:], m.Name) {
		return false
	}
	v, err := strconv.ParseFloat(m.Value.Text, 64)
	return err == nil && (v == 0 || v == 1 || v == 2 || v == 3)
}
