package artifact

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// State returns the artifact as data, for a merge or a comparison. Of several items with one id
// the first counts; of a field given twice the first in Markdown, and the last in JSON. Absent
// values (empty, `—`) are left out, and so are unknown fields of Markdown and items without a
// proper id.
func (a *Artifact) State() *brenner.State {
	s := &brenner.State{}
	items := slices.SortedStableFunc(a.Items(0), func(x, y *Item) int { return x.ID.Compare(y.ID) })
	for _, it := range items { // each is added at the end
		s.Add(it.State(it.ID.Section))
	}
	return s
}

// State returns an item of a section as data.
func (it *Item) State(sec brenner.Section) *brenner.Item {
	out := brenner.NewItem(it.ID, it.values(sec))
	out.Killed = it.Kill()
	return out
}

// Kill returns how the item was killed, nil if it was not.
func (it *Item) Kill() *brenner.Killing {
	if !it.Killed {
		return nil
	}
	k := &brenner.Killing{By: it.KilledBy, Reason: it.KillReason}
	if ts, ok := brenner.ParseTime(it.KilledAt); ok {
		k.At = ts.Time
	}
	return k
}

// values returns the fields of an item as plain data.
func (it *Item) values(kind brenner.Section) map[string]any {
	out := make(map[string]any, len(it.Fields)+1)
	if name := kind.Field("name"); name != nil && it.Name != "" {
		out["name"] = it.Name
	}
	for _, f := range it.Fields {
		if _, twice := out[f.Key]; twice || brenner.IsSystemField(f.Key) {
			continue
		}
		if v := f.Data(); v != nil {
			out[f.Key] = v
		}
	}
	return out
}

// Data returns the value of a field as plain data, nil if it is absent, or unknown in Markdown.
func (f *Field) Data() any {
	switch {
	case f.Node != nil:
		if f.Node.Absent() || f.Node.Kind == jsontree.String && f.Text == "" {
			return nil
		}
		return f.Node.Value()
	case f.Known == nil:
		return nil
	}
	switch f.Known.Kind {
	case brenner.TextField:
		if f.Text != "" {
			return f.Text
		}
	case brenner.FlagField:
		if brenner.IsConflict(f.Text) {
			return f.Text
		}
		if f.Text != "" {
			return brenner.IsTrue(f.Text)
		}
	case brenner.ListField:
		if len(f.Entries) > 0 {
			out := make([]any, len(f.Entries))
			for i, e := range f.Entries {
				out[i] = e.Text
			}
			return out
		}
	case brenner.OutcomesField, brenner.ScoreField:
		value := brenner.Number
		if f.Known.Kind == brenner.OutcomesField {
			value = func(text string) any { return text }
		}
		if out := f.object(value); out != nil {
			return out
		}
		isText := func(e Entry) bool { return e.Key == "" && e.Text != "" }
		if f.Text != "" && (len(f.Entries) == 0 || slices.ContainsFunc(f.Entries, isText)) {
			if f.Key == "predictions" { // a cell, whose escapes are undone
				return f.Text
			}
			return unescape(f.Text, pairMarks)
		}
	case brenner.RecordField:
		if len(f.Entries) > 0 {
			return f.record()
		}
		if f.Text != "" {
			return f.Text
		}
	}
	return nil
}

// object returns the entries that have a key and a value, the first of each key; nil if
// there are none.
func (f *Field) object(value func(text string) any) any {
	out := make(map[string]any, len(f.Entries))
	for _, e := range f.Entries {
		if _, twice := out[e.Key]; !twice && e.Key != "" && e.Text != "" {
			out[e.Key] = value(e.Text)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// recordLine is one line of a rendered last_run.
type recordLine struct {
	label, key string
	quoted     bool // shown as code
	kind       recordKind
}

type recordKind uint8

const (
	recordText recordKind = iota
	recordNumber
	recordFlag
	recordDuration // milliseconds, shown as seconds
)

var recordLines = [...]recordLine{
	{"Result ID", "result_id", true, recordText},
	{"Run at", "run_at", false, recordText},
	{"Exit code", "exit_code", false, recordNumber},
	{"Timed out", "timed_out", false, recordFlag},
	{"Duration", "duration_ms", false, recordDuration},
	{"Summary", "summary", false, recordText},
	{"Result file", "result_path", true, recordText},
}

// record returns a last_run as data; unknown lines are left out.
func (f *Field) record() any {
	out := map[string]any{}
	for _, e := range f.Entries {
		for _, l := range recordLines {
			if _, twice := out[l.key]; !twice && strings.EqualFold(l.label, e.Key) && e.Text != "" {
				out[l.key] = l.value(e.Text)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (l recordLine) value(text string) any {
	if l.quoted && len(text) > 1 && text[0] == '`' && text[len(text)-1] == '`' {
		text = text[1 : len(text)-1]
	}
	switch l.kind {
	case recordNumber:
		return brenner.Number(text)
	case recordFlag:
		return brenner.IsTrue(text)
	case recordDuration:
		if seconds, ok := brenner.Number(strings.TrimSuffix(text, "s")).(float64); ok {
			return milliseconds(seconds)
		}
	}
	return text
}

// milliseconds returns a duration without the binary rounding error.
func milliseconds(seconds float64) float64 {
	n, _ := strconv.ParseFloat(strconv.FormatFloat(seconds*1000, 'g', 15, 64), 64)
	return n
}

// Items yields the items of State, of one section or (for 0) of all. Of several items with one
// id it yields the first, and a research thread only if it has content.
func (a *Artifact) Items(kind brenner.Section) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		seen := map[brenner.ItemID]bool{}
		for _, s := range a.Sections {
			if kind != 0 && s.Kind != kind {
				continue
			}
			for _, it := range s.Items {
				if !it.HasContent() || seen[it.ID] {
					continue
				}
				seen[it.ID] = true
				if !yield(it) {
					return
				}
			}
		}
	}
}

// HasContent reports whether the item counts: a section without a statement has no research
// thread.
func (it *Item) HasContent() bool {
	return it.ID.Section != brenner.ResearchThread || it.Killed ||
		slices.ContainsFunc(it.Fields, func(f *Field) bool { return !brenner.IsSystemField(f.Key) && f.Data() != nil })
}

// Value returns the value that State gives to a field of the item, nil if it is absent.
func (it *Item) Value(key string) any { return it.values(it.ID.Section)[key] }
