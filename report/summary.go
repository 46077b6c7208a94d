package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// count returns a number and its noun.
func count(n int, noun string) string {
	if n != 1 && noun != "info" {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// counted is a number of things.
type counted struct {
	n    int
	noun string
}

// counts returns numbers with their nouns, without those that are 0.
func counts(list ...counted) (out []string) {
	for _, c := range list {
		if c.n > 0 {
			out = append(out, count(c.n, c.noun))
		}
	}
	return out
}

// severities counts findings: "3 errors, 1 warning"; "" if there are none.
func severities(errors, warnings, info int) string {
	return strings.Join(counts(counted{errors, "error"}, counted{warnings, "warning"}, counted{info, "info"}), ", ")
}

// verdict returns the severities found, after the failures if there are any.
func verdict(r *lint.Report) string {
	s := &r.Summary
	found := strings.Trim(FailureCount(r)+", "+severities(s.Errors, s.Warnings, s.Info), ", ")
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
	checked := counts(counted{s.Messages, "message"}, counted{s.Artifacts, "artifact"})
	var faulty []string
	if s.Messages > 0 {
		faulty = append(faulty, fmt.Sprintf("%d of %s", messages, count(s.Messages, "message")))
	}
	if s.Artifacts > 0 {
		faulty = append(faulty, fmt.Sprintf("%d of %s", artifacts, count(s.Artifacts, "artifact")))
	}
	line, found := verdict(r), s.Errors+s.Warnings+s.Info
	switch {
	case found == 0 && checked == nil:
		line += ": no message or artifact to check"
	case found == 0:
		line += " in " + text.And(checked)
	case messages+artifacts > 0 && len(r.Findings)+len(r.Hidden) < found: // limits keep the others
		line += " in at least " + text.And(faulty)
	case messages+artifacts > 0:
		line += " in " + text.And(faulty)
	case checked != nil:
		line += separator + text.And(checked) + " checked"
	}
	aside := func(n int, what string) {
		if n > 0 {
			line += separator + what
		}
	}
	aside(s.Hidden, fmt.Sprintf("%d hidden by --level", s.Hidden))
	aside(s.SkippedMessages, count(s.SkippedMessages, "message")+" outside the protocol skipped")
	aside(s.Suppressed, fmt.Sprintf("%d suppressed", s.Suppressed))
	aside(s.Baselined, fmt.Sprintf("%d in the baseline", s.Baselined))
	aside(s.Unchanged, fmt.Sprintf("%d on unchanged lines and messages", s.Unchanged))
	return line
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
	sorted := bySeverity(findings)
	var by [lint.Info + 1]int
	for _, f := range sorted[limit:] {
		by[f.Severity]++
	}
	return sorted[:limit], fmt.Sprintf("… %d not shown: %s; raise --max-findings to show more",
		len(findings)-limit, severities(by[lint.Error], by[lint.Warning], by[lint.Info]))
}

// severest returns at most so many findings, the most severe ones, in their order.
func severest(findings []*lint.Finding, limit int) []*lint.Finding {
	if len(findings) <= limit {
		return findings
	}
	kept := map[*lint.Finding]bool{}
	for _, f := range bySeverity(findings)[:limit] {
		kept[f] = true
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f *lint.Finding) bool { return !kept[f] })
}

// bySeverity orders findings by severity and keeps their order within each.
func bySeverity(findings []*lint.Finding) []*lint.Finding {
	out := slices.Clone(findings)
	slices.SortStableFunc(out, compareSeverity)
	return out
}

// worst returns the first of the most severe findings.
func worst(findings []*lint.Finding) *lint.Finding { return slices.MinFunc(findings, compareSeverity) }

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
