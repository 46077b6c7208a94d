package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// deltaCitationRules are about what a delta cites: other items and sources.
var deltaCitationRules = []*lint.Rule{
	{ID: "DL-016", Name: "delta-reference", Severity: lint.Error, SpecRef: "delta_output_format#Cross-Session References",
		Summary: "Each reference is an object with `session`, `item` and one of the six relations.",
		Help:    `write each reference as {"session": "RS-…", "item": "H2", "relation": "refutes"}`,
		Check:   eachDelta(checkDeltaReferences)},
	{ID: "DL-017", Name: "delta-anchor-format", Severity: lint.Warning,
		SpecRef: "delta_output_format#hypothesis_slate; artifact_format#Anchors",
		Summary: "Each anchor follows the anchor grammar.",
		Check:   eachAnchors(checkAnchors)},
	{ID: "DL-018", Name: "mojibake-anchor", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "No anchor carries a mis-decoded section sign (`¬ß`, `Â§`).",
		Check:   eachAnchors(checkMojibake)},
}

// referenceKeys are the keys of each reference.
var referenceKeys = []string{"session", "item", "relation"}

func checkDeltaReferences(p *lint.DeltaPass, d *delta.Delta) {
	refs := d.Payload.Get("references")
	if !refs.Is(jsontree.Array) { // DL-007 reports another type
		return
	}
	for _, ref := range refs.Items() {
		checkDeltaReference(p, d, ref)
	}
}

func checkDeltaReference(p *lint.DeltaPass, d *delta.Delta, ref *jsontree.Node) {
	report := func(n *jsontree.Node, message, suggestion string, fix *lint.SuggestedFix) {
		reportDelta(p, lint.Diagnostic{At: d.Pos(n), Field: "references", Message: message, Suggestion: suggestion, Fix: fix})
	}
	if !ref.Is(jsontree.Object) {
		report(ref, fmt.Sprintf("reference is %s; expected an object with session, item and relation", ref.Kind), "", nil)
		return
	}
	var missing []string
	for _, key := range referenceKeys {
		switch n := ref.Get(key); {
		case n == nil:
			missing = append(missing, key)
		case !n.Is(jsontree.String):
			report(n, fmt.Sprintf("%s of the reference is %s; expected a string", key, n.Kind), "", nil)
		case delta.Blank(n):
			report(n, key+" of the reference is empty", "", nil)
		case key == "relation":
			checkRelation(n, d, report)
		}
	}
	if len(missing) > 0 {
		report(ref, "reference lacks "+text.And(missing), "", nil)
	}
}

func checkRelation(n *jsontree.Node, d *delta.Delta, report func(*jsontree.Node, string, string, *lint.SuggestedFix)) {
	for _, r := range brenner.Relations {
		if n.Text == r {
			return
		}
	}
	message := fmt.Sprintf("relation %s is not one of %s", text.Quote(n.Text), text.Or(brenner.Relations))
	meant := text.Nearest(n.Text, brenner.Relations)
	if meant == "" {
		report(n, message, "", nil)
		return
	}
	fix := newFix(fmt.Sprintf("write %q", meant), d.Text, source.Edit{Span: n.Span(), Text: `"` + meant + `"`})
	fix.Unsafe = !strings.EqualFold(strings.NewReplacer("-", "_", " ", "_").Replace(n.Text), meant)
	report(n, message, fmt.Sprintf("did you mean %q?", meant), fix)
}

// anchorText is a string in the anchors of a delta, and the anchors in it. Their spans
// are of the decoded string.
type anchorText struct {
	delta   *delta.Delta
	node    *jsontree.Node
	anchors []brenner.Anchor
}

// written returns an anchor as it is written there.
func (t *anchorText) written(span source.Span) string { return t.node.Text[span.Start:span.End] }

// text returns the decoded string. Most anchors are right and need no place.
func (t *anchorText) text() *source.Text { return t.delta.Text.JSONString(t.node.Span()) }

// eachAnchors returns the check of every string in the anchors of a delta.
func eachAnchors(check func(p *lint.DeltaPass, t *anchorText)) lint.DeltaCheck {
	return eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
		anchors := d.Payload.Get("anchors")
		if !anchors.Is(jsontree.Array) {
			return
		}
		t := &anchorText{delta: d} // one after the other
		for _, n := range anchors.Items() {
			if n.Is(jsontree.String) { // DL-007 reports another type
				t.node, t.anchors = n, appendAnchors(t.anchors[:0], n.Text)
				check(p, t)
			}
		}
	})
}

// appendAnchors appends the anchors of one string of the array; a string without any is one
// unknown anchor, commas included.
func appendAnchors(out []brenner.Anchor, s string) []brenner.Anchor {
	known := len(out)
	out = brenner.AppendAnchors(out, s)
	for i := known; i < len(out); i++ {
		if out[i].Kind != brenner.UnknownAnchor {
			return out
		}
	}
	return append(out[:known], brenner.Anchor{Kind: brenner.UnknownAnchor, Span: source.Span{End: len(s)}})
}

func reportAnchor(p *lint.DeltaPass, t *anchorText, span source.Span, message, suggestion string, fix *lint.SuggestedFix) {
	reportDelta(p, lint.Diagnostic{At: t.text().Place(span), Field: "anchors", Message: message, Suggestion: suggestion, Fix: fix})
}

// checkAnchors reports a string that contains several anchors once, else each invalid
// anchor.
func checkAnchors(p *lint.DeltaPass, t *anchorText) {
	all := t.node.Text
	if joined := brenner.JoinedAnchors(all, t.anchors, true); joined != nil {
		span := source.Span{Start: joined[0].Span.Start, End: joined[len(joined)-1].Span.End}
		reportAnchor(p, t, span, severalAnchors(t.written(span), joined), "write each as a string of its own: "+splitAnchors(all, joined, `"%s"`), nil)
		return
	}
	for i := range t.anchors {
		checkAnchor(p, t, &t.anchors[i])
	}
}

func checkAnchor(p *lint.DeltaPass, t *anchorText, a *brenner.Anchor) {
	last := p.RuleConfig.CorpusSize
	report := func(message, suggestion string) { reportAnchor(p, t, a.Span, message, suggestion, nil) }
	switch written := t.written(a.Span); {
	case a.Kind == brenner.UnknownAnchor && strings.TrimSpace(written) == "":
		report("anchor is empty; expected §n, a range, EV-001, inference, [axiomatic] or [external: source]", "")
	case a.Kind == brenner.UnknownAnchor:
		report(text.Quote(written)+" is not an anchor; expected §n, a range, EV-001, inference, [axiomatic] or [external: source]", suggestAnchor(written))
	case a.Doubled:
		report(text.Quote(written)+" has two section signs; expected one", "write "+a.Single(t.node.Text))
	case a.Kind != brenner.SectionAnchor && a.Kind != brenner.RangeAnchor: // DL-018 reports a mis-decoded one
	case a.First < 1 || a.First > last || a.Last < 1 || a.Last > last:
		report(fmt.Sprintf("%s is not in the transcript; expected a section from §1 to §%d", text.Quote(written), last), "")
	case a.First > a.Last:
		report(fmt.Sprintf("range %s is descending; expected the lower section first", text.Quote(written)), fmt.Sprintf("write §%d-§%d", a.Last, a.First))
	}
}

func checkMojibake(p *lint.DeltaPass, t *anchorText) {
	for _, a := range t.anchors {
		if a.Kind != brenner.MojibakeAnchor {
			continue
		}
		written := t.written(a.Span)
		restored := brenner.Restored(written)
		fix := newFix("restore the section sign", t.text(), source.Edit{Span: a.Span, Text: restored})
		reportAnchor(p, t, a.Span, fmt.Sprintf("%s is a mis-decoded %s", text.Quote(written), restored), "write "+restored+", and save the text as UTF-8", fix)
	}
}
