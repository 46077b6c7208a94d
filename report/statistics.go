package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

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
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings),
			cmp.Compare(b.Info, a.Info), strings.Compare(a.Key, b.Key))
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
