package delta

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// fenceContent is what is in a fence with another tag.
type fenceContent struct {
	whole           source.Span   // without the white space around it, and without a tag that is a line too low
	objects         []source.Span // that say what to change where
	others          bool          // there are other objects, too
	keyed           int           // how many outermost objects have keys
	nonstandardKeys bool          // no object has the keys of a delta in double quotes
	isTagLow        bool          // the tag is on a line of its own below the marks
}

// fence finds deltas in a fence with another tag: JSON that is the whole content,
// else delta fences, or JSON among other text.
func (f *finder) fence(b *markdown.Block) {
	json := jsonInInfo(f.doc, b)
	switch {
	case isDelta(f.doc, b):
		f.onFence(b)
		return
	case len(b.Parts) == 0 && json.Empty():
		return
	}
	m := UnfencedDelta{Form: OtherFence, Tag: tagSpan(f.doc, b), Span: b.Opening()}
	lines := slices.Collect(f.doc.Lines(b))
	if !json.Empty() {
		m.OnFence, m.Tag = true, source.Trim(f.data, source.Span{Start: b.Info.Start, End: json.Start})
		lines = slices.Insert(lines, 0, json)
	}
	c, in := f.contentOf(lines), f.inner(b)
	if in.deltas == 0 && len(c.objects) == 0 {
		return
	}
	m.Count, m.NonstandardKeys, m.Unwanted = len(c.objects), c.nonstandardKeys, f.isUnwantedFence(b)
	root, _ := jsontree.Parse(f.data[c.whole.Start:c.whole.End], f.json)
	switch {
	case in.deltas > 0:
		m.Form, m.Count = OuterFence, in.deltas
	case f.isWhole(b, &c):
		f.tag(b, &m, &c)
	case root.Is(jsontree.Object):
		f.unwrapObject(b, &m, &c, root)
	default:
		isOther := func(o source.Span) bool { return !f.reading(f.data[o.Start:o.End]).isContribution() }
		c.objects = slices.DeleteFunc(c.objects, isOther)
		m.Form, m.Count = OuterFence, len(c.objects)
		if m.Count == 0 {
			return
		}
	}
	// Else an object or a text is on the opening line, or others would be lost.
	isTagAlone := m.Tag == b.Info || f.isProse(b.Info) || string(bytes.TrimSpace(f.data[m.Tag.End:m.Span.End])) == "delta" // json delta
	if m.Form == OuterFence && isTagAlone && (len(c.objects) == c.keyed || in.deltas > 0 && in.forms == 0) && (in.deltas > 0 || f.staysFound(b)) {
		m.Edits = f.unwrapping(b, in)
	} else if m.OnFence && in.deltas == 0 && b.Closed && f.areAlone(c.whole, c.objects) {
		m.Edits = append([]source.Edit{edit(m.Tag.Start, c.whole.Start, "delta"+markdown.Below(f.doc.Text, b.Span.Start))}, apart(c.whole, c.objects, betweenFences(f.doc.Text, b))...)
	}
	f.out = append(f.out, m)
}

// onFence finds deltas on the line that opens the fence of another one, which is all that the compiler reads.
func (f *finder) onFence(b *markdown.Block) {
	if b.Kind != markdown.Fence || !isDelta(f.doc, b) {
		return
	}
	json := jsonInInfo(f.doc, b)
	if json.Empty() || !isJSON(f.doc.Content(b).Data) { // else they are said to begin too early
		return
	}
	c := f.contentOf([]source.Span{json})
	if len(c.objects) == 0 {
		return
	}
	m := UnfencedDelta{Form: BareJSON, Span: c.objects[0], OnFence: true, NonstandardKeys: c.nonstandardKeys, Count: len(c.objects), Certain: true}
	for _, o := range c.objects {
		r := f.reading(f.data[o.Start:o.End])
		if m.Certain = m.Certain && r.Certain; m.Certain {
			m.JSON = append(m.JSON, r.Text)
		}
	}
	if f.areAlone(c.whole, c.objects) {
		between := betweenFences(f.doc.Text, b)
		below := markdown.Below(f.doc.Text, b.Span.Start)
		m.Edits = append([]source.Edit{edit(tagSpan(f.doc, b).End, c.whole.Start, below)}, apart(c.whole, c.objects, between)...)
		m.Edits = append(m.Edits, edit(c.whole.End, b.Info.End, strings.TrimSuffix(between, below)))
	}
	f.out = append(f.out, m)
}

// areAlone reports whether a text has nothing but objects, and what separates the values of an array.
func (f *finder) areAlone(whole source.Span, objects []source.Span) bool {
	at := whole.Start
	for _, o := range append(slices.Clip(objects), source.Span{Start: whole.End}) {
		if len(bytes.Trim(f.data[at:o.Start], "[], \t\r\n")) > 0 {
			return false
		}
		at = o.End
	}
	return true
}

// contentOf reads the lines in a fence.
func (f *finder) contentOf(lines []source.Span) fenceContent {
	s := scan(f.data, slices.Values(lines))
	c := fenceContent{whole: source.Trim(f.data, source.Span{Start: lines[0].Start, End: lines[len(lines)-1].End}), keyed: s.keyed}
	found := s.found
	c.nonstandardKeys = !slices.ContainsFunc(found, func(o foundObject) bool { return !o.otherKeys })
	isMarked := len(found) == 1 && found[0].End == c.whole.End && hasLineMarks(f.data[c.whole.Start:c.whole.End], found[0].Start-c.whole.Start)
	isDoubled := bytes.HasPrefix(f.data[c.whole.Start:c.whole.End], []byte("{{"))
	if (c.nonstandardKeys || isMarked || isDoubled) && f.isOtherForm(c.whole) {
		found, c.nonstandardKeys = []foundObject{{Span: c.whole}}, true
	}
	if start, ok := s.end(); ok && start > c.whole.Start && len(bytes.TrimSpace(f.data[f.lineStart(start):start])) == 0 {
		part := upToFence(f.data[start:c.whole.End])
		if cutOff().Match(part) && saidPayload().Match(part) {
			found = append(found, foundObject{Span: source.Span{Start: start, End: start + len(part)}})
		}
	}
	for _, o := range found {
		if r := f.reading(f.data[o.Start:o.End]); (!o.otherKeys || saysChange(r.Root)) && !f.showsForm(r) {
			c.objects = append(c.objects, o.Span)
		}
	}
	c.others = len(c.objects) < len(found)
	first := string(bytes.TrimSpace(f.data[lines[0].Start:lines[0].End]))
	if len(c.objects) > 0 && (first == "delta" || first == "json") {
		c.isTagLow = true
		c.whole = source.Trim(f.data, source.Span{Start: c.whole.Start + len(first), End: c.whole.End})
	}
	return c
}

// isWhole reports whether the content of a fence is one object, an array of objects, or would be a delta block with a slip.
func (f *finder) isWhole(b *markdown.Block, c *fenceContent) bool {
	isArray := f.data[c.whole.Start] == '[' && f.data[c.whole.End-1] == ']'
	return c.objects[len(c.objects)-1] == c.whole || !c.others && (isArray || f.isSlip(b, c.whole, c.objects))
}

// tag gives the fence the tag of a delta block.
func (f *finder) tag(b *markdown.Block, m *UnfencedDelta, c *fenceContent) {
	m.Certain = !b.InList && c.objects[len(c.objects)-1] == c.whole && f.data[c.whole.Start] != '['
	e := f.retag(m)
	if m.OnFence || c.isTagLow {
		e = edit(m.Tag.Start, c.whole.Start, "delta"+markdown.Below(f.doc.Text, b.Span.Start))
	}
	m.Edits = []source.Edit{e}
}

// retag writes the tag of a fence as delta, in place of `json delta`, too.
func (f *finder) retag(m *UnfencedDelta) source.Edit {
	e := source.Edit{Span: m.Tag, Text: "delta"}
	if b := f.blockAt(m.Span.Start); f.isProse(b.Info) { // it stays above the fence
		return edit(m.Span.Start, m.Span.End, f.doc.Text.Slice(b.Info)+markdown.Below(f.doc.Text, b.Span.Start)+b.Marks()+"delta")
	}
	if !m.OnFence && slices.Contains(strings.Fields(string(f.data[m.Tag.End:m.Span.End])), "delta") {
		e.Span.End = m.Span.End
	}
	return e
}

// isProse reports whether what is behind the marks that open a fence is a line of text, as "Next:".
func (f *finder) isProse(info source.Span) bool {
	text, ok := bytes.CutSuffix(f.data[info.Start:info.End], []byte(":"))
	return ok && !isTag(text)
}

// unwrapObject puts the objects in another one into fences of their own.
func (f *finder) unwrapObject(b *markdown.Block, m *UnfencedDelta, c *fenceContent, root *jsontree.Node) {
	m.Form = WrappedJSON
	only := root.Members()[0]
	if len(root.Members()) == 1 && only.Value.Get("operation") != nil && only.Value.Get("section") != nil && !c.isTagLow {
		m.Wrapper, m.Inner = only.Name, c.objects[0]
	}
	isDirect := only.Value.Is(jsontree.Array) || c.objects[0].Start == c.whole.Start+only.Value.Span().Start
	m.Certain = isWrapper(root) && isDirect && len(c.objects) == max(1, len(only.Value.Items()))
	for _, o := range c.objects {
		m.JSON = append(m.JSON, f.data[o.Start:o.End])
	}
	if b.Closed && !b.InList && !b.InQuote {
		m.Edits = append([]source.Edit{f.retag(m)}, apart(c.whole, c.objects, betweenFences(f.doc.Text, b))...)
	}
}

// isSlip reports whether the content of a fence would be a delta block with a slip: its only object has marks of a program
// around it, or its first has marks below it that are meant to close the fence, and text behind them.
func (f *finder) isSlip(b *markdown.Block, whole source.Span, objects []source.Span) bool {
	o := objects[0]
	around := slices.Concat(f.data[whole.Start:o.Start], []byte("{}"), f.data[o.End:whole.End])
	return len(objects) == 1 && program().Match(around) || o.Start == whole.Start && hasTextBehind(marksBelow(f.doc.Content(b).Data, 0))
}

// hasTextBehind reports whether text is behind marks, apart from them: a tag would make them open a fence.
func hasTextBehind(m Marks) bool { return m.Rest > m.At.End }

// program is an object that a program gives a name which says no more than that, or with brackets or commas too many.
var program = text.Pattern(`^(?:(?:(?:const|let|var) +)?(?i:` + strings.Join(wrappers, "|") + `)s? *=|[(\x{feff}])?\s*\{\}[\s,;)}]*$`)

// cutOff is an object that gives an operation, and so does more than show the form of a delta, without an ellipsis at its end.
var cutOff = text.Pattern(`(?s)^\{\s*(?:".*?)?"operation"\s*:\s*"(?:ADD|EDIT|KILL)"\s*(?:[,}](?:.*[^.…\s]\.?)?\s*)?$`)

// wrappers are names of objects around deltas that say no more than that.
var wrappers = []string{"delta", "change", "update", "edit", "operation", "contribution", "message"}

// isWrapper reports whether an object has one member, which says no more than that deltas are in it.
func isWrapper(n *jsontree.Node) bool {
	in := n.Members()
	return len(in) == 1 && len(in[0].Value.Members())+len(in[0].Value.Items()) > 0 && isWrapperName(in[0].Name)
}

// isWrapperName reports whether a name is one of wrappers, perhaps with a number: deltas, delta_1.
func isWrapperName(name string) bool {
	return slices.Contains(wrappers, strings.ToLower(strings.TrimSuffix(strings.TrimRight(name, "_-0123456789"), "s")))
}

// unwanted are words that say of deltas that they are no contribution.
const unwanted = `(?:rejected|ignored?|discarded|dropped|skipped|withdrawn|superseded|deprecated|obsolete|old|previous(?:ly)?|former|original|before|examples?|samples?|templates?|not[ _](?:applied|merged)|do[ _]not[ _]merge)`

// unwantedName is a name with one of them, and unwantedAbove one, or a short line that begins so, with the names and brackets between it
// and a delta.
var (
	unwantedName  = text.Pattern(`(?i)(?:^|[ _-])` + unwanted + `(?:$|[ _-])`)
	unwantedAbove = text.Pattern(`(?i)(?:^|[\n{,])[^\pL\n]*(?:(?:for|the|an?|my|our|all) )?` + unwanted +
		`(?:[ _-][^\n:.]{0,40})?["'*_]*(?::["'*_]*|\s*\n)(?:[\s{\[]|["'][\w-]+["']\s*:|[` + "`~]+[a-z]*" + `)*$`)
)

// SaysUnwanted reports whether the name of deltas says that they are no contribution.
func SaysUnwanted(name string) bool { return unwantedName().MatchString(name) }

// isUnwanted reports whether what is above a delta, or before it on its line, says so, or a heading of its section.
func (f *finder) isUnwanted(start int) bool {
	says := func(b *markdown.Block) bool {
		heading := lineOf(f.data[b.Span.Start:b.Span.End]) // without the line below it
		return saysUnwantedAbove(append(slices.Clip(heading), '\n'))
	}
	return saysUnwantedAbove(f.data[:start]) || slices.ContainsFunc(f.headings, says)
}

func saysUnwantedAbove(text []byte) bool {
	return unwantedAbove().Match(text[max(0, len(text)-maxMarks):])
}

// isUnwantedFence reports whether the tag of a fence says so, or what is above it, or only such a fence is above it.
func (f *finder) isUnwantedFence(b *markdown.Block) bool {
	isNext := f.unwantedEnd > 0 && len(bytes.TrimSpace(f.data[min(f.unwantedEnd, b.Span.Start):b.Span.Start])) == 0
	if !isNext && !f.isUnwanted(b.Span.Start) && !SaysUnwanted(strings.TrimSuffix(f.doc.Text.Slice(b.Info), ":")) {
		return false
	}
	f.unwantedEnd = b.Span.End
	return true
}

// hasLineMarks reports whether an object that begins at an offset of a text, and ends with it, has a mark before each of
// its lines, such as the + of a diff that only adds.
func hasLineMarks(text []byte, object int) bool {
	before := bytes.TrimSpace(text[:object])
	return len(before) > 0 && len(bytes.Trim(before, "+| \t")) == 0 && bytes.IndexByte(text, '\n') >= 0 &&
		!bytes.Contains(text, []byte("\n-")) && !isJSON(text[object:])
}

// isOtherForm reports whether a text is one object that says under other names or in other quotes what to change
// where: {'op': 'add', 'section': 'hypotheses', …}, or a wrapper or an array of such objects, YAML or lines with labels
// of them alone, or a JSON patch of sections.
func (f *finder) isOtherForm(s source.Span) bool {
	r := f.reading(f.data[s.Start:s.End])
	isAlone := len(r.values) == 1 && changeSaid(r.values[0]) != nil
	return r.isTranslated || isPatchOfSections(r.values) || !s.Empty() && strings.IndexByte("{[\"+|", f.data[s.Start]) >= 0 && (isAlone || slices.ContainsFunc(r.values, saysChange))
}

// isPatchOfSections reports whether values are operations of a JSON patch that says something about sections.
func isPatchOfSections(values []*jsontree.Node) bool {
	isOther := func(op *jsontree.Node) bool {
		section, _, _ := strings.Cut(strings.TrimPrefix(op.Get("path").Text, "/"), "/")
		isForm := op.Get("value") != nil && !slices.ContainsFunc(op.Get("value").Strings(), saysSomething)
		return isForm || brenner.SectionByID(section) == 0 || !slices.Contains([]string{"add", "remove", "replace"}, patchWord(op).Text)
	}
	return IsPatch(values) && !slices.ContainsFunc(values, isOther)
}

// reading is what a text says that is JSON, or can be read as JSON.
type reading struct {
	jsontree.Recovery
	text []byte
	// values are its value, or that of its beginning if it is cut off, those in it if it is a wrapper, has operations
	// as keys or is an array, or the objects of another language that all say what to change where.
	values       []*jsontree.Node
	isTranslated bool // they are of another language
}

// reading reads a text. Its double quotes may be written as in HTML, or it may be an object with deltas in strings, of
// which the first is read: Text is nil if there are others.
func (f *finder) reading(text []byte) reading {
	r := reading{Recovery: jsontree.Recover(text, f.json), text: text}
	if r.Root == nil && entityKey().Match(text) {
		r.text = []byte(html.UnescapeString(string(text)))
		r.Recovery = jsontree.Recover(r.text, f.json)
	}
	if _, quoted := wrappedTexts(r.Root, nil, f.json); len(quoted) > 0 {
		r.text = quoted[0]
		if r.Recovery = jsontree.Recover(r.text, f.json); len(quoted) > 1 {
			r.Text = nil
		}
	}
	d := &Delta{Text: source.NewText(r.text), Root: r.Root, Syntax: r.First, json: &f.json}
	objects, _ := d.Translated()
	for _, object := range objects {
		m := d.reread(object)
		m.readFields()
		isLog := m.Root.Get("id") != nil || m.Root.Get("result") != nil || m.Root.Get("status") != nil && m.Section.Field("status") == nil
		isField := func(name string) bool { // others name things, too, and have a status
			return name != "status" && (name != "name" || !m.Root.Get("target_id").Absent())
		}
		isDelta := slices.Contains(Operations, m.meant("operation").StringOr("")) && !isLog
		if !(isDelta && slices.ContainsFunc(m.misplacedFields(), isField)) && changeSaid(m.Root) == nil {
			r.values = nil
			return r
		}
		r.values = append(r.values, m.Root)
	}
	if r.values != nil {
		r.isTranslated = true
		return r
	}
	root := r.Root
	if r.Text != nil && !isWrapper(root) {
		key, keyed := d.reread(r.Text).Keyed()
		for _, object := range keyed { // without a word or a key that only deltas have it may be a summary, or a part of an artifact
			if n := d.reread(object).Root; n.Get("operation") != nil && (slices.Contains(Operations, key.Name) || deltaKey().Match(r.Text)) {
				r.values = append(r.values, n)
			}
		}
		if r.values != nil {
			return r
		}
	}
	if _, quoted := d.ObjectIn(onlyItem(root)); quoted != nil {
		root = quoted
	} else if root == nil && cutOff().Match(bytes.TrimSpace(r.text)) {
		root = d.Beginning()
	}
	if isWrapper(root) {
		root = root.Members()[0].Value
	}
	if r.values = root.Items(); r.values == nil {
		r.values = []*jsontree.Node{root}
	}
	return r
}

// saidPayload is the beginning of a payload that says something: a form shows none, and the line of a log may be cut anywhere.
var saidPayload = text.Pattern(`"payload"\s*:\s*\{\s*"\w+"\s*:\s*(?:"[^"<…]|[\[{\dtfn])`)

// deltaKey is a key of a delta, and keyOrPlace one, or what names an item or a section.
var (
	deltaKey   = text.Pattern(keyOfDelta)
	keyOrPlace = text.Pattern(keyOfDelta + `|"(?:[HPTAXC][0-9]+|RT)"|"/?(?:research_thread|[a-z]+_(?:slate|table|tests|ledger|register|critique))["/]`)
)

const keyOfDelta = `"(?:operation|section|target_id|payload)"\s*:`

// omission is an ellipsis, a choice or the name of a type where JSON, without its texts, has a value.
var (
	omission = text.Pattern(`[:,{\[]\s*(?:…|\.\.+)\s*[,}\]"]|"[ \t]*\||\|[ \t]*"|:\s*(?:string|object)\s*[,}|]`)
	quoted   = text.Pattern(`"(?:[^"\\\n]|\\.)*"`)
)

// showsForm reports whether a text shows how a delta is written: without its values, with nothing but placeholders to say,
// or as a schema (decisions.md 61).
func (f *finder) showsForm(r reading) bool {
	isPart := !r.Certain && omission().Match(quoted().ReplaceAll(r.text, []byte(`""`)))
	return slices.ContainsFunc(r.values, func(n *jsontree.Node) bool {
		var texts []*jsontree.Node
		d := &Delta{Root: n, json: &f.json}
		d.readFields()
		for _, m := range d.meantPayload().Members() {
			if m.Name != "anchors" {
				texts = append(texts, m.Value.Strings()...)
			}
		}
		target := strings.TrimSpace(n.Get("target_id").StringOr(""))
		isSchema := n.Get("operation").Is(jsontree.Object) && n.Get("section").Is(jsontree.Object)
		isChoice := len(texts) == 0 && strings.Contains(n.Get("operation").StringOr(""), "|")
		hasTexts := len(texts) > 1 || len(texts) == 1 && texts[0].Text != "" // one empty text may be meant
		mayShow := isPart || isChoice || hasTexts || target != "" && placeholder().MatchString(target)
		return isSchema || mayShow && !slices.ContainsFunc(texts, saysSomething)
	})
}

// saysSomething reports whether a text is there and is no placeholder.
func saysSomething(n *jsontree.Node) bool {
	return n.Text != "" && !placeholder().MatchString(strings.TrimSpace(n.Text))
}

// changeSaid returns the payload of an object that says what to change where, nil if it does not. One of operation
// and section may be missing if the rest shows it. A KILL that gives its reason beside them is its own payload.
func changeSaid(n *jsontree.Node) *jsontree.Node {
	d := &Delta{Root: n}
	op, _ := SuggestOperation(d.meant("operation").StringOr(""))
	section := d.sectionMeant()
	_, isShown := d.LikelySection()
	isShown = isShown || d.meant("target_id").Absent() && d.onlyComplete() != 0
	isPart := isShown && n.Get("payload") != nil && (n.Get("operation") != nil && op != "" || n.Get("section") != nil && section != 0)
	if payload := d.meant("payload"); payload.Is(jsontree.Object) && (op != "" && section != 0 || isPart) {
		return payload
	}
	_, isTarget := d.targetMeant()
	isPlaced := section != 0 || n.Get("operation").StringOr("") == string(brenner.Kill) && n.Get("target_id") != nil
	if op == brenner.Kill && isPlaced && isTarget && n.Get("payload") == nil && !Blank(n.Get("reason")) {
		return n
	}
	return nil
}

// saysChange reports whether an object among other text says what to change where. Data of other programs
// has types and actions too: of an operation under another name the value must be one of a delta.
func saysChange(n *jsontree.Node) bool {
	d := &Delta{Root: n}
	op := strings.ToUpper(d.meant("operation").StringOr(string(brenner.Add)))
	hasKeys := n.Get("operation") != nil && n.Get("section") != nil
	target, ok := d.targetMeant()
	isOfItem := n.Get("payload") != nil && ok && target.Section == d.sectionMeant()
	return len(changeSaid(n).Members()) > 0 && (hasKeys || slices.Contains(Operations, op) || isOfItem)
}

// inner describes the fences in the content of a fence.
type inner struct {
	deltas, forms int // the numbers of fences tagged delta that hold contributions, and of those that show a form
	// untagged are the edits that tag the fences whose whole content is a delta.
	untagged []source.Edit
	// open reports that one is open at the end: then the line that closes the outer
	// fence is meant to close that one.
	open bool
}

// inner reads the content of a fence as a document of its own.
func (f *finder) inner(b *markdown.Block) (in inner) {
	text := f.doc.Content(b)
	if !holdsFence(text.Data) {
		return in
	}
	doc := markdown.Parse(text)
	for i := range doc.Blocks {
		fence := &doc.Blocks[i]
		if fence.Kind != markdown.Fence || fence.InQuote {
			continue
		}
		content := doc.Content(fence).Data
		switch objects, r := deltasIn(content), f.reading(content); {
		case f.showsForm(r):
			in.forms++
		case isDelta(doc, fence):
			if r.isContribution() {
				in.deltas++
			}
		case len(objects) == 1 && objects[0] == source.Trim(content, source.Span{End: len(content)}):
			at, _ := text.Within(f.doc.Text, tagSpan(doc, fence))
			in.untagged = append(in.untagged, source.Edit{Span: at, Text: "delta"})
		}
		in.open = i == len(doc.Blocks)-1 && !fence.Closed
	}
	return in
}

// staysFound reports whether the objects in a fence would be found without it: none would be in a quotation, which may be
// the one directly above it, a comment, a string, or code in a sentence.
func (f *finder) staysFound(b *markdown.Block) bool {
	top := f.lineStart(b.Span.Start)
	above := f.data[f.lineStart(max(top-1, 0)):top]
	if top > 0 && len(bytes.TrimSpace(above)) > 0 && f.blockAt(top-1).InQuote {
		return false
	}
	text := f.doc.Content(b)
	in := finder{doc: markdown.Parse(text), data: text.Data}
	isLost := func(o foundObject) bool {
		block := in.blockAt(o.Start)
		return block.InQuote || block.Kind == markdown.HTML && in.isComment(block) || in.inCode(o.Span, block) || in.inString(o.Span)
	}
	return len(in.doc.Blocks) > 0 && !slices.ContainsFunc(scan(text.Data, lines(text.Data)).found, isLost)
}

// isContribution reports whether a text says what to do or what to change where. Other text only shows how a block is
// written (decisions.md 61).
func (r reading) isContribution() bool {
	return slices.ContainsFunc(r.values, func(n *jsontree.Node) bool {
		op, _ := SuggestOperation((&Delta{Root: n}).meant("operation").StringOr(""))
		return n.Get("operation") != nil || n.Get("section") != nil && n.Get("payload") != nil || op != ""
	})
}

// unwrapping removes a fence: its opening line, and the line that was meant to close it. If a
// fence inside is still open, the closing line closes that one, and the line that was meant for
// the outer fence opens another fence, the last of the body. Deltas in inner fences get the tag.
func (f *finder) unwrapping(b *markdown.Block, inner inner) []source.Edit {
	opening := f.withoutLine(b.Opening())
	if f.isProse(b.Info) {
		opening = source.Edit{Span: b.Opening(), Text: f.doc.Text.Slice(b.Info)}
	}
	edits := append([]source.Edit{opening}, inner.untagged...)
	last := &f.doc.Blocks[len(f.doc.Blocks)-1]
	isNext := !slices.ContainsFunc(f.doc.Blocks, func(o markdown.Block) bool {
		return o.Kind == markdown.Fence && b.Span.Start < o.Span.Start && o.Span.Start < last.Span.Start
	})
	switch {
	case !inner.open && b.Closed:
		edits = append(edits, f.withoutLine(source.Trim(f.data, source.Span{Start: f.lineStart(b.Span.End), End: b.Span.End})))
	case inner.open && last != b && last.Kind == markdown.Fence && !last.Closed && last.Info.Empty() && (isNext || len(last.Parts) == 0):
		edits = append(edits, f.withoutLine(last.Opening()))
	}
	return edits
}

// withoutLine removes a text, and its line if nothing else is on it.
func (f *finder) withoutLine(s source.Span) source.Edit {
	start, end := f.lineStart(s.Start), len(f.data)-len(bytes.TrimLeft(f.data[s.End:], " \t"))
	if len(bytes.TrimSpace(f.data[start:s.Start])) > 0 {
		return source.Edit{Span: s}
	}
	if rest := bytes.TrimPrefix(f.data[end:], []byte("\r")); bytes.HasPrefix(rest, []byte("\n")) {
		end = len(f.data) - len(rest) + 1
	} else if end == len(f.data) { // the last line: the line end before it goes
		start = len(bytes.TrimSuffix(bytes.TrimSuffix(f.data[:start], []byte("\n")), []byte("\r")))
	}
	return source.Edit{Span: source.Span{Start: start, End: end}}
}
