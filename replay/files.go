package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// version is the version that the front matter gives, 0 if it gives none.
func version(a *artifact.Artifact) (int, source.Span) {
	v := a.Meta.Get("version")
	if v == nil || v.Kind != artifact.MetaInt && v.Kind != artifact.MetaString {
		return 0, source.Span{}
	}
	n, digits := session.ParseNumber(v.Text)
	if digits != len(v.Text) {
		return 0, source.Span{}
	}
	return n, v.Span
}

// checkVersion holds the version in the front matter of an inline artifact against the
// subject of its COMPILED, and keeps the artifact if a file is to be held against
// it.
func (r *Thread) checkVersion(w *Window) {
	a, published := w.Compiled.Artifact, w.Compiled.Version.Number
	if a == nil || published == 0 {
		return
	}
	if n, at := version(a); n > 0 && n != published {
		r.Problems = append(r.Problems, Problem{
			Rule: "AP-010", In: w.Compiled, At: a.Text.Place(at),
			Message:    fmt.Sprintf("the front matter says version %d, but this is COMPILED v%d", n, published),
			Suggestion: fmt.Sprintf("write version: %d", published),
		})
	}
	for i := range r.opts.Files {
		if n, _ := version(r.opts.Files[i].Artifact); n == published {
			w.inline = a
		}
	}
}

// checkFile checks one persisted artifact.
func (r *Thread) checkFile(f *File, p *publications) {
	n, at := version(f.Artifact)
	if n == 0 {
		return // IM-002, AP-014
	}
	w := p.last[n]
	report := func(rule, message string, at source.Span) {
		r.Problems = append(r.Problems, Problem{Rule: rule, Path: f.Path, At: f.Artifact.Text.Place(at), Message: message})
	}
	if w == nil {
		if p.last[0] != nil {
			return // AP-001: it may be the one whose subject gives no version
		}
		if len(r.Windows) == 0 {
			report("AP-010", fmt.Sprintf("version %d was never published: thread %s has no COMPILED message", n, r.Thread.ID), at)
		} else {
			report("AP-010", fmt.Sprintf("version %d was never published: the latest COMPILED of thread %s is v%d", n, r.Thread.ID, p.latest), at)
		}
		return
	}
	first := len(r.Problems)
	if w.inline != nil && !f.Artifact.IsJSON() {
		r.persisted(f, w)
	}
	if len(r.Problems) > first {
		if held := r.holds(f, w); held != nil {
			r.Problems = r.Problems[:first] // they all follow from the number
			report("MR-020", fmt.Sprintf("the file says version %d, but holds v%d as %s published it", n, held.Compiled.Version.Number, messageName(held.Compiled)), at)
			return
		}
	}
	if n < p.latest {
		report("MR-021", fmt.Sprintf("the file holds version %d, but v%d has been published since", n, p.latest), at)
	}
	if id := f.Artifact.Meta.Get("agent_mail_message_id"); id != nil && id.Text != "" && w.Compiled.ID != "" && !p.ids[publication{id.Text, n}] {
		report("AP-020", fmt.Sprintf("agent_mail_message_id is %s, but v%d was published by %s", wording.Quote(id.Text), n, messageName(w.Compiled)), id.Span)
	}
}

// holds is the window of another version than that of a file, whose artifact the
// file holds; nil if there is none.
func (r *Thread) holds(f *File, not *Window) *Window {
	for _, w := range r.Windows {
		if w == not || w.Published == nil || w.inFile || w.Compiled.Version.Number == 0 {
			continue
		}
		held := true
		f.against(w.Published, func(protocol.Section) bool { return true }, func(protocol.ItemID, string, source.Span, string) { held = false })
		if held {
			return w
		}
	}
	return nil
}

// publications are the windows of a thread by the versions that they published.
type publications struct {
	last   map[int]*Window // of a version published twice (AP-002) the last
	ids    map[publication]bool
	latest int
}

type publication struct {
	message string
	version int
}

func (r *Thread) publications() *publications {
	p := &publications{last: map[int]*Window{}, ids: map[publication]bool{}}
	for _, w := range r.Windows {
		v := w.Compiled.Version.Number
		p.last[v] = w
		p.ids[publication{w.Compiled.ID, v}] = true
		p.latest = max(p.latest, v)
	}
	return p
}

// persisted compares a file with the artifact that the COMPILED holds, item by
// item (MR-020).
func (r *Thread) persisted(f *File, w *Window) {
	held := func(sec protocol.Section) bool { return w.inline.Section(sec) != nil } // else ES-001
	f.against(w.inline.State(), held, func(item protocol.ItemID, field string, at source.Span, message string) {
		r.Problems = append(r.Problems, Problem{
			Rule: "MR-020", Path: f.Path, At: f.Artifact.Text.Place(at), Item: item.String(), Field: field,
			Message: message + fmt.Sprintf(" in v%d as %s published it", w.Compiled.Version.Number, messageName(w.Compiled)),
		})
	})
}

// against reports in what a file is not what was published, in the sections that
// both hold.
func (f *File) against(published *state.State, held func(protocol.Section) bool, report reportItem) {
	c := &comparison{a: f.Artifact, pub: f.Artifact.State(), ref: published, killDiffers: map[protocol.ItemID]bool{}}
	for _, sec := range protocol.Sections {
		inFile := f.Artifact.Section(sec)
		if inFile == nil || !held(sec) {
			continue
		}
		m := newMatcher(sec, c.ref.Items(sec), f.Artifact, c.pub)
		m.byID(func(ref, pub identity) bool { return true })
		for i := range m.out {
			c.persistedItem(&m.out[i], report)
		}
		for i, it := range m.refs {
			if !m.used[i] {
				report(it.ID, "", inFile.Heading, fmt.Sprintf("the file lacks %s, which stands", called(it.ID, it)))
			}
		}
	}
}

// reportItem takes in what an item of a file differs, and where.
type reportItem func(item protocol.ItemID, field string, at source.Span, message string)

func (c *comparison) persistedItem(m *match, report reportItem) {
	switch {
	case m.val == nil:
		return // ES-003
	case m.ref == nil:
		report(m.pub.ID, "", m.pub.Heading, fmt.Sprintf("%s does not stand", called(m.val.ID, m.val)))
		return
	case m.ref.Active() != m.val.Active():
		report(m.pub.ID, "", m.pub.Heading, fmt.Sprintf("%s is %s in the file, but %s", m.pub.ID, killedOr(m.val), killedOr(m.ref)))
		return
	}
	diffs := c.fields(m)
	if cells := c.standing(m); len(diffs) == 0 && len(cells) > 0 {
		e := cells[0]
		diffs = []difference{{key: "predictions", part: e.Key, at: e.Span, want: "N/A", got: e.Text}}
	}
	if len(diffs) == 0 {
		return
	}
	var names []string
	for _, d := range diffs {
		names = append(names, d.key)
	}
	d := diffs[0]
	is := "are not what they are"
	if len(diffs) == 1 {
		want, got := d.quoted()
		is = fmt.Sprintf("is %s, but %s", got, want)
	}
	report(m.pub.ID, d.key, d.at, strings.TrimSpace(fmt.Sprintf("%s %s %s", m.pub.ID, wording.And(short(names)), is)))
}

func killedOr(it *state.Item) string {
	if it.Active() {
		return "active"
	}
	return "killed"
}

func quoteOr(v any) string {
	if v == nil {
		return "absent"
	}
	return wording.Quote(inline(v))
}
