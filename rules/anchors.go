package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about citations anywhere in an artifact.
var anchorRules = []*lint.Rule{
	{ID: "EP-P01", Name: "anchor-out-of-range", Severity: lint.Error, SpecRef: "artifact_format#Anchors",
		Summary: "Every §n lies in 1..236 (the configured corpus size), and ranges ascend.",
		Help:    "cite existing sections, and write ranges in ascending order",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			for _, c := range p.Artifact.Citations() {
				if c.Kind == brenner.MojibakeAnchor {
					continue // WH-002 reports it
				}
				if f := rangeFault(asWritten(c), c.First, c.Last, p.RuleConfig.CorpusSize); f.message != "" {
					citeReport(p, c, f.message, f.suggestion)
				}
			}
		})},
	{ID: "WP-P02", Name: "pure-inference", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "A hypothesis marked inference names its source context.",
		Check: eachActive(brenner.HypothesisSlate, func(p *lint.ArtifactPass, it *artifact.Item) {
			a, f := p.Artifact, it.Field("anchors")
			if !(f != nil && slices.Contains(anchorKinds(f), brenner.InferenceAnchor) || hasInferenceLabel(a, it)) || mergedText(p, it, isSource) ||
				namesSource(a, it) {
				return
			}
			at := it.Heading
			if f != nil && !f.Value.Empty() {
				at = f.Value
			}
			itemReport(p, it, "anchors", at,
				fmt.Sprintf("%s is marked as inference but names no source", it.ID),
				"name the source: §n, EV-001, or `[inference] from §n`")
		})},
	{ID: "IP-P02", Name: "potency-cites-chastity", Severity: lint.Info, SpecRef: "artifact_format#Discriminative Tests",
		Summary: "A potency check cites §50.",
		Check: eachActive(brenner.DiscriminativeTests, func(p *lint.ArtifactPass, it *artifact.Item) {
			f := it.Field("potency_check")
			if !filled(f) || cites(f.Text, chastity) || mergedText(p, it, func(text string) bool { return cites(text, chastity) }) {
				return
			}
			itemReport(p, it, f.Key, f.Value,
				fmt.Sprintf("the potency check of %s does not cite §%d (chastity versus impotence)", it.ID, chastity), "")
		})},
}

// citeReport reports a fault of a citation.
func citeReport(p *lint.ArtifactPass, c artifact.Citation, message, suggestion string) {
	d := finding(c.Place, message, suggestion)
	if c.Item != nil && c.Item.ID.Section != 0 {
		d.Item = c.Item.ID.String()
	}
	if c.Field != nil && c.Field.Known != nil {
		d.Field = c.Field.Key
	}
	p.Report(d)
}

// asWritten returns the text of a citation.
func asWritten(c artifact.Citation) string { return c.Place.Text.Slice(c.Place.Span) }

// anchorFault is what is wrong with the anchor at a span of a text.
type anchorFault struct {
	at                  source.Span
	message, suggestion string
	fixed               string // "" if the fix is not known
}

const expectedAnchor = "expected §n, a range, EV-001, inference, [axiomatic] or [external: source]"

// anchorFaults returns what is wrong with the anchors of a string of JSON or, with isString unset, of an
// entry of a list in Markdown, except mis-decoded signs. With corpus 0 EP-P01 checks the sections.
func anchorFaults(s string, found []brenner.Anchor, isString bool, corpus int) (faults []anchorFault) {
	if joined := brenner.JoinedAnchors(s, found, isString); joined != nil {
		at := source.Span{Start: joined[0].Span.Start, End: joined[len(joined)-1].Span.End}
		written, hint := s, "separate them with commas: "+splitAnchors(s, joined, "%s")
		if isString {
			written, hint = s[at.Start:at.End], "write each as a string of its own: "+splitAnchors(s, joined, `"%s"`)
		}
		if meant := brenner.MeantRange(s, joined); meant != "" {
			hint = "write " + meant
		}
		return []anchorFault{{at: at, message: fmt.Sprintf("%s contains %d anchors; expected one", text.Quote(written), len(joined)), suggestion: hint}}
	}
	for i, a := range found {
		var f anchorFault
		switch written := s[a.Span.Start:a.Span.End]; {
		case a.Doubled:
			f.message, f.suggestion = text.Quote(written)+" has two section signs; expected one", "write "+a.Single(s)
		case a.Kind == brenner.UnknownAnchor && strings.TrimSpace(written) == "":
			f.message = "anchor is empty; " + expectedAnchor
		case a.Kind == brenner.UnknownAnchor:
			f.suggestion = suggestAnchor(written)
			first, _ := utf8.DecodeRuneInString(strings.TrimLeft(written, "\"'“‘("))
			isRemark := isString && i > 0 && found[0].Kind != brenner.UnknownAnchor && unicode.IsLetter(first) && // on the anchor before the comma
				strings.Contains(written, " ") && !strings.ContainsAny(written, "0123456789")
			if !isRemark || f.suggestion != "" && !strings.HasSuffix(f.suggestion, ifSource) {
				f.message = text.Quote(written) + " is not an anchor; " + expectedAnchor
			}
		case corpus > 0 && (a.Kind == brenner.SectionAnchor || a.Kind == brenner.RangeAnchor):
			f = rangeFault(text.Quote(written), a.First, a.Last, corpus)
		}
		if f.at = a.Span; f.message != "" {
			faults = append(faults, f)
		}
	}
	return faults
}

// misdecoded words an anchor with a mis-decoded sign, in a file or a text.
func misdecoded(written, where string) anchorFault {
	restored := brenner.Restored(written)
	return anchorFault{
		message:    fmt.Sprintf("%s is a mis-decoded %s", text.Quote(written), restored),
		suggestion: "write " + restored + ", and save the " + where + " as UTF-8", fixed: restored,
	}
}

// rangeFault words sections that are not in the transcript, or in descending order; its message
// is "" if they are right.
func rangeFault(shown string, first, last, corpus int) (f anchorFault) {
	switch {
	case min(first, last) < 1 || max(first, last) > corpus:
		f.message = fmt.Sprintf("%s is not in the transcript; expected a section from §1 to §%d", shown, corpus)
	case first > last:
		f.message = fmt.Sprintf("range %s is descending; expected the lower section first", shown)
		f.suggestion = fmt.Sprintf("write §%d-§%d", last, first)
		from, to := fmt.Sprint(first), fmt.Sprint(last)
		end, _ := strconv.Atoi(from[:len(from)-len(to)] + to)
		if first < end && end <= corpus && strings.Count(shown, "§") == 1 { // §161-3
			f.suggestion = fmt.Sprintf("write §%d-§%d", first, end)
		}
	}
	return f
}

// maxSplit bounds the anchors that a suggestion lists.
const maxSplit = 8

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

// eachAnchors returns the check of every string in the anchors of a delta.
func eachAnchors(check func(s string, found []brenner.Anchor, corpus int) []anchorFault) lint.DeltaCheck {
	return eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
		for _, n := range d.Payload.Get("anchors").Items() {
			if !n.Is(jsontree.String) {
				continue // DL-007 reports another type
			}
			found := brenner.ParseAnchors(n.Text)
			if !slices.ContainsFunc(found, func(a brenner.Anchor) bool { return a.Kind != brenner.UnknownAnchor }) {
				found = []brenner.Anchor{{Kind: brenner.UnknownAnchor, Span: source.Span{End: len(n.Text)}}} // commas included
			}
			for _, f := range check(n.Text, found, p.RuleConfig.CorpusSize) {
				decoded := d.Text.JSONString(n.Span())
				out := lint.Diagnostic{At: decoded.Place(f.at), Field: "anchors", Message: f.message, Suggestion: f.suggestion}
				if f.fixed != "" {
					out.Fix = newFix("restore the section sign", decoded, source.Edit{Span: f.at, Text: f.fixed})
				}
				p.Report(out)
			}
		}
	})
}

// ifSource ends a suggestion that may not apply.
const ifSource = " if it is a source"

// suggestAnchor suggests what a malformed anchor most likely means: `161` and
// `section 161` are §161, `ev-7` is EV-007, and anything else with a name is a source.
func suggestAnchor(text string) string {
	if deniedAnchors().MatchString(remarks().ReplaceAllString(text, "")) || strings.HasPrefix(text, "-§") { // to be removed
		return ""
	}
	text = wordedRange().ReplaceAllString(escapedSigns.Replace(text), "§$1")
	if from := inferredFrom().FindStringSubmatch(text); from != nil {
		if meant, ok := strings.CutPrefix(suggestAnchor(from[1]), "write "); ok && strings.HasPrefix(meant, "§") {
			return "write [inference] from " + meant
		}
	}
	if cited := slices.Collect(brenner.Citations(text)); len(cited) > 0 && cited[0].Kind != brenner.MojibakeAnchor {
		if len(cited) > 1 {
			return "write each as a separate anchor: " + splitAnchors(text, cited, "%s")
		}
		return "write " + cited[0].Single(text)
	}
	if sign, n, _ := strings.Cut(text, "§"); strings.Trim(sign, " ([") == "" && strings.TrimRight(n, " )]") == "n" {
		return "replace n with the number of the section, as in §42"
	}
	switch word, source, named := strings.Cut(strings.Trim(text, " []()"), ":"); {
	case strings.EqualFold(strings.Trim(text, " []().,"), "inference"), strings.EqualFold(text, "inferred"):
		return "write inference"
	case strings.EqualFold(strings.Trim(text, " []().,"), "axiomatic"):
		return "write [axiomatic]"
	case named && strings.EqualFold(strings.TrimSpace(word), "external") && strings.TrimSpace(source) != "":
		return "write [external: " + strings.TrimSpace(source) + "]"
	case strings.ContainsAny(text, "§¬ßÂ"):
		return "" // a section sign without a number, or mis-decoded
	}
	upper := strings.ToUpper(strings.TrimSpace(text))
	if all := brenner.ParseAnchors(upper); len(all) == 1 && all[0].Kind == brenner.EvidenceAnchor && all[0].Span.Len() == len(upper) {
		return "write " + upper
	}
	if strings.HasPrefix(text, "0") { // the rest of §1,000
		return ""
	}
	word := strings.ToLower(strings.TrimRight(text, "0123456789"))
	number := text[len(word):]
	switch word = strings.Trim(word, " .#-_"); {
	case number != "" && (word == "ev" || word == "evidence"):
		return fmt.Sprintf("write EV-%03s", number)
	case number != "" && slices.Contains([]string{"", "s", "sec", "sect", "section", "par"}, word):
		return "write §" + number
	case strings.ContainsFunc(word, unicode.IsLetter) && len(text) < 64 && !strings.ContainsAny(text, "[]"):
		return "write [external: " + text + "]" + ifSource
	}
	return ""
}

// escapedSigns reads section signs that are written as escapes.
var escapedSigns = strings.NewReplacer("&sect;", "§", "&#167;", "§", `\u00a7`, "§", `\u00A7`, "§")

// wordedRange is a range of sections without signs: Section 161-165.
var wordedRange = text.Pattern(`^(?i)sec(?:t(?:ion)?s?)?[. ]+([0-9]+ ?[-–—] ?[0-9]+)$`)

// inferredFrom is an inference that names what it is from inside its brackets, or as a participle.
var inferredFrom = text.Pattern(`^(?i)\[?infer(?:ence|red) from ([^\[\]]*)\]?$`)

// namesSource reports whether a hypothesis names a source anywhere (decisions.md 33): for Markdown in
// its block, for JSON in a string.
func namesSource(a *artifact.Artifact, it *artifact.Item) bool {
	if it.Node == nil {
		return isSource(a.View(it.Span))
	}
	return slices.ContainsFunc(it.Node.Strings(), func(s *jsontree.Node) bool { return isSource(s.Text) })
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

// cites reports whether a text cites a section of the transcript, alone or in a range; 0 is any
// section.
func cites(text string, section int) bool {
	for c := range brenner.Citations(text) {
		if c.IsSection() && (section == 0 || c.First <= section && section <= c.Last) {
			return true
		}
	}
	return false
}
