package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// publishRules are about the body of a COMPILED before its inline artifact, if any
// (artifact_publish_spec, COMPILED Message Extended Schema).
var publishRules = []*lint.Rule{
	{ID: "AP-001", Name: "compiled-subject-version", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-001",
		Summary: "COMPILED subject is `COMPILED: v{N}` with N >= 1, no leading zero, then a space and a description or the end.",
		Help:    "write COMPILED: v1 and a description: a lower-case v, a number >= 1 without leading zeros, a space",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkSubjectVersion)},
	{ID: "AP-003", Name: "compiled-thread-id", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-003",
		Summary: "The body's Thread ID is present and is the message's thread_id, and an inline artifact names no other session.",
		Help:    "add the line **Thread ID**: … with the message's thread id",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkBodyThread)},
	{ID: "AP-004", Name: "compiled-contributors", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-004",
		Summary: "The Contributors section lists at least one contributor (a template placeholder or `None` is none).",
		Help:    "list each agent whose deltas were merged under ## Contributors, such as - BlueLake (2 deltas)",
		Types:   ofTypes(brenner.Compiled), Check: orWrapper(checkListedContributors)},
	{ID: "AP-005", Name: "compiled-artifact-path", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-005",
		Summary: "The body's Artifact Path is present and is artifacts/{thread_id}.md.",
		Help:    "write **Artifact Path**: artifacts/{thread_id}.md, with the message's own thread id",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkArtifactPath)},
	{ID: "AP-006", Name: "compiled-full-artifact", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-006",
		Summary: "The Full Artifact section holds the artifact inline (raw headings after it, or fenced) or a link or path.",
		Help:    "put the artifact, or a link to its file, under ## Full Artifact",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkFullArtifact)},
	{ID: "AP-007", Name: "compiled-statistics", Severity: lint.Warning, SpecRef: "artifact_publish_spec#AP-007",
		Summary: "COMPILED has a Statistics section.",
		Types:   ofTypes(brenner.Compiled),
		Check:   needSection(sectionReq{title: "Statistics", purpose: "the number of items in each section", aliases: []string{"Stats", "Counts"}})},
	{ID: "AP-008", Name: "compiled-validation-status", Severity: lint.Warning, SpecRef: "artifact_publish_spec#AP-008",
		Summary: "COMPILED has a Validation Status section.",
		Types:   ofTypes(brenner.Compiled),
		Check:   needSection(sectionReq{title: "Validation Status", purpose: "the linter's result", aliases: []string{"Validation", "Brenner Protocol Compliance"}})},
	{ID: "AP-011", Name: "compiled-at", Severity: lint.Error, SpecRef: "artifact_publish_spec#Validation",
		Summary: "Compiled At is present and is ISO 8601.",
		Help:    "write the time of compilation in ISO 8601, such as 2025-12-30T10:00:00Z",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkCompiledAt)},
	{ID: "AP-013", Name: "compiled-body-version", Severity: lint.Error,
		SpecRef: "artifact_publish_spec#Body Schema (Extended); message_body_schema#COMPILED Messages",
		Summary: "The version in the body (title or Version) is present and is the subject's; Previous Version, where given, is N-1.",
		Help:    "write the subject's version everywhere; Previous Version is one less",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkBodyVersion)},
}

// checkSubjectVersion checks what follows the prefix as leniently read (decisions.md
// 4); a subject with nothing there is SU-001.
func checkSubjectVersion(p *lint.MessagePass) {
	m := p.Message
	description := m.SubjectText[m.Description.Start:m.Description.End]
	if m.Version.OK || blankText(description) {
		return
	}
	d := lint.Diagnostic{At: m.InSubject(m.Description)}
	if v := m.Version; v.Span.Empty() {
		d.Message = "COMPILED subject has no version; expected v{N}, got " + text.Quote(description)
		version := max(1, bodyVersion(m))
		d.Suggestion = fmt.Sprintf("write COMPILED: v%d and then the description; v1 is the first version of the thread, then come v2, v3", version)
		if m.Form == mail.Draft {
			at := source.Span{Start: m.Description.Start, End: m.Description.Start}
			d.Assume = newFix(d.Suggestion, m.Message.Subject, source.Edit{Span: at, Text: fmt.Sprintf("v%d ", version)})
		}
	} else {
		word, _, _ := strings.Cut(description, " ")
		d.At.Span.End = d.At.Span.Start + len(word)
		d.Message = "COMPILED version " + text.Quote(word) + " is not v{N} (a lower-case v, a number >= 1 without leading zeros, then a space or the end)"
		if v.Meant > 0 {
			d.Suggestion = "did you mean v" + strconv.Itoa(v.Meant) + "?"
			if m.Form == mail.Draft {
				d.Assume = newFix(d.Suggestion, m.Message.Subject, source.Edit{Span: d.At.Span, Text: "v" + strconv.Itoa(v.Meant)})
			}
		}
	}
	p.Report(d)
}

// fieldValue returns a field line of the body, or reports at the subject that it is
// missing, or at the line that it has no value, and returns nil.
func fieldValue(p *lint.MessagePass, name, example string) *session.Field {
	m := p.Message
	if m.Doc == nil || isWrapped(m) {
		return nil
	}
	f := m.Field(name)
	if f == nil {
		d := lint.Diagnostic{
			At:         m.SubjectPlace(),
			Message:    m.Intended.String() + " lacks " + name,
			Suggestion: "add the line `- **" + name + "**: " + typed(example) + "`",
		}
		if line := namedLine(m, name); line != "" {
			d.Suggestion = "write the line " + text.Quote(line) + " as `- **" + name + "**: " + typed(example) + "`"
		}
		p.Report(d)
		return nil
	}
	if unfilled(f) {
		reportField(p, f, name+" is empty", "write `- **"+name+"**: "+typed(example)+"`")
		return nil
	}
	return f
}

// unfilled reports whether a field line has no value of its own.
func unfilled(f *session.Field) bool { return f.Text == "" || session.IsPlaceholder(f.Text) }

// reportField reports a field line at its value, or at its name if it has none.
func reportField(p *lint.MessagePass, f *session.Field, message, suggestion string) {
	at := f.Value
	if at.Empty() {
		at = f.Label
	}
	p.Report(lint.Diagnostic{At: p.Message.InBody(at), Message: message, Suggestion: suggestion})
}

// checkArtifactSession reports an inline artifact that names another session, once
// (decisions.md 68).
func checkArtifactSession(p *lint.MessagePass) {
	a, id := p.Message.Artifact, p.Message.ThreadID
	if a == nil || id == "" {
		return
	}
	d := lint.Diagnostic{Suggestion: "publish the artifact of this session in its own thread"}
	if v := a.Meta.Get("session_id"); v != nil && v.Kind == artifact.MetaString && strings.TrimSpace(v.Text) != "" && v.Text != id {
		d.At, d.Field = a.Text.Place(v.Span), "session_id"
		d.Message = fmt.Sprintf("session_id of the artifact is %s, but the message's thread_id is %s", text.Quote(v.Text), text.Quote(id))
		p.Report(d)
	} else if title, at := a.TitleID(); title != "" && title != id {
		d.At = a.Text.Place(at)
		d.Message = fmt.Sprintf("the artifact's title names %s, but the message's thread_id is %s", text.Quote(title), text.Quote(id))
		p.Report(d)
	}
}

func checkBodyThread(p *lint.MessagePass) {
	id := p.Message.ThreadID
	example := id
	if id == "" {
		example = brenner.ThreadPlaceholder
	}
	checkArtifactSession(p)
	f := fieldValue(p, "Thread ID", example)
	if f == nil || id == "" || f.Text == id {
		return
	}
	reportField(p, f, "Thread ID is "+text.Quote(f.Text)+", but the message's thread_id is "+text.Quote(id), "did you mean "+text.Quote(id)+"?")
}

func checkListedContributors(p *lint.MessagePass) {
	w := sectionReq{title: "Contributors", purpose: "the agents whose deltas were merged", aliases: []string{"Contributing Agents", "Agents"}}
	s := filledSection(p, w)
	if s == nil || len(s.Contributors()) > 0 || !s.IsNone() && !holdsTable(p.Message, s) {
		return
	}
	d := lint.Diagnostic{At: p.Message.InBody(s.Heading), Message: "section " + text.Quote(s.Title) + " lists no contributors; expected at least one"}
	d.Suggestion = "write below the heading: " + brenner.SectionPlaceholder(w.title)
	if s.IsNone() {
		d.At = p.Message.InBody(s.FirstLine())
		d.Suggestion = "write " + brenner.SectionPlaceholder(w.title) + " instead of the line"
	}
	p.Report(d)
}

// holdsTable reports whether a section contains a table: one that names no contributor
// is empty or the template's.
func holdsTable(m *session.Message, s *session.Section) bool {
	for i := range s.Blocks {
		if _, ok := m.Doc.Table(&s.Blocks[i]); ok {
			return true
		}
	}
	return false
}

// artifactPath returns the canonical path of a thread's artifact.
func artifactPath(p *lint.MessagePass) string {
	return p.RuleConfig.ArtifactsDir + "/" + p.Message.ThreadID + ".md"
}

func checkArtifactPath(p *lint.MessagePass) {
	want := artifactPath(p)
	if f := fieldValue(p, "Artifact Path", want); f != nil {
		checkPath(p, f, "Artifact Path", want)
	}
}

// checkPath reports a path that is neither the canonical one nor a link to it; it
// returns true if the path is right.
func checkPath(p *lint.MessagePass, f *session.Field, name, want string) bool {
	if f.Text == want || strings.HasSuffix(f.Text, "]("+want+")") || p.Message.ThreadID == "" {
		return true
	}
	reportField(p, f, name+" is "+text.Quote(f.Text)+", but the artifact of this thread is "+text.Quote(want), "did you mean "+text.Quote(want)+"?")
	return false
}

// checkFullArtifact reports nothing for a body that is the bare artifact: the content
// of the section is there.
func checkFullArtifact(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil {
		return
	}
	if m.Artifact != nil {
		if m.Section("Full Artifact") == nil {
			p.Report(lint.Diagnostic{
				At:         m.SubjectPlace(),
				Message:    `COMPILED has no "Full Artifact" section: its body is just the artifact`,
				Suggestion: "add the heading ## Full Artifact above the artifact, and the other sections of a COMPILED above that",
			})
		}
		return
	}
	s := filledSection(p, sectionReq{title: "Full Artifact", purpose: "the artifact, or a link to its file", aliases: []string{"Artifact", "Compiled Artifact"}})
	if s == nil || linksOrHolds(m.Doc, s) {
		return
	}
	p.Report(lint.Diagnostic{
		At:         m.InBody(s.Heading),
		Message:    "section " + text.Quote(s.Title) + " contains neither an artifact nor a link or path to one",
		Suggestion: "write below the heading: " + typed(artifactPath(p)) + ", or the seven sections of the artifact",
	})
}

// linkToNothing is the end of a link without a destination: [the file]().
var linkToNothing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\(\s*(<\s*>)?\s*\)`) })

// linksOrHolds reports whether a section contains a link, a path, or something with its
// own headings, raw or in a fence.
func linksOrHolds(doc *markdown.Document, s *session.Section) bool {
	text := linkToNothing().ReplaceAllString(s.Text(s.Content), "")
	for _, sign := range []string{"](", "://", ".md", ".json", "artifacts/"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	for i := range s.Blocks {
		switch b := &s.Blocks[i]; b.Kind {
		case markdown.Heading:
			return true
		case markdown.Fence:
			for l := range doc.Lines(b) {
				if strings.HasPrefix(s.Text(l), "#") {
					return true
				}
			}
		}
	}
	return false
}

func checkCompiledAt(p *lint.MessagePass) {
	f := fieldValue(p, "Compiled At", brenner.NowPlaceholder)
	if f == nil {
		return
	}
	if _, ok := brenner.ParseISO(f.Text); !ok {
		hint := cmp.Or(meantTime(f.Text), "write `- **Compiled At**: "+brenner.NowPlaceholder+"`, the time of compilation in this form")
		reportField(p, f, "Compiled At is "+text.Quote(f.Text)+"; expected an ISO 8601 timestamp, YYYY-MM-DDThh:mm:ssZ", hint)
	}
}
