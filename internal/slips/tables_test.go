package slips

import (
	"regexp"
	"strings"
)

// tables are slips in the Predictions Table of the artifact file.
var tables = []slip{
	{name: "no table", rule: "EP-002", in: theFile, find: `^\| ID(.*\n)+?\n`, with: "", at: above(heading)},
	{name: "first column called Prediction", rule: "EP-002", in: theFile, find: `^\| ID \|`, with: "| ‸Prediction |"},
	{name: "table without its delimiter row", rule: "EP-002", in: theFile, find: `^\| ---.*\n`, with: "", at: above(heading)},
	{name: "delimiter row one cell short", rule: "EP-002", in: theFile, find: `^\| --- (\| ---.*)\n`, with: "$1\n"},
	{name: "column of a hypothesis forgotten", rule: "EP-003", do: dropColumn, stage: file},
	{name: "row one cell short", rule: "EP-003", in: theFile, find: `^(\| P1 \|.*) \| [^|]* \|$`, with: "$1 |"},
	{name: "row one cell long", rule: "EP-003", in: theFile, find: `^(\| P2 \|.*) \|$`, with: "$1 | no idea |"},
	{name: "column of a hypothesis that is not there", rule: "EP-003", in: theFile, find: `^(\| ID .*) H2 \|`, with: "$1 ‸H8 |"},
	{name: "blank line in the table", rule: "WP-002", in: theFile, find: `^\| P3 \|`, with: "\n‸| P3 |"},
	{name: "too few predictions", rule: "EP-001", do: tooFewPredictions, stage: file},
	{name: "row without an id", rule: "WP-002", in: theFile, find: `^\| P2 \|`, with: "| ‸  |"},
	{name: "row id spelt out", rule: "WP-002", in: theFile, find: `^\| P2 \|`, with: "| ‸Prediction 2 |"},
	{name: "row that tells nothing apart", rule: "WP-001", do: sameOutcomes("falls"), stage: file},
	{name: "row of dashes", rule: "WP-001", do: sameOutcomes("—"), stage: file},
	{name: "third alternative that is sure", rule: "IP-001", do: allSure, stage: file},
}

var tableRow = regexp.MustCompile(`(?m)^\| (ID|---|P\d+) \|.*$`)

// eachRow rewrites the cells of the Predictions Table, header and delimiter row
// included.
func eachRow(text string, rewrite func(cells []string) []string) string {
	return tableRow.ReplaceAllStringFunc(text, func(row string) string {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		return "| " + strings.Join(rewrite(cells), " | ") + " |"
	})
}

// dropColumn removes the column of an active hypothesis.
func dropColumn(s *scene) bool {
	var active []int
	for i, b := range blocks(s.thread.Artifact, "H") {
		if !b.killed && b.id != "H3" {
			active = append(active, i)
		}
	}
	at := 2 + active[s.IntN(len(active))]
	s.thread.Artifact = eachRow(s.thread.Artifact, func(cells []string) []string {
		return append(cells[:at:at], cells[at+1:]...)
	})
	s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "## 3.")}
	return true
}

// sameOutcomes makes a prediction expect the same of every hypothesis.
func sameOutcomes(outcome string) func(*scene) bool {
	return func(s *scene) bool {
		s.thread.Artifact = eachRow(s.thread.Artifact, func(cells []string) []string {
			if cells[0] == "P2" {
				for i := range cells[2:] {
					cells[2+i] = outcome
				}
			}
			return cells
		})
		s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "| P2 |")}
		return true
	}
}

// allSure makes the third alternative predict something in every row.
func allSure(s *scene) bool {
	s.thread.Artifact = strings.ReplaceAll(s.thread.Artifact, "| indeterminate |", "| stays as it was |")
	s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "| ID |")}
	return true
}
