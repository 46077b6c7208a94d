// Package conformance runs the cases of the conformance suite against a command, which
// answers them over standard input and output, and reports what it gets right.
package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/source"
)

// unordered are the members whose entries may come in any order.
var unordered = []string{"codes", "rejected", "conflicts", "differences", "rules", "findings"}

// optional is the member that an answer may leave out.
const optional = "findings"

// Judge compares an answer with what a case expects. It returns what is wrong with it,
// "" if nothing is.
func Judge(c *conformance.Case, answer json.RawMessage) string {
	if c.Kind == conformance.RenderKind {
		return judgeRendering(c, answer)
	}
	var want, got any
	_ = json.Unmarshal(c.Expected, &want) // a test holds that the suite has its form
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Sprintf("not JSON: %v", err)
	}
	return differs("", want, got, false)
}

// differs returns the first difference between two values, "" if there is none. In an
// exact one there may be no further members.
func differs(path string, want, got any, exact bool) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		return objectDiffers(path, want, got, exact)
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		if slices.Contains(unordered, path[strings.LastIndexByte(path, '.')+1:]) && !exact {
			return listsDiffer(path, want, got)
		}
		for i := range min(len(want), len(got)) {
			if d := differs(fmt.Sprintf("%s[%d]", path, i), want[i], got[i], exact); d != "" {
				return d
			}
		}
		if len(want) != len(got) {
			return fmt.Sprintf("%s has %d entries; expected %d", nameOf(path), len(got), len(want))
		}
		return ""
	default:
		if reflect.DeepEqual(want, got) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %s; expected %s", nameOf(path), brief(got), brief(want))
}

// listsDiffer says what a list lacks, and what it has too much; "" if nothing. Their order
// does not matter, nor do the columns of findings if an answer gives one by its line alone.
func listsDiffer(path string, want, got []any) string {
	noColumn := func(v any) bool {
		f, ok := v.(map[string]any)
		return ok && f["line"] != nil && f["column"] == nil
	}
	if strings.HasSuffix(path, "."+optional) && slices.ContainsFunc(got, noColumn) {
		for _, v := range slices.Concat(want, got) {
			if f, ok := v.(map[string]any); ok {
				delete(f, "column")
			}
		}
	}
	missing, unexpected := without(want, got), without(got, want)
	if missing == nil && unexpected == nil {
		return ""
	}
	return fmt.Sprintf("%s: missing %s; unexpected %s", nameOf(path), cmp.Or(strings.Join(missing, ", "), "—"), cmp.Or(strings.Join(unexpected, ", "), "—"))
}

// without returns the entries of a list that another lacks, each as often as it does, as a
// message shows them.
func without(list, other []any) (out []string) {
	other = slices.Clone(other)
	for _, v := range list {
		i := slices.IndexFunc(other, func(o any) bool { return reflect.DeepEqual(o, v) })
		text, isText := v.(string)
		switch {
		case i >= 0:
			other = slices.Delete(other, i, i+1)
		case isText:
			out = append(out, text)
		default:
			out = append(out, brief(v))
		}
	}
	slices.Sort(out)
	return out
}

func objectDiffers(path string, want, got map[string]any, exact bool) string {
	for _, key := range tellingFirst(want) {
		value, ok := got[key]
		if !ok && key == optional && !exact {
			continue
		}
		if !ok && want[key] != nil {
			return fmt.Sprintf("%s is absent; expected %s", nameOf(path+"."+key), brief(want[key]))
		}
		if d := differs(path+"."+key, want[key], value, exact || key == "state"); d != "" {
			return d
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok && exact {
			return fmt.Sprintf("%s is %s; expected none", nameOf(path+"."+key), brief(got[key]))
		}
	}
	return ""
}

// nameOf returns a path as a message names it.
func nameOf(path string) string {
	if path == "" {
		return "the result"
	}
	return strings.TrimPrefix(path, ".")
}

// tellingFirst returns the members of an object in order, but the hash last: that it
// differs says little.
func tellingFirst(object map[string]any) []string {
	keys := slices.Sorted(maps.Keys(object))
	if i := slices.Index(keys, "hash"); i >= 0 {
		keys = append(slices.Delete(keys, i, i+1), "hash")
	}
	return keys
}

// brief returns a value as a message shows it.
func brief(v any) string {
	const most = 120
	data, err := conformance.ToJSON(v)
	if err != nil {
		return "?"
	}
	text := []rune(string(data))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// judgeRendering reads a rendering back: it has every section, shows the state, and
// has the lines that are expected.
func judgeRendering(c *conformance.Case, answer json.RawMessage) string {
	var expected conformance.RenderExpected
	var got conformance.RenderResult
	_ = json.Unmarshal(c.Expected, &expected)
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Sprintf("not a rendering: %v", err)
	}
	want, err := artifact.ReadState(expected.State)
	if err != nil {
		return fmt.Sprintf("the case is broken: %v", err)
	}
	a := artifact.ParseMarkdown(source.NewText([]byte(got.Markdown)), artifact.Limits{})
	for _, sec := range brenner.Sections {
		if a.Section(sec) == nil {
			return fmt.Sprintf("markdown lacks the section %s", sec.ID())
		}
	}
	for _, d := range diff.Items(want, a, false) {
		return differenceOf(&d)
	}
	for it := range a.Items(0) { // each is in the state, and killed as there
		want, got := want.Find(it.ID).Killed, it.Kill()
		if got == nil || it.ID.Section == brenner.PredictionsTable {
			continue // a rendering does not show who killed a prediction
		}
		if got.By != want.By || !got.At.Equal(want.At) || brenner.Fold(got.Reason) != brenner.Fold(want.Reason) {
			return fmt.Sprintf("%s is not killed as in the state", it.ID)
		}
	}
	return lacksLines(got.Markdown, expected.Lines)
}

// lacksLines says which of some lines a text lacks, in their order; "" if none.
func lacksLines(text string, lines []string) string {
	for line := range strings.Lines(text) {
		if len(lines) > 0 && strings.TrimSpace(line) == lines[0] {
			lines = lines[1:]
		}
	}
	if len(lines) > 0 {
		return fmt.Sprintf("markdown lacks the line %s, or has it too early", brief(lines[0]))
	}
	return ""
}

// differenceOf says in what an item of a rendering differs.
func differenceOf(d *diff.Change) string {
	switch d.Kind {
	case diff.ItemRemoved:
		return fmt.Sprintf("markdown lacks %s", d.ID)
	case diff.ItemAdded:
		return fmt.Sprintf("markdown has %s, which is not in the state", d.ID)
	case diff.ItemKilled, diff.ItemRestored:
		return fmt.Sprintf("%s is not killed as in the state", d.ID)
	}
	f := d.Fields[0]
	return fmt.Sprintf("%s.%s reads back as %s; expected %s", d.ID, f.Key, brief(f.After), brief(f.Before))
}
