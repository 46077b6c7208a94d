package replay

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// UnknownTextError reports an artifact file with text that would be lost.
type UnknownTextError struct {
	pieces []rewrite.Piece // in the order of the file; what was written by hand has no place
	// Kept reports that --keep-unknown was set: the pieces have no place in the new version.
	Kept bool
}

func (e *UnknownTextError) Error() string {
	if e.Kept {
		return e.Lost()
	}
	hint := "undo these changes, or move the file away"
	if slices.ContainsFunc(e.pieces, func(p rewrite.Piece) bool { return p.Placed }) {
		hint = "keep comments, remarks, sections and fields with --keep-unknown"
	}
	return e.Lost() + "; " + hint
}

// Lost describes the text that would be lost, without advice.
func (e *UnknownTextError) Lost() string {
	const most = 5
	var names []string
	for _, p := range e.pieces[:min(len(e.pieces), most)] {
		names = append(names, fmt.Sprintf("%s (line %d)", p.What, p.Line))
	}
	if n := len(e.pieces) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	if e.Kept {
		return "text of it has no place in the new version: " + text.And(names)
	}
	return "it has text that no version of the thread has: " + text.And(names)
}

// Update returns the new content of an existing artifact file for the new version. Text
// that no version of the thread has is an [*UnknownTextError]; with keep, comments,
// sections, fields and front matter of that kind stay in place.
func (c *Compiled) Update(old []byte, keep bool) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 || bytes.Equal(old, c.Artifact) {
		return c.Artifact, nil
	}
	if bytes.HasPrefix(bytes.TrimSpace(old), []byte("{")) {
		return nil, errors.New("it is a JSON file; write the artifact to a file whose name ends in .md")
	}
	u := &update{Compiled: c, old: artifact.ParseMarkdown(source.NewText(old), artifact.Limits{})}
	if id := u.old.Meta.Get("session_id"); id != nil && id.Text != c.Thread {
		return nil, fmt.Errorf("it is the artifact of another session, %s", text.Quote(id.Text))
	}
	switch {
	case len(u.old.Conflicts) > 0:
		return nil, fmt.Errorf("it has conflict markers (line %d)", u.lineOf(u.old.Conflicts[0].Marker.Start))
	case len(u.old.Sections) == 0:
		return nil, errors.New("it is not an artifact")
	case u.old.MetaFault != nil && bytes.HasPrefix(old, []byte("---")):
		return nil, fmt.Errorf("its front matter cannot be read: %s", u.old.MetaFault.Message)
	}
	keys := metaKeys
	if status := u.old.Meta.Get("status"); status == nil || status.Text == "draft" || status.Text == "active" {
		keys = append(keys, "status") // people set others
	}
	details, lost := u.contributors()
	file := rewrite.New(u.old, c.render(details), keys...)
	lost = append(lost, u.edited()...)
	for _, p := range file.Pieces {
		if !keep || !p.Placed {
			lost = append(lost, p)
		}
	}
	if len(lost) > 0 {
		slices.SortStableFunc(lost, func(a, b rewrite.Piece) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &UnknownTextError{lost, keep}
	}
	data, ok := file.Merge()
	if !ok || artifact.ParseMarkdown(source.NewText(data), artifact.Limits{}).MetaFault != nil { // keys in braces are no lines
		return nil, &UnknownTextError{file.Pieces[:1], true}
	}
	return data, nil
}

// update writes a new version over an artifact file.
type update struct {
	*Compiled
	old *artifact.Artifact
}

// metaKeys are the keys of the front matter that a new version writes itself.
var metaKeys = []string{"session_id", "created_at", "updated_at", "version", "compiled_at", "compiled_by", "contributors", "agent_mail_message_id"}

// lineOf returns the line of an offset, from 1.
func (u *update) lineOf(offset int) int { return u.old.Text.LineAt(offset) }

// edited returns the items and values that no version of the thread has: they were
// written by hand, and cannot be kept.
func (u *update) edited() (out []rewrite.Piece) {
	add := func(at source.Span, what string) {
		out = append(out, rewrite.Piece{Line: u.lineOf(at.Start), What: what})
	}
	for _, s := range u.old.Sections {
		for _, it := range s.Items {
			id, data, versions := it.ID.String(), it.State(s.Kind), u.versionsOf(it.ID)
			if it != u.old.Item(it.ID) {
				add(it.Heading, "a second "+id)
				continue
			}
			if len(versions) == 0 && diff.Visible(data) {
				add(it.Heading, "the item "+id)
				continue
			}
			if f := s.Kind.Field("name"); f != nil && !anyHas(versions, s.Kind, f, data.Fields()["name"]) {
				add(it.Heading, id+" name")
			}
			if data.Killed != nil && !anyKills(versions, data.Killed) {
				add(it.Heading, "how "+id+" was killed")
			}
			for _, f := range it.Fields {
				switch {
				case f.Known == nil:
				case f != it.Field(f.Key):
					add(f.Label, "a second "+f.Key+" of "+id)
				case !anyHas(versions, s.Kind, f.Known, data.Fields()[f.Key]):
					add(f.Label, id+" "+f.Key)
				}
			}
		}
	}
	return out
}

// versionsOf returns an item in the versions of the thread that have it.
func (u *update) versionsOf(id brenner.ItemID) []*brenner.Item {
	var out []*brenner.Item
	for _, w := range u.replay.All() {
		for _, st := range [...]*brenner.State{w.base, w.State, w.Published} {
			if st == nil {
				continue
			}
			if it := st.Find(id); it != nil {
				out = append(out, it)
			}
		}
	}
	return out
}

// anyHas reports whether a version has a value, as far as a rendering shows it.
func anyHas(versions []*brenner.Item, sec brenner.Section, f *brenner.Field, v any) bool {
	if brenner.NormalValue(sec, f, v) == nil {
		return true
	}
	return slices.ContainsFunc(versions, func(it *brenner.Item) bool { return diff.Shows(sec, f, it.Fields()[f.Key], v) })
}

// anyKills reports whether a version has an item with that KILL.
func anyKills(versions []*brenner.Item, k *brenner.Killing) bool {
	return slices.ContainsFunc(versions, func(it *brenner.Item) bool {
		return it.Killed != nil && !diff.TextDiffers(it.Killed.Reason, k.Reason) && !diff.TextDiffers(it.Killed.By, k.By)
	})
}

// contributors returns what the front matter says about contributors and mail does not, by their
// names, which is always kept, and the entries that no version has.
func (u *update) contributors() (details map[string]artifact.Contributor, lost []rewrite.Piece) {
	list := u.old.Meta.Get("contributors")
	if list == nil {
		return nil, nil
	}
	agents := u.replay.Contributors(u.replay.Pending)
	add := func(v *artifact.MetaValue, what string) {
		lost = append(lost, rewrite.Piece{Line: u.lineOf(v.Span.Start), What: what})
	}
	if list.Kind != artifact.MetaList && list.Text != "" {
		add(list, "contributors that are not a list")
	}
	details = map[string]artifact.Contributor{}
	for i := range list.Items {
		v := &list.Items[i]
		c := artifact.Contributor{Agent: v.Text}
		known := map[string]*string{"agent": &c.Agent, "program": &c.Program, "model": &c.Model, "contributed_at": &c.ContributedAt}
		for j := range v.Items {
			m := &v.Items[j]
			if known[m.Key] == nil || m.Key != "agent" && m.Kind != artifact.MetaString {
				add(m, "the contributor's "+text.Quote(m.Key))
			} else {
				*known[m.Key] = m.Text
			}
		}
		if d := details[c.Agent]; d.Program+d.Model+d.ContributedAt == "" {
			details[c.Agent] = c
		}
		if !slices.Contains(agents, c.Agent) {
			add(v, "the contributor "+text.Quote(c.Agent))
		}
	}
	return details, lost
}
