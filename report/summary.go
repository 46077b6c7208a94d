package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// count is a number and its noun.
func count(n int, noun string) string {
	if n != 1 && noun != "info" {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// verdict is the severities found: "3 errors, 1 warning". Without findings because
// a rule broke, it is that.
func verdict(r *lint.Report) string {
	s := &r.Summary
	var parts []string
	if n := len(r.Failures); n > 0 {
		parts = append(parts, count(n, failurePrefix))
	}
	for _, c := range []struct {
		n    int
		noun string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Info, "info"}} {
		if c.n > 0 {
			parts = append(parts, count(c.n, c.noun))
		}
	}
	if parts == nil {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// summaryLine says what was found, in how much of what was checked, and what was
// left aside.
func summaryLine(r *lint.Report) string {
	s := &r.Summary
	line := verdict(r)
	messages, artifacts := atFault(r.Findings)
	checked := and(s.Messages, count(s.Messages, "message"), s.Artifacts, count(s.Artifacts, "artifact"))
	switch {
	case len(r.Findings) == 0 && checked == "":
		line += ": no message or artifact to check"
	case len(r.Findings) == 0:
		line += " in " + checked
	case messages+artifacts > 0:
		line += " in " + and(s.Messages, fmt.Sprintf("%d of %s", messages, count(s.Messages, "message")),
			s.Artifacts, fmt.Sprintf("%d of %s", artifacts, count(s.Artifacts, "artifact")))
	case checked != "":
		line += " · " + checked + " checked"
	}
	for _, aside := range []struct {
		n    int
		what string
	}{
		{s.SkippedMessages, count(s.SkippedMessages, "message") + " outside the protocol skipped"},
		{s.Suppressed, fmt.Sprintf("%d suppressed", s.Suppressed)},
		{s.Baselined, fmt.Sprintf("%d in the baseline", s.Baselined)},
	} {
		if aside.n > 0 {
			line += " · " + aside.what
		}
	}
	return line
}

// and joins what is said of messages and of artifacts, where there are any.
func and(messages int, ofMessages string, artifacts int, ofArtifacts string) string {
	switch {
	case messages == 0 && artifacts == 0:
		return ""
	case artifacts == 0:
		return ofMessages
	case messages == 0:
		return ofArtifacts
	default:
		return ofMessages + " and " + ofArtifacts
	}
}

// atFault counts the messages and artifacts with findings.
func atFault(findings []*lint.Finding) (messages, artifacts int) {
	type message struct{ path, thread, id string }
	seenMessages, seenFiles := map[message]bool{}, map[string]bool{}
	for _, f := range findings {
		switch {
		case f.Artifact:
			seenFiles[f.Path] = true
		case f.Mail != nil:
			seenMessages[message{f.Path, f.Thread, f.Mail.ID}] = true
		}
	}
	return len(seenMessages), len(seenFiles)
}

// fixable counts the findings that --fix fixes.
func fixable(findings []*lint.Finding) int {
	n := 0
	for _, f := range findings {
		if canFix(f) {
			n++
		}
	}
	return n
}

// canFix reports whether --fix would fix a finding: mail is a record and stays.
func canFix(f *lint.Finding) bool { return f.Fix != nil && !f.Fix.Unsafe && f.Artifact }

// tally is the findings of one rule.
type tally struct {
	rule, name string
	severity   lint.Severity // the most severe
	findings   int
	fixable    int
	files      int
	lastPath   string
}

// tallies counts the findings of each rule, the most severe and most frequent first.
func tallies(findings []*lint.Finding) []*tally {
	byRule := map[string]*tally{}
	var out []*tally
	for _, f := range findings {
		t := byRule[f.Rule]
		if t == nil {
			t = &tally{rule: f.Rule, name: f.Name, severity: f.Severity}
			byRule[f.Rule] = t
			out = append(out, t)
		}
		t.findings++
		t.severity = min(t.severity, f.Severity)
		if canFix(f) {
			t.fixable++
		}
		if t.files == 0 || f.Path != t.lastPath { // findings are sorted by path
			t.files++
			t.lastPath = f.Path
		}
	}
	slices.SortFunc(out, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(b.findings, a.findings), cmp.Compare(a.rule, b.rule))
	})
	return out
}

// bySeverity orders findings by severity and keeps their order within each.
func bySeverity(findings []*lint.Finding) []*lint.Finding {
	out := slices.Clone(findings)
	slices.SortStableFunc(out, func(a, b *lint.Finding) int { return cmp.Compare(a.Severity, b.Severity) })
	return out
}

// rulePages are the addresses of the documentation of rules, by id.
func rulePages(r *lint.Report) map[string]string {
	pages := make(map[string]string, len(r.Rules))
	for _, rule := range r.Rules {
		if rule.URL != "" {
			pages[rule.ID] = rule.URL
		}
	}
	return pages
}

// place is where a finding is in its file: path:line:column, as far as that
// is known, with the path as it may be shown.
func place(path string, r *lint.Range) string {
	path = cleanName(path)
	if r == nil {
		return path
	}
	return path + ":" + strconv.Itoa(r.Start.Line) + ":" + strconv.Itoa(r.Start.Column)
}

// maxName is how many columns a title gives to an id or a name.
const maxName = 40

// messageTitle describes a message to people on one line, its subject cut so that
// the line takes no more than some columns; 0 is any number.
func messageTitle(m *lint.MailInfo, columns int) string {
	before, after := "message", ""
	if m.ID != "" {
		before += " " + truncate(clean(m.ID), maxName)
	}
	if m.From != "" {
		after += " · " + truncate(clean(m.From), maxName)
	}
	if !m.Time.IsZero() {
		after += " · " + m.Time.UTC().Format("2006-01-02 15:04Z")
	}
	if m.Subject == "" {
		return before + after
	}
	subject := clean(m.Subject)
	if columns > 0 {
		subject = truncate(subject, max(leastSource, columns-textWidth(before+after)-3))
	}
	return before + " · " + subject + after
}
