package slips

import (
	"fmt"
	"regexp"
	"strings"
)

// Slips in the artifact file.
const (
	heading = `^#+ `
	item    = `^### `
)

var frontMatter = []slip{
	{name: "no front matter", rule: "EM-001", in: theFile, find: `(?s)\A---.*?\n---\n\n`, with: ""},
	{name: "front matter not closed", rule: "EM-001", in: theFile, find: `(?s)^(status: "active".*?\n)---\n`, with: "$1", at: top, says: "clos|end"},
	{name: "colon forgotten", rule: "EM-001", in: theFile, find: `^version: `, with: "version "},
	{name: "indented by a tab", rule: "EM-001", in: theFile, find: `^    program`, with: "\tprogram"},
	{name: "no session id", rule: "EM-002", in: theFile, find: `^session_id: .*\n`, with: "", at: top},
	{name: "empty session id", rule: "EM-002", in: theFile, find: `^session_id: .*`, with: `session_id: ""`},
	{name: "session id of another file", rule: "AP-015", in: theFile, find: `^session_id: "RS-(.*)"`, with: `session_id: "RS-$1-old"`},
	{name: "session id that is a sentence", rule: "IM-001", in: theFile, find: `^session_id: .*`, with: `session_id: "Cell fate"`, also: []follow{{rule: "AP-015", law: "41"}}},
	{name: "no time of creation", rule: "EM-003", in: theFile, find: `(?s)^created_at: .*?\n(.*)^compiled_at: .*?\n`, with: "$1", at: top, also: []follow{{rule: "AP-014", law: "2"}}},
	{name: "created in words", rule: "EM-003", in: theFile, find: `^created_at: .*`, with: `created_at: "last Monday"`},
	{name: "artifact of a status of its own", rule: "EM-004", in: theFile, find: `^status: .*`, with: `status: "in review"`},
	{name: "updated in words", rule: "EM-005", in: theFile, find: `^updated_at: .*`, with: `updated_at: "today"`},
	{name: "updated before it was created", rule: "WM-002", in: theFile, find: `^updated_at: .*`, with: `updated_at: "2025-01-01T00:00:00Z"`},
	{name: "no contributors", rule: "WM-001", in: theFile, find: `^contributors:\n(  .*\n)+`, with: "contributors: []\n"},
	{name: "a number of contributors", rule: "WM-001", in: theFile, find: `^contributors:\n(  .*\n)+`, with: "contributors: 3\n"},
	{name: "version with a v", rule: "IM-002", in: theFile, find: `^version: (\d)`, with: "version: ‸v$1"},
	{name: "no version", rule: "AP-014", in: theFile, find: `^version: .*\n`, with: "", at: top},
	{name: "no compiler and no message", rule: "AP-014", in: theFile, find: `(?s)^compiled_by: .*?\n(.*)agent_mail_message_id: \d+\n`, with: "$1", at: top},
	{name: "compiled in words", rule: "AP-014", in: theFile, find: `^compiled_at: .*`, with: `compiled_at: "now"`},
}

var sections = []slip{
	{name: "section forgotten", rule: "ES-001", in: theFile, find: `(?s)^## 6\. Anomaly Register\n.*?(^## 7)`, with: "$1", at: above(`^# `)},
	{name: "section renamed", rule: "ES-001", in: theFile, find: `^## 6\. Anomaly Register`, with: "## 6. Oddities"},
	{name: "section heading without #", rule: "ES-001", in: theFile, find: `^## (4\. Discriminative Tests)`, with: "$1", says: "heading"},
	{name: "section heading without a space", rule: "ES-001", in: theFile, find: `^## (4\. Discriminative Tests)`, with: "##$1", says: "space"},
	{name: "section heading of the third level", rule: "ES-001", in: theFile, find: `^## (5\. Assumption Ledger)`, with: "### $1"},
	{name: "sections in another order", rule: "ES-002", in: theFile, find: `(?s)^(## 5\. .*?)(^## 6\. .*?)(^## 7)`, with: "$2‸$1$3", fix: safeFix},
	{name: "the whole file in a fence", rule: "ES-001", in: theFile, find: `(?s)^(# Brenner.*)\z`, with: "```markdown\n$1```\n"},
	{name: "fence not closed", rule: "ES-001", in: theFile, find: `(?s)^(\*\*Procedure\*\*: .*?)\n`, with: "$1\n```\n", at: below("```")},
	{name: "comment not closed", rule: "ES-001", in: theFile, find: `^## 5`, with: "‸<!-- to do\n\n## 5"},

	{name: "heading of an item one level down", rule: "ES-003", in: theFile, find: item + `H2: (.*)`, with: "#### H2: $1"},
	{name: "heading of an item one level up", rule: "ES-003", in: theFile, find: item + `H2: (.*)`, with: "## H2: $1"},
	{name: "heading of an item without a space", rule: "ES-003", in: theFile, find: item + `([HTAC]2: .*)`, with: "###$1"},
	{name: "bold line for a heading", rule: "ES-003", in: theFile, find: item + `([HTAC]2: .*)`, with: "**$1**"},
	{name: "id spelt out", rule: "ES-003", in: theFile, find: item + `A1: `, with: "### Assumption 1: "},
	{name: "item id in lower case", rule: "ES-003", in: theFile, find: item + `H1: `, with: "### h1: "},
	{name: "item id with a hyphen", rule: "ES-003", in: theFile, find: item + `T1: `, with: "### T-1: "},
	{name: "item id of another section", rule: "ES-003", in: theFile, find: item + `C2: `, with: "### A9: "},
	{name: "no id", rule: "ES-003", in: theFile, find: item + `A2: `, with: "### "},
	{name: "id given twice", rule: "ES-004", in: theFile, find: item + `A3: `, with: "### A2: "},
	{name: "row id given twice", rule: "ES-004", in: theFile, find: `^\| P3 \|`, with: "| ‸P2 |"},
	{name: "gap in the ids", rule: "WS-001", in: theFile, find: `^### X(\d+: .*\n([^#\n].*\n|\n)*## 7)`, with: "### X1$1"},
}

var items = []slip{
	{name: "no question", rule: "ER-001", in: theFile, find: `^\*\*RT\*\*: .*\n\n`, with: "", at: above(heading)},
	{name: "empty question in the artifact", rule: "ER-001", in: theFile, find: `^\*\*RT\*\*: .*`, with: "**RT**:"},
	{name: "thread without context", rule: "ER-002", in: theFile, find: `^\*\*Context\*\*: .*\n\n`, with: "", at: above(heading)},
	{name: "thread without anchors", rule: "WR-001", in: theFile, find: `(\*\*Why it matters\*\*: .*\n\n)\*\*Anchors\*\*: .*\n\n`, with: "$1", at: above(heading)},
	{name: "thread without why", rule: "IR-001", in: theFile, find: `^\*\*Why it matters\*\*: .*\n\n`, with: "", at: above(heading)},

	{name: "hypothesis left without a claim", rule: "EH-004", in: theFile, find: `^\*\*Claim\*\*: [^~].*\n`, with: "", at: above(heading)},
	{name: "claim misspelt", rule: "EH-004", in: theFile, find: `^\*\*Claim\*\*(: [^~])`, with: "**Clam**$1", at: above(heading), says: "Clam"},
	{name: "claim without bold letters", rule: "EH-004", in: theFile, find: `^\*\*Claim\*\*(: [^~])`, with: "Claim$1", at: above(heading), says: "bold|\\*\\*Claim"},
	{name: "claim left empty", rule: "EH-004", in: theFile, find: `^\*\*Claim\*\*: [^~].*`, with: "**Claim**:"},
	{name: "hypothesis without anchors", rule: "WH-001", in: theFile, find: `^(\*\*Mechanism\*\*: [^~].*\n)\*\*Anchors\*\*: .*\n`, with: "$1", at: above(heading)},
	{name: "anchor without a sign", rule: "WH-002", in: theFile, find: `^(\*\*Anchors\*\*: )[^~§\n]*§\d+`, with: "${1}‸161"},
	{name: "anchor as a template", rule: "WH-002", in: theFile, find: `^(\*\*Anchors\*\*: )§.*`, with: "${1}‸§n"},
	{name: "mis-decoded anchor", rule: "WH-002", in: theFile, find: `^(\*\*Anchors\*\*: )§`, with: "${1}‸Â§"},
	{name: "anchor doubled", rule: "WH-002", in: theFile, find: `^(\*\*Anchors\*\*: )§`, with: "${1}‸§§"},
	{name: "section that is not in the transcript", rule: "EP-P01", in: theFile, find: `^(\*\*Anchors\*\*: )§\d+`, with: "${1}‸§999"},
	{name: "range that runs backwards", rule: "EP-P01", in: theFile, find: `^(\*\*Anchors\*\*: )§.*`, with: "${1}‸§129-§127"},
	{name: "hypothesis without mechanism", rule: "IH-001", in: theFile, find: `^\*\*Mechanism\*\*: [^~\[\n]*\n`, with: "", at: above(heading)},
	{name: "inference without its label", rule: "WH-003", in: theFile, find: ` \[inference\] from (§103)$`, with: " after $1", at: below(`^\*\*Anchors`)},
	{name: "inference from nothing", rule: "WP-P02", in: theFile, find: `( \[inference\]) from §103$`, with: "$1", at: below(`^\*\*Anchors`)},
	{name: "no third alternative", rule: "EH-003", in: theFile, find: `(?s)^(### H3: [^\n]*?) \(Third Alternative\)(.*?)\n\*\*Third alternative\*\*: true`, with: "$1$2", at: above(`^## `)},
	{name: "third alternative that says false", rule: "EH-003", in: theFile, find: `(?s)^(### H3: [^\n]*?) \(Third Alternative\)(.*?\n\*\*Third alternative\*\*: )true`, with: "$1${2}false", at: above(`^## `)},
	{name: "two hypotheses only", rule: "EH-001", do: tooFew("H", 2, 2, "H2", "H3"), stage: file},
	{name: "seven hypotheses", rule: "EH-002", do: tooManyHypotheses, stage: file},
	{name: "name of another hypothesis", rule: "WS-103", in: theFile, find: `(?s)^(### H1: )([^\n]*)(.*?)^(### H2: )([^\n]*)`, with: "$1$2$3‸$4$2"},

	{name: "test without a procedure", rule: "ET-002", in: theFile, find: `^\*\*Procedure\*\*: [^~].*\n`, with: "", at: above(heading)},
	{name: "test that expects nothing", rule: "ET-003", in: theFile, find: `^(\*\*Discriminates\*\*: [^~].*\n)\*\*Expected outcomes\*\*:\n(- H\d: .*\n)+`, with: "$1", at: above(heading)},
	{name: "list of outcomes left empty", rule: "ET-003", in: theFile, find: `^(\*\*Discriminates\*\*: [^~].*\n)(\*\*Expected outcomes\*\*:\n)(- H\d: .*\n)+`, with: "$1‸$2"},
	{name: "test without a potency check", rule: "WT-001", in: theFile, find: `^\*\*Potency check\*\*: [^~].*\n`, with: "", at: above(heading)},
	{name: "potency check without §50", rule: "IP-P02", in: theFile, find: `^(\*\*Potency check\*\*: [^~].*) \(§50\)`, with: "$1"},
	{name: "test without feasibility", rule: "IT-002", in: theFile, find: `^\*\*Feasibility\*\*: [^~].*\n`, with: "", at: above(heading)},
	{name: "test that tells nothing apart", rule: "IT-001", in: theFile, find: `^\*\*Discriminates\*\*: [^~].*\n`, with: "", at: above(heading)},
	{name: "total that is not the sum", rule: "WT-003", do: wrongTotal, stage: file, fix: safeFix},
	{name: "test without its score", rule: "WT-003", in: theFile, find: `^(\*\*Feasibility\*\*: [^~].*\n)\*\*Evidence-per-week score\*\*: .*\n`, with: "$1", at: above(heading)},
	{name: "part of the score lost", rule: "WT-003", in: theFile, find: `^(\*\*Feasibility\*\*: [^~].*\n)(\*\*Evidence-per-week score\*\*: LR=\d), Cost=\d`, with: "$1‸$2"},
	{name: "tests in another order", rule: "WT-002", do: unrankedFile, stage: file, fix: safeFix},
	{name: "test of a hypothesis that is not there", rule: "WS-102", in: theFile, find: `^(\*\*Discriminates\*\*: [^~].*)H\d$`, with: "$1‸H9"},
	{name: "one test only", rule: "ET-001", do: tooFew("T", 1, 4), stage: file},

	{name: "assumption without a statement", rule: "EA-003", in: theFile, find: `^\*\*Statement\*\*: .*\n`, with: "", at: above(heading)},
	{name: "assumption that carries nothing", rule: "WA-001", in: theFile, find: `(?s)(### A1: [^#]*?)\*\*Load\*\*: [^\n]*\n`, with: "‸$1"},
	{name: "assumption that nobody checks", rule: "WA-002", in: theFile, find: `(?s)(### A1: .*?)\*\*Test\*\*: [^\n]*\n`, with: "‸$1"},
	{name: "assumption without status", rule: "IA-001", in: theFile, find: `^\*\*Status\*\*: .*\n`, with: "", at: above(heading)},
	{name: "assumption of a status of its own", rule: "IA-001", in: theFile, find: `^(\*\*Status\*\*: )(un|ver).*`, with: "${1}‸to be seen"},
	{name: "no scale check", rule: "EA-002", in: theFile, find: `(?s)^### A4: Scale check(.*?)\n\*\*Scale check\*\*: true\n\*\*Calculation\*\*: [^\n]*`, with: "### A4: Size$1", at: above(`^## `)},
	{name: "scale check without a calculation", rule: "WA-003", in: theFile, find: `^\*\*Calculation\*\*: .*\n`, with: "", at: above(heading)},
	{name: "calculation without a number", rule: "WA-101", in: theFile, find: `^(\*\*Calculation\*\*: ).*`, with: "${1}‸fast enough"},

	{name: "anomaly without an observation", rule: "WX-001", in: theFile, find: `^\*\*Observation\*\*: .*\n`, with: "", at: above(heading)},
	{name: "anomaly that conflicts with nothing", rule: "WX-002", in: theFile, find: `^\*\*Conflicts with\*\*: .*\n`, with: "", at: above(heading)},
	{name: "anomaly against an item that is not there", rule: "WS-102", in: theFile, find: `^(\*\*Conflicts with\*\*: ).*`, with: "${1}‸H17"},
	{name: "quarantine of its own", rule: "IX-001", in: theFile, find: `^(\*\*Quarantine status\*\*: ).*`, with: "${1}‸open"},
	{name: "empty register that says nothing", rule: "EX-002", in: theFile, find: `^None registered\.\n`, with: "", at: above(heading)},

	{name: "critique that attacks nothing", rule: "EC-002", in: theFile, find: `^\*\*Attack\*\*: .*\n`, with: "", at: above(heading)},
	{name: "critique without its evidence", rule: "WC-002", in: theFile, find: `^\*\*Evidence\*\*: .*\n`, with: "", at: above(heading)},
	{name: "critique without a status", rule: "IC-001", in: theFile, find: `^\*\*Current status\*\*: .*\n`, with: "", at: above(heading)},
	{name: "no real third alternative", rule: "WC-001", in: theFile, find: `(?s)^(### C2: )A real third alternative: (.*?)\n\*\*Real third alternative\*\*: true`, with: "$1$2", at: above(`^## `)},
	{name: "one critique only", rule: "EC-001", do: tooFew("C", 1, 7, "C2"), stage: file},
	{name: "two assumptions only", rule: "EA-001", do: tooFew("A", 2, 5, "A4"), stage: file},

	{name: "killed without a reason", rule: "RD-001", in: theFile, find: `^(\*\*Killed by\*\*: .*\n)\*\*Reason\*\*: .*\n`, with: "$1", at: above(heading)},
	{name: "killed by nobody", rule: "RD-001", in: theFile, find: `^\*\*Killed by\*\*: .*\n`, with: "", at: above(heading)},
	{name: "killed without a struck heading", rule: "RD-001", in: theFile, find: `^### ~~(.*)~~ \[KILLED\]`, with: "### $1 [KILLED]"},
	{name: "heading struck in part", rule: "RD-001", in: theFile, find: `^### ~~(\w+): (.*)~~ \[KILLED\]`, with: "### ~~$1~~: $2 [KILLED]"},
	{name: "conflict left in a field", rule: "RD-002", in: theFile, find: `^(\*\*Status\*\*: )verified`, with: `${1}‸CONFLICT: "falsified" | "verified"`},
}

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

// inJSON are slips in an artifact that a reference compiler wrote.
var inJSON = []slip{
	{name: "references as an object", rule: "RD-003", in: theJSON, find: `("references": )\[\n(?:.*\n){5}\s*\]`, with: "${1}‸{}"},
	{name: "reference without a session", rule: "RD-003", in: theJSON, find: `(\{\n.*\n.*),\n *"session": ".*"`, with: "‸$1"},
	{name: "reference of a relation of its own", rule: "RD-003", in: theJSON, find: `("relation": )"refines"`, with: `$1‸"like"`},
	{name: "claim lost in JSON", rule: "EH-004", in: theJSON, find: `^ *"claim": .*\n( *"id": .*\n *"mechanism": .*\n *"name": .*\n *\})`, with: "$1", at: below(`"id"`)},
	{name: "section lost in JSON", rule: "ES-001", in: theJSON, find: `(?s)    "anomaly_register": .*?(^    "adversarial)`, with: "$1", at: top},
	{name: "id lost in JSON", rule: "ES-003", in: theJSON, find: `^( *)"id": "A1",\n *`, with: "$1", at: above(`\{`)},
	{name: "id in lower case in JSON", rule: "ES-003", in: theJSON, find: `"id": "A1"`, with: `"id": ‸"a1"`},
	{name: "id twice in JSON", rule: "ES-004", in: theJSON, find: `"id": "A3"`, with: `"id": ‸"A2"`},
	{name: "score of 5 in JSON", rule: "WT-003", in: theJSON, find: `("id": "T1",(?:.*\n)+?.*"cost": )\d`, with: "${1}‸5"},
	{name: "version as a string in JSON", rule: "IM-002", in: theJSON, find: `("version": )(\d)`, with: `$1‸"v$2"`},
	{name: "session lost in JSON", rule: "EM-002", in: theJSON, find: `^ *"session_id": .*\n`, with: "", at: above(`"metadata"`)},
	{name: "status of its own in JSON", rule: "EM-004", in: theJSON, find: `("status": )"active"(,\n    "compiled_at")`, with: `$1‸"done"$2`},
	{name: "no message in JSON", rule: "AP-014", in: theJSON, find: `,\n *"agent_mail_message_id": \d+`, with: "", at: above(`"metadata"`)},
}

// files are slips in an artifact file that its thread shows.
var files = []slip{
	{name: "claim changed in the file", rule: "MR-020", in: fileOfThread, find: `^(\*\*Claim\*\*: )([^~\n]*)`, with: "${1}‸Something else"},
	{name: "assumption dropped from the file", rule: "MR-020", in: fileOfThread, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), also: []follow{{rule: "WS-001", law: "1"}}},
	{name: "outcome changed in the file", rule: "MR-020", in: fileOfThread, find: `^(\| P1 \| [^|]* \| )([^|]*) \|`, with: "${1}‸turned round |"},
	{name: "version that was never published", rule: "AP-010", in: fileOfThread, find: `^(version: )\d`, with: "${1}‸7"},
	{name: "file of another message", rule: "AP-020", in: fileOfThread, find: `^(agent_mail_message_id: )\d+`, with: "${1}‸99"},
	{name: "file of the version before", rule: "MR-021", do: staleFile, stage: published},
}

// staleFile leaves the artifact file at the version before the last.
func staleFile(s *scene) bool {
	all := s.messagesOf("COMPILED")
	if len(all) < 2 {
		return false
	}
	m := s.thread.Messages[all[0]]
	text := m.Body[strings.Index(m.Body, "---\nsession_id"):]
	s.thread.Artifact = strings.Replace(text, "status: \"active\"\n", fmt.Sprintf("status: \"active\"\ncompiled_at: %q\ncompiled_by: \"Operator\"\nagent_mail_message_id: %d\n", stamp(m.Created), m.ID), 1)
	s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "version: ")}
	return true
}

// inputs are slips of exports, and of suppressions.
var inputs = []slip{
	{name: "one byte of Latin-1 in a body", rule: "IN-001", do: damage(`"body_md": ".*## Attack\\n\w+( )`, badByte), alone: true},
	{name: "trailing comma in the export", rule: "IN-002", do: damage(`"ack_required": false(,)`, ",,"), alone: true},
	{name: "export cut off", rule: "IN-002", do: damage(`(?s)"cc": \[\](.*)\z`, ""), alone: true},
	{name: "message without a subject", rule: "IN-003", at: above(`^    \{`), do: damage(`    \{\n.*\n.*\n( *"subject": "INFO.*\n)`, ""), alone: true},
	{name: "message without a body", rule: "IN-003", do: damage(`"body_md": ("# Ack.*"),`, "null"), alone: true},
	{name: "message without a sender", rule: "IN-003", do: damage(`"subject": "(?:DELTA|INFO|COMPILED).*\n(?:.*\n){2} *"from": (".*")`, `""`), alone: true},
	{name: "message of yesterday", rule: "IN-003", do: damage(`"subject": "(?:INFO|ACK)(?:.*\n)+?.*"created_ts": (".*")`, `"yesterday"`), alone: true},

	{name: "suppression of nothing", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-001 -- the assay is known -->\n$1", fix: unsafeFix},
	{name: "suppression without a reason", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-001 -->\n$1", fix: safeFix},
	{name: "suppression of an unknown rule", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-999 -- the assay is known -->\n$1", fix: unsafeFix},
	{name: "suppression of nothing in the file", rule: "IN-005", in: theFile, find: `\A(?s)(---\n.*?\n---\n)`, with: "$1‸<!-- brennerlint:ignore-file EA-002 -- checked elsewhere -->\n", fix: unsafeFix},
	{name: "configuration that suppresses nothing", rule: "IN-005", do: func(s *scene) bool {
		s.config = "suppress:\n  - path: \"*.json\"\n    rule: MB-029\n    reason: sent before the rule\n"
		s.at = place{part: configuration, offset: strings.Index(s.config, "- ")}
		return true
	}, alone: true},
}

// badByte represents a byte that is not UTF-8, because JSON cannot escape one.
const badByte = "\uE000"

// damage replaces the first group of one match in thread JSON.
func damage(pattern, with string) func(*scene) bool {
	return func(s *scene) bool {
		text := threadJSON(s.thread)
		all := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(text, -1)
		if len(all) == 0 {
			return false
		}
		m := all[s.IntN(len(all))]
		s.export = text[:m[2]] + with + text[m[3]:]
		s.at = place{part: export, offset: m[2]}
		return true
	}
}
