package rules

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// persistenceRules are about messages' statements on the artifact's file
// (artifact_publish_spec, Persistence Semantics).
var persistenceRules = []*lint.Rule{
	{ID: "AP-016", Name: "persistence-status", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Persistence States",
		Summary: "Persistence Status is one of Persisted, Pending, Draft.",
		Types:   ofTypes(brenner.Compiled), Check: lint.MessageCheck(checkPersistence)},
	{ID: "AP-017", Name: "persisted-notice", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Persistence Message",
		Summary: "An INFO that announces a persisted artifact gives Path (the canonical one) and Git Commit.",
		Types:   ofTypes(brenner.Info), Check: lint.MessageCheck(checkPersistedNotice)},
}

// checkPersistence checks only a Status that is present (decisions.md 5).
func checkPersistence(p *lint.MessagePass) {
	m := p.Message
	f := m.Field("Persistence Status")
	if s := m.Section("Persistence"); f == nil && s != nil {
		f = s.Field("Status")
	}
	states := []string{"Persisted", "Pending", "Draft"}
	if f == nil || isOneOf(f.Text, states) {
		return
	}
	reportField(p, f, "Persistence Status is "+text.Quote(f.Text)+"; expected "+text.Or(states), meantValue(nearestValue(f.Text, states)))
}

// checkPersistedNotice reports a notice once: at a wrong path, else at the subject,
// naming what is missing.
func checkPersistedNotice(p *lint.MessagePass) {
	m := p.Message
	if m.Doc == nil || !announcesPersisted(m) {
		return
	}
	if m.Wrapper != nil {
		reportWrapper(p)
		return
	}
	want := artifactPath(p)
	var missing, lines []string
	for _, line := range [...][2]string{{"Path", want}, {"Git Commit", "the commit's hash"}} {
		if f := m.Field(line[0]); f == nil || unfilled(f) {
			missing = append(missing, line[0])
			lines = append(lines, "`- **"+line[0]+"**: "+typed(line[1])+"`")
		}
	}
	path := m.Field("Path")
	if path != nil && !unfilled(path) && !checkPath(p, path, "Path", want) || missing == nil {
		return
	}
	p.Report(lint.Diagnostic{
		At:         m.SubjectPlace(),
		Message:    "notice of a persisted artifact lacks " + text.And(missing),
		Suggestion: "add " + text.And(lines),
	})
}

// announcesPersisted reports whether an INFO states that an artifact is persisted:
// `Artifact v3 persisted to repository`, or a heading `Artifact Persisted`.
func announcesPersisted(m *session.Message) bool {
	if m.Section("Artifact Persisted") != nil {
		return true
	}
	words := strings.Fields(strings.ToLower(m.SubjectText[m.Description.Start:m.Description.End]))
	for i, w := range words {
		if w != "artifact" {
			continue
		}
		rest := words[i+1:]
		if len(rest) > 0 {
			if _, ok := versionValue(rest[0]); ok {
				rest = rest[1:]
			}
		}
		if len(rest) > 1 && (rest[0] == "is" || rest[0] == "was") {
			rest = rest[1:]
		}
		if len(rest) > 0 && strings.Trim(rest[0], ".,:;!") == "persisted" {
			return true
		}
	}
	return false
}
