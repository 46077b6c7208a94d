package compile

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// update writes a new version over an artifact file.
type update struct {
	*Result
	old *artifact.Artifact
}

// metaKeys are the keys of the front matter that a new version writes itself.
var metaKeys = []string{"session_id", "created_at", "updated_at", "version", "compiled_at", "compiled_by", "contributors", "agent_mail_message_id", "status"}

// lineOf returns the line of an offset, from 1.
func (u *update) lineOf(offset int) int { return u.old.Text.LineAt(offset) }

// edited returns the items and values that no version of the thread has: they were
// written by hand, and cannot be kept.
func (u *update) edited() []UnknownText {
	out := u.editedContributors()
	for _, s := range u.old.Sections {
		for _, it := range s.Items {
			data := it.State(s.Kind)
			versions := u.versionsOf(it.ID)
			if it != u.old.Item(it.ID) {
				out = append(out, UnknownText{Line: u.lineOf(it.Heading.Start), What: "a second " + it.ID.String()})
				continue
			}
			if len(versions) == 0 && diff.Visible(data) {
				out = append(out, UnknownText{Line: u.lineOf(it.Heading.Start), What: "the item " + it.ID.String()})
				continue
			}
			heading := u.lineOf(it.Heading.Start)
			if f := s.Kind.Field("name"); f != nil && !anyHas(versions, s.Kind, f, data.Fields()["name"]) {
				out = append(out, UnknownText{Line: heading, What: it.ID.String() + " name"})
			}
			if data.Killed != nil && !anyKills(versions, data.Killed) {
				out = append(out, UnknownText{Line: heading, What: "how " + it.ID.String() + " was killed"})
			}
			for _, f := range it.Fields {
				if f.Known != nil && f != it.Field(f.Key) {
					out = append(out, UnknownText{Line: u.lineOf(f.Label.Start), What: "a second " + f.Key + " of " + it.ID.String()})
				} else if f.Known != nil && !anyHas(versions, s.Kind, f.Known, data.Fields()[f.Key]) {
					out = append(out, UnknownText{Line: u.lineOf(f.Label.Start), What: it.ID.String() + " " + f.Key})
				}
			}
		}
	}
	return out
}

// versionsOf returns an item in the versions of the thread that have it.
func (u *update) versionsOf(id brenner.ItemID) []*state.Item {
	var out []*state.Item
	for _, st := range u.versions {
		if it := st.Find(id); it != nil {
			out = append(out, it)
		}
	}
	return out
}

// anyHas reports whether a version has a value, as far as a rendering shows it.
func anyHas(versions []*state.Item, sec brenner.Section, f *brenner.Field, v any) bool {
	if state.NormalValue(sec, f, v) == nil {
		return true
	}
	return slices.ContainsFunc(versions, func(it *state.Item) bool { return diff.Shows(sec, f, it.Fields()[f.Key], v) })
}

// anyKills reports whether a version has an item with that KILL.
func anyKills(versions []*state.Item, k *state.Kill) bool {
	return slices.ContainsFunc(versions, func(it *state.Item) bool {
		return it.Killed != nil && !diff.TextDiffers(it.Killed.Reason, k.Reason) && !diff.TextDiffers(it.Killed.By, k.By)
	})
}

func sortByLine(list []UnknownText) {
	slices.SortStableFunc(list, func(a, b UnknownText) int { return cmp.Compare(a.Line, b.Line) })
}
