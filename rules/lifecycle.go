package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// lifecycleRules are about the versions of an artifact over the life of a thread
// (artifact_publish_spec).
var lifecycleRules = []*lint.Rule{
	{ID: "AP-002", Name: "compiled-version-increases", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-002",
		Summary: "N is greater than every earlier COMPILED version of the thread.",
		Help:    "use the version after the latest published one",
		Check:   lint.ThreadCheck(checkVersionIncreases)},
	{ID: "AP-009", Name: "artifact-version-reference", Severity: lint.Warning, SpecRef: "artifact_publish_spec#AP-009",
		Summary: "Once a version is published, CRITIQUE and DELTA (and a later KICKOFF) name the artifact version they refer to, and it is one published before them.",
		Check:   lint.MessageVisitor(checkVersionReference)},
	{ID: "AP-012", Name: "compiled-version-sequence", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Version Numbering",
		Summary: "Versions begin at v1 and grow by exactly one.",
		Check:   lint.ThreadCheck(checkVersionSequence)},
	{ID: "AP-018", Name: "lifecycle-order", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact Lifecycle",
		Summary: "In a research thread the first protocol message is KICKOFF, and COMPILED follows at least one DELTA since the version before.",
		Check:   lint.ThreadCheck(checkLifecycle)},
	{ID: "AP-019", Name: "compiled-validation-claim", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Body Schema (Extended)",
		Summary: "What Validation Status claims (Schema PASS/FAIL, warning and error counts, Third Alternative Present/MISSING) is what checking the published artifact gives.",
		Check:   lint.MessageVisitor(checkValidationClaims)},
}

// version is the version in a COMPILED subject, and what came before it.
type version struct {
	*session.Message
	n       int
	highest int              // of the COMPILED before
	unknown int              // COMPILED since then whose subject has no version
	earlier *session.Message // the first that has the same version
}

// versions lists the COMPILED messages whose subject has a proper version; AP-001 reports
// the others.
func versions(p *lint.ThreadPass) []version {
	if !p.Complete {
		return nil
	}
	var out []version
	v := version{}
	seen := map[int]*session.Message{}
	for _, m := range p.Thread.Messages {
		if m.Intended != brenner.Compiled || !m.HasTime {
			continue
		}
		v.Message, v.n, v.earlier = m, m.Version.Number, seen[m.Version.Number]
		if m.Version.OK {
			out = append(out, v)
		}
		switch {
		case v.n > v.highest:
			v.highest, v.unknown = v.n, 0
		case v.n == 0:
			v.unknown++
		}
		if v.earlier == nil {
			seen[v.n] = m
		}
	}
	return out
}

func checkVersionIncreases(p *lint.ThreadPass) {
	for _, v := range versions(p) {
		if v.n > v.highest {
			continue
		}
		d := lint.Diagnostic{
			At: v.InSubject(v.Version.Span), In: v.Message,
			Message:    fmt.Sprintf("v%d is published after v%d; versions must increase", v.n, v.highest),
			Suggestion: fmt.Sprintf("publish it as v%d", v.highest+1),
		}
		if o := v.earlier; o != nil {
			d.Message = fmt.Sprintf("v%d is already published; versions are never reused", v.n)
			d.Related = []lint.RelatedLocation{{At: o.InSubject(o.Version.Span), In: o, Message: fmt.Sprintf("v%d is first published here", v.n)}}
		}
		p.Report(d)
	}
}

func checkVersionSequence(p *lint.ThreadPass) {
	for _, v := range versions(p) {
		if v.n <= v.highest+1+v.unknown {
			continue // lower ones are AP-002
		}
		message := fmt.Sprintf("v%d follows v%d; versions must increase by one", v.n, v.highest)
		if v.highest == 0 {
			message = fmt.Sprintf("the first version is v%d; expected v1", v.n)
		}
		p.Report(lint.Diagnostic{
			At: v.InSubject(v.Version.Span), In: v.Message, Message: message,
			Suggestion: fmt.Sprintf("publish it as v%d", v.highest+1),
		})
	}
}

// checkVersionReference compares what follow-up messages refer to with what was published
// before them (decisions.md 27).
func checkVersionReference(p *lint.ThreadPass) func(*session.Message) {
	before := published{versions: map[int]bool{}}
	return func(m *session.Message) {
		switch m.Intended {
		case brenner.Compiled:
			before.add(m.Version.Number)
		case brenner.Critique, brenner.Delta, brenner.Kickoff:
			if p.Complete && before.any && m.Doc != nil {
				checkNamedVersion(p, m, &before)
			}
		}
	}
}

// published is what was published so far.
type published struct {
	versions map[int]bool
	latest   int
	any      bool
	unknown  bool // some COMPILED gave no version
}

func (b *published) add(n int) {
	b.any = true
	b.unknown = b.unknown || n == 0
	b.versions[n] = true
	b.latest = max(b.latest, n)
}

func checkNamedVersion(p *lint.ThreadPass, m *session.Message, before *published) {
	latest := before.latest
	field, n, at := artifactVersion(m)
	suggestion := ""
	if latest > 0 {
		suggestion = fmt.Sprintf("add the line `%s`", versionLine(m.Intended, latest))
	}
	switch {
	case field == "" && hidesText(m): // it may be there: the fence is reported
	case field == "":
		message := fmt.Sprintf("%s names no artifact version (no field %s)", m.Intended, versionPlaces(m))
		if latest > 0 {
			message += fmt.Sprintf(", although v%d is published", latest)
		}
		p.Report(lint.Diagnostic{At: m.SubjectPlace(), In: m, Message: message, Suggestion: suggestion})
	case n == 0:
		p.Report(lint.Diagnostic{At: m.InBody(at), In: m, Message: fmt.Sprintf("%s is %s; expected a version such as v%d", field, text.Quote(m.Body.Slice(at)), max(latest, 1))})
	case !before.unknown && !before.versions[n]:
		p.Report(lint.Diagnostic{
			At: m.InBody(at), In: m,
			Message:    fmt.Sprintf("%s names v%d, which was not published before this message; the latest is v%d", field, n, latest),
			Suggestion: fmt.Sprintf("did you mean v%d?", latest),
		})
	}
}

// versionLine returns how a message of that type names the artifact's version
// (artifact_publish_spec, Referencing Artifacts in Follow-Up Rounds).
func versionLine(t brenner.MessageType, n int) string {
	name := "Base Version"
	switch t {
	case brenner.Critique:
		name = "Artifact Version"
	case brenner.Kickoff:
		name = "Base Artifact"
	}
	return fmt.Sprintf("**%s**: v%d", name, n)
}

// versionPlaces names the places where a version was searched for.
func versionPlaces(m *session.Message) string {
	fields := "Base Version, Artifact Version or Base Artifact"
	switch {
	case m.Intended == brenner.Critique && m.Section("Target") == nil:
		return fields + ", no section Target, and no vN in the title"
	case m.Section("Target") != nil:
		return fields + ", and no vN in Target"
	}
	return fields
}

// artifactVersion returns the version that a message refers to, and where: a field
// line, else the first vN in its Target or, if a CRITIQUE has none, in its title; "" if
// it refers to none, 0 if the field line names no version.
func artifactVersion(m *session.Message) (field string, n int, at source.Span) {
	for _, name := range [...]string{"Base Version", "Artifact Version", "Base Artifact"} {
		if f := m.Field(name); f != nil && f.Text != "" {
			if n, span, ok := findVersion(f.Text, true); ok {
				return f.Name, n, span.Shift(f.Value.Start)
			}
			return f.Name, 0, f.Value
		}
	}
	if s := m.Section("Target"); s != nil {
		if n, span, ok := findVersion(s.Text(s.Content), false); ok {
			return "Target", n, span.Shift(s.Content.Start)
		}
	} else if title := titleVersion(m); m.Intended == brenner.Critique && !title.Empty() {
		n, _, _ := session.FindVersion(m.Doc.Text.Slice(title))
		return "title", n, title
	}
	return "", 0, source.Span{}
}

// findVersion returns the first vN in a text; if bare is set, also N alone at its
// beginning.
func findVersion(text string, bare bool) (n int, at source.Span, ok bool) {
	if n, digits := session.ParseVersion(text); bare && digits > 0 {
		return n, source.Span{End: digits}, true
	}
	return session.FindVersion(text)
}

func checkLifecycle(p *lint.ThreadPass) {
	if kind, _ := brenner.ClassifyThreadID(p.Thread.ID); !p.Complete || kind != brenner.ResearchSession {
		return
	}
	first, contributed := true, false
	seen := map[int]bool{}
	for _, m := range p.Thread.Messages {
		if !m.HasTime {
			continue
		}
		if m.Intended == 0 { // MB-001 shows how to fix its type
			meant := brenner.SuggestType(m.SubjectText)
			first = first && meant != brenner.Kickoff
			contributed = contributed || meant == brenner.Delta && len(m.Deltas) > 0
			continue
		}
		began := first
		if first && m.Intended != brenner.Kickoff {
			p.Report(lint.Diagnostic{
				At: m.SubjectPlace(), In: m,
				Message: fmt.Sprintf("research thread %s begins with %s; expected KICKOFF", p.Thread.ID, m.Intended),
			})
		}
		first = false
		switch m.Intended {
		case brenner.Delta:
			contributed = true
		case brenner.Compiled:
			n := m.Version.Number
			if !contributed && !began && !(n > 0 && seen[n]) { // a repeated version is AP-002
				p.Report(lint.Diagnostic{At: m.SubjectPlace(), In: m, Message: "COMPILED without a DELTA since " + since(p.Thread, m) + ": there was nothing to compile"})
			}
			contributed, seen[n] = false, true
		}
	}
}

// since names the previous COMPILED before a message.
func since(t *session.Thread, m *session.Message) string {
	for i := m.Index - 1; i >= 0; i-- {
		if o := t.Messages[i]; o.Intended == brenner.Compiled && o.Version.Number > 0 {
			return fmt.Sprintf("v%d", o.Version.Number)
		} else if o.Intended == brenner.Compiled {
			return "the previous version"
		}
	}
	return "the start of the thread"
}

// checkValidationClaims compares what a COMPILED claims of its artifact with the result
// of checking it.
func checkValidationClaims(p *lint.ThreadPass) func(*session.Message) {
	return func(m *session.Message) {
		if p.Replay == nil || m.Intended != brenner.Compiled || m.Artifact == nil {
			return
		}
		s := m.Section("Validation Status")
		if s == nil {
			return
		}
		found := s.Pairs()
		if len(found) == 0 {
			return
		}
		low, high := p.InlineFindings(m)
		if _, below := unranked(m.Artifact); below != nil {
			high.Warnings++ // WT-002 for the file; for the message it is MR-017
		}
		wrong := &wrongClaims{m: m}
		for i := range found {
			checkClaim(p, m, &found[i], low, high, wrong.add)
		}
		if len(wrong.messages) > 0 {
			p.Report(lint.Diagnostic{At: wrong.places[0], In: m, Message: strings.Join(wrong.messages, "; "), Related: wrong.related()})
		}
	}
}

// wrongClaims are the wrong claims of a COMPILED: one finding.
type wrongClaims struct {
	m        *session.Message
	places   []source.Place
	messages []string
}

func (w *wrongClaims) add(at source.Span, format string, args ...any) {
	w.places = append(w.places, w.m.InBody(at))
	w.messages = append(w.messages, fmt.Sprintf(format, args...))
}

// related returns the places of all claims but the first.
func (w *wrongClaims) related() []lint.RelatedLocation {
	var out []lint.RelatedLocation
	for _, at := range w.places[1:] {
		out = append(out, lint.RelatedLocation{At: at, In: w.m, Message: "also wrong"})
	}
	return out
}

// checkClaim compares one claim with what the artifact's rules find. What the replay
// has reported already may be counted or not: leaving it out of the claim is not a
// second fault (decisions.md 1).
func checkClaim(p *lint.ThreadPass, m *session.Message, f *session.Field, low, high lint.Counts, report func(at source.Span, format string, args ...any)) {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimRight(f.Text, ".")), " ")
	at := source.Span{Start: f.Value.Start, End: f.Value.Start + len(word)}
	switch strings.ToLower(f.Name) {
	case "schema":
		switch {
		case word == "pass" && low.Errors > 0:
			report(at, "Schema says PASS, but checking the artifact finds %s", text.Count(low.Errors, "error", "errors"))
		case word == "fail" && high.Errors == 0:
			report(at, "Schema says FAIL, but checking the artifact finds no errors")
		}
	case "linter":
		checkCount(f, "warning", low.Warnings, high.Warnings, report)
		checkCount(f, "error", low.Errors, high.Errors, report)
	case "third alternative":
		has := hasThirdAlternative(m.Artifact)
		if !has && thirdAlternative.lost(&lint.ArtifactPass{Artifact: m.Artifact, Message: m, Reported: p.Replay.AlreadyReported(m)}) {
			return // the replay reports it
		}
		switch {
		case word == "present" && !has:
			report(at, "Third Alternative says Present, but no active hypothesis of the artifact is one")
		case word == "missing" && has:
			report(at, "Third Alternative says MISSING, but the artifact has one")
		}
	}
}

func hasThirdAlternative(a *artifact.Artifact) bool {
	return slices.ContainsFunc(active(a, brenner.HypothesisSlate), isThirdAlternative)
}

// checkCount compares a claimed number of errors or warnings with the actual number.
func checkCount(f *session.Field, word string, low, high int, report func(source.Span, string, ...any)) {
	lower := strings.ToLower(f.Text)
	for i := 0; i < len(lower); i++ {
		n, digits := session.ParseNumber(lower[i:])
		if digits == 0 {
			continue
		}
		if strings.HasPrefix(strings.TrimLeft(lower[i+digits:], " "), word) {
			if n < low || n > high {
				start := f.Value.Start + i
				report(source.Span{Start: start, End: start + digits}, "Linter says %s, but checking the artifact finds %d", text.Count(n, word, word+"s"), low)
			}
			return
		}
		i += digits
	}
}
