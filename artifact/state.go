package artifact

import (
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// State returns the artifact as data: the base of a merge, and what a replay is compared
// with. The first of items with one id counts, of fields given twice the first in
// Markdown and the last in JSON. Absent values (empty, `—`) are left out, and so are
// unknown fields of Markdown and items without a proper id.
func (a *Artifact) State() *state.State {
	s := &state.State{}
	for _, sec := range a.Sections {
		items := sec.Items
		if byID := func(x, y *Item) int { return x.ID.Compare(y.ID) }; !slices.IsSortedFunc(items, byID) {
			items = slices.Clone(items)
			slices.SortStableFunc(items, byID) // each is added at the end
		}
		for _, it := range items {
			if it.counts() {
				s.Add(it.State(sec.Kind))
			}
		}
	}
	return s
}

// State returns an item of a section as data.
func (it *Item) State(sec protocol.Section) *state.Item {
	out := state.NewItem(it.ID, it.values(sec))
	out.Killed = it.Kill()
	return out
}

// Kill returns how the item was killed, nil if it was not.
func (it *Item) Kill() *state.Kill {
	if !it.Killed {
		return nil
	}
	k := &state.Kill{By: it.KilledBy, Reason: it.KillReason}
	if ts, ok := protocol.ParseTime(it.KilledAt); ok {
		k.At = ts.Time
	}
	return k
}

// values returns the fields of an item as plain data.
func (it *Item) values(kind protocol.Section) map[string]any {
	out := make(map[string]any, len(it.Fields)+1)
	if name := kind.Field("name"); name != nil && it.Name != "" {
		out["name"] = it.Name
	}
	for _, f := range it.Fields {
		if _, twice := out[f.Key]; twice || isSystemField(f.Key) {
			continue
		}
		if v := f.value(); v != nil {
			out[f.Key] = v
		}
	}
	return out
}

func isSystemField(key string) bool { return slices.Contains(protocol.SystemFields, key) }

// value returns the value of a field, nil if it is absent, or unknown in Markdown.
func (f *Field) value() any {
	switch {
	case f.isAbsent():
		return nil
	case f.Node != nil:
		return f.Node.Value()
	}
	switch f.Known.Kind {
	case protocol.TextField:
		return f.Text
	case protocol.FlagField:
		if state.IsConflict(f.Text) {
			return f.Text
		}
		return state.IsTrue(f.Text)
	case protocol.ListField:
		out := make([]any, len(f.Entries))
		for i, e := range f.Entries {
			out[i] = e.Text
		}
		return out
	case protocol.OutcomesField:
		return f.object(func(text string) any { return text })
	case protocol.ScoreField:
		return f.object(state.Number)
	case protocol.RecordField:
		if len(f.Entries) == 0 && f.Text != "" {
			return f.Text
		}
		return f.record()
	}
	return nil
}

// object returns the entries that have a key and a value.
func (f *Field) object(value func(text string) any) any {
	out := make(map[string]any, len(f.Entries))
	for i := range f.Entries {
		e := &f.Entries[i]
		if _, twice := out[e.Key]; !twice && e.hasValue() {
			out[e.Key] = value(e.Text)
		}
	}
	return out
}

func (e *Entry) hasValue() bool { return e.Key != "" && e.Text != "" }

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
		return state.Number(text)
	case recordFlag:
		return state.IsTrue(text)
	case recordDuration:
		if seconds, ok := state.Number(strings.TrimSuffix(text, "s")).(float64); ok {
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
