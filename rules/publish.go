package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// publishRules are about what is published: the body of a COMPILED, its inline artifact and the
// file of it, and the versions over the life of a thread (artifact_publish_spec).
var publishRules = []*lint.Rule{
	{ID: "AP-001", Name: "compiled-subject-version", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-001",
		Summary: "COMPILED subject is `COMPILED: v{N}` with N >= 1, no leading zero, then a space and a description or the end.",
		Help:    "write COMPILED: v1 and a description: a lower-case v, a number >= 1 without leading zeros, a space",
		// What follows the prefix is read leniently (decisions.md 4). A subject with nothing there is SU-001.
		Types: ofTypes(brenner.Compiled), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			description := m.Subject.Slice(m.Description)
			if m.Version.OK || blankText(description) {
				return
			}
			d := lint.Diagnostic{At: m.InSubject(m.Description)}
			edit := source.Edit{}
			if v := m.Version; v.Span.Empty() {
				d.Message = "COMPILED subject has no version; expected v{N}, got " + text.Quote(description)
				version := max(1, bodyVersion(m))
				d.Suggestion = fmt.Sprintf("write COMPILED: v%d and then the description; v1 is the first version of the thread, then come v2, v3", version)
				edit = insert(m.Description.Start, fmt.Sprintf("v%d ", version))
			} else {
				word, _, _ := strings.Cut(description, " ")
				d.At.Span.End = d.At.Span.Start + len(word)
				d.Message = "COMPILED version " + text.Quote(word) + " is not v{N} (a lower-case v, a number >= 1 without leading zeros, then a space or the end)"
				if v.Meant > 0 {
					meant := "v" + strconv.Itoa(v.Meant)
					d.Suggestion = didYouMean(meant)
					edit = source.Edit{Span: d.At.Span, Text: meant}
				}
			}
			if m.Form == mail.Draft && d.Suggestion != "" {
				d.Assume = newFix(d.Suggestion, m.Message.Subject, edit)
			}
			p.Report(d)
		})},
	{ID: "AP-002", Name: "compiled-version-increases", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-002",
		Summary: "N is greater than every earlier COMPILED version of the thread.",
		Help:    "use the version after the latest published one",
		Check: versionRule(func(v version) string {
			switch {
			case v.n > v.highest:
				return ""
			case v.earlier != nil:
				return fmt.Sprintf("v%d is already published; versions are never reused", v.n)
			}
			return fmt.Sprintf("v%d is published after v%d; versions must increase", v.n, v.highest)
		})},
	{ID: "AP-003", Name: "compiled-thread-id", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-003",
		Summary: "The body's Thread ID is present and is the message's thread_id, and an inline artifact names no other session.",
		Help:    "add the line **Thread ID**: … with the message's thread id",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			checkArtifactSession(p)
			inBody(checkThreadID)(p)
		})},
	{ID: "AP-004", Name: "compiled-contributors", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-004",
		Summary: "The Contributors section lists at least one contributor (a template placeholder or `None` is none).",
		Help:    "list each agent whose deltas were merged under ## Contributors, such as - BlueLake (2 deltas)",
		Types:   ofTypes(brenner.Compiled), Check: orWrapper(func(p *lint.MessagePass) {
			w := sectionReq{title: "Contributors", purpose: "the agents whose deltas were merged", aliases: []string{"Contributing Agents", "Agents"}}
			s := filledSection(p, w)
			if s == nil || len(s.Contributors(nil)) > 0 {
				return
			}
			isTable := func(b markdown.Block) bool { _, ok := p.Message.Doc.Table(&b); return ok }
			isTemplate := strings.HasPrefix(strings.TrimLeft(p.Message.Body.Slice(s.FirstLine()), "| \t"), "{") // `- {name}: {N} deltas`
			if !s.IsNone() && !isTemplate && !slices.ContainsFunc(s.Blocks, isTable) {
				return // a table that names no contributor is empty or the template's
			}
			d := lint.Diagnostic{At: p.Message.InBody(s.Heading), Message: "section " + text.Quote(s.Title) + " lists no contributors; expected at least one"}
			d.Suggestion = "write below the heading: " + brenner.SectionPlaceholder(w.title)
			if s.IsNone() {
				d.At = p.Message.InBody(s.FirstLine())
				d.Suggestion = "write " + brenner.SectionPlaceholder(w.title) + " instead of the line"
			}
			p.Report(d)
		})},
	{ID: "AP-005", Name: "compiled-artifact-path", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-005",
		Summary: "The body's Artifact Path is present and is artifacts/{thread_id}.md.",
		Help:    "write **Artifact Path**: artifacts/{thread_id}.md, with the message's own thread id",
		Types:   ofTypes(brenner.Compiled), Check: inBody(func(p *lint.MessagePass) {
			want := artifactPath(p)
			if f := fieldValue(p, "Artifact Path", want); f != nil {
				checkPath(p, f, "Artifact Path", want)
			}
		})},
	{ID: "AP-006", Name: "compiled-full-artifact", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-006",
		Summary: "The Full Artifact section holds the artifact inline (raw headings after it, or fenced) or a link or path.",
		Help:    "put the artifact, or a link to its file, under ## Full Artifact",
		// A body that is the bare artifact has the content of the section.
		Types: ofTypes(brenner.Compiled), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			switch m := p.Message; {
			case m.Artifact == nil:
				inBody(checkFullArtifact)(p)
			case m.Section("Full Artifact") != nil:
			case len(m.Sections) == 0:
				p.Report(finding(m.SubjectPlace(),
					`COMPILED has no "Full Artifact" section: its body is just the artifact`,
					"add the heading ## Full Artifact above the artifact, and the other sections of a COMPILED above that"))
			default:
				p.Report(finding(m.SubjectPlace(),
					`COMPILED has no "Full Artifact" section above its artifact`,
					"add the heading ## Full Artifact above the artifact"))
			}
		})},
	section("AP-007", "compiled-statistics", lint.Warning, "artifact_publish_spec#AP-007", brenner.Compiled,
		sectionReq{title: "Statistics", aliases: []string{"Stats", "Counts"},
			summary: "COMPILED has a Statistics section."}),
	section("AP-008", "compiled-validation-status", lint.Warning, "artifact_publish_spec#AP-008", brenner.Compiled,
		sectionReq{title: "Validation Status", aliases: []string{"Validation", "Brenner Protocol Compliance"},
			summary: "COMPILED has a Validation Status section."}),
	{ID: "AP-009", Name: "artifact-version-reference", Severity: lint.Warning, SpecRef: "artifact_publish_spec#AP-009",
		Summary: "Once a version is published, CRITIQUE and DELTA (and a later KICKOFF) name the artifact version they refer to, and it is one published before them.",
		// Follow-up messages are compared with what was published before them (decisions.md 27).
		Check: lint.MessageVisitor(func(p *lint.ThreadPass) func(*session.Message) {
			before, latest, published := map[int]bool{}, 0, false // the versions; 0 if a COMPILED gave none, v0Given if v0
			return func(m *session.Message) {
				switch m.Intended {
				case brenner.Compiled:
					before[m.Version.Number] = true
					if !m.Version.Span.Empty() && m.Version.Meant == 0 {
						before[v0Given] = true
					}
					latest, published = max(latest, m.Version.Number), true
				case "":
					if n := versionMeant(m); n > 0 {
						before[n] = true
					}
				case brenner.Critique, brenner.Delta, brenner.Kickoff:
					if p.Thread.Complete && published && m.Doc != nil && m.HasTime {
						checkNamedVersion(p, m, before, latest)
					}
				}
			}
		})},
	{ID: "AP-010", Name: "front-matter-version", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-010",
		Summary: "The version in the artifact's front matter is the COMPILED version.",
		Help:    "write the version of the COMPILED into the front matter",
		Check: each(func(fact any) (d lint.Diagnostic) {
			switch f := fact.(type) {
			case replay.VersionDiff:
				return siteFinding(f.Site, fmt.Sprintf("write version: %d", f.Published), "the front matter says version %d, but this is COMPILED v%d", f.Stated, f.Published)
			case replay.UnpublishedFile:
				latest := fmt.Sprintf("the latest COMPILED of thread %s is v%d", f.Thread, f.Latest)
				if f.None {
					latest = fmt.Sprintf("thread %s has no COMPILED message", f.Thread)
				}
				return siteFinding(f.Site, "", "version %d was never published: %s", f.Version, latest)
			}
			return d
		})},
	{ID: "AP-011", Name: "compiled-at", Severity: lint.Error, SpecRef: "artifact_publish_spec#Validation",
		Summary: "Compiled At is present and is ISO 8601.",
		Help:    "write the time of compilation in ISO 8601, such as 2025-12-30T10:00:00Z",
		Types:   ofTypes(brenner.Compiled), Check: inBody(func(p *lint.MessagePass) {
			f := fieldValue(p, "Compiled At", brenner.NowPlaceholder)
			if f == nil {
				return
			}
			if _, ok := brenner.ParseISO(f.Text); !ok {
				hint := cmp.Or(suggestISO(f.Text), "write "+fieldLine("Compiled At", brenner.NowPlaceholder)+", the time of compilation in this form")
				reportField(p, f, "Compiled At is "+text.Quote(f.Text)+"; expected an ISO 8601 timestamp, YYYY-MM-DDThh:mm:ssZ", hint)
			}
		})},
	{ID: "AP-012", Name: "compiled-version-sequence", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Version Numbering",
		Summary: "Versions begin at v1 and grow by exactly one.",
		Check: versionRule(func(v version) string {
			switch {
			case v.n <= v.highest+1+v.unknown:
				return ""
			case v.highest == 0:
				return fmt.Sprintf("the first version is v%d; expected v1", v.n)
			}
			return fmt.Sprintf("v%d follows v%d; versions must increase by one", v.n, v.highest)
		})},
	{ID: "AP-013", Name: "compiled-body-version", Severity: lint.Error,
		SpecRef: "artifact_publish_spec#Body Schema (Extended); message_body_schema#COMPILED Messages",
		Summary: "The version in the body (title or Version) is present and is the subject's; Previous Version, where given, is N-1.",
		Help:    "write the subject's version everywhere; Previous Version is one less",
		Types:   ofTypes(brenner.Compiled), Check: inBody(checkBodyVersion)},
	{ID: "AP-014", Name: "front-matter-keys", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact File Front Matter",
		Summary: "A persisted artifact's front matter has version, compiled_at (ISO 8601), compiled_by, contributors and agent_mail_message_id; one finding naming all missing keys.",
		Check: metaCheck(func(p *lint.ArtifactPass, m *artifact.Meta) {
			if p.Message != nil {
				return // published, but not a file yet: its message id is unknown
			}
			isFilled := func(v *artifact.MetaValue) bool { return !isBlank(v) }
			var missing []string
			for _, key := range []string{"version", "compiled_at", "compiled_by", "contributors", "agent_mail_message_id"} {
				if v := m.Get(key, isFilled); v == nil || isBlank(v) && key != versionNumber.key { // an empty one is IM-002
					missing = append(missing, key)
				}
			}
			compiled := m.Get("compiled_at", compiledAt.right)
			if _, ok := isoTime(compiled); ok || slices.Contains(missing, "compiled_at") || m.Get("created_at") == nil {
				compiled = nil // if it replaces created_at, EM-003 reports it
			}
			switch {
			case len(missing) > 1 || len(missing) == 1 && missing[0] != "contributors": // that alone is WM-001
				message := metaName(p) + " of a persisted artifact lacks " + text.And(missing)
				if compiled != nil {
					message += fmt.Sprintf("; compiled_at %s is not ISO 8601", scalar(compiled))
				}
				metaReport(p, missing[0], opening(p), message, "")
			case compiled != nil:
				compiledAt.check(p, m)
			}
		})},
	{ID: "AP-015", Name: "artifact-identity", Severity: lint.Error, SpecRef: "thread_subject_conventions#Cross-Reference Contract",
		Summary: "session_id in the front matter, and an H1 that is a thread id, is the file's name without .md.",
		Help:    "set session_id to the name of the file without .md",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			file, ok := ownFile(p)
			if key, id, at := p.Artifact.OtherSession(ownID(p)); ok && id != "" {
				says := "the title names "
				if key != "" {
					says = key + " is "
				}
				metaReport(p, key, at, says+text.Quote(id)+", but the file is "+text.Quote(file)+"; both must be the thread id", "")
			}
		})},
	{ID: "AP-016", Name: "persistence-status", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Persistence States",
		Summary: "Persistence Status is one of Persisted, Pending, Draft.",
		// Only a Status that is present is checked (decisions.md 5).
		Types: ofTypes(brenner.Compiled), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			f := m.Field("Persistence Status")
			if s := m.Section("Persistence"); f == nil && s != nil {
				f = s.Field("Status")
			}
			states := []string{"Persisted", "Pending", "Draft"}
			if f == nil || isOneOf(f.Text, states) {
				return
			}
			reportField(p, f, "Persistence Status is "+text.Quote(f.Text)+"; expected "+text.Or(states), didYouMean(nearestValue(f.Text, states)))
		})},
	{ID: "AP-017", Name: "persisted-notice", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Persistence Message",
		Summary: "An INFO that announces a persisted artifact gives Path (the canonical one) and Git Commit.",
		// A notice is reported once: at a wrong path, else at the subject, naming what is missing.
		Types: ofTypes(brenner.Info), Check: lint.MessageCheck(func(p *lint.MessagePass) {
			m := p.Message
			announced := m.Section("Artifact Persisted") != nil || persistedWords().MatchString(m.Subject.Slice(m.Description))
			if m.Doc == nil || !announced {
				return
			}
			if m.Wrapper != nil {
				reportWrapper(p)
				return
			}
			want := artifactPath(p)
			var missing, lines []string
			verb := "add "
			for _, line := range [...][2]string{{"Path", want}, {"Git Commit", "the commit's hash"}} {
				if f := m.Field(line[0]); unfilled(f) || line[0] == "Git Commit" && noCommit().MatchString(f.Text) {
					if f != nil { // a second line would not count
						verb = "write "
					}
					missing = append(missing, line[0])
					lines = append(lines, fieldLine(line[0], line[1]))
				}
			}
			if path := m.Field("Path"); !unfilled(path) && !checkPath(p, path, "Path", want) || missing == nil {
				return
			}
			p.Report(finding(m.SubjectPlace(),
				"notice of a persisted artifact lacks "+text.And(missing),
				verb+text.And(lines)))
		})},
	{ID: "AP-018", Name: "lifecycle-order", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact Lifecycle",
		Summary: "In a research thread the first protocol message is KICKOFF, and COMPILED follows at least one DELTA since the version before.",
		Check:   lint.ThreadCheck(checkLifecycle)},
	{ID: "AP-019", Name: "compiled-validation-claim", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "What Validation Status claims (Schema PASS/FAIL, warning and error counts, Third Alternative Present/MISSING) is what checking the published artifact gives.",
		Check:   lint.MessageVisitor(checkValidationClaims)},
	{ID: "AP-020", Name: "artifact-message-id", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact File Front Matter",
		Summary: "agent_mail_message_id is the id of the COMPILED message of that version.",
		Check: each(func(f replay.FileMessage) lint.Diagnostic {
			return siteFinding(f.Site, "", "agent_mail_message_id is %s, but v%d was published by %s", text.Quote(f.Named), f.Version, messageName(f.Compiled))
		})},
}

func checkThreadID(p *lint.MessagePass) {
	id := p.Message.ThreadID
	f := fieldValue(p, "Thread ID", cmp.Or(id, brenner.ThreadPlaceholder))
	if f != nil && id != "" && f.Text != id {
		reportField(p, f, "Thread ID is "+text.Quote(f.Text)+", but the message's thread_id is "+text.Quote(id), didYouMean(quoteFull(id)))
	}
}

// fieldValue returns a field line of the body, or reports at the subject that it is
// missing, or at the line that it has no value, and returns nil.
func fieldValue(p *lint.MessagePass, name, example string) *session.Field {
	m := p.Message
	f := m.Field(name)
	switch {
	case f == nil:
		suggestion := "add the line " + fieldLine(name, example)
		if line := namedLine(m, name); line != nil {
			if _, ok := brenner.ParseISO(line.value); ok && example == brenner.NowPlaceholder {
				example = line.value
			}
			suggestion = "write the line " + text.Quote(line.text) + " as " + fieldLine(name, example)
		}
		p.Report(finding(m.SubjectPlace(), string(m.Intended)+" lacks "+name, suggestion))
	case unfilled(f):
		reportField(p, f, name+" is empty", "write "+fieldLine(name, example))
		return nil
	}
	return f
}

// fieldLine shows a field line.
func fieldLine(name, value string) string { return "`- **" + name + "**: " + typed(value) + "`" }

// unfilled reports whether there is no field line, or it has no value of its own.
func unfilled(f *session.Field) bool {
	return f == nil || f.Text == "" || session.IsPlaceholder(f.Text)
}

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
	a, own := p.Message.Artifact, p.Message.ThreadID
	if a == nil || own == "" {
		return
	}
	key, id, at := a.OtherSession(own)
	if id == "" {
		return
	}
	says, hint := "the artifact's title names ", "publish the artifact of this session in its own thread"
	if key != "" {
		says = key + " of the artifact is "
		if strings.EqualFold(strings.TrimSpace(id), own) {
			hint = didYouMean(quoteFull(own))
		}
	}
	p.Report(lint.Diagnostic{
		At: a.Text.Place(at), Field: key, Suggestion: hint,
		Message: says + text.Quote(id) + ", but the message's thread_id is " + text.Quote(own),
	})
}

// artifactPath returns the canonical path of a thread's artifact.
func artifactPath(p *lint.MessagePass) string {
	id := p.Message.ThreadID
	if id == "" || notInFileName(id) != "" {
		id = brenner.ThreadPlaceholder
	}
	return p.RuleConfig.ArtifactsDir + "/" + id + ".md"
}

// checkPath reports a path that is neither the canonical one nor a link to it; it
// returns true if the path is right.
func checkPath(p *lint.MessagePass, f *session.Field, name, want string) bool {
	if f.Text == want || strings.HasSuffix(f.Text, "]("+want+")") || strings.Contains(want, brenner.ThreadPlaceholder) {
		return true
	}
	got := text.Quote(f.Text)
	if strings.HasPrefix(f.Text, want) { // a remark after it
		got = quoteFull(f.Text)
	}
	reportField(p, f, name+" is "+got+", but the artifact of this thread is "+text.Quote(want), didYouMean(quoteFull(want)))
	return false
}

// checkFullArtifact checks what stands instead of an inline artifact.
func checkFullArtifact(p *lint.MessagePass) {
	m := p.Message
	s := filledSection(p, sectionReq{title: "Full Artifact", aliases: []string{"Artifact", "Compiled Artifact"}})
	if s == nil {
		return
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind != markdown.Fence || session.HoldsLink(s.Text(source.Span{Start: s.Content.Start, End: b.Span.Start})) {
			continue
		}
		fenced := m.Doc.Content(b)
		if !bytes.HasPrefix(fenced.Data, []byte("{")) || !bytes.Contains(fenced.Data, []byte(`"sections"`)) {
			continue
		}
		if _, fault := artifact.ParseJSON(fenced, artifact.Limits{}); fault != nil {
			out := finding(fenced.Place(fault.Span), "the artifact is not valid JSON: "+fault.Message, fault.Hint)
			out.Quoted = fault.Quoted
			p.Report(out)
			return
		}
	}
	if !session.HoldsLink(s.Text(s.Content)) {
		p.Report(finding(m.InBody(s.Heading),
			"section "+text.Quote(s.Title)+" contains neither an artifact nor a link or path to one",
			"write below the heading: "+typed(artifactPath(p))+", or the seven sections of the artifact"))
	}
}

// bodyVersion returns the version that the body of a COMPILED states, 0 if none.
func bodyVersion(m *session.Message) int {
	if f := m.Field("Version"); f != nil {
		if n, ok := versionValue(f.Text); ok {
			return n
		}
	}
	n, _ := titleVersion(m)
	return n
}

// checkBodyVersion reports nothing if the subject has no version (AP-001).
func checkBodyVersion(p *lint.MessagePass) {
	m := p.Message
	want := m.Version.Number
	if !m.Version.OK || want == brenner.MaxItemNumber { // or more, which is not known
		return
	}
	given, wrong := false, false
	compare := func(n int, at source.Place, says, hint string) {
		given, wrong = true, wrong || n != want
		if n != want && n != dueVersion(p) {
			p.Report(lint.Diagnostic{At: at, Message: fmt.Sprintf("%s, but the subject says v%d", says, want), Suggestion: fmt.Sprintf("%s%d", hint, want)})
		}
	}
	if f := m.Field("Version"); !unfilled(f) {
		n, ok := versionValue(f.Text)
		if !ok {
			n = -1
		}
		compare(n, m.InBody(f.Value), "Version is "+text.Quote(f.Text), "write v")
	}
	if n, title := titleVersion(m); n > 0 {
		compare(n, m.InBody(title), "title says "+m.Doc.Text.Slice(title), "write v")
	}
	if a := m.Artifact; a != nil {
		isPublished := func(v *artifact.MetaValue) bool { return brenner.SameVersion(v.Text, want) }
		if v := a.Meta.Get("version", isPublished); v != nil && brenner.IsNumber(strings.TrimLeft(strings.TrimSpace(v.Text), "vV")) {
			n, complete := -1, p.Thread != nil && p.Thread.Complete // then it is AP-010
			if complete || isPublished(v) {
				n = want
			}
			compare(n, a.Text.Place(v.Span), "the front matter says version "+text.Quote(v.Text), "write version: ")
		}
	}
	if !given && !summaryNames(m, want) {
		p.Report(finding(m.SubjectPlace(),
			fmt.Sprintf("the body does not state version v%d in its title or in a Version field", want),
			fmt.Sprintf("begin the body with # Compiled Artifact v%d", want)))
	}
	if !wrong { // the body of another version states that one's previous version
		checkPrevious(p, want)
	}
}

// dueVersion returns the version that is due after the COMPILED before, for which AP-002 and AP-012 ask; 0 if it is not known, or
// neither asks for it because COMPILED without a version may have had those between.
func dueVersion(p *lint.MessagePass) int {
	const most = 100 // of the COMPILED before are looked at
	m, highest, seen := p.Message, 0, 0
	nameless, unknown := 0, 0 // the COMPILED without a version after the one looked at, and after the highest
	if p.Thread == nil || !p.Thread.Complete || !m.HasTime {
		return 0
	}
	for _, o := range slices.Backward(p.Thread.Messages[:m.Index]) {
		n := versionMeant(o)
		if o.Intended == brenner.Compiled && o.HasTime {
			n = o.Version.Number
			if n == 0 {
				nameless++
			}
		}
		if n >= highest {
			highest, unknown = n, nameless
		}
		if n > 0 {
			seen++
		}
		if seen == most {
			break
		}
	}
	if n := m.Version.Number; n > highest+1 && n <= highest+1+unknown {
		return 0
	}
	return highest + 1
}

// titleVersion returns the first `vN` of the body's title, and where it is; 0 if it has none.
func titleVersion(m *session.Message) (n int, at source.Span) {
	if s := title(m); s != nil {
		n, at, _ = session.FindVersion(s.Text(s.Heading))
		at = at.Shift(s.Heading.Start)
	}
	return n, at
}

// summaryNames reports whether the Summary states `vN`, which message_body_schema,
// COMPILED Messages, allows instead of the title.
func summaryNames(m *session.Message, version int) bool {
	s := m.Section("Summary")
	if s == nil {
		return false
	}
	text := s.Text(s.Content)
	n, at, ok := session.FindVersion(text)
	for ok && n != version {
		text = text[at.End:]
		n, at, ok = session.FindVersion(text)
	}
	return ok
}

// checkPrevious checks Previous Version, which the first version may omit.
func checkPrevious(p *lint.MessagePass, version int) {
	f := p.Message.Field("Previous Version")
	if unfilled(f) {
		return
	}
	n, ok := versionValue(f.Text)
	if !ok && version == 1 || ok && (n == version-1 || n == dueVersion(p)-1) {
		return // the latest one before a version that is not due: AP-002 or AP-012 reports that
	}
	before, hint := fmt.Sprintf("the version before v%d is v%d", version, version-1), fmt.Sprintf("write v%d", version-1)
	if version == 1 {
		before, hint = "v1 is the first version", "remove the line"
	}
	reportField(p, f, "Previous Version is "+text.Quote(f.Text)+", but "+before, hint)
}

// versionValue reads a value `v3` or `3`, which a remark may follow.
func versionValue(text string) (n int, ok bool) {
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimPrefix(word, "v")
	n, digits := brenner.ParseNumber(word)
	return n, digits > 0 && digits == len(word) && (word[0] != '0' || digits == 1) // decisions.md 60
}

// persistedWords are how the subject of an INFO says that an artifact is persisted.
var persistedWords = text.Pattern(`(?i)(?:^|\s)artifact(?:\s+v?(?:0|[1-9][0-9]*))?(?:\s+(?:is|was))?\s+[.,:;!]*persisted[.,:;!]*(?:\s|$)`)

// noCommit is what a notice says in place of the commit that it does not know yet.
var noCommit = text.Pattern(`(?i)^[^\pL0-9]*(?:(?:pending|tbd|todo|none|n/?a|unknown|not yet|(?:not |un)committed|to be \w+)(?:[\s(,;:.].*)?)?$`)

// ownFile returns the name of a Markdown file in the folder of the artifacts, by its real path
// (decisions.md 41).
func ownFile(p *lint.ArtifactPass) (file string, ok bool) {
	file = path.Base(p.RealPath)
	folder := strings.Trim(path.Clean("/"+p.RuleConfig.ArtifactsDir), "/")
	return file, p.Message == nil && strings.HasSuffix(file, ".md") && strings.HasSuffix("/"+path.Dir(p.RealPath), "/"+folder)
}

// version is the version in a COMPILED subject, and what came before it.
type version struct {
	n       int
	highest int              // of the COMPILED before
	unknown int              // COMPILED since then whose subject has no version
	earlier *session.Message // the first that has the same version
}

// versionRule returns the check of the versions of a thread, one by one: fault says what is wrong
// with one, or returns "". AP-001 reports subjects without a proper version.
func versionRule(fault func(v version) string) lint.ThreadCheck {
	return func(p *lint.ThreadPass) {
		v, first := version{}, map[int]*session.Message{}
		for _, m := range p.Thread.Messages {
			v.unknown = max(v.unknown, versionMeant(m)-v.highest)
			if !p.Thread.Complete || m.Intended != brenner.Compiled || !m.HasTime {
				continue
			}
			v.n, v.earlier = m.Version.Number, first[m.Version.Number]
			if message := fault(v); m.Version.OK && message != "" {
				d := lint.Diagnostic{At: m.InSubject(m.Version.Span), In: m, Message: message, Suggestion: fmt.Sprintf("publish it as v%d", v.highest+1)}
				if o := v.earlier; o != nil {
					d.Related = []lint.RelatedLocation{{At: o.InSubject(o.Version.Span), In: o, Message: fmt.Sprintf("v%d is first published here", v.n)}}
				}
				p.Report(d)
			}
			switch {
			case v.n > v.highest:
				v.highest, v.unknown = v.n, 0
			case v.n == 0:
				v.unknown++
			}
			if v.earlier == nil {
				first[v.n] = m
			}
		}
	}
}

// versionMeant returns the version of a COMPILED that MB-001 reports, whose subject has no type as leniently read;
// 0 if the message is none.
func versionMeant(m *session.Message) int {
	if m.Intended != "" || typeMeant(m.SubjectText) != brenner.Compiled {
		return 0
	}
	n, _, _ := session.FindVersion(m.SubjectText)
	return n
}

func checkNamedVersion(p *lint.ThreadPass, m *session.Message, before map[int]bool, latest int) {
	field, n, at := artifactVersion(m)
	suggestion := ""
	if latest > 0 {
		suggestion = fmt.Sprintf("add the line `**%s**: v%d`", versionFields[m.Intended], latest)
	}
	switch {
	case field == "" && hidesText(m): // it may be there: the fence is reported
	case field == "":
		places := "Base Version, Artifact Version or Base Artifact"
		switch {
		case m.Section("Target") != nil:
			places += ", and no vN in Target"
		case m.Intended == brenner.Critique:
			places += ", no section Target, and no vN in the title"
		}
		message := fmt.Sprintf("%s names no artifact version (no field %s)", m.Intended, places)
		if latest > 0 {
			message += fmt.Sprintf(", although v%d is published", latest)
		}
		p.Report(inMessage(m, m.SubjectPlace(), message, suggestion))
	case before[v0Given] && strings.TrimPrefix(m.Body.Slice(at), "v") == "0": // AP-001 says what is wrong with it
	case n == 0:
		p.Report(inMessage(m, m.InBody(at), fmt.Sprintf("%s is %s; expected a version such as v%d", field, text.Quote(m.Body.Slice(at)), max(latest, 1)), ""))
	case !before[0] && !before[n]:
		p.Report(inMessage(m, m.InBody(at), fmt.Sprintf("%s names v%d, which was not published before this message; the latest is v%d", field, n, latest),
			didYouMean(fmt.Sprintf("v%d", latest))))
	}
}

// v0Given stands for the version of a COMPILED whose subject gives v0.
const v0Given = -1

// versionFields are the fields in which messages of a type name the artifact's version
// (artifact_publish_spec, Referencing Artifacts in Follow-Up Rounds).
var versionFields = map[brenner.MessageType]string{brenner.Delta: "Base Version", brenner.Critique: "Artifact Version", brenner.Kickoff: "Base Artifact"}

// artifactVersion returns the version that a message refers to, and where: a field
// line, else the first vN in its Target or, if a CRITIQUE has none, in its title; "" if
// it refers to none, 0 if the field line names no version.
func artifactVersion(m *session.Message) (field string, n int, at source.Span) {
	for _, name := range [...]string{"Base Version", "Artifact Version", "Base Artifact"} {
		if f := m.Field(name); f != nil && f.Text != "" {
			if n, digits := session.ParseVersion(f.Text); digits > 0 { // N alone
				return f.Name, n, source.Span{Start: f.Value.Start, End: f.Value.Start + digits}
			}
			if n, span, ok := session.FindVersion(f.Text); ok {
				return f.Name, n, span.Shift(f.Value.Start)
			}
			return f.Name, 0, f.Value
		}
	}
	if s := m.Section("Target"); s != nil {
		if n, span, ok := session.FindVersion(s.Text(s.Content)); ok {
			return "Target", n, span.Shift(s.Content.Start)
		}
	} else if n, title := titleVersion(m); m.Intended == brenner.Critique && n > 0 {
		return "title", n, title
	}
	return "", 0, source.Span{}
}

// checkLifecycle checks what a research thread begins with, and that each COMPILED has something to
// compile.
func checkLifecycle(p *lint.ThreadPass) {
	if kind, _ := brenner.ClassifyThreadID(p.Thread.ID); !p.Thread.Complete || kind != brenner.ResearchSession {
		return
	}
	isAnywhere := func(t brenner.MessageType) bool { // one without a time
		return slices.ContainsFunc(p.Thread.Messages, func(m *session.Message) bool { return !m.HasTime && m.Intended == t })
	}
	begins, undated := !isAnywhere(brenner.Kickoff), isAnywhere(brenner.Delta)
	contributed := undated
	published := map[int]bool{}
	last := "the start of the thread"
	for _, m := range p.Thread.Messages {
		since := last
		if m.Intended == brenner.Compiled {
			last = versionName(m, "the previous version")
		}
		n := m.Version.Number
		switch {
		case !m.HasTime:
			continue
		case strings.TrimSpace(m.SubjectText) == "": // IN-003: it may be of any type
			begins, contributed = false, true
			continue
		case m.Intended == "": // MB-001 shows how to fix its type
			meant := typeMeant(m.SubjectText)
			begins = begins && meant != brenner.Kickoff && (meant != "" || m.Section("Research Question") == nil)
			contributed = contributed || meant == brenner.Delta && len(m.Deltas) > 0
			continue
		case begins && m.Intended != brenner.Kickoff:
			p.Report(inMessage(m, m.SubjectPlace(), fmt.Sprintf("research thread %s begins with %s; expected KICKOFF", p.Thread.ID, m.Intended), ""))
		case m.Intended == brenner.Compiled && !contributed && !(n > 0 && published[n]): // a repeated version is AP-002
			p.Report(inMessage(m, m.SubjectPlace(), "COMPILED without a DELTA since "+since+": there was nothing to compile", ""))
		}
		begins = false
		switch m.Intended {
		case brenner.Delta:
			contributed = true
		case brenner.Compiled:
			contributed, published[n] = undated, true
		}
	}
}

// checkValidationClaims compares what a COMPILED claims of its artifact with the result
// of checking it. What the replay has reported already may be counted or not: leaving it out
// of a claim is not a second fault (decisions.md 1).
func checkValidationClaims(p *lint.ThreadPass) func(*session.Message) {
	return func(m *session.Message) {
		if p.Replay == nil || m.Intended != brenner.Compiled || m.Artifact == nil {
			return
		}
		s := m.Section("Validation Status")
		if s == nil {
			return
		}
		claims := s.Pairs()
		if len(claims) == 0 {
			return
		}
		low, high := p.InlineFindings(m)
		if _, below := unranked(m.Artifact); below != nil {
			high.Warnings++ // WT-002 for the file; for the message it is MR-017
		}
		d := lint.Diagnostic{In: m} // for all claims
		wrong := func(at source.Span, says string) {
			if d.Message == "" {
				d.At, d.Message = m.InBody(at), says
				return
			}
			d.Message += "; " + says
			d.Related = append(d.Related, lint.RelatedLocation{At: m.InBody(at), In: m, Message: "also wrong"})
		}
		lacksThird := func() bool {
			return thirdAlternative.lacks(&lint.ArtifactPass{Artifact: m.Artifact, Message: m, Reported: p.Replay.AlreadyReported(m)})
		}
		for _, f := range claims {
			value := tick().ReplaceAllString(f.Text, "")
			word, _, _ := strings.Cut(strings.ToLower(value), " ")
			word = strings.TrimRight(word, ".*_")
			at := source.Span{End: len(word)}.Shift(f.Value.Start + len(f.Text) - len(value))
			name := strings.ToLower(strings.TrimRight(tick().ReplaceAllString(f.Name, ""), "*_ "))
			switch said := name + ": " + word; {
			case said == "schema: pass" && low.Errors > 0:
				wrong(at, "Schema says PASS, but checking the artifact finds "+text.Count(low.Errors, "error", "errors"))
			case said == "schema: fail" && high.Errors == 0:
				wrong(at, "Schema says FAIL, but checking the artifact finds no errors")
			case name == "linter":
				checkCount(&f, "warning", warningsClaimed(), low.Warnings, high.Warnings, wrong)
				checkCount(&f, "error", errorsClaimed(), low.Errors, high.Errors, wrong)
			case said == "third alternative: present" && lacksThird():
				wrong(at, "Third Alternative says Present, but no active hypothesis of the artifact is one")
			case said == "third alternative: missing" && slices.ContainsFunc(active(m.Artifact, brenner.HypothesisSlate), thirdAlternative.set):
				wrong(at, "Third Alternative says MISSING, but the artifact has one")
			}
		}
		if d.Message != "" {
			p.Report(d)
		}
	}
}

var (
	// The numbers that a line of Validation Status claims.
	warningsClaimed = text.Pattern(`(?i)([0-9]+)[*_]* *[*_]*warning`)
	errorsClaimed   = text.Pattern(`(?i)([0-9]+)[*_]* *[*_]*error`)
	// tick matches ✅ or a ticked box, and emphasis, before a label or a value.
	tick = text.Pattern(`^(?:\[[xX]\]|[✅✔☑*_\x{FE0F}\s])+`)
)

// checkCount compares the number of errors or warnings that a line claims with the actual number.
func checkCount(f *session.Field, word string, claimed *regexp.Regexp, low, high int, wrong func(at source.Span, says string)) {
	at := claimed.FindStringSubmatchIndex(f.Text)
	if at == nil {
		return
	}
	if n, digits := brenner.ParseNumber(f.Text[at[2]:]); n < low || n > high {
		span := source.Span{End: digits}.Shift(f.Value.Start + at[2])
		wrong(span, fmt.Sprintf("Linter says %s, but checking the artifact finds %d", text.Count(n, word, word+"s"), low))
	}
}
