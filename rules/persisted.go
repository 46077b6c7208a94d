package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the additional front matter of a persisted artifact.
var persistedArtifactRules = []*lint.Rule{
	{ID: "AP-014", Name: "front-matter-keys", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact File Front Matter",
		Summary: "A persisted artifact's front matter has version, compiled_at (ISO 8601), compiled_by, contributors and agent_mail_message_id; one finding naming all missing keys.",
		Check:   metaCheck(checkPersistedKeys)},
	{ID: "AP-015", Name: "artifact-identity", Severity: lint.Error, SpecRef: "thread_subject_conventions#Cross-Reference Contract",
		Summary: "session_id in the front matter, and an H1 that is a thread id, is the file's name without .md.",
		Help:    "set session_id to the name of the file without .md",
		Check:   lint.ArtifactCheck(checkArtifactIdentity)},
}

var persistedKeys = []string{"version", "compiled_at", "compiled_by", "contributors", "agent_mail_message_id"}

func checkPersistedKeys(p *lint.ArtifactPass, m *artifact.Meta) {
	if p.Message != nil {
		return // published, but not a file yet: its message id is unknown
	}
	var missing []string
	for _, key := range persistedKeys {
		if v := m.Get(key); v == nil || v.Kind == artifact.MetaNull || v.Kind == artifact.MetaString && strings.TrimSpace(v.Text) == "" {
			missing = append(missing, key)
		}
	}
	compiled := m.Get("compiled_at")
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
		checkTimestamp(p, compiled)
	}
}

func checkArtifactIdentity(p *lint.ArtifactPass) {
	file, ok := ownFile(p)
	if !ok {
		return
	}
	name := strings.TrimSuffix(file, ".md")
	if id := misnamed(p, p.Artifact.Meta); id != nil {
		metaReport(p, "session_id", id.Span,
			fmt.Sprintf("session_id is %s, but the file is %s; both must be the thread id", text.Quote(id.Text), text.Quote(file)),
			"")
	} else if id, at := p.Artifact.TitleID(); id != "" && id != name {
		p.Report(lint.Diagnostic{
			At:      p.Artifact.Text.Place(at),
			Message: fmt.Sprintf("the title names %s, but the file is %s; both must be the thread id", text.Quote(id), text.Quote(file)),
		})
	}
}

// ownFile returns the name of a Markdown file in the folder of the artifacts: where it
// really is, however it was named (decisions.md 41).
func ownFile(p *lint.ArtifactPass) (file string, ok bool) {
	if p.Message != nil || p.Artifact.IsJSON() {
		return "", false
	}
	file = path.Base(p.RealPath)
	return file, strings.HasSuffix(file, ".md") && isFolder(path.Dir(p.RealPath), p.RuleConfig.ArtifactsDir)
}

// misnamed returns the session_id of an artifact file that has another name, nil if it has
// not. The case of both counts.
func misnamed(p *lint.ArtifactPass, m *artifact.Meta) *artifact.MetaValue {
	file, ok := ownFile(p)
	id := m.Get("session_id")
	if !ok || id == nil || id.Kind != artifact.MetaString || strings.TrimSpace(id.Text) == "" || id.Text == strings.TrimSuffix(file, ".md") {
		return nil
	}
	return id
}

// isFolder reports whether dir is the folder, or ends in it.
func isFolder(dir, folder string) bool {
	folder = strings.Trim(path.Clean("/"+folder), "/")
	return dir == folder || strings.HasSuffix(dir, "/"+folder)
}
