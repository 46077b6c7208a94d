package rules_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// specs is the folder of the five specifications.
var specs = flag.String("specs", "", "compare the ledger with the specifications in `DIR`")

var specNames = []string{
	"message_body_schema", "delta_output_format", "artifact_delta_spec", "artifact_publish_spec", "thread_subject_conventions",
}

// What counts as normative, line by line: outside fences and below the first heading,
// every row of a table, every list item, and every line with one of the words of
// obligation; also the first fence of a section that shows a form. Left out are the
// sections on aims, reasons, examples and history.
var (
	toldOnly = regexp.MustCompile(`^(Overview|Problem|Rationale|Decision Summary|Version History|Alternatives Considered|Option .*|` +
		`Relationship to Other Specs|Inbox Scanability|Full Subject Examples|Example.*|Delta Encoding Examples|Mapping table.*)$`)
	obligation = regexp.MustCompile(`(?i)\b(must|should|shall|required?|recommended|never|cannot|only|always|may|reject(ed)?|invalid|optional|` +
		`exactly|at least|default|immutable|ignored|every|all|each|one of|not|processed|in place)\b|^\*\*Subject\*\*`)
	listItem  = regexp.MustCompile(`^\s*([-*]|\d+\.) `)
	fenceLine = regexp.MustCompile("^(`{3,}|~{3,})")
	formGiven = regexp.MustCompile(`Body Schema|\((ADD/EDIT|all sections)\)|Message Structure|Delta Block Format|Delta Structure|Reference Format|` +
		`Merge Algorithm|Front Matter|Subject Format|Killed Item Rendering|Error Responses|Persistence Message|` +
		`\((Subsequent Rounds|Round 2\+)\)|Query Methods|Remediation|Messages$`)
)

// normative is a line of a specification that requires something.
type normative struct {
	spec    string
	line    int
	section string
	text    string
}

// formText represents a fence: its content is the required form.
const formText = "the form that the section shows"

// normativeLines picks the normative lines of a specification, and its headings.
func normativeLines(spec, text string) (out []normative, headings []string) {
	type heading struct {
		level int
		title string
	}
	var path []heading
	fence, last, row := "", 0, 0
	given := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		mark := fenceLine.FindString(line)
		if fence != "" {
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark {
				fence, last = "", i
			}
			continue
		}
		if level := len(line) - len(strings.TrimLeft(line, "#")); level > 0 {
			for len(path) > 0 && path[len(path)-1].level >= level {
				path = path[:len(path)-1]
			}
			path = append(path, heading{level, strings.TrimSpace(line[level:])})
			headings = append(headings, path[len(path)-1].title)
			continue
		}
		skip := len(path) < 2 || strings.HasPrefix(line, ">")
		for _, h := range path {
			skip = skip || toldOnly.MatchString(h.title)
		}
		section := ""
		if len(path) > 0 {
			section = path[len(path)-1].title
		}
		if mark != "" {
			if last == i-1 && line == mark {
				continue // ends the fence around the one that has just ended
			}
			fence = mark
			if !skip && !given[section] && formGiven.MatchString(section) {
				out = append(out, normative{spec, i + 1, section, formText})
			}
			given[section] = true
			continue
		}
		if !strings.HasPrefix(line, "|") {
			row = 0
		} else {
			row++
		}
		if !skip && (row > 2 || row == 0 && (listItem.MatchString(line) || obligation.MatchString(line))) {
			out = append(out, normative{spec, i + 1, section, strings.TrimSpace(line)})
		}
	}
	return out, headings
}

// TestSpecifications compares the ledger and the list of headings with the specifications,
// which are not part of this repository: they have their normative lines and headings, and
// no others.
func TestSpecifications(t *testing.T) {
	if *specs == "" {
		t.Skip("-specs does not name their folder")
	}
	want := map[string]string{}
	wantHeadings := map[string][]string{}
	for _, spec := range specNames {
		data := must.Read(t, filepath.Join(*specs, spec+"_v0.1.md"))
		lines, headings := normativeLines(spec, string(data))
		for _, n := range lines {
			want[fmt.Sprintf("%s:%d", n.spec, n.line)] = n.section
		}
		wantHeadings[spec] = headings
	}
	got := map[string]string{}
	for _, l := range readLedger(t) {
		got[l.Key()] = l.Heading
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the ledger differs (-specifications +ledger):\n%s", d)
	}
	if d := cmp.Diff(wantHeadings, readHeadings(t)); d != "" {
		t.Errorf("%s differs (-specifications +list):\n%s", headingsPath, d)
	}
}

const headingsPath = "testdata/headings.txt"

// readHeadings reads the headings of the specifications by document.
func readHeadings(t *testing.T) map[string][]string {
	t.Helper()
	data := must.Read(t, filepath.FromSlash(headingsPath))
	out := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		document, heading, _ := strings.Cut(strings.TrimSpace(line), "#")
		out[document] = append(out[document], heading)
	}
	return out
}

// TestPassages checks that the passage that each rule cites is in its document: a heading,
// perhaps without the remark at its end, or the rule's own row in a table of rules.
func TestPassages(t *testing.T) {
	headings := readHeadings(t)
	format := must.Read(t, filepath.Join("..", "docs", "artifact_format.md"))
	for line := range strings.Lines(string(format)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			headings["artifact_format"] = append(headings["artifact_format"], strings.TrimSpace(title))
		}
	}
	for _, r := range rules.All() {
		for passage := range strings.SplitSeq(r.SpecRef, "; ") {
			document, heading, ok := strings.Cut(passage, "#")
			if passage == "input contract" || ok && heading == r.ID && len(headings[document]) > 0 {
				continue
			}
			cited := func(h string) bool {
				rest, found := strings.CutPrefix(h, heading)
				return found && (rest == "" || strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, ":"))
			}
			if heading == "" || !slices.ContainsFunc(headings[document], cited) {
				t.Errorf("%s cites %s, which has no such heading", r.ID, passage)
			}
		}
	}
}
