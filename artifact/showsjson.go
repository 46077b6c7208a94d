package artifact

import (
	"slices"
	"strconv"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// JSONValues are the members of a JSON object as the values of an item: a
// state.ValueSource.
type JSONValues struct{ Object *jsontree.Node }

// Lookup returns a member as data.
func (v JSONValues) Lookup(key string) (value any, ok bool) {
	m := v.Object.Member(key)
	if m == nil {
		return nil, false
	}
	return m.Value.Value(), true
}

// Text returns a member that is a string.
func (v JSONValues) Text(key string) (text string, isText bool) {
	n := v.Object.Get(key)
	return n.StringOr(""), n.Is(jsontree.String)
}

// Part returns the members of an object in a member.
func (v JSONValues) Part(key string) state.Values {
	return state.ValuesFrom(JSONValues{v.Object.Get(key)})
}

// AppendKeys appends the names of all members to a list, each once.
func (v JSONValues) AppendKeys(list []string) []string {
	members := v.Object.Members()
	for i := range members {
		if !members[i].Replaced {
			list = append(list, members[i].Name)
		}
	}
	return list
}

// Map returns all members as data.
func (v JSONValues) Map() map[string]any {
	fields, _ := v.Object.Value().(map[string]any)
	return fields
}

// ShowsJSON is Shows for a value in JSON, of which it makes no data.
func (it *Item) ShowsJSON(known *protocol.Field, n *jsontree.Node) bool {
	if known.Key == "name" && it.Name != "" {
		return isText(n, it.Name)
	}
	if f := it.valued(known); f != nil {
		return f.showsJSON(n)
	}
	return n.Absent()
}

// showsJSON is shows for a value in JSON.
func (f *Field) showsJSON(n *jsontree.Node) bool {
	if f.Node == nil && len(f.Entries) <= maxCompared {
		switch f.Known.Kind {
		case protocol.TextField:
			return isText(n, f.Text)
		case protocol.ListField:
			return n.Is(jsontree.Array) && slices.EqualFunc(f.Entries, n.Items(), func(e Entry, item *jsontree.Node) bool { return isText(item, e.Text) })
		case protocol.OutcomesField:
			return f.sameMembers(n, isText)
		case protocol.ScoreField:
			return f.sameMembers(n, isNumber)
		}
	}
	return f.shows(n.Value())
}

// sameMembers reports whether an object in JSON is what object returns.
func (f *Field) sameMembers(object *jsontree.Node, same func(n *jsontree.Node, text string) bool) bool {
	shown := 0
	for e := range f.counted() {
		if !same(object.Get(e.Key), e.Text) {
			return false
		}
		shown++
	}
	members := object.Members()
	for i := range members {
		if !members[i].Replaced {
			shown--
		}
	}
	return object.Is(jsontree.Object) && shown == 0
}

func isText(n *jsontree.Node, text string) bool { return n.Is(jsontree.String) && n.Text == text }

// isNumber reports whether a value is what state.Number returns.
func isNumber(n *jsontree.Node, text string) bool {
	if !n.Is(jsontree.Number) {
		return sameNumber(text, n.Value())
	}
	v, _ := strconv.ParseFloat(n.Text, 64) // as Value does
	return sameNumber(text, v)
}
