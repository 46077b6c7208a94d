package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// count returns a number and its noun.
func count(n int, noun string) string { return strconv.Itoa(n) + " " + plural(n, noun) }

// plural returns the noun of a number.
func plural(n int, noun string) string {
	if n == 1 || noun == "info" {
		return noun
	}
	return noun + "s"
}

// some is count, "" for none.
func some(n int, noun string) string { return ifAny(n, plural(n, noun)) }

// ifAny returns a number and what it counts, "" for none.
func ifAny(n int, what string) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " " + what
}

// withLead returns a text with a lead before it; "" if there is no text.
func withLead(lead, s string) string {
	if s == "" {
		return ""
	}
	return lead + s
}

// given returns the texts that are not empty.
func given(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// severities counts findings: "3 errors, 1 warning"; "" if there are none.
func severities(errors, warnings, info int) string {
	return strings.Join(given(some(errors, "error"), some(warnings, "warning"), some(info, "info")), ", ")
}

// verdict returns the severities found, after the failures if there are any.
func verdict(r *lint.Report) string {
	s := &r.Summary
	found := strings.Join(given(FailureCount(r), severities(s.Errors, s.Warnings, s.Info)), ", ")
	if found == "" && len(r.Findings) > 0 { // the baseline has those that are shown
		return "no new findings"
	}
	return cmp.Or(found, "no findings")
}

// Summary returns a report in one line: counts of findings, of what was checked, and of what was
// left out.
func Summary(r *lint.Report) string {
	s := &r.Summary
	messages, artifacts := atFault(r.Findings, r.Hidden)
	checked := given(some(s.Messages, "message"), some(s.Artifacts, "artifact"))
	faulty := given(withLead(fmt.Sprintf("%d of ", messages), some(s.Messages, "message")), withLead(fmt.Sprintf("%d of ", artifacts), some(s.Artifacts, "artifact")))
	line, found := verdict(r), s.Errors+s.Warnings+s.Info
	switch {
	case found == 0 && len(checked) == 0:
		line += ": no message or artifact to check"
	case found == 0:
		line += " in " + text.And(checked)
	case messages+artifacts > 0 && len(r.Findings)+len(r.Hidden) < found: // limits keep the others
		line += " in at least " + text.And(faulty)
	case messages+artifacts > 0:
		line += " in " + text.And(faulty)
	case len(checked) > 0:
		line += separator + text.And(checked) + " checked"
	}
	return strings.Join(given(line,
		ifAny(s.Hidden, "hidden by --level"),
		ifAny(s.SkippedMessages, plural(s.SkippedMessages, "message")+" outside the protocol skipped"),
		ifAny(s.Suppressed, "suppressed"),
		ifAny(s.Baselined, "in the baseline"),
		ifAny(s.Unchanged, "on unchanged lines and messages"),
	), separator)
}

// atFault counts the messages and artifacts with findings.
func atFault(lists ...[]*lint.Finding) (messages, artifacts int) {
	seenMessages, seenFiles := map[messageKey]bool{}, map[string]bool{}
	for _, f := range slices.Concat(lists...) {
		if f.Artifact {
			seenFiles[f.Path] = true
		} else if f.Mail != nil {
			seenMessages[messageOf(f)] = true
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

// mostSevere returns all findings, or the most severe if there are more than the limit, and a
// sentence about the rest. A limit of 0 means no limit.
func mostSevere(findings []*lint.Finding, limit int) (shown []*lint.Finding, rest string) {
	if limit <= 0 || limit >= len(findings) {
		return findings, ""
	}
	kept, left := lint.MostSevere(findings, limit)
	return bySeverity(kept), fmt.Sprintf("… %d not shown: %s; raise --max-findings to show more", len(left), severities(countSeverities(left)))
}

// countSeverities counts findings of each severity.
func countSeverities(findings []*lint.Finding) (errors, warnings, info int) {
	var by [lint.Info + 1]int
	for _, f := range findings {
		by[f.Severity]++
	}
	return by[lint.Error], by[lint.Warning], by[lint.Info]
}

// bySeverity orders findings by severity and keeps their order within each.
func bySeverity(findings []*lint.Finding) []*lint.Finding {
	out := slices.Clone(findings)
	slices.SortStableFunc(out, compareSeverity)
	return out
}

// firstMostSevere returns the first of the most severe findings.
func firstMostSevere(findings []*lint.Finding) *lint.Finding {
	return slices.MinFunc(findings, compareSeverity)
}

func compareSeverity(a, b *lint.Finding) int { return cmp.Compare(a.Severity, b.Severity) }

// rulesByID returns the rules that ran.
func rulesByID(r *lint.Report) map[string]lint.Rule {
	rules := make(map[string]lint.Rule, len(r.Rules))
	for _, rule := range r.Rules {
		rules[rule.ID] = *rule
	}
	return rules
}

// place returns where a finding is in its file: path:line:column, as far as that
// is known, with the path as it may be shown.
func place(path string, r *source.Range) string { return cleanName(path) + lineAndColumn(r) }

// lineAndColumn returns where a range begins: ":line:column"; "" without one.
func lineAndColumn(r *source.Range) string {
	if r == nil {
		return ""
	}
	return ":" + strconv.Itoa(r.Start.Line) + ":" + strconv.Itoa(r.Start.Column)
}

// maxName is how many columns a title gives to an id or a name.
const maxName = 40

// Internal errors are in every format: a rule that failed must not look like one that
// found nothing.

// maxFailures is how many failures a format for people shows.
const maxFailures = 10

// first returns so many of a list at most, and the rest.
func first[T any](list []T, most int) (shown, rest []T) {
	n := min(len(list), most)
	return list[:n], list[n:]
}

// failureLines returns the internal errors for people, cleaned: a line each, and how
// many more there are.
func failureLines(r *lint.Report) []string {
	var lines []string
	shown, rest := first(r.Failures, maxFailures)
	for _, f := range shown {
		lines = append(lines, clean(f.Error()))
	}
	if len(rest) > 0 {
		more := "more failure"
		if _, stopped := countFailures(rest); stopped == 0 {
			more = "more " + failurePrefix
		}
		lines = append(lines, "… and "+count(len(rest), more))
	}
	return lines
}

// failureTitle returns what a failure is.
func failureTitle(f lint.Failure) string {
	if f.Stopped {
		return "stopped rule"
	}
	return failurePrefix
}

// countFailures counts the internal errors and the stopped rules.
func countFailures(failures []lint.Failure) (internal, stopped int) {
	for _, f := range failures {
		if f.Stopped {
			stopped++
		}
	}
	return len(failures) - stopped, stopped
}

// meaning says what failures mean for a report.
func meaning(failures ...lint.Failure) string {
	const missing, correct, issues = "findings may be missing; ", "correct the rule in the configuration", homepage + "/issues"
	switch internal, stopped := countFailures(failures); {
	case stopped == 0:
		return missing + "please report this at " + issues
	case internal == 0:
		return missing + correct
	}
	return missing + correct + ", and report the internal errors at " + issues
}

// FailureCount counts the failures of a report: "1 internal error, 2 stopped rules".
func FailureCount(r *lint.Report) string {
	internal, stopped := countFailures(r.Failures)
	return strings.Join(given(some(internal, failurePrefix), some(stopped, "stopped rule")), ", ")
}

// failures writes the internal errors of the text format.
func (t *textWriter) failures(r *lint.Report) {
	lines := failureLines(r)
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, failurePrefix); ok {
			t.wrapped("", t.in(red, failurePrefix), "  ", rest)
		} else {
			t.wrapped("  ", "", "  ", line)
		}
	}
	if len(lines) > 0 {
		t.wrapped("  ", "", "  ", meaning(r.Failures...))
		t.write("\n")
	}
}

// failurePrefix begins what lint.Failure.Error says.
const failurePrefix = "internal error"

// withFailures returns the findings after the internal errors, as findings, for formats that
// know nothing else.
func withFailures(r *lint.Report) []*lint.Finding {
	var out []*lint.Finding
	for i := range r.Failures {
		f, sum := &r.Failures[i], sha256.Sum256([]byte("\x00"+strconv.Itoa(i)))
		out = append(out, &lint.Finding{
			Rule: strings.ReplaceAll(failureTitle(*f), " ", "-"), Name: f.Rule, Severity: lint.Error,
			Message: strings.TrimPrefix(f.Error(), failurePrefix+": "), Suggestion: meaning(*f), Path: f.Path, Fingerprint: hex.EncodeToString(sum[:16]),
		})
	}
	return append(out, r.Findings...)
}

// StatisticsBy lists what statistics can count findings by, the default one first.
var StatisticsBy = []string{"rule", "agent", "thread", "file", "message-type"}

// tally counts the findings of one rule, agent, thread, file or type of message.
type tally struct {
	Key  string `json:"key"`            // "" for findings that have none
	Name string `json:"name,omitempty"` // of a rule

	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
	Fixable  int `json:"fixable"`  // with --fix
	Messages int `json:"messages"` // with findings
	Files    int `json:"files"`    // with findings

	Findings int           `json:"-"`
	Severity lint.Severity `json:"-"` // of the most severe
}

// tallies counts findings, those with the most severe and most frequent first.
func tallies(by string, findings []*lint.Finding) []*tally {
	groups := map[string][]*lint.Finding{}
	for _, f := range findings {
		key := keyOf(f, by)
		groups[key] = append(groups[key], f)
	}
	out := []*tally{} // not null
	for key, list := range groups {
		t := &tally{Key: key, Fixable: fixable(list), Findings: len(list), Severity: firstMostSevere(list).Severity}
		t.Errors, t.Warnings, t.Info = countSeverities(list)
		if by == "rule" {
			t.Name = list[0].Name
		}
		messages, files := map[messageKey]bool{}, map[string]bool{}
		for _, f := range list {
			files[f.Path] = true
			if m := messageOf(f); m.id != "" {
				messages[m] = true
			}
		}
		t.Messages, t.Files = len(messages), len(files)
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings), cmp.Compare(b.Info, a.Info), strings.Compare(a.Key, b.Key))
	})
	return out
}

// keyOf returns what a finding is counted by; "" if it has none.
func keyOf(f *lint.Finding, by string) string {
	switch {
	case by == "rule":
		return f.Rule
	case by == "file":
		return f.Path
	case by == "thread":
		return cmp.Or(f.Thread, f.Session)
	case f.Mail == nil:
		return ""
	case by == "agent":
		return f.Mail.From
	default:
		return f.Mail.Type
	}
}

// maxKey is how many columns statistics give to what is counted.
const maxKey = 60

// statistics writes a table of counts by severity.
func (t *textWriter) statistics(r *lint.Report) {
	by := t.o.Statistics
	all := tallies(by, r.Findings)
	if len(all) == 0 {
		return
	}
	widest := len(by)
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = truncateLeft(cleanName(strings.TrimSpace(s.Key+" "+s.Name)), maxKey)
		if names[i] == "" {
			names[i] = "(no " + strings.TrimPrefix(by, "message-") + ")"
		}
		widest = max(widest, textWidth(names[i]))
	}
	t.line(t.in(dim, "errors warnings   info  "+by))
	for i, s := range all {
		line := t.number(s.Errors, 6, red) + t.number(s.Warnings, 9, yellow) + t.number(s.Info, 7, blue) + "  " +
			t.in(bold, names[i]) + strings.Repeat(" ", widest-textWidth(names[i])+2) + s.places(by)
		t.line(strings.TrimRight(line, " "))
	}
	t.write("\n")
	if more := r.Summary.Errors + r.Summary.Warnings + r.Summary.Info - r.Summary.Hidden - len(r.Findings); more > 0 {
		t.line(fmt.Sprintf("… %s beyond limits.findings, not in this table", count(more, "more finding")))
		t.write("\n")
	}
}

// number returns a count in some columns, coloured; none is a dash.
func (t *textWriter) number(n, columns int, st style) string {
	if n == 0 {
		return t.in(dim, fmt.Sprintf("%*s", columns, "-"))
	}
	return t.in(st, fmt.Sprintf("%*d", columns, n))
}

// places is in how many messages and files the findings are, and what --fix does.
func (t *tally) places(by string) string {
	files := ""
	if by != "file" {
		files = count(t.Files, "file")
	}
	return strings.Join(given(some(t.Messages, "message"), files, ifAny(t.Fixable, "fixable with --fix")), ", ")
}
