package rules

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about citations, wherever in an artifact they stand.
var anchorRules = []*lint.Rule{
	{
		ID: "EP-P01", Name: "anchor-out-of-range", Severity: lint.Error, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "Every §n lies in 1..236 (the configured corpus size), and ranges ascend.",
		Advice:  "cite sections that exist, ranges in ascending order",
		Check:   lint.ArtifactCheck(checkAnchorRange),
	},
	{
		ID: "WP-P02", Name: "pure-inference", Severity: lint.Warning, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "A hypothesis marked inference names its source context.",
		Check:   lint.ArtifactCheck(checkPureInference),
	},
	{
		ID: "IP-P02", Name: "potency-cites-chastity", Severity: lint.Info, Scope: lint.ArtifactScope, Source: artifactFormat,
		Summary: "A potency check cites §50.",
		Check:   lint.ArtifactCheck(checkChastity),
	},
}

// citation is a citation of transcript sections somewhere in an artifact.
type citation struct {
	protocol.Anchor
	at    source.Place
	item  *artifact.Item  // nil outside items
	field *artifact.Field // nil outside fields
}

// report reports a fault of the citation.
func (c citation) report(p *lint.ArtifactPass, message, suggestion string) {
	d := lint.Diagnostic{At: c.at, Message: message, Suggestion: suggestion}
	if c.item != nil && c.item.ID.Section != 0 {
		d.Item = c.item.ID.String()
	}
	if c.field != nil && c.field.Known != nil {
		d.Field = c.field.Key
	}
	p.Report(d)
}

// citations yields every citation of transcript sections in an artifact: in all
// its prose outside code, and in the strings of JSON items; not in killed items.
// Mis-decoded ones are among them.
func citations(a *artifact.Artifact) iter.Seq[citation] {
	if a.IsJSON() {
		return jsonCitations(a)
	}
	return func(yield func(citation) bool) {
		if a.Doc == nil {
			return
		}
		for i := range a.Doc.Blocks {
			b := &a.Doc.Blocks[i]
			if b.Kind == markdown.Fence || b.Kind == markdown.Code || b.Kind == markdown.HTML || !a.Span.Contains(b.Span) {
				continue
			}
			for _, l := range b.Lines {
				if !lineCitations(a, l, yield) {
					return
				}
			}
		}
	}
}

func lineCitations(a *artifact.Artifact, l source.Span, yield func(citation) bool) bool {
	if isASCII(a.Text.Bytes(l)) {
		return true
	}
	for _, c := range protocol.Citations(a.Text.String(l)) {
		if !c.IsSection() {
			continue
		}
		span := c.Span.Shift(l.Start)
		item, field := locate(a, span)
		if item != nil && item.Killed {
			continue
		}
		if !yield(citation{c, a.Text.Place(span), item, field}) {
			return false
		}
	}
	return true
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// locate is the item and the field that hold a span of an artifact's text.
func locate(a *artifact.Artifact, span source.Span) (*artifact.Item, *artifact.Field) {
	for _, s := range a.Sections {
		if !s.Span.Contains(span) {
			continue
		}
		n := sort.Search(len(s.Items), func(i int) bool { return s.Items[i].Span.Start > span.Start }) - 1
		if n < 0 || !s.Items[n].Span.Contains(span) {
			return nil, nil
		}
		it := s.Items[n]
		for _, f := range it.Fields {
			if f.Value.Contains(span) {
				return it, f
			}
		}
		return it, nil
	}
	return nil, nil
}

func jsonCitations(a *artifact.Artifact) iter.Seq[citation] {
	return func(yield func(citation) bool) {
		for _, s := range a.Sections {
			for it := range allItems(s) {
				for _, f := range it.Fields {
					if it.Killed {
						continue
					}
					for n := range jsonStrings(f.Node) {
						if !stringCitations(a, n, it, f, yield) {
							return
						}
					}
				}
			}
		}
	}
}

// allItems yields the items of a section and those whose id cannot be read.
func allItems(s *artifact.Section) iter.Seq[*artifact.Item] {
	return func(yield func(*artifact.Item) bool) {
		for _, it := range s.Items {
			if !yield(it) {
				return
			}
		}
		for i := range s.Strays {
			if it := s.Strays[i].Item; it != nil && !yield(it) {
				return
			}
		}
	}
}

func stringCitations(a *artifact.Artifact, n *jsontree.Node, it *artifact.Item, f *artifact.Field, yield func(citation) bool) bool {
	var text *source.Text
	for _, c := range protocol.Citations(n.Text) {
		if !c.IsSection() {
			continue
		}
		if text == nil {
			text = a.Text.JSONString(n.Span)
		}
		if !yield(citation{c, text.Place(c.Span), it, f}) {
			return false
		}
	}
	return true
}

func checkAnchorFormat(p *lint.ArtifactPass) {
	a := p.Artifact
	for c := range citations(a) {
		if c.Kind == protocol.MojibakeAnchor {
			c.report(p, fmt.Sprintf("%s is a mis-decoded %s", wording.Quote(c.text()), c.Restored), "write "+c.Restored+", and save the file as UTF-8")
		}
	}
	for _, kind := range protocol.Sections {
		for _, it := range active(a, kind) {
			f := it.Field("anchors")
			if f == nil {
				continue
			}
			for _, e := range f.Entries {
				for _, anchor := range protocol.ParseAnchors(e.Text) {
					if anchor.Kind != protocol.UnknownAnchor {
						continue
					}
					itemReport(p, it, "anchors", e.Span, lint.Diagnostic{
						Message:    fmt.Sprintf("%s is no anchor, needs §n, a range, EV-001, inference, [axiomatic] or [external: source]", wording.Quote(e.Text)),
						Suggestion: anchorMend(e.Text),
					})
				}
			}
		}
	}
}

// text is the citation as written.
func (c citation) text() string { return c.at.Text.String(c.at.Span) }

// anchorMend suggests what a malformed anchor most likely means: `161` and
// `section 161` are §161, `ev-7` is EV-007, and what else has a name is a source.
func anchorMend(text string) string {
	word := strings.ToLower(strings.TrimRight(text, "0123456789"))
	number := text[len(word):]
	switch word = strings.Trim(word, " .#-_"); {
	case number != "" && (word == "ev" || word == "evidence"):
		return fmt.Sprintf("write EV-%03s", number)
	case number != "" && slices.Contains([]string{"", "s", "sec", "sect", "section", "p", "par"}, word):
		return "write §" + number
	case strings.ContainsFunc(word, unicode.IsLetter) && len(text) < 64 && !strings.ContainsAny(text, "[]"):
		return "write [external: " + text + "] if it is a source"
	}
	return ""
}

func checkAnchorRange(p *lint.ArtifactPass) {
	last := p.Settings.CorpusSize
	for c := range citations(p.Artifact) {
		switch {
		case c.Kind == protocol.MojibakeAnchor: // WH-002 says so
		case c.First < 1 || c.First > last || c.Last < 1 || c.Last > last:
			c.report(p, fmt.Sprintf("%s is not in the transcript, needs a section from §1 to §%d", c.text(), last), "")
		case c.First > c.Last:
			c.report(p, fmt.Sprintf("%s runs backwards, needs the lower section first", c.text()), fmt.Sprintf("write §%d-§%d", c.Last, c.First))
		}
	}
}

func checkPureInference(p *lint.ArtifactPass) {
	a := p.Artifact
	for _, it := range active(a, protocol.HypothesisSlate) {
		f := it.Field("anchors")
		if !(f != nil && mentionsInference(f) || blockContains(a, it, inferenceLabel)) || namesSource(a, it) {
			continue
		}
		at := it.Heading
		if f != nil && !f.Value.Empty() {
			at = f.Value
		}
		itemReport(p, it, "anchors", at, lint.Diagnostic{
			Message:    fmt.Sprintf("%s is marked inference, but names nothing that it is inferred from", it.ID),
			Suggestion: "name the source context: §n, EV-001, or `[inference] from §n`",
		})
	}
}

// mentionsInference reports whether one of a field's anchors is inference.
func mentionsInference(f *artifact.Field) bool {
	for _, e := range f.Entries {
		if len(e.Text) < len("inference") {
			continue
		}
		for _, a := range protocol.ParseAnchors(e.Text) {
			if a.Kind == protocol.InferenceAnchor {
				return true
			}
		}
	}
	return false
}

// namesSource reports whether a section, evidence record or external source is
// cited anywhere in a hypothesis (decisions.md 33).
func namesSource(a *artifact.Artifact, it *artifact.Item) bool {
	for text := range itemTexts(a, it) {
		if len(protocol.Citations(text)) > 0 || strings.Contains(text, "[external:") {
			return true
		}
	}
	return false
}

// chastity is the section of the transcript that tells a chaste experiment from
// an impotent one.
const chastity = 50

func checkChastity(p *lint.ArtifactPass) {
	for _, it := range active(p.Artifact, protocol.DiscriminativeTests) {
		f := it.Field("potency_check")
		if f == nil || !filled(f) || cites(f.Text, chastity) {
			continue
		}
		itemReport(p, it, f.Key, f.Value, lint.Diagnostic{
			Message: fmt.Sprintf("the potency check of %s does not cite §%d, where the transcript tells chastity from impotence", it.ID, chastity),
		})
	}
}

// cites reports whether a text cites a section of the transcript, alone or in a
// range.
func cites(text string, section int) bool {
	for _, c := range protocol.Citations(text) {
		if c.IsSection() && c.First <= section && section <= c.Last {
			return true
		}
	}
	return false
}
