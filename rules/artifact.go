package rules

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Shared by the rules on artifacts: walking over items, naming things as the artifact's
// form writes them, and the constructors that most of the rules use.

// active returns the items of a section that are not killed: only they count for
// minima, maxima and field rules (decisions.md 30). A duplicate section is included (ES-002
// reports it), so that its items are not missed.
func active(a *artifact.Artifact, kind brenner.Section) []*artifact.Item {
	all := a.ItemsOf(kind)
	for _, it := range all {
		if it.Killed {
			return slices.DeleteFunc(slices.Clone(all), func(it *artifact.Item) bool { return it.Killed })
		}
	}
	return all
}

// strays returns the number of items of a kind that may exist but cannot be counted:
// their id is malformed, or belongs to another section (so that either the id or the
// place may be what was meant). ES-003 or WP-002 reports them, and what follows from it
// is not reported again.
func strays(a *artifact.Artifact, kind brenner.Section) int {
	n := 0
	for _, s := range a.Sections {
		for i := range s.Malformed {
			if s.Kind == kind || s.Malformed[i].Other.Section == kind {
				n++
			}
		}
	}
	return n
}

// hypotheses returns the set of active hypotheses that a condition holds for.
func hypotheses(a *artifact.Artifact, is func(*artifact.Item) bool) map[brenner.ItemID]bool {
	set := map[brenner.ItemID]bool{}
	for _, h := range active(a, brenner.HypothesisSlate) {
		if is == nil || is(h) {
			set[h.ID] = true
		}
	}
	return set
}

// few returns the words of a list as messages show it: the first eight.
func few(words []string) []string {
	const most = 8
	if len(words) <= most+1 {
		return words
	}
	return append(slices.Clip(words[:most]), strconv.Itoa(len(words)-most)+" more")
}

// sectionName names a section as the artifact's readers know it: by its title in
// Markdown, by its key in JSON.
func sectionName(a *artifact.Artifact, kind brenner.Section) string {
	if a.IsJSON() {
		return kind.ID()
	}
	return kind.Title()
}

// heading returns the place of a section's heading.
func heading(a *artifact.Artifact, s *artifact.Section) source.Place { return a.Text.Place(s.Heading) }

// fieldName names a field as the artifact writes it: by its label, in JSON by its
// key.
func fieldName(a *artifact.Artifact, kind brenner.Section, key string) string {
	if f := kind.Field(key); f != nil && !a.IsJSON() && f.Label != "" {
		return f.Label
	}
	return key
}

// quantity returns a number of items: "no hypotheses", "1 test", "2 critiques".
func quantity(n int, kind brenner.Section) string {
	switch n {
	case 0:
		return "no " + kind.Plural()
	case 1:
		return "1 " + kind.Singular()
	}
	return strconv.Itoa(n) + " " + kind.Plural()
}

// itemName returns an item's id; the research thread has none that readers know.
func itemName(it *artifact.Item) string {
	if it.ID.Section == brenner.ResearchThread {
		return "Research Thread"
	}
	return it.ID.String()
}

// itemReport reports a fault of a field of an item, or with key "" of the item.
func itemReport(p *lint.ArtifactPass, it *artifact.Item, key string, at source.Span, d lint.Diagnostic) {
	d.At, d.Item, d.Field = p.Artifact.Text.Place(at), it.ID.String(), key
	p.Report(d)
}

// looseItem returns an id of the section's kind at the beginning of a line, list item
// or table row that is not a heading; "" if there is none.
func looseItem(a *artifact.Artifact, s *artifact.Section) string {
	if a.Doc == nil {
		return ""
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Paragraph || !s.Span.Contains(b.Span) {
			continue
		}
		for _, l := range b.Parts {
			text := bytes.TrimLeft(a.Text.Bytes(l), "|*_ \t")
			end := bytes.IndexAny(text, " \t|:*_.")
			if end < 0 {
				end = len(text)
			}
			if id, ok := brenner.ParseItemID(string(text[:min(end, 24)])); ok && id.Section == s.Kind {
				return id.String()
			}
		}
	}
	return ""
}

// blockContains reports whether an ASCII text is in an item, including its heading.
func blockContains(a *artifact.Artifact, it *artifact.Item, text string) bool {
	return bytes.Contains(a.Text.Bytes(it.Span), []byte(text))
}

// itemTexts yields the text of an item: for Markdown the block, for JSON each string in
// it.
func itemTexts(a *artifact.Artifact, it *artifact.Item) iter.Seq[string] {
	if it.Node == nil {
		return func(yield func(string) bool) { yield(a.View(it.Span)) }
	}
	return func(yield func(string) bool) {
		for s := range it.Node.Strings() {
			if !yield(s.Text) {
				return
			}
		}
	}
}
