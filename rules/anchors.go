package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about citations anywhere in an artifact.
var anchorRules = []*lint.Rule{
	{ID: "EP-P01", Name: "anchor-out-of-range", Severity: lint.Error, SpecRef: "artifact_format#Anchors",
		Summary: "Every §n lies in 1..236 (the configured corpus size), and ranges ascend.",
		Help:    "cite existing sections, and write ranges in ascending order",
		Check:   lint.ArtifactCheck(checkAnchorRange)},
	{ID: "WP-P02", Name: "pure-inference", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "A hypothesis marked inference names its source context.",
		Check:   eachActive(brenner.HypothesisSlate, checkPureInference)},
	{ID: "IP-P02", Name: "potency-cites-chastity", Severity: lint.Info, SpecRef: "artifact_format#Discriminative Tests",
		Summary: "A potency check cites §50.",
		Check:   eachActive(brenner.DiscriminativeTests, checkChastity)},
}

// citeReport reports a fault of a citation.
func citeReport(p *lint.ArtifactPass, c *artifact.Citation, message, suggestion string) {
	d := lint.Diagnostic{At: c.Place, Message: message, Suggestion: suggestion}
	if c.Item != nil && c.Item.ID.Section != 0 {
		d.Item = c.Item.ID.String()
	}
	if c.Field != nil && c.Field.Known != nil {
		d.Field = c.Field.Key
	}
	p.Report(d)
}

// asWritten returns the text of a citation.
func asWritten(c *artifact.Citation) string { return c.Place.Text.Slice(c.Place.Span) }

func checkAnchorFormat(p *lint.ArtifactPass) {
	a := p.Artifact
	cited := a.Citations()
	for i := range cited {
		if c := &cited[i]; c.Kind == brenner.MojibakeAnchor {
			written := asWritten(c)
			restored := brenner.Restored(written)
			citeReport(p, c, fmt.Sprintf("%s is a mis-decoded %s", text.Quote(written), restored), "write "+restored+", and save the file as UTF-8")
		}
	}
	for _, kind := range brenner.Sections {
		for _, it := range active(a, kind) {
			f := it.Field("anchors")
			if f == nil {
				continue
			}
			for i := range f.Entries {
				checkAnchorEntry(p, it, &f.Entries[i])
			}
		}
	}
}

// checkAnchorEntry checks an entry of the anchors of an item.
func checkAnchorEntry(p *lint.ArtifactPass, it *artifact.Item, e *artifact.Entry) {
	report := func(message, suggestion string) {
		itemReport(p, it, "anchors", e.Span, lint.Diagnostic{Message: message, Suggestion: suggestion})
	}
	found := brenner.ParseAnchors(e.Text)
	if joined := brenner.JoinedAnchors(e.Text, found, false); joined != nil {
		report(severalAnchors(e.Text, joined), "separate them with commas: "+splitAnchors(e.Text, joined, "%s"))
		return
	}
	for _, a := range found {
		switch {
		case a.Doubled:
			report(doubledSign(e.Text, a))
		case a.Kind == brenner.UnknownAnchor:
			report(noAnchor(e.Text))
		}
	}
}

// doubledSign words an anchor of a text that has two section signs.
func doubledSign(all string, a brenner.Anchor) (message, suggestion string) {
	return text.Quote(all[a.Span.Start:a.Span.End]) + " has two section signs; expected one", "write " + a.Single(all)
}

// noAnchor words a text that is no anchor.
func noAnchor(written string) (message, suggestion string) {
	return text.Quote(written) + " is not an anchor; " + expectedAnchor, suggestAnchor(written)
}

const expectedAnchor = "expected §n, a range, EV-001, inference, [axiomatic] or [external: source]"

// maxSplit bounds the anchors that a suggestion lists.
const maxSplit = 8

// severalAnchors words that a text contains several anchors as one.
func severalAnchors(written string, joined []brenner.Anchor) string {
	return fmt.Sprintf("%s contains %d anchors; expected one", text.Quote(written), len(joined))
}

// splitAnchors lists joined anchors one by one, each in a form.
func splitAnchors(text string, joined []brenner.Anchor, form string) string {
	var out []string
	for _, a := range joined[:min(len(joined), maxSplit)] {
		out = append(out, fmt.Sprintf(form, a.Single(text)))
	}
	if len(joined) > maxSplit {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// suggestAnchor suggests what a malformed anchor most likely means: `161` and
// `section 161` are §161, `ev-7` is EV-007, and anything else with a name is a source.
func suggestAnchor(text string) string {
	if cited := slices.Collect(brenner.Citations(text)); len(cited) > 0 && cited[0].Kind != brenner.MojibakeAnchor {
		var written []string
		for _, c := range cited[:min(len(cited), maxSplit)] {
			written = append(written, c.Single(text))
		}
		if len(written) > 1 {
			return "write each as a separate anchor: " + strings.Join(written, ", ")
		}
		return "write " + written[0]
	}
	if sign, n, _ := strings.Cut(text, "§"); strings.Trim(sign, " ([") == "" && strings.TrimRight(n, " )]") == "n" {
		return "replace n with the number of the section, as in §42"
	}
	switch source, named := cutExternal(text); {
	case strings.EqualFold(strings.Trim(text, " []().,"), "axiomatic"):
		return "write [axiomatic]"
	case named && source != "":
		return "write [external: " + source + "]"
	case strings.ContainsAny(text, "§¬ßÂ"):
		return "" // a section sign without a number, or mis-decoded
	}
	upper := strings.ToUpper(strings.TrimSpace(text))
	if all := brenner.ParseAnchors(upper); len(all) == 1 && all[0].Kind == brenner.EvidenceAnchor && all[0].Span.Len() == len(upper) {
		return "write " + upper
	}
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

// cutExternal returns the source that a text names as external, without brackets:
// "external: Smith 2001".
func cutExternal(text string) (source string, ok bool) {
	word, source, ok := strings.Cut(strings.Trim(text, " []()"), ":")
	return strings.TrimSpace(source), ok && strings.EqualFold(strings.TrimSpace(word), "external")
}

func checkAnchorRange(p *lint.ArtifactPass) {
	last := p.RuleConfig.CorpusSize
	cited := p.Artifact.Citations()
	for i := range cited {
		switch c := &cited[i]; {
		case c.Kind == brenner.MojibakeAnchor: // WH-002 reports it
		case c.First < 1 || c.First > last || c.Last < 1 || c.Last > last:
			citeReport(p, c, fmt.Sprintf("%s is not in the transcript; expected a section from §1 to §%d", asWritten(c), last), "")
		case c.First > c.Last:
			citeReport(p, c, fmt.Sprintf("range %s is descending; expected the lower section first", asWritten(c)), fmt.Sprintf("write §%d-§%d", c.Last, c.First))
		}
	}
}

func checkPureInference(p *lint.ArtifactPass, it *artifact.Item) {
	a, f := p.Artifact, it.Field("anchors")
	if !(f != nil && slices.Contains(anchorKinds(f), brenner.InferenceAnchor) || blockContains(a, it, inferenceLabel)) || namesSource(a, it) || mergedText(p, it, isSource) {
		return
	}
	at := it.Heading
	if f != nil && !f.Value.Empty() {
		at = f.Value
	}
	itemReport(p, it, "anchors", at, lint.Diagnostic{
		Message:    fmt.Sprintf("%s is marked as inference but names no source", it.ID),
		Suggestion: "name the source: §n, EV-001, or `[inference] from §n`",
	})
}

// namesSource reports whether a section, evidence record or external source is
// cited anywhere in a hypothesis (decisions.md 33).
func namesSource(a *artifact.Artifact, it *artifact.Item) bool {
	for text := range itemTexts(a, it) {
		if isSource(text) {
			return true
		}
	}
	return false
}

// isSource reports whether a text names a source.
func isSource(text string) bool {
	for range brenner.Citations(text) {
		return true
	}
	return strings.Contains(text, "[external:")
}

// chastity is the section of the transcript that distinguishes a chaste experiment from
// an impotent one.
const chastity = 50

func checkChastity(p *lint.ArtifactPass, it *artifact.Item) {
	f := it.Field("potency_check")
	if f == nil || !filled(f) || cites(f.Text, chastity) || mergedText(p, it, func(text string) bool { return cites(text, chastity) }) {
		return
	}
	itemReport(p, it, f.Key, f.Value, lint.Diagnostic{
		Message: fmt.Sprintf("the potency check of %s does not cite §%d (chastity versus impotence)", it.ID, chastity),
	})
}

// cites reports whether a text cites a section of the transcript, alone or in a range.
func cites(text string, section int) bool {
	for c := range brenner.Citations(text) {
		if c.IsSection() && c.First <= section && section <= c.Last {
			return true
		}
	}
	return false
}
