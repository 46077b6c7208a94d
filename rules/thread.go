package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// threadRules are about thread ids, the key that joins mail, files and issues
// (thread_subject_conventions, Thread ID Conventions). A fault of an id is reported
// once per thread, at the value of thread_id nearest to its first message.
var threadRules = []*lint.Rule{
	{ID: "TH-001", Name: "bead-thread-id", Severity: lint.Error, Code: "INVALID_BEAD_ID", SpecRef: "thread_subject_conventions#Thread ID Validation",
		Summary: "A thread id that is neither RS- nor COORD- matches the engineering pattern.",
		Help:    "use the id of the bead, such as brenner_bot-5so.3.4, or RS-YYYYMMDD-slug for a research session",
		Check: malformedID(brenner.EngineeringThread, func(id string) *idFault {
			name := "thread id " + text.Quote(id)
			if fixed := announcedID(id); fixed != "" {
				form := "RS-YYYYMMDD-slug"
				if strings.HasPrefix(fixed, "COORD-") {
					form = "COORD-topic"
				}
				return &idFault{message: name + " is neither " + form + " nor a bead id: only hyphens join the parts of " + form, fixed: fixed, fixable: true}
			}
			why := "a dot must have letters, digits, _ or - on both sides"
			if c, ok := firstOther(id, "_-."); ok {
				why = "it contains " + charName(c) + "; expected only lower-case letters, digits, _, - and dots"
			}
			return &idFault{
				message: name + " is not a bead id: " + why,
				hint:    "use RS-YYYYMMDD-slug for a research session, COORD-topic for coordination, or the bead id for engineering work",
				fixed:   ifValid(beadIDOf(id)),
			}
		})},
	{ID: "TH-002", Name: "research-thread-id", Severity: lint.Error, Code: "INVALID_RS_THREAD_ID",
		SpecRef: "thread_subject_conventions#Thread ID Validation",
		Summary: "A thread id that begins with RS- (in any case before eight digits and a hyphen) matches the research pattern.",
		Help:    "write RS-YYYYMMDD-slug: the date, then 2 to 5 lower-case words joined by hyphens, at most 40 characters",
		Check: malformedID(brenner.ResearchSession, func(id string) *idFault {
			date, slug, parts := brenner.SplitResearchID(id)
			why := partFault("slug", slug, 40, "RS-")
			if !parts {
				why = "eight digits and a hyphen must follow RS-"
				if dated := datedSlug(id); hyphenedDate().MatchString(dated) { // RS-2025-12-30-slug, RS-20251230 slug
					date, slug, _ = strings.Cut(dated[len("RS-"):], "-")
				}
			}
			fault := &idFault{
				message: "thread id " + text.Quote(id) + " is not RS-YYYYMMDD-slug: " + why,
				hint:    "write RS-<YYYYMMDD>-<2 to 5 words joined by hyphens>",
				fixed:   ifValid("RS-" + date + "-" + shortSlug(slug, 40)), fixable: true,
			}
			if words := slugOf(strings.TrimLeft(id[len("RS-"):], "0123456789-_")); words != "" && date == "" {
				fault.hint = "write `RS-<YYYYMMDD>-" + shortSlug(words, 40) + "`, with the date on which the session began"
			}
			return fault
		})},
	{ID: "TH-003", Name: "coordination-thread-id", Severity: lint.Error, Code: "INVALID_COORD_THREAD_ID",
		SpecRef: "thread_subject_conventions#Thread ID Validation",
		Summary: "A thread id that begins with COORD- (in any case before letters and hyphens) matches the coordination pattern.",
		Help:    "write COORD-topic: lower-case words joined by hyphens, at most 30 characters",
		Check: malformedID(brenner.CoordinationThread, func(id string) *idFault {
			topic := id[len("COORD-"):]
			return &idFault{
				message: "thread id " + text.Quote(id) + " is not COORD-topic: " + partFault("topic", topic, 30, "COORD-"),
				fixed:   ifValid("COORD-" + shortSlug(topic, 30)),
			}
		})},
	{ID: "TH-004", Name: "research-thread-date", Severity: lint.Warning, SpecRef: "thread_subject_conventions#Research Sessions",
		Summary: "The eight digits of an RS- thread id are a real calendar date.",
		Check: threadID(func(t *session.Thread) *idFault {
			date, _, ok := brenner.SplitResearchID(t.ID)
			if !ok {
				return nil
			}
			if _, err := time.Parse("20060102", date); err == nil {
				return nil
			}
			fault := &idFault{message: text.Quote(date) + " in thread id " + text.Quote(t.ID) + " is not a calendar date; expected YYYYMMDD"}
			if first := t.Messages[0]; first.HasTime {
				fault.hint = "use the date on which the session began, " + first.Time.Format("2006-01-02") + ": RS-" + first.Time.Format("20060102") + "-…"
			}
			return fault
		})},
	{ID: "TH-005", Name: "research-thread-slug", Severity: lint.Info, SpecRef: "thread_subject_conventions#Research Sessions",
		Summary: "The RS- slug has 2 to 5 hyphenated words and 10 to 40 characters, and is not generic (session-1, test, untitled).",
		// Ids that do not match the pattern are TH-002.
		Check: threadID(func(t *session.Thread) *idFault {
			_, slug, isResearch := brenner.SplitResearchID(t.ID)
			if !isResearch || ifValid(t.ID) == "" {
				return nil
			}
			words := strings.FieldsFunc(slug, func(r rune) bool { return r == '-' })
			isTelling := func(w string) bool { return !brenner.IsNumber(w) && !slices.Contains(genericWords, w) }
			message := "slug " + text.Quote(slug) + " of the thread id "
			switch {
			case !slices.ContainsFunc(words, isTelling):
				message += "says nothing about the topic"
			case len(words) < 2 || len(words) > 5:
				message += "has " + text.Count(len(words), "word", "words") + "; expected 2 to 5"
			case len(slug) < 10:
				message += "has " + text.Count(len(slug), "character", "characters") + "; expected 10 to 40"
			default:
				return nil
			}
			return &idFault{message: message, hint: "choose 2 to 5 memorable words, as in RS-20251230-gradient-vs-lineage"}
		})},
	{ID: "TH-006", Name: "thread-id-path-safe", Severity: lint.Error, SpecRef: "thread_subject_conventions#Artifact storage layout",
		Summary: "A thread id contains no `/`, `\\`, `..`, NUL or control character: it is a file name.",
		Help:    "use letters, digits, hyphens, underscores and single dots only: the thread id becomes a file name",
		Check: threadID(func(t *session.Thread) *idFault {
			bad := notInFileName(t.ID)
			if bad == "" {
				return nil
			}
			return &idFault{message: "thread id " + text.Quote(t.ID) + " contains " + bad + ", but is used as the file name artifacts/{thread_id}.md", hint: "join the parts with hyphens or single dots", fixed: idOfFile(t.ID), fixable: true}
		})},
	{ID: "TH-007", Name: "thread-id-missing", Severity: lint.Warning, SpecRef: "thread_subject_conventions#For Agents",
		Summary: "A protocol message carries a thread_id.",
		// The mail that began a numeric thread leaves its own thread_id empty: Agent Mail names the thread after it.
		Types: brenner.MessageTypes, Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			if strings.TrimSpace(m.ThreadID) != "" || p.Thread != nil && p.Thread.ID != "" && p.Thread.ID == m.ID {
				return
			}
			p.Report(finding(m.SubjectPlace(),
				string(m.Intended)+" has no thread_id; nothing links it to its session or bead",
				"set thread_id to RS-YYYYMMDD-slug, COORD-topic or the bead id"))
		})},
	{ID: "TH-008", Name: "kickoff-thread-mismatch", Severity: lint.Warning, SpecRef: "thread_subject_conventions#Cross-Reference Contract",
		Summary: "A research thread id written in a KICKOFF subject is the message's own thread_id.",
		// Brenner sends one mail per recipient: the first is reported (decisions.md 2, 3), and a draft.
		About: lint.MessageScope, Check: lint.ThreadCheck(func(p *lint.ThreadPass) {
			isReported := false
			for _, m := range p.Thread.Messages {
				if m.Intended == brenner.Kickoff && (!isReported || m.Form == mail.Draft) {
					isReported = checkKickoffThread(p, m) || isReported
				}
			}
		})},
}

// idFault is what is wrong with a thread id.
type idFault struct {
	message, hint string
	fixed         string // the id that was probably meant, or ""
	fixable       bool   // a draft can be given that id
}

// threadID returns a check of the thread's id; nil means that nothing is wrong.
func threadID(check func(t *session.Thread) *idFault) lint.ThreadCheck {
	return func(p *lint.ThreadPass) {
		if strings.TrimSpace(p.Thread.ID) == "" || len(p.Thread.Messages) == 0 { // TH-007
			return
		}
		fault := check(p.Thread)
		if fault == nil {
			return
		}
		first := p.Thread.Messages[0]
		d := lint.Diagnostic{At: first.Thread.WholePlace(), In: first, Message: fault.message, Suggestion: fault.hint}
		if !d.At.Known() {
			d.At = first.SubjectPlace() // the form has no thread_id (decisions.md 3)
		}
		if fault.fixed != "" {
			d.Suggestion = didYouMean(quoteFull(fault.fixed))
			if fault.fixable && first.Form == mail.Draft {
				d.Fix = renameThread(first, fault.fixed)
			}
		}
		p.Report(d)
	}
}

// malformedID returns the check that ids of a kind match its pattern; fault says why one does not.
func malformedID(kind brenner.ThreadKind, fault func(id string) *idFault) lint.ThreadCheck {
	return threadID(func(t *session.Thread) *idFault {
		if is, ok := brenner.ClassifyThreadID(t.ID); is != kind || ok {
			return nil
		}
		out := fault(t.ID)
		if of := idOfFile(t.ID); of != "" {
			out.fixed, out.fixable = of, true
			if strings.HasSuffix(t.ID, ".md") {
				out.message = "thread id " + text.Quote(t.ID) + " is the file of the thread's artifact; expected the id alone"
			}
		}
		return out
	})
}

// idOfFile returns the id of the thread whose artifact a path is, "" if it is none.
func idOfFile(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	id := strings.TrimSuffix(name, ".md")
	kind, ok := brenner.ClassifyThreadID(id)
	if isFile := id != name || name != path; isFile && ok && (kind != brenner.EngineeringThread || strings.HasPrefix(path, "artifacts/") && id != name) {
		return id
	}
	return ""
}

// renameThread gives a draft another thread id, everywhere it names its own.
func renameThread(m *session.Message, id string) *lint.SuggestedFix {
	fix := &lint.SuggestedFix{
		Description: "set thread_id to " + text.Quote(id), Unsafe: true,
		Edits: []lint.TextEdit{{At: m.Thread.WholePlace(), Text: id}},
	}
	for _, t := range []*source.Text{m.Message.Subject, m.Body} {
		if t == nil {
			continue
		}
		for _, span := range wholeWords(string(t.Data), m.ThreadID) {
			fix.Edits = append(fix.Edits, lint.TextEdit{At: t.Place(span), Text: id})
		}
	}
	return fix
}

// wholeWords finds a thread id in a text except as part of a longer one.
func wholeWords(text, id string) (out []source.Span) {
	for at := strings.Index(text, id); at >= 0 && id != ""; {
		end := at + len(id)
		if (at == 0 || !isIDByte(text[at-1])) && (end == len(text) || !isIDByte(text[end])) {
			out = append(out, source.Span{Start: at, End: end})
		}
		if at = strings.Index(text[end:], id); at >= 0 {
			at += end
		}
	}
	return out
}

// announcedID returns the id of a session or coordination thread that an id announces
// with another separator than a hyphen, as in `RS_20251230 cell fate`; "" if none. The id
// of a bead may begin with the same letters, and keeps its dots and _ (decisions.md 66).
func announcedID(id string) string {
	word, rest, _ := strings.Cut(datedSlug(id), "-")
	switch date, slug, _ := strings.Cut(rest, "-"); {
	case strings.Contains(id, "."):
	case word == "rs":
		return ifValid("RS-" + date + "-" + shortSlug(slug, 40))
	case word == "coord" && (strings.HasPrefix(id, "COORD") || !strings.ContainsAny(id, "_0123456789")):
		return ifValid("COORD-" + shortSlug(rest, 30))
	}
	return ""
}

// beadIDOf returns the id of a bead that a text most likely is: `_` and dots stay, other
// characters become hyphens.
func beadIDOf(s string) string {
	var parts []string
	for part := range strings.SplitSeq(s, ".") {
		if part = hyphened(part, "_-"); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ".")
}

// ifValid returns an id if it matches the pattern of its kind, else "".
func ifValid(id string) string {
	if _, ok := brenner.ClassifyThreadID(id); !ok {
		return ""
	}
	return id
}

// partFault says what is wrong with what follows the prefix of an id, or else with the prefix.
func partFault(name, part string, most int, prefix string) string {
	switch c, other := firstOther(part, "-"); {
	case other:
		return "the " + name + " contains " + charName(c) + "; expected only lower-case letters, digits and hyphens"
	case len(part) < 2 || len(part) > most:
		return fmt.Sprintf("the %s has %s; expected 2 to %d", name, text.Count(len(part), "character", "characters"), most)
	}
	return "it must begin with " + prefix + " in upper case"
}

// firstOther returns the first character that is not a lower-case letter or digit and
// not among the allowed ones; false if there is none.
func firstOther(s, allowed string) (rune, bool) {
	for _, r := range s {
		if isOther(r, allowed) {
			return r, true
		}
	}
	return 0, false
}

func isOther(r rune, allowed string) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(allowed, r)
}

// notInFileName returns what a thread id contains that a file name must not; "" for nothing.
func notInFileName(id string) string {
	at := strings.IndexFunc(id, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) })
	switch {
	case at >= 0:
		r, _ := utf8.DecodeRuneInString(id[at:])
		return charName(r)
	case strings.Contains(id, ".."):
		return `".."`
	}
	return ""
}

func charName(r rune) string {
	switch {
	case r == ' ':
		return "a space"
	case r == utf8.RuneError || !unicode.IsPrint(r):
		return fmt.Sprintf("the character U+%04X", r)
	}
	return strconv.Quote(string(r))
}

// genericWords make no slug memorable, with or without a number.
var genericWords = []string{"session", "test", "untitled", "research", "thread", "topic", "new", "tmp", "temp", "misc", "example", "demo", "experiment"}

// cutSubject is where Agent Mail cuts subjects, without an ellipsis (mail_formats.md,
// Threads, subjects, replies).
const cutSubject = 200

// checkKickoffThread reports nothing if the subject also names its own thread, or was
// cut off within the id. An id of another form than a research id, such as one with a
// slash, is named as a whole.
func checkKickoffThread(p *lint.ThreadPass, m *session.Message) (isReported bool) {
	if m.ThreadID == "" || len(wholeWords(m.SubjectText, m.ThreadID)) > 0 {
		return false
	}
	var other source.Span
	for _, at := range idWords().FindAllStringIndex(m.SubjectText, -1) {
		id := strings.TrimRight(m.SubjectText[at[0]:at[1]], "-")
		if _, slug, ok := brenner.SplitResearchID(id); !ok || slug == "" {
			continue
		}
		end := at[0] + len(id)
		rest := m.SubjectText[end:]
		cut := strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "[REDACTED]") || rest == "" && utf8.RuneCountInString(m.SubjectText) >= cutSubject
		if id == m.ThreadID || cut && strings.HasPrefix(m.ThreadID, id) {
			return false
		}
		if other.Empty() {
			other = source.Span{Start: at[0], End: end}
		}
	}
	if other.Empty() {
		return false
	}
	other.End += len(idParts().FindString(m.SubjectText[other.End:]))
	p.Report(inMessage(m, m.InSubject(other),
		"subject names thread "+text.Quote(m.SubjectText[other.Start:other.End])+", but the message's thread_id is "+text.Quote(m.ThreadID),
		"use one thread id for the session everywhere"))
	return true
}

// idWords finds runs of what isIDByte allows, idParts those that slashes join to an id.
var (
	idWords = text.Pattern(`[-\w]+`)
	idParts = text.Pattern(`^(?:/[-\w]+)+`)
)

func isIDByte(c byte) bool { return c == '-' || c == '_' || isLetter(c) || c >= '0' && c <= '9' }

// shortSlug is slugOf limited to the words that fit.
func shortSlug(s string, most int) string {
	slug := slugOf(s)
	for len(slug) > most {
		at := strings.LastIndexByte(slug, '-')
		if at < 0 {
			return slug[:most]
		}
		slug = slug[:at]
	}
	return slug
}

// datedSlug makes a slug of an id of a session, with its date in eight digits.
func datedSlug(id string) string { return hyphenedDate().ReplaceAllString(slugOf(id), "rs-$1$2$3-") }

var hyphenedDate = text.Pattern(`^rs-?([0-9]{4})-?([0-9]{2})-?([0-9]{2})-`)

// slugOf makes a slug of a text: in lower case, with hyphens between words.
func slugOf(s string) string { return hyphened(s, "") }

// hyphened joins the words of a text by hyphens, in lower case. Their characters are letters, digits
// and those allowed.
func hyphened(s, allowed string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return isOther(r, allowed) })
	return strings.Join(words, "-")
}
