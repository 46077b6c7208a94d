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

// completion is what can be written after a text: before matches the line up to the cursor,
// and its last group is replaced by one of the words that are offered.
type completion struct {
	before *regexp.Regexp
	offer  func(c *cursor)
}

// cursor is the place where the user writes, and what can be written there.
type cursor struct {
	server  *server
	ctx     context.Context
	snap    *snapshot
	model   *artifact.Artifact // nil where the document is not an artifact
	section brenner.Section    // of the artifact, 0 in none
	offset  int
	groups  []string
	typed   string // the last group
	items   []completionItem
}

// offer adds a word that can be written.
func (c *cursor) offer(text, detail string, kind int) {
	place := c.snap.rangeOf(source.Span{Start: c.offset - len(c.typed), End: c.offset})
	c.items = append(c.items, completionItem{text, kind, detail, fmt.Sprintf("%04d", len(c.items)), &textEdit{place, text}})
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

// complete gives what can be written at a place.
func complete(s *server, ctx context.Context, snap *snapshot, p *positionParams) (any, error) {
	c := &cursor{server: s, ctx: ctx, snap: snap, model: snap.model(), offset: snap.offset(p.Position), items: []completionItem{}}
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
		if c.groups = context.before.FindStringSubmatch(before); c.groups != nil && len(c.items) == 0 {
			c.typed = c.groups[len(c.groups)-1]
			context.offer(c)
		}
	}
	return map[string]any{"isIncomplete": false, "items": c.items}, ctx.Err()
}

func anchors(c *cursor) {
	last := cmp.Or(c.snap.settings.RuleConfig.CorpusSize, lint.DefaultRuleConfig.CorpusSize)
	for n := 1; n <= last; n++ {
		if text := "§" + strconv.Itoa(n); strings.HasPrefix(text, c.groups[1]) {
			c.offer(text, "", referenceItem)
		}
	}
}

func operations(c *cursor) {
	for _, o := range []brenner.Operation{brenner.Add, brenner.Edit, brenner.Kill} {
		c.offer(string(o), "", enumItem)
	}
}

func sectionIDs(c *cursor) {
	for _, s := range brenner.Sections {
		c.offer(s.ID(), s.Title(), moduleItem)
	}
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

// payloadFields offers the fields that the payload may have and does not have yet: first those
// that it must have.
func payloadFields(c *cursor) {
	section, payload := c.delta()
	if section == 0 || strings.Count(payload, "{") != strings.Count(payload, "}") {
		return // in no delta, or in a value of its payload
	}
	for _, detail := range []string{"required", ""} {
		for _, f := range section.Fields() {
			given := strings.Contains(payload, `"`+f.Key+`"`) || strings.Contains(payload, `"`+f.Key+`\"`)
			if f.Required == (detail != "") && !f.Unlisted && !given {
				c.offer(f.Key, detail, fieldItem)
			}
		}
	}
}

func payloadValues(c *cursor) {
	section, _ := c.delta()
	c.offerValues(section.Field(c.groups[1]))
}

// offerValues offers the values of a field that allows only some.
func (c *cursor) offerValues(f *brenner.Field) {
	if f == nil {
		return
	}
	for _, v := range f.Values {
		c.offer(v, "", valueItem)
	}
}

// headings offers the headings of the sections that the artifact lacks.
func headings(c *cursor) {
	if c.model == nil || c.model.IsJSON() {
		return
	}
	for i, s := range brenner.Sections {
		if c.model.Section(s) == nil {
			c.offer(fmt.Sprintf("## %d. %s", i+1, s.Title()), "", moduleItem)
		}
	}
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

// labels offers the labels of the fields that the item lacks.
func labels(c *cursor) {
	if c.section == 0 {
		return
	}
	it := c.itemAt()
	for _, f := range c.section.Fields() {
		if f.Label != "" && !f.Unlisted && (it == nil || it.Field(f.Key) == nil) {
			c.offer("**"+f.Label+"**: ", f.Key, fieldItem)
		}
	}
}

func fieldValues(c *cursor) {
	for _, f := range c.section.Fields() {
		if f.Label == c.groups[1] || slices.Contains(f.Synonyms, c.groups[1]) {
			c.offerValues(f)
			return
		}
	}
}

// itemIDs offers the ids of the items in the artifact, or in the thread of the draft.
func itemIDs(c *cursor) {
	isMeant := func(id brenner.ItemID) bool { return strings.HasPrefix(id.String(), c.groups[1][:1]) }
	if c.model == nil {
		c.offerItems(isMeant)
		return
	}
	for _, s := range c.model.Sections {
		for _, it := range s.Items {
			if isMeant(it.ID) {
				c.offer(it.ID.String(), it.Name, referenceItem)
			}
		}
	}
}

// maxThreads bounds the thread ids that are offered.
const maxThreads = 1000

// threadIDs offers the threads of the workspace.
func threadIDs(c *cursor) {
	last := ""
	_ = c.server.withMailbox(c.ctx, c.server.workspace.recently(), func(b *mailbox) error { // without mail there are none
		threads, err := b.Threads(c.ctx)
		for _, t := range threads { // by id
			if t.Thread != last && len(c.items) < maxThreads && strings.HasPrefix(t.Thread, c.groups[1]) {
				last = t.Thread
				c.offer(t.Thread, t.Project, moduleItem)
			}
		}
		return err
	})
}

// sessionIDs offers the threads, in the front matter of an artifact.
func sessionIDs(c *cursor) {
	if c.model != nil && c.model.Meta != nil && c.offset <= c.model.Meta.Span.End {
		threadIDs(c)
	}
}

var (
	threadMember = text.Pattern(`"thread_id"\s*:\s*"([^"\\]*)"`)
	headerThread = text.Pattern(`^(?i)thread(?:[-_ ]?id)?[ \t]*:[ \t]*(\S+)$`)
)

// headerThreadIDs offers the threads, in the header of a draft in Markdown.
func headerThreadIDs(c *cursor) {
	if c.snap.position(c.offset).Line < len(c.snap.header()) {
		threadIDs(c)
	}
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

// maxThreadSearch is how many bytes are searched for the thread id of a document.
const maxThreadSearch = 1 << 20

// targets offers the items of the thread in the section of the delta.
func targets(c *cursor) {
	section, _ := c.deltaSection()
	c.offerItems(func(id brenner.ItemID) bool { return id.Section == section || section == 0 })
}

// offerItems offers items of what the deltas of the document's thread give.
func (c *cursor) offerItems(wanted func(brenner.ItemID) bool) {
	_ = c.server.inThread(c.ctx, c.snap, func(t *engine.Thread) error { // without mail there are none
		state := cmp.Or(t.State(), &brenner.State{})
		for _, section := range brenner.Sections {
			for _, it := range state.Items(section) {
				detail := brenner.OneLine(it.Fields()["name"])
				if it.Killed != nil {
					detail += " (killed)"
				}
				if wanted(it.ID) {
					c.offer(it.ID.String(), detail, referenceItem)
				}
			}
		}
		return nil
	})
}
