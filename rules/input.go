package rules

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// inputRules are about the inputs themselves: the readers' errors and, for IN-005, what
// the engine knows after all other rules have run.
var inputRules = []*lint.Rule{
	{ID: "IN-001", Name: "unreadable-input", Severity: lint.Error, SpecRef: "input contract",
		Summary: "The input can be read and is valid UTF-8 (a BOM and CRLF are accepted).",
		Help:    "save the input as UTF-8",
		Check: lint.InputCheck(func(p *lint.InputPass) {
			for _, f := range p.Faults {
				var encoding *source.EncodingError
				var tooLarge *source.TooLargeError
				switch {
				case f.Kind == source.Unreadable && errors.As(f.Err, &tooLarge):
					reportFault(p, &f, fmt.Sprintf("file is too large: it has more than the %d bytes allowed", tooLarge.Limit),
						"split the export, or raise limits.file-size in .brennerlint.yaml")
				case f.Kind == source.Unreadable:
					reportFault(p, &f, "cannot be read: "+f.Err.Error(), "")
				case f.Kind != source.NotUTF8 || !errors.As(f.Err, &encoding):
				case encoding.UTF16:
					reportFault(p, &f, "is "+encoding.Error(), saveAsUTF8)
				case f.InMessage:
					hint := ""
					if _, inFile := f.At.Text.ToFile(f.At.Span); inFile {
						hint = saveAsUTF8
					}
					reportFault(p, &f, fmt.Sprintf("%s is not valid UTF-8: byte 0x%02X", describeMessage(f.MessageID), encoding.Byte), hint)
				default:
					reportFault(p, &f, fmt.Sprintf("is not valid UTF-8: byte 0x%02X", encoding.Byte), saveAsUTF8)
				}
			}
		})},
	{ID: "IN-002", Name: "malformed-export", Severity: lint.Error, SpecRef: "input contract",
		Summary: "A mail export parses as its format; the finding has the position of the fault.",
		Help:    "write valid JSON: keys and texts in double quotes, no comments, no comma before } or ]",
		Check: lint.InputCheck(func(p *lint.InputPass) {
			for _, f := range p.Faults {
				var control *source.ControlError
				switch {
				case f.Kind == source.Malformed:
					reportFault(p, &f, f.Err.Error(), f.Hint)
				case f.Kind == source.RawControl && errors.As(f.Err, &control):
					where := "the file"
					if f.InMessage {
						where = describeMessage(f.MessageID)
					}
					reportFault(p, &f, fmt.Sprintf("%s has the control character U+%04X unescaped, which JSON does not allow", where, control.Char),
						fmt.Sprintf(`write \u%04x in a string, or remove it`, control.Char))
				}
			}
		})},
	{ID: "IN-003", Name: "malformed-message", Severity: lint.Error, SpecRef: "input contract",
		Summary: "Every message has a subject, a body, a sender and a timestamp that parses; one finding per message naming what is missing, and the rest of the export is still checked.",
		Help:    "give a subject, a body and a sender",
		Check:   lint.InputCheck(checkComplete)},
	{ID: "IN-004", Name: "copies-differ", Severity: lint.Warning, SpecRef: "input contract",
		Summary: "Copies of one message (canonical, inbox, outbox) have the same subject and body.",
		Check: lint.InputCheck(func(p *lint.InputPass) {
			for _, m := range p.Mismatches {
				d := lint.Diagnostic{At: m.Here.At, Path: m.Here.Path, Thread: m.Thread, MessageID: m.MessageID}
				there := lint.RelatedLocation{At: m.There.At, Path: m.There.Path, Message: "the copy"}
				switch m.Kind {
				case mail.TextsDiffer:
					other := "its copy " + m.There.Path
					if m.There.Path == m.Here.Path {
						other = "its other copy in this file"
					}
					d.Message = fmt.Sprintf("the %s of %s differs from that of %s: %s here, %s there", m.Part, describeMessage(m.MessageID), other, copyText(&m.Here), copyText(&m.There))
				case mail.CopyReadAlone:
					d.Message = describeMessage(m.MessageID) + " was read from its copy " + m.There.Path + ": this file cannot be read"
					d.Suggestion = "restore the file from the copy, or from the mailbox's history"
				default:
					d.Message = fmt.Sprintf("the id %s was given twice: to %s here, and earlier to %s", m.MessageID, copyText(&m.Here), copyText(&m.There))
					d.Suggestion = "check that the server's database was not reset; both messages are read"
					there.Message = "the earlier message"
				}
				d.Related = []lint.RelatedLocation{there}
				p.Report(d)
			}
		})},
	{ID: "IN-005", Name: "unused-suppression", Severity: lint.Warning, SpecRef: "input contract",
		Summary: "Every suppression (comment or configuration entry) is well formed, gives a reason, names known rules and silences something.",
		Check:   lint.InputCheck(checkSuppressions)},
}

const saveAsUTF8 = "save the file as UTF-8"

func reportFault(p *lint.InputPass, f *source.Fault, message, suggestion string) {
	p.Report(lint.Diagnostic{
		At: f.At, Path: f.Path, Message: message, Suggestion: suggestion, Assume: newFix(suggestion, f.At.Text, f.Repair...),
		Thread: f.Thread, MessageID: f.MessageID, Sensitive: f.Sensitive, Unreadable: true, Quoted: jsontree.Quoted(f.Err),
	})
}

// describeMessage returns the name of a message of an export for use in messages.
func describeMessage(id string) string {
	switch {
	case id == "":
		return "the message"
	case strings.Trim(id, "0123456789") != "": // words could be read as those of the finding
		return "message " + text.Quote(id)
	}
	return "message " + id
}

func checkComplete(p *lint.InputPass) {
	for _, m := range p.Incomplete {
		var lacks []string
		need := func(lacksIt bool, what string) {
			if lacksIt {
				lacks = append(lacks, what)
			}
		}
		need(m.NoSubject, "a subject")
		need(m.NoBody, "a body")
		need(m.NoSender, "a sender")
		need(m.NoTime && m.Time == "", "a timestamp")
		need(m.NoTime && m.Time != "", "a timestamp that parses (found "+text.Quote(m.Time)+")")
		d := lint.Diagnostic{At: m.At, Path: m.Path, Message: describeMessage(m.MessageID) + " lacks " + text.And(lacks), Thread: m.Thread, MessageID: m.MessageID}
		switch {
		case m.Draft:
			d.Message = "the draft lacks " + text.And(lacks)
			t := typeOf(&m)
			d.Suggestion = completeDraft(&m, t, knownRoles(p.RuleConfig))
			d.Sensitive = true // the sender's token may be next to it
			if len(m.Misnamed) > 0 {
				d.Fix = renameMembers(&m)
			} else {
				d.Assume = assumeMissing(&m, t)
			}
		case m.NoTime:
			d.Suggestion = "write times as ISO 8601, such as 2025-12-30T12:05:00Z"
		}
		p.Report(d)
	}
}

const untitled = "untitled draft"

// assumeMissing gives a draft the subject, and the body, that it lacks, so that the rest is checked.
// The subject has the type that the advice names.
func assumeMissing(m *mail.Incomplete, t brenner.MessageType) *lint.SuggestedFix {
	if !m.NoSubject || !m.At.Known() || m.At.Span.Empty() {
		return nil
	}
	const what = "assume what is missing"
	subject := strings.Replace(prefixOf(t), brenner.RolePlaceholder, brenner.Roles[0], 1) + " " + untitled
	draft, at := m.At.Text, m.At.Span
	switch first := draft.Data[at.Start]; {
	case m.Headless:
		return newFix(what, draft, insert(at.Start, "Subject: "+subject+"\n\n"))
	case m.Header:
		return newFix(what, draft, insert(at.Start, "Subject: "+subject+"\n"))
	case first == '{':
		members := `"subject": ` + strconv.Quote(subject)
		if m.NoBody {
			members += `, "body_md": "` + untitled + `"`
		}
		if rest := bytes.TrimSpace(draft.Data[at.Start+1:]); !bytes.HasPrefix(rest, []byte("}")) {
			members += ", "
		}
		return newFix(what, draft, insert(at.Start+1, members))
	case first == '"' || draft.Slice(at) == "null":
		return newFix(what, draft, source.Edit{Span: at, Text: strconv.Quote(subject)})
	}
	return nil
}

// typeOf returns the type of a draft without a subject, by its body.
func typeOf(m *mail.Incomplete) brenner.MessageType {
	if m.At.Known() && bytes.Contains(m.At.Text.Data, []byte("```delta")) {
		return brenner.Delta
	}
	t, _ := likelyType(session.Begin(&mail.Thread{}, artifact.Limits{}).Add(&mail.Message{Body: m.Body, BodyState: mail.BodyPresent}), "")
	return t
}

// completeDraft describes how to give a draft the subject and body that it lacks.
func completeDraft(m *mail.Incomplete, t brenner.MessageType, roles []string) string {
	prefix, kind := prefixOf(t)+" ", "the prefix of the message's type"
	if t == brenner.Delta {
		kind = "the model that contributes as the role: " + text.Or(roles)
	}
	var hints []string
	named := map[string]bool{}
	for _, other := range m.Misnamed {
		hint := "rename " + other.Name + " to " + other.Is
		if named[other.Is] {
			hint = "write the text of " + other.Name + " into " + other.Is + ", too"
		}
		hints = append(hints, hint)
		named[other.Is] = true
	}
	switch {
	case named["subject"]:
	case m.NoSubject && m.Header:
		hint := "begin the draft with the lines `Subject: " + prefix + brenner.SubjectPlaceholder + "` and `Thread: " + brenner.ThreadPlaceholder + "`, then a blank line, then the body"
		if t == brenner.Delta {
			hint += "; write " + kind
		}
		hints = append(hints, hint)
	case m.NoSubject:
		hints = slices.Insert(hints, 0, `set "subject": "`+prefix+brenner.SubjectPlaceholder+`", with `+kind)
	}
	if m.NoBody && !named["body_md"] {
		hints = append(hints, "write the message into body_md")
	}
	return text.And(hints)
}

// renameMembers gives the members of a draft their own names. It is nil if two would have the same
// one: the text of one would be lost.
func renameMembers(m *mail.Incomplete) *lint.SuggestedFix {
	fix := &lint.SuggestedFix{Description: "rename the members of the draft"}
	for i, other := range m.Misnamed {
		if slices.ContainsFunc(m.Misnamed[:i], func(earlier mail.MisnamedMember) bool { return earlier.Is == other.Is }) {
			return nil
		}
		fix.Edits = append(fix.Edits, lint.TextEdit{At: other.At, Text: strconv.Quote(other.Is)})
	}
	return fix
}

func copyText(t *mail.CopyText) string {
	if t.Ends {
		return "nothing more"
	}
	return text.Quote(t.Text)
}

// noEffect is the advice on a suppression that is not valid.
const noEffect = "correct it, or remove it: as it is, it has no effect"

func checkSuppressions(p *lint.InputPass) {
	for _, s := range p.Suppressions {
		for _, id := range s.Words {
			reportSuppressedID(p, &s, id)
		}
		if len(s.Words) > 0 {
			continue
		}
		d := lint.Diagnostic{At: s.At}
		d.Message, d.Suggestion = suppressionWords(&s)
		switch {
		case s.SuggestionAt.Len() > 0: // the rules that it names would then be suppressed
			d.Fix = unsafeIf(true, newFix("write "+s.Suggestion, s.At.Text, source.Edit{Span: s.SuggestionAt, Text: s.Suggestion}))
		case s.Directive && s.Suggestion == "" && s.Fault != lint.NotOnOwnLine:
			d.Fix = removal(&s)
		}
		p.Report(d)
	}
}

// reportSuppressedID reports one of the words that name rules in a directive.
func reportSuppressedID(p *lint.InputPass, s *lint.UnusedSuppression, id source.Span) {
	word := s.At.Text.Slice(id)
	d := lint.Diagnostic{At: s.At.Text.Place(id), Message: word + " matches no finding here", Suggestion: "remove it from the directive"}
	if s.Fault == lint.UnknownRule {
		d.Message, d.Suggestion = "unknown rule "+text.Quote(word), noEffect
	}
	if word == "" {
		d.Message, word = "the list of rules has a comma too many", ","
	}
	if s.LastValid > 0 {
		d.Fix = newFix("remove "+text.Quote(word), s.At.Text, source.Edit{Span: entrySpan(s, id)})
	} else {
		d.Fix = removal(s)
	}
	p.Report(d)
}

// entrySpan returns a word of a list in a directive, with the comma and the space that
// separate it from the next one, or from the previous one if only words at fault follow.
func entrySpan(s *lint.UnusedSuppression, word source.Span) source.Span {
	t := s.At.Text
	if word.Start < s.LastValid {
		after := t.Bytes(source.Span{Start: word.End, End: s.LastValid})
		rest := bytes.TrimPrefix(bytes.TrimLeftFunc(after, unicode.IsSpace), []byte(","))
		word.End += len(after) - len(bytes.TrimLeftFunc(rest, unicode.IsSpace))
		return word
	}
	before := t.Bytes(source.Span{Start: s.LastValid, End: word.Start})
	rest := bytes.TrimSuffix(bytes.TrimRightFunc(before, unicode.IsSpace), []byte(","))
	word.Start = s.LastValid + len(bytes.TrimRightFunc(rest, unicode.IsSpace))
	return word
}

// suppressionWords says what is wrong with a suppression, and what to do about it.
func suppressionWords(s *lint.UnusedSuppression) (message, suggestion string) {
	what, end := "the suppression", ""
	if s.Directive {
		what, end = "the directive", "; write it after --"
	}
	words := map[lint.SuppressionFault][2]string{
		lint.Unused:           {"this suppression matches no finding", "remove it"},
		lint.UnknownDirective: {"unknown directive " + text.Quote(s.Word) + "; expected brennerlint:ignore or brennerlint:ignore-file"},
		lint.UnknownRule:      {"unknown rule " + text.Quote(s.Word)},
		lint.NoRuleNamed:      {what + " names no rule"},
		lint.NoReasonGiven:    {what + " gives no reason" + end},
		lint.NotFirstComment:  {"ignore-file must be in the first comment after the front matter"},
		lint.NothingFollows:   {"no item or section follows the directive"},
		lint.NotOnOwnLine: {"the directive has no effect, because it is within a line of other text",
			"write it on a line of its own, above the item that it is about"},
		lint.TooManyDirectives: {"the file has too many directives: this one and those after it have no effect",
			"write one brennerlint:ignore-file for the rules of many directives, and remove these"},
	}[s.Fault]
	if words[1] == "" && s.Suggestion != "" {
		words[1] = "write " + s.Suggestion
	}
	return words[0], cmp.Or(words[1], noEffect)
}

// removal removes a directive from an artifact, with its line if nothing else is on it.
// Entries of the configuration are for people to remove, and so are reasons: the fix of
// a directive with a reason is unsafe.
func removal(s *lint.UnusedSuppression) *lint.SuggestedFix {
	at := s.At
	if !at.Known() || !bytes.HasPrefix(at.Text.Bytes(at.Span), []byte("<!--")) {
		return nil
	}
	span := at.Span
	line := at.Text.Line(at.Text.LineAt(span.Start))
	before, after := source.Span{Start: line.Start, End: span.Start}, source.Span{Start: span.End, End: max(line.End, span.End)}
	// On a line with very many directives, each looks no further than its neighbours.
	if len(bytes.TrimRightFunc(at.Text.Bytes(before), unicode.IsSpace))+len(bytes.TrimLeftFunc(at.Text.Bytes(after), unicode.IsSpace)) == 0 {
		span = source.Span{Start: line.Start, End: after.End}
		for span.End < len(at.Text.Data) && at.Text.Data[span.End-1] != '\n' {
			span.End++ // the line end is also removed
		}
	}
	return unsafeIf(s.Reason, newFix("remove the directive", at.Text, source.Edit{Span: span}))
}
