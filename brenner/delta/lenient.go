package delta

import (
	"cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// maxSeveral is how many deltas Lenient reads in a block.
const maxSeveral = 256

// Lenient returns a rejected delta as a lenient compiler may read it (decisions.md 49): faults
// of JSON are repaired, objects are taken out of an array or another object, and operation,
// section, target and payload may have other words and names. It shows whether a compiler applied
// a delta that it should have rejected. The spans are of a text of its own, and it has no Faults.
// There are several if the block has several objects, and none without a JSON object.
func (d *Delta) Lenient() (out []*Delta) {
	add := func(text []byte) {
		if m := d.lenient(text); m != nil {
			out = append(out, m)
		}
	}
	_, objects := d.several()
	if len(d.Swallowed) > 0 {
		objects = deltasIn(d.Text.Data)
	}
	if 1 < len(objects) && len(objects) <= maxSeveral {
		for _, o := range objects {
			add(d.recover(o).Text)
		}
		return out
	}
	text := d.Quoted()
	if edits, _ := d.Repair(); text == nil && (len(edits) > 0 || d.OnFence) {
		text = source.Apply(d.Text.Data, edits)
	}
	if _, keyed := d.reread(text).Keyed(); keyed != nil {
		for _, text := range keyed {
			add(text)
		}
		return out
	}
	add(text)
	return out
}

// reread returns the delta of a text in place of that of the block, or of the block if it is nil.
func (d *Delta) reread(text []byte) *Delta {
	m := &Delta{Index: d.Index, Block: d.Block, Fence: d.Fence, Text: d.Text, Root: d.Root, Syntax: d.Syntax, json: d.json}
	if text != nil {
		m.Text = source.NewText(text)
		m.Root, m.Syntax = jsontree.Parse(text, *d.json)
	}
	return m
}

// lenient reads one delta.
func (d *Delta) lenient(text []byte) *Delta {
	m := d.reread(text)
	_, in := m.Wrapped()
	if m.Root = onlyItem(m.Root); len(in) == 1 {
		m.Root = in[0]
	}
	if !m.Root.Is(jsontree.Object) {
		return nil
	}
	m.readFields()
	m.readMeant()
	return m
}

// readMeant fills in what readFields could not read.
func (d *Delta) readMeant() {
	if n := d.meant("operation"); d.Operation == "" && n != nil {
		d.Operation = d.OperationMeant(n)
	}
	if d.Section == 0 {
		d.Section = d.sectionMeant()
	}
	target := onlyItem(d.meant("target_id"))
	if in := target.Members(); len(in) == 1 { // {"id": "T2"}
		target = in[0].Value
	}
	d.TargetID = target.StringOr("")
	id, ok := SuggestTarget(d.TargetID)
	if !ok && target != nil {
		id, ok = d.TargetMeant(target.Text)
	}
	inPayload := ""
	if !ok {
		inPayload, id = d.TargetInPayload()
		ok = inPayload != ""
	}
	if ok && d.Operation != brenner.Add && d.Section != brenner.ResearchThread {
		d.Section, d.Target = id.Section, id // the target determines the section
	}
	if d.Section == brenner.ResearchThread && d.Operation == brenner.Add {
		d.Operation = brenner.Edit // there is exactly one
	}
	d.Agent = d.meant("agent").StringOr("")
	if len(d.Payload.Members()) == 0 {
		d.Payload = d.meantPayload()
	}
	if d.Operation == brenner.Kill {
		d.Reason = d.meantReason()
	} else if d.Payload != nil {
		d.Payload = d.meantFields(inPayload)
	}
}

// meantReason returns the reason of a KILL: in its payload, as its payload, or next to
// operation.
func (d *Delta) meantReason() string {
	for _, n := range [...]*jsontree.Node{d.Payload.Get("reason"), d.Root.Get("reason"), d.Root.Get("payload"), d.Payload.Get(MisnamedReason(d.Payload))} {
		if n.Is(jsontree.String) && !Blank(n) {
			return n.Text
		}
	}
	return ""
}

// meantFields returns the payload of an ADD or EDIT with its fields under their own
// names, without the target if that is one of its members. A required field of an ADD
// that is empty is not given.
func (d *Delta) meantFields(target string) *jsontree.Node {
	names := map[string]string{}
	for field, name := range d.MisnamedFields() {
		names[name] = field
	}
	var out []jsontree.Member
	for _, m := range d.Payload.Members() {
		m.Name = cmp.Or(names[m.Name], m.Name)
		field := d.Section.Field(m.Name)
		isEmpty := d.Operation == brenner.Add && field != nil && field.Required && Blank(m.Value)
		if m.Name != target && !m.Replaced && !isEmpty {
			out = append(out, m)
		}
	}
	return jsontree.NewObject(d.Payload.Span(), out)
}

// meant returns the value of a member, under its own or another name.
func (d *Delta) meant(member string) *jsontree.Node {
	if other := d.Misnamed(member); other != "" {
		member = other
	}
	return d.Root.Get(member)
}

// targetMeant returns the item that a member means as the target.
func (d *Delta) targetMeant() (id brenner.ItemID, ok bool) {
	return SuggestTarget(d.meant("target_id").StringOr(""))
}

// sectionMeant returns the section that a member means, in whatever form; 0 if none.
func (d *Delta) sectionMeant() brenner.Section { return SectionNamed(d.meant("section")) }

// onlyItem returns the only item of an array; other values are returned as they are.
func onlyItem(n *jsontree.Node) *jsontree.Node {
	if n.Is(jsontree.Array) && len(n.Items()) == 1 {
		return n.Items()[0]
	}
	return n
}

// meantPayload returns an object in an array, in a text or under another name, or the fields next
// to operation.
func (d *Delta) meantPayload() *jsontree.Node {
	if _, object := d.ObjectIn(d.meant("payload")); object != nil {
		return object
	}
	if n := onlyItem(d.meant("payload")); n.Is(jsontree.Object) && len(n.Members()) > 0 {
		return n
	}
	var out []jsontree.Member
	for _, m := range d.Root.Members() {
		isReason := d.Operation == brenner.Kill && m.Name == "reason"
		if isReason || !IsMember(m.Name) && (d.Section.Field(m.Name) != nil || d.SuggestMember(m.Name) == "") {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return jsontree.NewObject(d.Root.Span(), out)
}
