package delta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Deltas in the shapes of other formats, which say plainly what they mean.

// KeyShape returns a member whose name is an operation or a section, and whose value is the rest
// of the delta, as in {"EDIT": {"section": …}} or {"KILL": {"H2": "Refuted"}}, and edits that
// write it as a delta; nil if there is none.
func (d *Delta) KeyShape() (*jsontree.Member, []source.Edit) {
	for i := range d.keys() {
		m := &d.Root.Members()[i]
		if inner := d.unfold(m, d.operationMeant(), d.hasSection()); inner != nil {
			return m, d.rebuild(d.withOthers(inner, m.Name), nil)
		}
	}
	return nil, nil
}

// keys are the members that may be keys of other shapes. An object that has both operation and
// section, or more members than any delta, has none.
func (d *Delta) keys() []jsontree.Member {
	if d.Root.Get("operation") != nil && d.Root.Get("section") != nil || len(d.Root.Members()) > maxMembers {
		return nil
	}
	return d.Root.Members()
}

// maxKeyed bounds the deltas in the value of one key.
const maxKeyed = 12

// KeyList is KeyShape for a member whose value is a list of deltas, as in
// {"KILL": [{"target_id": "H2", …}, …]}. It returns each delta as JSON.
func (d *Delta) KeyList() (*jsontree.Member, [][]byte) {
	for i := range d.keys() {
		m := &d.Root.Members()[i]
		var deltas [][]written
		for _, item := range m.Value.Items() {
			if inner := d.unfold(&jsontree.Member{Name: m.Name, Value: item}, d.operationMeant(), d.hasSection()); inner != nil {
				deltas = append(deltas, inner)
			}
		}
		if n := len(m.Value.Items()); n == 0 || n > maxKeyed || len(deltas) < n {
			continue
		}
		var out [][]byte
		for _, inner := range deltas {
			out = append(out, []byte(writeMembers(d.withOthers(inner, m.Name), func(int) string { return "" }, 0)))
		}
		return m, out
	}
	return nil, nil
}

// operationMeant returns the operation that is written or most likely meant, 0 if there is none.
func (d *Delta) operationMeant() brenner.Operation {
	n := d.Root.Get("operation")
	if n == nil || d.Operation != 0 {
		return d.Operation
	}
	return d.OperationMeant(n)
}

func (d *Delta) hasSection() bool {
	return d.Root.Get("section") != nil || d.Root.Get("payload") != nil
}

// withOthers adds the members that stand next to a key to the members of a delta.
func (d *Delta) withOthers(members []written, key string) []written {
	own := members
	for _, w := range d.membersOf(d.Root) {
		if w.name != key && indexOf(own, w.name) < 0 {
			members = append(members, w)
		}
	}
	return members
}

// unfold returns the members of a delta that a key and its value mean. The key is an operation, a
// section or an item that is not known yet; for any other key unfold returns nil.
func (d *Delta) unfold(m *jsontree.Member, known brenner.Operation, hasSection bool) []written {
	op, isOperation := SuggestOperation(m.Name)
	section, isSection := SuggestSection(m.Name)
	id, isItem := SuggestTarget(m.Name)
	isFull := len(m.Value.Members()) > 0 || m.Value.Is(jsontree.String) && !Blank(m.Value)
	switch {
	case IsMember(m.Name) || !isFull:
	case isOperation && known == 0:
		first := written{"operation", jsontree.Quote(op.String())}
		if m.Value.Is(jsontree.String) {
			return []written{first, {"target_id", jsontree.Quote(m.Value.Text)}}
		}
		return append([]written{first}, d.unfoldIn(m.Value, op, hasSection)...)
	case isSection && !hasSection && m.Value.Is(jsontree.Object) && len(m.Name) > 1:
		return append([]written{{"section", jsontree.Quote(section.ID())}}, d.unfoldIn(m.Value, known, true)...)
	case isItem && known != 0:
		out := []written{{"section", jsontree.Quote(id.Section.ID())}, {"target_id", jsontree.Quote(id.String())}}
		if m.Value.Is(jsontree.String) {
			return append(out, written{"payload", `{"reason": ` + jsontree.Quote(m.Value.Text) + "}"})
		}
		return append(out, d.unfoldIn(m.Value, known, true)...)
	}
	return nil
}

// unfoldIn returns the members of a delta that an object means. They are its own members, unless
// those are fields of an item.
func (d *Delta) unfoldIn(n *jsontree.Node, op brenner.Operation, hasSection bool) []written {
	if len(n.Members()) == 1 {
		if out := d.unfold(&n.Members()[0], op, hasSection); out != nil {
			return out
		}
	}
	isMeant := func(m jsontree.Member) bool {
		meant := memberAliases[strings.ToLower(m.Name)]
		return IsMember(m.Name) || m.Name == "reason" || meant == "target_id" || meant == "payload"
	}
	if !slices.ContainsFunc(firstMembers(n), isMeant) {
		return []written{{"payload", d.Text.Slice(n.Span())}}
	}
	var out []written
	for i, w := range d.membersOf(n) {
		id, isID := SuggestTarget(n.Members()[i].Value.StringOr(""))
		switch {
		case isID && !hasSection && n.Get("section") == nil && (w.name == "target_id" || memberAliases[strings.ToLower(w.name)] == "target_id"):
			out = append(out, written{"section", jsontree.Quote(id.Section.ID())}, written{"target_id", jsontree.Quote(id.String())})
		case w.name == "reason" && op == brenner.Kill && n.Get("payload") == nil:
			out = append(out, written{"payload", `{"reason": ` + w.value + "}"})
		default:
			out = append(out, w)
		}
	}
	return out
}

// Quoted returns the JSON of a block that is encoded twice, in a string; nil if it is not.
func (d *Delta) Quoted() []byte {
	n := onlyItem(d.Root)
	if !n.Is(jsontree.String) {
		return nil
	}
	return objectIn(n, *d.json)
}

// QuotedPayload is Quoted for the payload.
func (d *Delta) QuotedPayload() []byte { return objectIn(d.Root.Get("payload"), *d.json) }

func objectIn(n *jsontree.Node, opts jsontree.Options) []byte {
	text := []byte(n.StringOr(""))
	root, _ := jsontree.Parse(text, opts)
	if !root.Is(jsontree.Object) || len(root.Members()) == 0 {
		return nil
	}
	return text
}

// OtherShape reports whether the delta is an object of another format with a clear meaning. Then
// its members are not where a delta has them.
func (d *Delta) OtherShape() bool { return d.other }

func (d *Delta) isOtherShape() bool {
	if m, _ := d.KeyShape(); m != nil {
		return true
	}
	if m, _ := d.KeyList(); m != nil {
		return true
	}
	return d.IsPatch()
}

// IsPatch reports whether the delta is an operation of a JSON patch, or names by a path what it
// changes: {"operation": "EDIT", "path": "/H2/claim", …}.
func (d *Delta) IsPatch() bool {
	return d.Root.Get("section") == nil && d.Root.Get("payload") == nil && IsPatch([]*jsontree.Node{d.Root})
}

// IsPatch reports whether values are the operations of a JSON patch (RFC 6902).
func IsPatch(ops []*jsontree.Node) bool {
	isOther := func(op *jsontree.Node) bool {
		return !patchWord(op).Is(jsontree.String) || !op.Get("path").Is(jsontree.String)
	}
	return len(ops) > 0 && !slices.ContainsFunc(ops, isOther)
}

// patchWord returns what an operation of a patch does.
func patchWord(op *jsontree.Node) *jsontree.Node { return cmp.Or(op.Get("op"), op.Get("operation")) }

// Change is how a JSON patch changes one item.
type Change struct {
	Operation brenner.Operation
	Section   brenner.Section
	Target    brenner.ItemID // of an EDIT or a KILL
	Index     string         // of an item that the patch names only by its place; then Target has only the section
	Payload   string         // as a delta writes it; "" for a KILL, because no patch gives its reason
}

// Changes returns what the operations of a JSON patch change: one EDIT for each item, and ADDs
// and KILLs. It returns nil if an operation means something else. An EDIT of a list adds to it; so
// for a list that is replaced, the EDIT says that it replaces.
func (d *Delta) Changes(ops []*jsontree.Node) []Change {
	if !IsPatch(ops) {
		return nil
	}
	var out []Change
	type item struct {
		id    brenner.ItemID
		index string
	}
	fields := map[item][]written{}
	for _, op := range ops {
		c, written := d.change(op)
		if c.Operation == 0 {
			return nil
		}
		key := item{c.Target, c.Index}
		if c.Operation != brenner.Edit || fields[key] == nil {
			out = append(out, c)
		}
		if c.Operation == brenner.Edit {
			fields[key] = append(fields[key], written...)
		}
	}
	for i, c := range out {
		if c.Operation == brenner.Edit {
			out[i].Payload = writeMembers(fields[item{c.Target, c.Index}], func(int) string { return "" }, 0)
		}
	}
	return out
}

// PatchTarget returns the item that the path of a patch's operation names, and the rest of the
// path. For an item to be added, only its section is set.
func (d *Delta) PatchTarget(op *jsontree.Node) (id brenner.ItemID, rest []string) {
	path := op.Get("path").StringOr("")
	rest = strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '.' && !strings.Contains(path, "/") })
	id, _ = SuggestTarget(d.meant("target_id").StringOr(""))
	for i, part := range rest {
		if named, ok := SuggestTarget(part); ok {
			return named, rest[i+1:]
		}
	}
	if id.Section == 0 && len(rest) > 0 {
		if section, ok := SuggestSection(rest[0]); ok {
			return brenner.ItemID{Section: section}, rest[1:]
		}
	}
	return id, rest
}

// change returns what one operation of a patch says, and the fields that an EDIT writes.
func (d *Delta) change(op *jsontree.Node) (Change, []written) {
	id, rest := d.PatchTarget(op)
	value, word := op.Get("value"), strings.ToLower(patchWord(op).StringOr(""))
	out := Change{Section: id.Section, Target: id}
	if id.Number == 0 && len(rest) > 0 && rest[0] != "-" && strings.Trim(rest[0], "0123456789") == "" && (word == "remove" || len(rest) > 1) {
		out.Index, rest = rest[0], rest[1:]
	}
	sets := value != nil && slices.Contains([]string{"add", "replace", "set", "edit"}, word)
	switch isItem := id.Number > 0 || out.Index != "" || id.Section == brenner.ResearchThread; {
	case id.Section == 0:
		return out, nil
	case !isItem:
		if word == "add" && value.Is(jsontree.Object) && len(value.Members()) > 0 && (len(rest) == 0 || len(rest) == 1 && strings.Trim(rest[0], "0123456789-") == "") {
			out.Operation, out.Payload = brenner.Add, jsontree.Compact(d.Text.Slice(value.Span()))
		}
		return out, nil
	case len(rest) == 0 && word == "remove":
		out.Operation = brenner.Kill
		return out, nil
	case len(rest) == 0 && sets && word != "add" && value.Is(jsontree.Object):
		out.Operation = brenner.Edit
		return out, d.membersOf(value)
	case len(rest) == 0 || len(rest) > 2 || !sets || id.Section.Field(rest[0]) == nil:
		return out, nil
	}
	text := jsontree.Compact(d.Text.Slice(value.Span()))
	appends, isList := len(rest) == 2 && rest[1] == "-", id.Section.Field(rest[0]).IsArray()
	switch {
	case isList && appends && !value.Is(jsontree.Array):
		text = "[" + text + "]"
	case len(rest) == 2:
		return out, nil
	case isList && word != "add":
		out.Operation = brenner.Edit
		return out, []written{{rest[0], text}, {rest[0] + "_replace", "true"}}
	}
	out.Operation = brenner.Edit
	return out, []written{{rest[0], text}}
}
