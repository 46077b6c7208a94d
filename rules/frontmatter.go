package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the front matter of an artifact, or the metadata of a JSON one. They do not
// apply to a published artifact without front matter of its own (decisions.md 31).
var frontMatterRules = []*lint.Rule{
	{ID: "EM-001", Name: "front-matter", Severity: lint.Error, SpecRef: "artifact_format#Front matter",
		Summary: "The artifact begins with a YAML front matter block that parses to a mapping.",
		Help:    "begin the artifact with YAML front matter between two --- lines",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			inConflict := func(at source.Span) bool { return len(a.Conflicts) > 0 && a.Conflicts[0].Span.Start <= at.End }
			if a.IsJSON() {
				reportRepeatedKey(p, a.Root, func(key string) bool { return key == "metadata" })
			}
			switch f := a.MetaFault; {
			case a.Meta != nil:
				reportBlankAbove(p)
				reportRepeatedKeys(p)
			case f != nil && inConflict(f.Span): // ES-006 reports it
			case f != nil:
				p.Report(finding(a.Text.Place(f.Span), f.Message, f.Hint))
			case p.Message != nil:
			case a.IsJSON() && !a.Root.Is(jsontree.Object):
				p.Report(finding(start(a), fmt.Sprintf("the artifact is %s; expected an object with metadata and sections", a.Root.Kind), ""))
			case a.IsJSON():
				p.Report(finding(start(a), "the artifact has no metadata object", `add "metadata"`))
			case inConflict(firstLine(a).Span): // ES-006 reports it
			case hasTextAbove(a):
				p.Report(finding(firstLine(a), "the artifact does not begin with YAML front matter: there is text above it", "move that text below the front matter"))
			default:
				p.Report(finding(firstLine(a),
					"the artifact does not begin with YAML front matter",
					"begin the file with a line ---, then session_id, created_at, version, contributors and status, then another line ---"))
			}
		})},
	meta("EM-002", "session-id", lint.Error, sessionID.check,
		"`session_id` is a non-empty string.", "set session_id to the id of the thread"),
	meta("EM-003", "created-at", lint.Error, func(p *lint.ArtifactPass, m *artifact.Meta) {
		createdAt.check(p, m)
		if m.Get("created_at") == nil {
			compiledAt.check(p, m)
		}
	},
		"`created_at`, or `compiled_at` in its place, is an ISO 8601 timestamp.", "set created_at in ISO 8601, such as 2025-12-30T10:00:00Z"),
	meta("EM-004", "artifact-status", lint.Error, artifactStatus.check,
		"`status` is draft, active or closed; it may be absent where compiled_at is present.", "set status to draft, active or closed"),
	meta("EM-005", "updated-at", lint.Error, updatedAt.check,
		"`updated_at`, where present, is an ISO 8601 timestamp.", "set updated_at in ISO 8601, such as 2025-12-30T10:00:00Z"),
	meta("WM-001", "contributors", lint.Warning, func(p *lint.ArtifactPass, m *artifact.Meta) {
		v := m.Get("contributors", func(v *artifact.MetaValue) bool {
			isNone := func(e artifact.MetaValue) bool { return !namesAgent(&e) }
			return v.Kind == artifact.MetaList && len(v.Items) > 0 && !slices.ContainsFunc(v.Items, isNone)
		})
		switch {
		case v == nil:
			metaReport(p, "contributors", opening(p), metaName(p)+" lacks contributors (a list of the agents whose work the artifact contains)", "")
		case v.Kind != artifact.MetaList && v.Kind != artifact.MetaNull:
			metaReport(p, "contributors", v.Span, fmt.Sprintf("contributors is %s; expected a list of agents", scalar(v)), "")
		case len(v.Items) == 0:
			metaReport(p, "contributors", valueOrKey(v), "contributors is empty; expected the agents whose work the artifact contains", "")
		default:
			for i := range v.Items {
				if !namesAgent(&v.Items[i]) {
					metaReport(p, "contributors", v.Items[i].Span, fmt.Sprintf("contributor %d names no agent; expected a name or a mapping with agent", i+1), "")
				}
			}
		}
	},
		"`contributors` is a non-empty list (of names, or of mappings with `agent`).", ""),
	meta("WM-002", "timestamps-order", lint.Warning, func(p *lint.ArtifactPass, m *artifact.Meta) {
		updated := m.Get("updated_at")
		created := m.Get("created_at", func(v *artifact.MetaValue) bool { return !isBefore(updated, v) })
		v := m.Get("updated_at", func(v *artifact.MetaValue) bool { return !isBefore(v, created) })
		if isBefore(v, created) {
			metaReport(p, "updated_at", v.Span, fmt.Sprintf("updated_at %s is before created_at %s", v.Text, created.Text), "")
		}
	},
		"`updated_at` is not before `created_at`.", ""),
	meta("IM-001", "session-id-convention", lint.Info, checkSessionIDConvention,
		"`session_id` matches a thread id pattern.", ""),
	meta("IM-002", "version-integer", lint.Info, versionNumber.check,
		"`version` is an integer.", ""),
}

// frontMatterBelow is where front matter begins in a text.
var frontMatterBelow = text.Pattern(`(?m)^---[ \t]*\r?\n[a-z_]+:`)

// hasTextAbove reports whether front matter is below other text, but above the sections.
func hasTextAbove(a *artifact.Artifact) bool {
	m := frontMatterBelow().FindStringIndex(a.Text.Slice(a.Span))
	return m != nil && (len(a.Sections) == 0 || a.Span.Start+m[0] < a.Sections[0].Span.Start)
}

// meta returns a rule on front matter that is there.
func meta(id, name string, severity lint.Severity, check func(*lint.ArtifactPass, *artifact.Meta), summary, help string) *lint.Rule {
	return &lint.Rule{ID: id, Name: name, Severity: severity, SpecRef: "artifact_format#Front matter", Summary: summary, Help: help, Check: metaCheck(check)}
}

// metaCheck returns a check of artifacts that have front matter.
func metaCheck(check func(*lint.ArtifactPass, *artifact.Meta)) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		if m := p.Artifact.Meta; m != nil {
			check(p, m)
		}
	}
}

// metaReport reports a fault of a key of the front matter.
func metaReport(p *lint.ArtifactPass, key string, at source.Span, message, suggestion string) {
	p.Report(lint.Diagnostic{At: p.Artifact.Text.Place(at), Field: key, Message: message, Suggestion: suggestion})
}

// opening returns where something is missing from the front matter: its first line.
func opening(p *lint.ArtifactPass) source.Span {
	start, mark := p.Artifact.Meta.Span.Start, "---"
	if p.Artifact.IsJSON() {
		mark = "{"
	}
	return source.Span{Start: start, End: start + len(mark)}
}

// metaName names the front matter as the artifact's form has it.
func metaName(p *lint.ArtifactPass) string {
	if p.Artifact.IsJSON() {
		return "the metadata"
	}
	return "the front matter"
}

// reportBlankAbove reports blank lines above the front matter of a file: other programs
// then read it as text.
func reportBlankAbove(p *lint.ArtifactPass) {
	a := p.Artifact
	above := a.Text.Slice(source.Span{End: a.Meta.Span.Start})
	if p.Message == nil && strings.Contains(above, "\n") && strings.Trim(above, "\ufeff \t\r\n") == "" {
		p.Report(finding(a.Text.Place(opening(p)),
			"the front matter is not at the beginning of the file",
			"remove the blank lines above it"))
	}
}

// reportRepeatedKeys reports duplicate keys of front matter: YAML forbids them, and many
// parsers refuse the whole block.
func reportRepeatedKeys(p *lint.ArtifactPass) {
	a := p.Artifact
	first := make(map[string]source.Span, len(a.Meta.Values))
	for _, v := range a.Meta.Values {
		if earlier, ok := first[v.Key]; ok {
			p.Report(lint.Diagnostic{
				At: a.Text.Place(v.KeySpan), Field: v.Key,
				Message:    fmt.Sprintf("duplicate key %s in %s", text.Quote(v.Key), metaName(p)),
				Suggestion: "remove one of the two",
				Related:    []lint.RelatedLocation{{At: a.Text.Place(earlier), Message: "first occurrence"}},
			})
			continue
		}
		first[v.Key] = v.KeySpan
	}
}

// metaField is what belongs at a key of the front matter.
type metaField struct {
	key  string
	want string
	// kind is what is expected of a value that is not right, if want does not say it.
	kind     string
	right    func(*artifact.MetaValue) bool
	show     func(*artifact.MetaValue) string // words a value that is not right
	hint     func(*artifact.MetaValue) string // suggests what one may mean; may be nil
	optional func(*artifact.Meta) bool        // nil if the key has to be there
}

var (
	sessionID = metaField{
		key: "session_id", want: "the thread id of the session", kind: "a string, the thread id of the session",
		right: isText,
		show: func(v *artifact.MetaValue) string {
			if v.Kind == artifact.MetaInt {
				return "an integer"
			}
			return scalar(v)
		},
	}
	createdAt      = timeField("created_at", isPersisted)
	compiledAt     = timeField("compiled_at", always)
	updatedAt      = timeField("updated_at", always)
	artifactStatus = metaField{
		key: "status", want: "draft, active or closed", show: scalar,
		right:    func(v *artifact.MetaValue) bool { return isText(v) && slices.Contains(artifactStatuses, v.Text) },
		hint:     func(v *artifact.MetaValue) string { return didYouMean(text.Nearest(v.Text, artifactStatuses)) },
		optional: isPersisted,
	}
	versionNumber = metaField{
		key: "version", want: "an integer", show: scalar,
		right:    func(v *artifact.MetaValue) bool { return v.Kind == artifact.MetaInt },
		hint:     versionHint,
		optional: always, // an absent one is AP-014
	}
)

func always(*artifact.Meta) bool { return true }

// isPersisted reports whether compiled_at stands in for keys of an artifact that is edited.
func isPersisted(m *artifact.Meta) bool { return m.Get("compiled_at") != nil }

var artifactStatuses = []string{"draft", "active", "closed"}

// timeField is a key with an ISO 8601 timestamp.
func timeField(key string, optional func(*artifact.Meta) bool) metaField {
	return metaField{
		key: key, want: "an ISO 8601 timestamp such as 2025-12-30T14:00:00Z", optional: optional,
		right: func(v *artifact.MetaValue) bool { _, ok := isoTime(v); return ok },
		show: func(v *artifact.MetaValue) string {
			if v.Text == "" { // a list, a mapping
				return scalar(v)
			}
			return text.Quote(v.Text)
		},
		hint: func(v *artifact.MetaValue) string { return suggestISO(v.Text) },
	}
}

// check reports a key that is absent, empty or not right.
func (f metaField) check(p *lint.ArtifactPass, m *artifact.Meta) {
	v := m.Get(f.key, f.right)
	if v == nil {
		if f.optional == nil || !f.optional(m) {
			metaReport(p, f.key, opening(p), fmt.Sprintf("%s lacks %s (%s)", metaName(p), f.key, f.want), "")
		}
		return
	}
	if f.right(v) {
		return
	}
	message, hint := fmt.Sprintf("%s is %s; expected %s", f.key, f.show(v), cmp.Or(f.kind, f.want)), ""
	if isBlank(v) {
		message = fmt.Sprintf("%s is empty; expected %s", f.key, f.want)
	} else if f.hint != nil {
		hint = f.hint(v)
	}
	metaReport(p, f.key, valueOrKey(v), message, hint)
}

// isText reports whether a value is a string that is not blank.
func isText(v *artifact.MetaValue) bool { return v.Kind == artifact.MetaString && !isBlank(v) }

// isBlank reports whether a value is null or a blank string.
func isBlank(v *artifact.MetaValue) bool {
	return v.Kind == artifact.MetaNull || v.Kind == artifact.MetaString && strings.TrimSpace(v.Text) == ""
}

// valueOrKey returns the place of a value, or of its key if the value is empty.
func valueOrKey(v *artifact.MetaValue) source.Span {
	if v.Span.Empty() {
		return v.KeySpan
	}
	return v.Span
}

// isoTime reads an ISO 8601 timestamp.
func isoTime(v *artifact.MetaValue) (t brenner.Timestamp, ok bool) {
	if v != nil {
		t, ok = brenner.ParseISO(v.Text)
	}
	return t, ok
}

// isBefore reports whether both are timestamps, and the first is before the second.
func isBefore(v, other *artifact.MetaValue) bool {
	a, ok := isoTime(v)
	b, ok2 := isoTime(other)
	day := b.Time.Truncate(24 * time.Hour) // a bare date is the whole day
	return ok && ok2 && a.Time.Before(b.Time) && (a.HasTime || a.Time.Before(day))
}

// suggestISO suggests the ISO 8601 form of a time that is written otherwise.
func suggestISO(text string) string {
	if t, ok := brenner.ParseTime(strings.TrimSpace(text)); ok {
		return "write " + t.Time.Format(time.RFC3339Nano)
	}
	return ""
}

// scalar returns a value as a message quotes it.
func scalar(v *artifact.MetaValue) string {
	switch v.Kind {
	case artifact.MetaList:
		return "a list"
	case artifact.MetaMap:
		return "a mapping"
	case artifact.MetaString:
		return text.Quote(v.Text)
	}
	return v.Text
}

// namesAgent reports whether an entry of contributors is a name, or a mapping with agent.
func namesAgent(v *artifact.MetaValue) bool {
	isAgent := func(m artifact.MetaValue) bool { return m.Key == "agent" && isText(&m) }
	return isText(v) || v.Kind == artifact.MetaMap && slices.ContainsFunc(v.Items, isAgent)
}

// exampleID is a thread id that all rules about them accept.
const exampleID = "RS-20251230-gradient-vs-lineage"

// ownID returns the thread of the message of an artifact, or the one that its file is named after.
func ownID(p *lint.ArtifactPass) string {
	if p.Message != nil {
		return p.Message.ThreadID
	}
	file, ok := ownFile(p)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(file, ".md")
}

func checkSessionIDConvention(p *lint.ArtifactPass, m *artifact.Meta) {
	own := ownID(p)
	v := m.Get("session_id", func(v *artifact.MetaValue) bool {
		_, ok := brenner.ClassifyThreadID(v.Text)
		return isText(v) && (ok || v.Text == own)
	})
	if v == nil || !isText(v) {
		return // EM-002 reports it
	}
	kind, ok := brenner.ClassifyThreadID(v.Text)
	ofThread := kind != brenner.EngineeringThread // TH-002 or TH-003 reports the thread
	if v.Text != own && strings.EqualFold(strings.TrimSpace(v.Text), own) {
		if _, valid := brenner.ClassifyThreadID(own); valid {
			return // it differs only in case: AP-003 or AP-015 reports it
		}
	}
	if ok || ofThread && (p.HasThread || p.Message != nil && p.Message.ThreadID == v.Text) {
		return
	}
	wants := map[brenner.ThreadKind]string{
		brenner.ResearchSession:    "RS-, eight digits and a slug of lower-case letters, digits and hyphens (" + exampleID + ")",
		brenner.CoordinationThread: "COORD- and a topic of lower-case letters, digits and hyphens (COORD-daily-sync)",
		brenner.EngineeringThread:  exampleID + ", COORD-daily-sync or a bead id in lower case",
	}
	p.Report(lint.Diagnostic{
		At: p.Artifact.Text.Place(v.Span), Field: "session_id",
		Message: fmt.Sprintf("session_id %s is not a thread id; expected %s", text.Quote(v.Text), wants[kind]),
	})
}

func versionHint(v *artifact.MetaValue) string {
	if n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(v.Text), "v")); err == nil && n >= 0 {
		hint := fmt.Sprintf("write version: %d", n)
		if !strings.HasPrefix(strings.TrimSpace(v.Text), "v") {
			hint += ", without quotes"
		}
		return hint
	}
	return ""
}
