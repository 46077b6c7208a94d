package delta

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// Deltas in the shapes of other formats, which say plainly what they mean.

// Keyed returns a member whose name is an operation, a section or an item, and whose value is the
// rest of the delta, as in {"EDIT": {"section": …}} or {"KILL": {"H2": "Refuted"}}, or a list of
// such, and the deltas that it means; nil if there is none. It may be one of WrappedTexts, too.
func (d *Delta) Keyed() (key *jsontree.Member, deltas [][]byte) {
	members := d.Root.Members()
	if d.Root.Get("operation") != nil && d.Root.Get("section") != nil || len(members) > maxMembers {
		return nil, nil
	}
	if key, deltas := d.WrappedTexts(); key != nil {
		return key, deltas
	}
	known := d.Operation
	if n := d.Root.Get("operation"); known == "" && n != nil {
		known = d.OperationMeant(n)
	}
	hasSection := d.Root.Get("section") != nil || d.Root.Get("payload") != nil
	for i := range members {
		m := &members[i]
		rests, indent := m.Value.Items(), ""
		if !m.Value.Is(jsontree.Array) {
			rests, indent = []*jsontree.Node{m.Value}, d.indent()
		}
		var deltas [][]byte
		for _, rest := range rests[:min(len(rests), maxKeyed+1)] {
			inner := d.unfold(m.Name, rest, known, hasSection)
			if inner == nil {
				continue
			}
			all := inner
			for _, w := range d.membersOf(d.Root) {
				if w.name != m.Name && indexOf(inner, w.name) < 0 {
					all = append(all, w)
				}
			}
			deltas = append(deltas, []byte(writeMembers(all, indent)))
		}
		if n := len(deltas); n > 0 && n <= maxKeyed && n == len(rests) {
			isOther := func(o jsontree.Member) bool { // it would be lost; a text under another key is a remark
				_, isItem := SuggestTarget(o.Name)
				return o.Name != m.Name && (isItem || !o.Value.Is(jsontree.String)) && d.unfold(o.Name, o.Value, known, hasSection) != nil
			}
			if slices.ContainsFunc(members, isOther) {
				return nil, nil
			}
			return m, deltas
		}
	}
	return nil, nil
}

// maxKeyed bounds the deltas in the value of one key.
const maxKeyed = 12

// unfold returns the members of a delta that a key and its value mean. The key is an operation, a
// section or an item that is not known yet; for any other key unfold returns nil.
func (d *Delta) unfold(key string, value *jsontree.Node, known brenner.Operation, hasSection bool) []written {
	op, _ := SuggestOperation(key)
	section := SuggestSection(key)
	id, isItem := SuggestTarget(key)
	said, isText := "", value.Is(jsontree.String) && !Blank(value)
	if isText {
		said = jsontree.Quote(value.Text)
	}
	asValue, _ := SuggestOperation(value.StringOr(""))
	switch {
	case IsMember(key) || !isText && len(value.Members()) == 0:
	case op != "" && known == "" && asValue != "": // {"change": "ADD"}
		return []written{{"operation", jsontree.Quote(string(asValue))}}
	case op != "" && known == "":
		first := written{"operation", jsontree.Quote(string(op))}
		if isText {
			return []written{first, {"target_id", said}}
		}
		return append([]written{first}, d.unfoldIn(value, op, hasSection)...)
	case section != 0 && !hasSection && !isText && len(key) > 1:
		rest := slices.DeleteFunc(d.unfoldIn(value, known, true), func(w written) bool { return w.name == "section" }) // that of an item
		return append([]written{{"section", jsontree.Quote(section.ID())}}, rest...)
	case isItem && known != "" && (!isText || known == brenner.Kill):
		out := []written{{"section", jsontree.Quote(id.Section.ID())}, {"target_id", jsontree.Quote(id.String())}}
		if isText {
			return append(out, written{"payload", `{"reason": ` + said + "}"})
		}
		return append(out, d.unfoldIn(value, known, true)...)
	}
	return nil
}

// unfoldIn returns the members of a delta that an object means. They are its own members, unless
// those are fields of an item.
func (d *Delta) unfoldIn(n *jsontree.Node, op brenner.Operation, hasSection bool) []written {
	if len(n.Members()) == 1 {
		if out := d.unfold(n.Members()[0].Name, n.Members()[0].Value, op, hasSection); out != nil {
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
	text, _ := d.ObjectIn(onlyItem(d.Root))
	return text
}

// WrappedTexts returns the deltas that are deep in another object, or written as strings in one, as a call of a tool has its
// arguments, and the member that holds the first; nil if there is none: {"name": "add", "arguments": "{\"operation\": …}"}.
func (d *Delta) WrappedTexts() (in *jsontree.Member, deltas [][]byte) {
	if _, plain := d.Wrapped(); plain != nil || len(d.Root.Members()) > maxMembers || resemblesDelta(d.Root) {
		return nil, nil
	}
	if in, deltas = wrappedTexts(d.Root, d.Text.Data, *d.json); len(deltas) > maxKeyed {
		return nil, nil
	}
	return in, deltas
}

// resemblesDelta reports whether an object is a delta itself, perhaps with a fault.
func resemblesDelta(n *jsontree.Node) bool {
	return slices.ContainsFunc([]string{"operation", "section", "target_id", "payload"}, func(name string) bool { return n.Get(name) != nil })
}

// isCall reports whether a member of an object is what a call of a tool gives, or all that the object has. A text
// elsewhere may quote a delta.
func isCall(members []jsontree.Member, i int) bool {
	return len(members) == 1 || slices.Contains(callNames, members[i].Name)
}

// callNames are names under which a call of a tool has its arguments.
var callNames = []string{"arguments", "args", "input", "parameters"}

// wrappedTexts returns the deltas in a value that are strings or, if data is not nil, objects of it, and the member that
// holds the first. It returns nil if other objects are next to objects: they may be deltas with faults, unless they have no key
// of a delta, name no item or section, and are beside the arguments of a call or what a wrapper has.
func wrappedTexts(root *jsontree.Node, data []byte, opts jsontree.Options) (in *jsontree.Member, deltas [][]byte) {
	hasObjects, hasOthers, hasBeside, others := false, false, false, 0 // others: keys and places that are in no delta
	keys := func(text []byte) int { return len(keyOrPlace().FindAllIndex(text, -1)) }
	var read func(n *jsontree.Node, m *jsontree.Member, called bool) // called is what isCall says of the member
	read = func(n *jsontree.Node, m *jsontree.Member, called bool) {
		value, text, before := n, []byte(n.StringOr("")), len(deltas)
		if called && bytes.HasPrefix(text, []byte("{")) && operationWord().Match(text) {
			value, _ = jsontree.Parse(text, opts)
		} else if data != nil {
			text = data[n.Span().Start:n.Span().End]
		}
		if len(text) > 0 && value.Get("operation") != nil && value.Get("section") != nil {
			in, deltas = cmp.Or(in, m), append(deltas, text)
			if value == n {
				hasObjects = true
				others -= keys(text)
			}
			return
		}
		if members := n.Members(); !resemblesDelta(n) {
			for i := range members {
				read(members[i].Value, &members[i], isCall(members, i))
			}
		}
		for _, item := range n.Items() {
			read(item, m, called)
		}
		if len(deltas) == before && len(n.Members())+len(n.Items()) > 0 {
			hasBeside, hasOthers = true, hasOthers || len(n.Members()) > 1 && changeSaid(n) != nil
		}
	}
	if read(root, nil, false); !hasObjects || !hasBeside {
		return in, deltas
	}
	if others += keys(data); hasOthers || others > 0 || !slices.Contains(callNames, in.Name) && !isWrapperName(in.Name) {
		return nil, nil
	}
	return in, deltas
}

// QuotedKill returns the payload of a KILL in a string, as an object and, if it or its only member gives a
// reason, as the text of the one that does.
func (d *Delta) QuotedKill() (text []byte, object *jsontree.Node) {
	text, object = d.ObjectIn(d.Root.Get("payload"))
	members := object.Members()
	switch {
	case len(members) == 1 && namesOther(d, members[0].Name):
		return nil, object
	case len(members) == 1 && d.killsBy(members[0].Value):
		at := members[0].Value.Span()
		return text[at.Start:at.End], object
	case Blank(object.Get("reason")) && (object.Get("reason") != nil || MisnamedReason(object) == ""):
		return nil, object
	}
	return text, object
}

// ObjectIn returns a text that is an object with members, and the object; nil if it is not one.
func (d *Delta) ObjectIn(n *jsontree.Node) ([]byte, *jsontree.Node) {
	text := []byte(n.StringOr(""))
	if root, _ := jsontree.Parse(text, *d.json); len(root.Members()) > 0 {
		return text, root
	}
	return nil, nil
}

// IsPatch reports whether the delta is an operation of a JSON patch, or says as one what it
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
	Target    brenner.ItemID // only the section of an ADD, and of an item with an Index
	Index     string         // of an item that the patch names only by its place
	Payload   string         // as a delta writes it; "" for a KILL, because no patch gives its reason

	fields []written // of an EDIT
}

// Changes returns what the operations of a JSON patch change: one EDIT for each item, and ADDs
// and KILLs. It returns nil if an operation means something else. An EDIT of a list adds to it; so
// for a list that is replaced, the EDIT says that it replaces.
func (d *Delta) Changes(ops []*jsontree.Node) []Change {
	if !IsPatch(ops) {
		return nil
	}
	var out []Change
	edits := map[string]int{} // by item, the place of each in out
	for _, op := range ops {
		c := d.change(op)
		if c.Operation == "" {
			return nil
		}
		item := c.Target.String() + "/" + c.Index
		at, known := edits[item]
		switch {
		case c.Operation != brenner.Edit:
			out = append(out, c)
		case known:
			out[at].fields = append(out[at].fields, c.fields...)
		default:
			edits[item] = len(out)
			out = append(out, c)
		}
	}
	for i := range out {
		if out[i].Operation == brenner.Edit {
			out[i].Payload = writeMembers(out[i].fields, "")
		}
	}
	return out
}

// PatchTarget returns the item that the path of a patch's operation names, and the rest of the
// path. For an item to be added, only its section is set.
func (d *Delta) PatchTarget(op *jsontree.Node) (id brenner.ItemID, rest []string) {
	path := op.Get("path").StringOr("")
	rest = strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '.' && !strings.Contains(path, "/") })
	id, _ = d.targetMeant()
	for i, part := range rest {
		if named, ok := SuggestTarget(part); ok {
			return named, rest[i+1:]
		}
	}
	if id.Section == 0 && len(rest) > 0 {
		if section := SuggestSection(rest[0]); section != 0 {
			return brenner.ItemID{Section: section}, rest[1:]
		}
	}
	return id, rest
}

// change returns what one operation of a patch says; without an operation if that is not clear.
func (d *Delta) change(op *jsontree.Node) Change {
	id, rest := d.PatchTarget(op)
	value, word := op.Get("value"), strings.ToLower(patchWord(op).StringOr(""))
	out := Change{Target: id}
	if id.Number == 0 && len(rest) > 0 && rest[0] != "-" && strings.Trim(rest[0], "0123456789") == "" && (word == "remove" || len(rest) > 1) {
		out.Index, rest = rest[0], rest[1:]
	}
	sets := value != nil && slices.Contains([]string{"add", "replace", "set", "edit"}, word)
	switch isItem := id.Number > 0 || out.Index != "" || id.Section == brenner.ResearchThread; {
	case id.Section == 0:
	case !isItem:
		atEnd := len(rest) == 0 || len(rest) == 1 && strings.Trim(rest[0], "0123456789-") == ""
		if word == "add" && len(value.Members()) > 0 && atEnd {
			out.Operation, out.Payload = brenner.Add, jsontree.Compact(d.Text.Slice(value.Span()))
		}
	case len(rest) == 0 && word == "remove":
		out.Operation = brenner.Kill
	case len(rest) == 0 && sets && word != "add" && value.Is(jsontree.Object):
		out.Operation, out.fields = brenner.Edit, d.membersOf(value)
	case len(rest) > 0 && sets && id.Section.Field(rest[0]) != nil:
		if out.fields = d.fieldChange(rest, id.Section.Field(rest[0]).IsArray(), word, value); out.fields != nil {
			out.Operation = brenner.Edit
		}
	}
	return out
}

// fieldChange returns what an EDIT writes for a change of a field; nil if that is not clear.
func (d *Delta) fieldChange(path []string, isList bool, word string, value *jsontree.Node) []written {
	text := jsontree.Compact(d.Text.Slice(value.Span()))
	switch {
	case len(path) == 1 && isList && word != "add":
		return []written{{path[0], text}, {path[0] + "_replace", "true"}}
	case len(path) == 1:
		return []written{{path[0], text}}
	case len(path) == 2 && path[1] == "-" && isList && !value.Is(jsontree.Array):
		return []written{{path[0], "[" + text + "]"}}
	}
	return nil
}
