package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// deltaPlaceRules are about where deltas are: in a fence tagged delta, under
// Deltas, in a DELTA message.
var deltaPlaceRules = []*lint.Rule{
	{ID: "DL-012", Name: "delta-inline-json", Severity: lint.Error, SpecRef: "delta_output_format#Failure Mode 1",
		Summary: "Delta JSON (an object with `operation` and `section`) does not stand outside a fence; inline `DELTA[x]: text` lines in the body are reported too.",
		Help:    "put the delta into a fence of its own that begins with ```delta",
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			if reportsWrapper(m) {
				return
			}
			hidden := false
			for _, x := range m.UnfencedDeltas {
				if x.InComment && hidden {
					continue // by the same comment
				}
				hidden = hidden || x.InComment
				switch {
				case x.Form == delta.BareJSON && (m.Intended == brenner.Delta || !x.NonstandardKeys):
					d := bareDelta(m, x)
					sendApart(m, &d)
					p.Report(d)
				case x.Form == delta.InlineLine && !namesMessage(m, x.Span):
					d := finding(m.InBody(x.Span),
						"inline "+text.Quote(m.Body.Slice(x.Span))+" is not a delta block; the compiler drops it silently",
						"replace the line with a JSON object in a fence tagged delta")
					line := m.Body.Line(m.Body.LineAt(x.Span.Start))
					d.Block = lineAsBlock(m.Body.Slice(source.Span{Start: x.Span.Start, End: max(x.Span.End, line.End)}))
					sendApart(m, &d)
					p.Report(d)
				}
			}
		})},
	{ID: "DL-013", Name: "delta-wrong-fence", Severity: lint.Error, SpecRef: "delta_output_format#Failure Mode 1",
		Summary: "Delta JSON does not stand in a fence with another tag (json, none, Delta, :::delta).",
		Help:    "begin the fence with ```delta",
		// In a DELTA every fence with another tag is checked, in other messages those that are a delta alone (decisions.md 8, 44).
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			isDelta := m.Intended == brenner.Delta
			for _, d := range m.Deltas {
				if len(d.Hidden) > 0 && d.Root != nil { // else MB-005 comes first
					p.Report(endsOutside(d, "the marks below delta %d open a fence that hides the deltas below from the compiler, because they are"))
				}
			}
			for _, x := range m.UnfencedDeltas {
				switch {
				case x.Form == delta.OtherFence && (isDelta || x.Certain && !x.NonstandardKeys), x.Form == delta.ColonFence,
					x.Form == delta.OuterFence && isDelta, x.Form == delta.WrappedJSON && isDelta && !onlyWrapped(m):
					p.Report(wrongFence(m, x))
				}
			}
		})},
	{ID: "DL-021", Name: "delta-outside-delta-message", Severity: lint.Warning,
		DraftSeverity: lint.Error, // it can still be sent as its own type (decisions.md 36)
		SpecRef:       "artifact_publish_spec#For Orchestrator/Compiler",
		Summary:       "A message that is not DELTA holds no delta block: it would never be merged.",
		Help:          "send the delta in a message of its own: DELTA[role]: …",
		Check:         lint.MessageCheck(checkOutsideDelta)},
	{ID: "DL-022", Name: "deltas-section", Severity: lint.Info, SpecRef: "delta_output_format#Message Structure",
		Summary: "A DELTA body has a `Deltas` section above its blocks.",
		Types:   []brenner.MessageType{brenner.Delta},
		Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			if len(m.Deltas) == 0 || hidesText(m) {
				return
			}
			isAbove := func(s session.Section) bool { return s.Is("Deltas") && s.Heading.Start < m.Deltas[0].Block.Span.Start }
			switch s := m.Section("Deltas"); {
			case s == nil:
				p.Report(finding(m.SubjectPlace(), "DELTA has no section Deltas above its blocks", "add the line ## Deltas above the first block"))
			case !slices.ContainsFunc(m.Sections, isAbove):
				p.Report(finding(m.InBody(s.Heading), "section Deltas is below the first delta block; expected above it", "move the heading up"))
			}
		})},
	{ID: "DL-023", Name: "delta-unclosed-fence", Severity: lint.Warning, SpecRef: "delta_output_format#Delta Block Format",
		Summary: "A delta fence is closed.",
		Check: lint.DeltaCheck(func(p *lint.DeltaPass) {
			d := p.Delta
			if d.Block.Closed || d.CutOff() || d.Marks.Why != delta.NoMarks || len(d.Hidden) > 0 {
				return // the others are said of its JSON, or of the deltas hidden
			}
			if d.Outside != nil {
				p.Report(endsOutside(d, "fence of delta %d is not closed: the marks below it are"))
				return
			}
			p.Report(lint.Diagnostic{
				At:         d.Fence,
				Message:    fmt.Sprintf("fence of delta %d is not closed: everything up to the end counts as delta", d.Index),
				Suggestion: "close it with " + fenceMarks(d.Block),
				Fix:        closeFence(d),
			})
		})},
}

// bareDelta describes delta JSON outside a fence.
func bareDelta(m *session.Message, x delta.UnfencedDelta) lint.Diagnostic {
	d := lint.Diagnostic{
		At:         m.InBody(source.Span{Start: x.Span.Start, End: x.Span.Start + 1}),
		Message:    "inline delta JSON is not in a fence: the compiler drops it silently",
		Suggestion: "put it in a fence tagged delta",
	}
	marks := m.Body.Slice(x.Marks.At)
	switch {
	case x.InComment:
		d.Message = "a comment that is not closed hides the delta: the compiler drops it silently"
		d.Suggestion = "write --> where the comment ends"
		if x.Marks.Why == delta.InHTML {
			d.Suggestion = "write --> at the end of the line " + text.Quote(marks)
		}
	case x.Marks.Why == delta.Invisible:
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(marks, " \t"))
		d.Message = fmt.Sprintf("an invisible character (U+%04X)", r) + " before the marks of its fence leaves the delta without one: the compiler drops it silently"
		d.Suggestion = "remove invisible characters before the marks of fences"
		if x.Count > 1 {
			d.Suggestion += ", and " + splitDeltas
		}
	case x.Marks.Why == delta.Outside:
		d.Message = "the delta JSON is not in the fence above it, because it is not indented as that is: the compiler drops it silently"
		d.Suggestion = "indent the JSON, and the marks that close its fence, as the marks that open it"
		if x.Blank.InQuote {
			d.Message = `the delta JSON is not in the fence above it, because that is in a quotation: the compiler drops it silently`
			d.Suggestion = "write > before each line of the JSON, as before the marks of its fence"
		}
	case x.OnFence:
		d.Message = "delta JSON is on the line that opens the fence of another delta: the compiler reads only what is below that line"
		d.Suggestion = "put it in a fence of its own, on the line below ```delta"
	case x.Blank != nil:
		d.Message = "the delta JSON is next to its fence, which is blank: the compiler drops it silently"
		d.Suggestion = "move it into the fence"
	case x.Marks.Why != delta.NoMarks:
		d.At = m.InBody(x.Marks.At)
		d.Message, d.Suggestion = openingMarks(marks, x.Marks.Why)
	case x.InHTML:
		d.Suggestion = "remove the HTML tags around it, and put it in a fence tagged delta"
	}
	if x.Count > 1 && x.Marks.Why != delta.NoMarks {
		d.Message = strings.NewReplacer("drops the delta ", fmt.Sprintf("drops the %d deltas ", x.Count), "leaves the delta ", fmt.Sprintf("leaves the %d deltas ", x.Count)).Replace(d.Message)
	}
	offerIf(x.Certain && !x.Unwanted && !x.InComment, &d, d.Suggestion, m.Body, x.Edits...)
	if !x.InComment && x.Marks.Why == delta.NoMarks && x.Blank == nil {
		d.Block = deltaBlock(x.JSON...)
	}
	return d
}

// openingMarks says why marks open no fence for the delta below them, and what to do. Of a
// line of HTML it is that, not the marks.
func openingMarks(marks string, why delta.FenceDefect) (message, suggestion string) {
	if why == delta.InHTML {
		return "the HTML line " + text.Quote(marks) + " is directly above the marks of a fence, which therefore open none: the compiler drops the delta silently",
			endHTML(marks)
	}
	because := map[delta.FenceDefect]string{
		delta.Preceded: "text is before them on their line",
		delta.Escaped:  "they have backslashes",
		delta.Indented: "they are indented by more than three columns",
		delta.Ticked:   "a backtick is behind them",
		delta.Unlike:   "three backticks do",
	}[why]
	return "the marks " + text.Quote(marks) + " open no fence, because " + because + ": the compiler drops the delta silently",
		"write ```delta on a line of its own above the JSON, and ``` on a line of its own below it, instead of these marks"
}

// wrongFence describes delta JSON in a fence that is none of deltas, whose content the compiler ignores.
func wrongFence(m *session.Message, x delta.UnfencedDelta) lint.Diagnostic {
	tag, tagged := m.Body.Slice(x.Tag), "without a tag"
	if tag != "" {
		tagged = "tagged " + text.Quote(tag)
	}
	var message, suggestion, does, block string
	isUnsafe := !x.Certain
	switch x.Form {
	case delta.ColonFence:
		message = text.Quote(m.Body.Slice(x.Span)) + " opens no fence of Markdown: the compiler reads only fences tagged delta"
		suggestion, does = "write ```delta, and ``` at the end", "write a fence"
	case delta.OuterFence:
		message = "fence " + tagged + " holds " + text.Count(x.Count, "delta", "deltas") + ": the compiler treats its content as text and ignores it"
		suggestion, does = "remove this fence, and leave each delta in a fence tagged delta", "remove the outer fence"
		isUnsafe = x.NonstandardKeys
		if x.OnFence {
			suggestion, does = ownFences, splitDeltas
		}
	case delta.WrappedJSON:
		message = "delta JSON is inside another object, in a fence " + tagged + ": the compiler reads only fences tagged delta"
		suggestion, does = "write each delta as an object of its own, in a fence tagged delta", splitDeltas // what is beside them goes
		block = deltaBlock(x.JSON...)
	default:
		message = "delta JSON is in a fence " + tagged + ": the compiler reads only fences tagged delta"
		suggestion, does = "write delta directly after the marks that open the fence", "tag the fence delta"
		isUnsafe = m.Intended == ""
		if tag != "" {
			suggestion = "write delta instead of " + text.Quote(tag) + " as the fence's tag"
		}
		if x.OnFence {
			message = "delta JSON begins on the line that opens its fence: the compiler reads what is below ```delta"
			suggestion = "begin the JSON on the line below ```delta"
		}
	}
	d := finding(m.InBody(x.Span), message, suggestion)
	d.Fix, d.Block = unsafeIf(isUnsafe || x.Unwanted, newFix(does, m.Body, x.Edits...)), block
	if x.Form == delta.OtherFence {
		sendApart(m, &d)
	}
	return d
}

// sendApart suggests another message for a contribution in one that cannot have it: a fence tagged delta would be DL-021.
func sendApart(m *session.Message, d *lint.Diagnostic) {
	if m.Intended != brenner.Delta && m.Intended != "" {
		d.Suggestion, d.Fix, d.Block = "send it in a message with the subject "+prefixOf(brenner.Delta)+", or begin its lines with > if you only quote it", nil, ""
	}
}

// endsOutside describes what is meant to end a fence, and is below its list item or quotation.
func endsOutside(d *delta.Delta, format string) lint.Diagnostic {
	out := lint.Diagnostic{At: d.Fence, Delta: d.Index, Message: fmt.Sprintf(format+" not in its list item or quotation", d.Index)}
	offer(&out, "indent them like the marks that open the fence, or write > before them", d.Fence.Text, *d.Outside)
	return out
}

// namesMessage reports whether a line is where an ACK or a CRITIQUE says which message it is about: by its subject.
func namesMessage(m *session.Message, line source.Span) bool {
	title := map[brenner.MessageType]string{brenner.Ack: "Message ID", brenner.Critique: "Target"}[m.Intended]
	s := m.Section(title)
	return title != "" && s != nil && s.FirstLine().Contains(line)
}

func checkOutsideDelta(p *lint.MessagePass) {
	m := p.Message
	if len(m.Deltas) == 0 {
		return
	}
	if m.Intended == brenner.Delta || !m.ReplyDraft && strings.TrimSpace(m.SubjectText) == "" {
		return // IN-003 reports the missing subject, without which there is no type
	}
	roles, own := knownRoles(p.RuleConfig), m.SubjectText[withoutReply(m.SubjectText):]
	meant := readPrefix(own, roles)
	near, prefix, _ := nearPrefix(own, roles)
	isNear := strings.HasPrefix(meant.prefix, "DELTA") || near == brenner.Delta && prefix != prefixOf(near)
	if m.Intended == "" && !m.SubjectLine.Reply && isNear {
		return // MB-001 shows how to make it a DELTA (decisions.md 1)
	}
	what := "a message without a type"
	hint := "write " + prefixOf(brenner.Delta) + " as the subject's prefix, with the model that contributes: " + text.Or(roles)
	switch {
	case m.Intended == "" && !m.SubjectLine.Reply && meant.prefix != "": // MB-001 says how to begin the subject
		hint = "send the delta in a message of its own, under " + prefixOf(brenner.Delta)
	case m.Intended != "":
		what = "a " + string(m.Intended)
		if strings.ContainsRune("AEIOU", rune(what[2])) {
			what = "an" + what[1:]
		}
	case m.ReplyDraft:
		what = "a reply"
		hint = "a reply has no subject of its own: send it with send_message, to the same thread_id, under a subject " + prefixOf(brenner.Delta) + " " + brenner.SubjectPlaceholder
	case m.Form == mail.Draft && m.SubjectLine.Reply:
		what = "a reply"
		if strings.HasPrefix(meant.prefix, "DELTA") {
			hint = "begin the subject with " + strconv.Quote(strings.TrimSpace(meant.prefix)) + ", as MB-001 says"
		}
	case m.Reply || m.Subject == nil:
		what = "a reply"
		hint = "send it by send_message, in the same thread, under the subject " + prefixOf(brenner.Delta) + " " + brenner.SubjectPlaceholder
	}
	for _, d := range m.Deltas {
		out := lint.Diagnostic{
			At: d.Fence, Delta: d.Index,
			Message:    "delta block in " + what + ": only those of DELTA messages are merged",
			Suggestion: hint,
		}
		if m.Subject != nil && m.Form == mail.Draft && m.Intended != "" {
			out.Assume = &lint.SuggestedFix{Description: hint, Edits: []lint.TextEdit{{At: m.InSubject(m.Prefix), Text: "DELTA[" + brenner.Roles[0] + "]:"}}}
		}
		if d.Block.InQuote {
			out.Suggestion += "; if you only quote it, tag its fence json"
		}
		p.Report(out)
	}
}

// fenceMarks names the marks that close a fence.
func fenceMarks(b *markdown.Block) string {
	if b.FenceLen > 8 {
		return fmt.Sprintf("a line of %d times %c", b.FenceLen, b.FenceChar)
	}
	return b.Marks()
}

// closeFence closes a fence at its end or, if other text follows the JSON, after the JSON. If that is the
// JSON of a block that the fence swallows, that block has to become one of its own first.
func closeFence(d *delta.Delta) *lint.SuggestedFix {
	if n := len(d.Swallowed); n > 0 {
		last := d.Text.Data[d.Swallowed[n-1].End:]
		if end, ok := jsontree.ValueEnd(last); ok && len(bytes.TrimSpace(last[end:])) > 0 {
			return nil
		}
	}
	closing := d.Block.Marks()
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	if d.Syntax == nil || d.Syntax.ValueEnd == 0 || len(d.Swallowed) > 0 {
		return unsafeIf(d.Root == nil, newFix("close the fence", d.Fence.Text, insert(d.Block.Span.End, below+closing)))
	}
	after := d.Text.Data[d.Syntax.ValueEnd:]
	next := below
	switch gap := after[:len(after)-len(bytes.TrimLeft(after, " \t\r\n"))]; bytes.Count(gap, []byte{'\n'}) {
	case 0:
	case 1:
		next = strings.TrimRight(below, " \t") // a blank line
	default:
		next = "" // there is one
	}
	return unsafeIf(true, newFix("close the fence after the JSON", d.Text, insert(d.Syntax.ValueEnd, below+closing+next)))
}
