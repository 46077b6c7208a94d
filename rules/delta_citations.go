package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// deltaCitationRules are about what a delta cites: other items and sources.
var deltaCitationRules = []*lint.Rule{
	{
		ID: "DL-016", Name: "delta-reference", Severity: lint.Error, Scope: lint.DeltaScope, Fixable: true,
		SpecRef: "delta_output_format#Cross-Session References",
		Summary: "Each reference is an object with `session`, `item` and one of the six relations.",
		Help:    `write each reference as {"session": "RS-…", "item": "H2", "relation": "refutes"}`,
		Check:   eachDelta(checkDeltaReferences),
	},
	{
		ID: "DL-017", Name: "delta-anchor-format", Severity: lint.Warning, Scope: lint.DeltaScope, SkipGarbled: true,
		SpecRef: "delta_output_format#hypothesis_slate; artifact_format#Anchors",
		Summary: "Each anchor follows the anchor grammar.",
		Check:   eachAnchors(checkAnchors),
	},
	{
		ID: "DL-018", Name: "mojibake-anchor", Severity: lint.Warning, Scope: lint.DeltaScope, Fixable: true, SkipGarbled: true,
		SpecRef: "artifact_format#Anchors",
		Summary: "No anchor carries a mis-decoded section sign (`¬ß`, `Â§`).",
		Check:   eachAnchor(checkMojibake),
	},
}

// referenceKeys are what each reference has.
var referenceKeys = []string{"session", "item", "relation"}

func checkDeltaReferences(p *lint.DeltaPass, d *delta.Delta) {
	refs := d.Payload.Get("references")
	if !refs.Is(jsontree.Array) { // DL-007 reports another type
		return
	}
	for _, ref := range refs.Items {
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
	for _, r := range protocol.Relations {
		if n.Text == r {
			return
		}
	}
	message := fmt.Sprintf("relation %s is not one of %s", text.Quote(n.Text), text.Or(protocol.Relations))
	meant := text.Nearest(n.Text, protocol.Relations)
	if meant == "" {
		report(n, message, "", nil)
		return
	}
	fix := newFix(fmt.Sprintf("write %q", meant), d.Text, source.Edit{Span: n.Span, Text: `"` + meant + `"`})
	fix.Unsafe = !strings.EqualFold(strings.NewReplacer("-", "_", " ", "_").Replace(n.Text), meant)
	report(n, message, fmt.Sprintf("did you mean %q?", meant), fix)
}

// anchorPlace is one anchor of a delta. Its spans are of the decoded string.
type anchorPlace struct {
	protocol.Anchor
	delta *delta.Delta
	node  *jsontree.Node // the string
}

// written is the anchor as it is written there.
func (a anchorPlace) written() string { return a.node.Text[a.Span.Start:a.Span.End] }

// text is the decoded string. Most anchors are right and need no place.
func (a anchorPlace) text() *source.Text { return a.delta.Text.JSONString(a.node.Span) }

// eachAnchor is the check of every anchor in the payload of a delta.
func eachAnchor(check func(p *lint.DeltaPass, a anchorPlace)) lint.DeltaCheck {
	return eachAnchors(func(p *lint.DeltaPass, anchors []anchorPlace) {
		for _, a := range anchors {
			check(p, a)
		}
	})
}

// eachAnchors is the check of every string in the anchors of a delta: of what it
// holds.
func eachAnchors(check func(p *lint.DeltaPass, anchors []anchorPlace)) lint.DeltaCheck {
	return eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
		anchors := d.Payload.Get("anchors")
		if !anchors.Is(jsontree.Array) {
			return
		}
		for _, n := range anchors.Items {
			if !n.Is(jsontree.String) { // DL-007 reports another type
				continue
			}
			found := anchorsOf(n.Text)
			places := make([]anchorPlace, len(found))
			for i, a := range found {
				places[i] = anchorPlace{a, d, n}
			}
			check(p, places)
		}
	})
}

// anchorsOf are the anchors of one string of the array; one that holds none is
// one unknown anchor, commas and all.
func anchorsOf(s string) []protocol.Anchor {
	found := protocol.ParseAnchors(s)
	for _, a := range found {
		if a.Kind != protocol.UnknownAnchor {
			return found
		}
	}
	return []protocol.Anchor{{Kind: protocol.UnknownAnchor, Span: source.Span{End: len(s)}}}
}

func reportAnchor(p *lint.DeltaPass, a anchorPlace, message, suggestion string, fix *lint.SuggestedFix) {
	reportDelta(p, lint.Diagnostic{At: a.text().Place(a.Span), Field: "anchors", Message: message, Suggestion: suggestion, Fix: fix})
}

// checkAnchors reports a string that holds several anchors once, else each that
// is none.
func checkAnchors(p *lint.DeltaPass, anchors []anchorPlace) {
	text := anchors[0].node.Text
	found := make([]protocol.Anchor, len(anchors))
	for i, a := range anchors {
		found[i] = a.Anchor
	}
	if joined := protocol.JoinedAnchors(text, found, true); joined != nil {
		all := anchors[0]
		all.Span = source.Span{Start: joined[0].Span.Start, End: joined[len(joined)-1].Span.End}
		reportAnchor(p, all, severalAnchors(all.written(), joined), "write each as a string of its own: "+splitAnchors(text, joined, `"%s"`), nil)
		return
	}
	for _, a := range anchors {
		checkAnchor(p, a)
	}
}

func checkAnchor(p *lint.DeltaPass, a anchorPlace) {
	last := p.RuleConfig.CorpusSize
	switch {
	case a.Kind == protocol.UnknownAnchor && strings.TrimSpace(a.written()) == "":
		reportAnchor(p, a, "anchor is empty; expected §n, a range, EV-001, inference, [axiomatic] or [external: source]", "", nil)
	case a.Kind == protocol.UnknownAnchor:
		reportAnchor(p, a, text.Quote(a.written())+" is not an anchor; expected §n, a range, EV-001, inference, [axiomatic] or [external: source]", suggestAnchor(a.written()), nil)
	case a.Doubled:
		reportAnchor(p, a, text.Quote(a.written())+" has two section signs; expected one", "write "+a.Single(a.node.Text), nil)
	case a.Kind != protocol.SectionAnchor && a.Kind != protocol.RangeAnchor: // of a mis-decoded one DL-018 tells
	case a.First < 1 || a.First > last || a.Last < 1 || a.Last > last:
		reportAnchor(p, a, fmt.Sprintf("%s is not in the transcript; expected a section from §1 to §%d", text.Quote(a.written()), last), "", nil)
	case a.First > a.Last:
		reportAnchor(p, a, fmt.Sprintf("range %s is descending; expected the lower section first", text.Quote(a.written())), fmt.Sprintf("write §%d-§%d", a.Last, a.First), nil)
	}
}

func checkMojibake(p *lint.DeltaPass, a anchorPlace) {
	if a.Kind != protocol.MojibakeAnchor {
		return
	}
	fix := newFix("restore the section sign", a.text(), source.Edit{Span: a.Span, Text: a.Restored})
	reportAnchor(p, a, fmt.Sprintf("%s is a mis-decoded %s", text.Quote(a.written()), a.Restored), "write "+a.Restored+", and save the text as UTF-8", fix)
}
