package lsp

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

type completionItem struct {
	Label    string    `json:"label"`
	Kind     int       `json:"kind"`
	Detail   string    `json:"detail,omitempty"`
	SortText string    `json:"sortText,omitempty"`
	TextEdit *textEdit `json:"textEdit"`
}

// The values of CompletionItemKind.
const (
	fieldItem     = 5
	moduleItem    = 9
	valueItem     = 12
	enumItem      = 13
	referenceItem = 18
)

// word is something to write.
type word struct {
	text, detail string
	kind         int
}

// completion is what can be written after a text: before matches the line up to the cursor,
// and its last group is replaced by one of the words.
type completion struct {
	before *regexp.Regexp
	words  func(c *cursor) []word
}

// cursor is the place where the user writes.
type cursor struct {
	server  *server
	ctx     context.Context
	snap    *snapshot
	model   *artifact.Artifact // nil where the document is not an artifact
	section brenner.Section    // of the artifact, 0 in none
	offset  int
	groups  []string
}

// q is a quotation mark of JSON, which may itself be in a JSON string.
const q = `\\?"`

// completions are tried in this order.
var completions = sync.OnceValue(func() []completion {
	return []completion{
		{regexp.MustCompile(`(§\d{0,3})$`), anchors},
		{regexp.MustCompile(q + `operation` + q + `\s*:\s*` + q + `(\w*)$`), operations},
		{regexp.MustCompile(q + `section` + q + `\s*:\s*` + q + `(\w*)$`), sectionIDs},
		{regexp.MustCompile(q + `thread_id` + q + `\s*:\s*` + q + `([\w.-]*)$`), threadIDs},
		{regexp.MustCompile(`^(?i)thread(?:[-_ ]?id)?:\s*([\w.-]*)$`), headerThreadIDs},
		{regexp.MustCompile(`^session_id:\s*["']?([\w.-]*)$`), sessionIDs},
		{regexp.MustCompile(q + `target_id` + q + `\s*:\s*` + q + `([\w.]*)$`), targets},
		{regexp.MustCompile(q + `(\w+)` + q + `\s*:\s*` + q + `(\w*)$`), payloadValues},
		{regexp.MustCompile(`(?:[{,]|\\n|^)\s*` + q + `(\w*)$`), payloadFields},
		{regexp.MustCompile(`^(#{1,2} ?[\w. ]*)$`), headings},
		{regexp.MustCompile(`^(\*\*[\w ]*)$`), labels},
		{regexp.MustCompile(`^\*\*([^*]+)\*\*:\s*(\w*)$`), fieldValues},
		{regexp.MustCompile(`(?:^|[^\w-])([HPTAXC]\d{0,9})$`), itemIDs},
	}
})

// maxBefore bounds what is read before the cursor, and in a delta.
const maxBefore = 4 << 10

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

// complete gives what can be written at a place.
func complete(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	out := completionList{Items: []completionItem{}}
	c := &cursor{server: s, ctx: ctx, snap: snap, model: snap.model(), offset: snap.offset(p.Position)}
	contexts := completions()
	if snap.isConfig() {
		contexts = configCompletions()
	}
	if c.model != nil {
		for _, s := range c.model.Sections {
			if s.Heading.Start <= c.offset && !c.model.IsJSON() {
				c.section = s.Kind
			}
		}
	}
	start := max(lineAround(snap.text, c.offset).Start, c.offset-maxBefore)
	before := string(snap.text[start:c.offset])
	for _, context := range contexts {
		c.groups = context.before.FindStringSubmatch(before)
		if c.groups == nil {
			continue
		}
		words := context.words(c)
		if len(words) == 0 {
			continue
		}
		typed := len(c.groups[len(c.groups)-1])
		place := snap.rangeOf(source.Span{Start: c.offset - typed, End: c.offset})
		for i, w := range words {
			out.Items = append(out.Items, completionItem{w.text, w.kind, w.detail, fmt.Sprintf("%04d", i), &textEdit{place, w.text}})
		}
		break
	}
	return out, ctx.Err()
}

func anchors(c *cursor) []word {
	last := cmp.Or(c.snap.settings.RuleConfig.CorpusSize, lint.DefaultRuleConfig.CorpusSize)
	var out []word
	for n := 1; n <= last; n++ {
		if text := "§" + strconv.Itoa(n); strings.HasPrefix(text, c.groups[1]) {
			out = append(out, word{text, "", referenceItem})
		}
	}
	return out
}

func operations(*cursor) []word {
	var out []word
	for _, o := range []brenner.Operation{brenner.Add, brenner.Edit, brenner.Kill} {
		out = append(out, word{string(o), "", enumItem})
	}
	return out
}

func sectionIDs(*cursor) []word {
	var out []word
	for _, s := range brenner.Sections {
		out = append(out, word{s.ID(), s.Title(), moduleItem})
	}
	return out
}

var (
	sectionMember = text.Pattern(q + `section` + q + `\s*:\s*` + q + `(\w+)` + q)
	payloadMember = text.Pattern(q + `payload` + q + `\s*:\s*\{`)
)

// deltaSection returns the section that the delta around the cursor names, and the text from
// there to the cursor; 0 if there is none.
func (c *cursor) deltaSection() (brenner.Section, string) {
	before := string(c.snap.text[max(0, c.offset-maxBefore):c.offset])
	if i := strings.LastIndex(before, "```"); i >= 0 {
		before = before[i:]
	}
	all := sectionMember().FindAllStringSubmatchIndex(before, -1)
	if all == nil {
		return 0, ""
	}
	last := all[len(all)-1]
	return brenner.SectionByID(before[last[2]:last[3]]), before[last[1]:]
}

// delta returns the section of the delta if the cursor is in its payload, and the payload up
// to the cursor; else 0. A delta names its section before its payload.
func (c *cursor) delta() (brenner.Section, string) {
	section, rest := c.deltaSection()
	payload := payloadMember().FindStringIndex(rest)
	if payload == nil {
		return 0, ""
	}
	return section, rest[payload[1]:]
}

// payloadFields returns the fields that the payload may have and does not have yet.
func payloadFields(c *cursor) []word {
	section, payload := c.delta()
	if section == 0 || strings.Count(payload, "{") != strings.Count(payload, "}") {
		return nil // in no delta, or in a value of its payload
	}
	var out []word
	for _, f := range section.Fields() {
		if given := strings.Contains(payload, `"`+f.Key+`"`) || strings.Contains(payload, `"`+f.Key+`\"`); f.Unlisted || given {
			continue
		}
		detail := ""
		if f.Required {
			detail = "required"
		}
		out = append(out, word{f.Key, detail, fieldItem})
	}
	slices.SortStableFunc(out, func(a, b word) int { return cmp.Compare(len(b.detail), len(a.detail)) })
	return out
}

func payloadValues(c *cursor) []word {
	section, _ := c.delta()
	return valuesOf(section.Field(c.groups[1]))
}

// valuesOf returns the values of a field that allows only some.
func valuesOf(f *brenner.Field) []word {
	if f == nil {
		return nil
	}
	var out []word
	for _, v := range f.Values {
		out = append(out, word{v, "", valueItem})
	}
	return out
}

// headings returns the headings of the sections that the artifact lacks.
func headings(c *cursor) []word {
	if c.model == nil || c.model.IsJSON() {
		return nil
	}
	var out []word
	for i, s := range brenner.Sections {
		if c.model.Section(s) == nil {
			out = append(out, word{fmt.Sprintf("## %d. %s", i+1, s.Title()), "", moduleItem})
		}
	}
	return out
}

// itemAt returns the item of the artifact that the cursor is in, nil if none.
func (c *cursor) itemAt() *artifact.Item {
	var found *artifact.Item
	for _, s := range c.model.Sections {
		for _, it := range s.Items {
			if s.Kind == c.section && it.IDSpan.Start <= c.offset {
				found = it
			}
		}
	}
	return found
}

// labels returns the labels of the fields that the item lacks.
func labels(c *cursor) []word {
	if c.section == 0 {
		return nil
	}
	it := c.itemAt()
	var out []word
	for _, f := range c.section.Fields() {
		if f.Label == "" || f.Unlisted || it != nil && it.Field(f.Key) != nil {
			continue
		}
		out = append(out, word{"**" + f.Label + "**: ", f.Key, fieldItem})
	}
	return out
}

func fieldValues(c *cursor) []word {
	for _, f := range c.section.Fields() {
		if f.Label == c.groups[1] || slices.Contains(f.Synonyms, c.groups[1]) {
			return valuesOf(f)
		}
	}
	return nil
}

// itemIDs returns the ids of the items in the artifact, or in the thread of the draft.
func itemIDs(c *cursor) []word {
	if c.model == nil {
		return itemWords(c.stateOfThread(), func(id brenner.ItemID) bool { return strings.HasPrefix(id.String(), c.groups[1][:1]) })
	}
	var out []word
	for _, s := range c.model.Sections {
		for _, it := range s.Items {
			if id := it.ID.String(); strings.HasPrefix(id, c.groups[1][:1]) {
				out = append(out, word{id, it.Name, referenceItem})
			}
		}
	}
	return out
}

// maxThreads bounds the thread ids that are offered.
const maxThreads = 1000

// threadIDs returns the threads of the workspace.
func threadIDs(c *cursor) []word {
	var threads []mail.Ref
	err := c.server.withMailbox(c.ctx, c.server.workspace.recently(), func(b *mailbox) (err error) {
		threads, err = b.Threads(c.ctx)
		return err
	})
	if err != nil {
		return nil
	}
	var out []word
	for _, t := range threads { // by id
		twice := len(out) > 0 && out[len(out)-1].text == t.Thread
		if t.Thread != "" && !twice && len(out) < maxThreads && strings.HasPrefix(t.Thread, c.groups[1]) {
			out = append(out, word{t.Thread, t.Project, moduleItem})
		}
	}
	return out
}

// sessionIDs returns the threads, in the front matter of an artifact.
func sessionIDs(c *cursor) []word {
	if c.model == nil || c.model.Meta == nil || c.offset > c.model.Meta.Span.End {
		return nil
	}
	return threadIDs(c)
}

var (
	threadMember = text.Pattern(`"thread_id"\s*:\s*"([^"\\]*)"`)
	headerThread = text.Pattern(`^(?i)thread(?:[-_ ]?id)?[ \t]*:[ \t]*(\S+)$`)
)

// headerThreadIDs returns the threads, in the header of a draft in Markdown.
func headerThreadIDs(c *cursor) []word {
	if line := c.snap.position(c.offset).Line; line >= len(c.snap.header()) {
		return nil
	}
	return threadIDs(c)
}

// threadID returns the thread that a draft or a thread in JSON names, "" if none.
func (s *snapshot) threadID() string {
	for _, line := range s.header() {
		if m := headerThread().FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	if m := threadMember().FindSubmatch(s.text[:min(len(s.text), maxThreadSearch)]); m != nil {
		return string(m[1])
	}
	return ""
}

// stateOfThread returns what the deltas of the document's thread give; nil if the workspace
// has no mail of it.
func (c *cursor) stateOfThread() (st *brenner.State) {
	if err := c.server.inThread(c.ctx, c.snap, func(t *engine.Thread) error { st = t.State(); return nil }); err != nil {
		return nil
	}
	return st
}

// maxThreadSearch is how many bytes are searched for the thread id of a document.
const maxThreadSearch = 1 << 20

// targets returns the items of the thread in the section of the delta.
func targets(c *cursor) []word {
	section, _ := c.deltaSection()
	return itemWords(c.stateOfThread(), func(id brenner.ItemID) bool { return id.Section == section || section == 0 })
}

// itemWords returns the items of a state that are wanted.
func itemWords(st *brenner.State, wanted func(brenner.ItemID) bool) []word {
	if st == nil {
		return nil
	}
	var out []word
	for _, section := range brenner.Sections {
		for _, it := range st.Items(section) {
			if !wanted(it.ID) {
				continue
			}
			detail := brenner.OneLine(it.Fields()["name"])
			if it.Killed != nil {
				detail += " (killed)"
			}
			out = append(out, word{it.ID.String(), detail, referenceItem})
		}
	}
	return out
}
