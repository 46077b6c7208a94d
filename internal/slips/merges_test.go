package slips

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/gen"
)

// publisher are slips in the artifact that a version publishes: it is not what the deltas
// produce.
var publisher = []slip{
	{name: "claim rewritten by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Claim\*\*: )([^~\n]*)`, with: "${1}‸Something else", alone: true},
	{name: "status changed by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Status\*\*: )unchecked`, with: "${1}‸falsified", alone: true},
	{name: "mechanism lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Mechanism\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "label of an inference lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Mechanism\*\*: )[^~\n]* \[inference\] from §103$`, with: "${1}‸As it was.", alone: true},
	{name: "citation lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Potency check\*\*: )[^~\n]*\(§50\)`, with: "${1}‸As it was.", alone: true},
	{name: "claim lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Claim\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "anchor lost by the publisher", rule: "MR-013", in: inline, find: `^(\*\*Anchors\*\*: )[^~\n]+?, `, with: "${1}", alone: true},
	{name: "item renamed by the publisher", rule: "MR-013", in: inline, find: `^(### A1: ).*`, with: "${1}‸Another name", alone: true},
	{name: "outcome changed by the publisher", rule: "MR-013", in: inline, find: `^(\| P1 \| [^|]* \| [^|]* \| )([^|]*) \|`, with: "${1}‸turned round |", alone: true},
	{name: "outcome lost by the publisher", rule: "MR-013", in: inline, find: `^(\| P1 \|.*) \| [^|N—][^|]* \|$`, with: "$1 |", alone: true},
	{name: "potency check lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Potency check\*\*: [^~].*\n`, with: "", at: above(heading), alone: true},
	{name: "score lost by the publisher", rule: "MR-013", in: inline, find: `^\*\*Evidence-per-week score\*\*: [^~].*\n(\n)`, with: "$1", at: above(heading), alone: true},
	{name: "item dropped by the publisher", rule: "MR-011", in: inline, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), alone: true},
	{name: "item dropped from one version", rule: "MR-011", in: inlineBefore, find: `(?s)^### A2: .*?(^### A3)`, with: "$1", at: above(`^## `), alone: true},
	{name: "row dropped by the publisher", rule: "MR-011", in: inline, find: `^\| P4 \|.*\n`, with: "", at: above(`^## `), alone: true},
	{name: "killed item dropped by the publisher", rule: "MR-011", in: inline, find: `(?s)^### ~~\w+: .*?(^##)`, with: "$1", at: above(`^## `), alone: true},
	{name: "item made up by the publisher", rule: "MR-012", in: inline, find: `^(## 6\.)`, with: "‸### A8: Made up\n**Statement**: s\n**Load**: l\n**Test**: t\n**Status**: unchecked\n\n$1", alone: true},
	{name: "killed item published as active", rule: "MR-014", do: revived, stage: research, alone: true},
	{name: "item killed by the publisher", rule: "MR-014", in: inline, find: `^### (A1: .*)\n`, with: "### ~~$1~~ [KILLED]\n**Killed by**: Operator (2025-11-03T20:00:00Z)\n**Reason**: It was old\n", alone: true},
	{name: "killer exchanged by the publisher", rule: "MR-014", in: inline, find: `^(\*\*Killed by\*\*: )\w+`, with: "${1}‸StrangeBird", alone: true},
	{name: "reason rewritten by the publisher", rule: "MR-014", in: inline, find: `^(\*\*Reason\*\*: ).*`, with: "${1}‸Nobody liked it", alone: true},
	{name: "outcome of a killed hypothesis kept", rule: "MR-016", in: inline, find: `^(\| P\d \|.*?)\| N/A \|`, with: "$1| ‸as it was |", alone: true},
	{name: "items renumbered by the publisher", rule: "MR-015", do: swapIDs, stage: research, alone: true, also: []follow{{rule: "MR-015", law: "2"}}},
	{name: "item renumbered by the publisher", rule: "MR-015", in: inline, find: `^### H1:`, with: "### ‸H9:", alone: true},
	{name: "question emptied by the publisher", rule: "MR-011", in: inline, find: `(?s)^(\*\*RT\*\*:) .*?^(## 2)`, with: "$1\n\n**Context**:\n\n$2", at: above(`^## `), alone: true},
	{name: "tests not ranked by the publisher", rule: "MR-017", do: unranked, stage: research, alone: true},
}

// last returns the message that publishes the last version.
func (s *scene) last() int {
	all := s.messagesOf("COMPILED")
	return all[len(all)-1]
}

// republish gives the last version another number, wherever it is named. The previous
// number must be given too.
func republish(rounds int, version, before string) func(*scene) bool {
	return func(s *scene) bool {
		if len(s.messagesOf("COMPILED")) != rounds {
			return false
		}
		old := "v" + []string{"0", "1", "2"}[rounds]
		s.at = place{part: subject, message: s.last()}
		for i := s.last(); i < len(s.thread.Messages); i++ {
			m := &s.thread.Messages[i]
			m.Subject = strings.ReplaceAll(m.Subject, old, version)
			m.Body = strings.ReplaceAll(m.Body, old, version)
			m.Body = strings.Replace(m.Body, "\nversion: "+old[1:]+"\n", "\nversion: "+version[1:]+"\n", 1)
			m.Body = regexp.MustCompile(`(?m)^- \*\*Previous Version\*\*: .*\n`).ReplaceAllString(m.Body, before)
		}
		return true
	}
}

// noDeltas publishes the first version again, as the second.
func noDeltas(s *scene) bool {
	all := s.messagesOf("COMPILED")
	if len(all) != 1 {
		return false
	}
	m := s.thread.Messages[all[0]]
	m.ID, m.Created = 9000, m.Created.Add(time.Millisecond)
	m.Subject = strings.Replace(m.Subject, "v1", "v2", 1)
	m.Body = strings.NewReplacer("Artifact v1", "Artifact v2", "- **Version**: v1\n", "- **Version**: v2\n- **Previous Version**: v1\n", "\nversion: 1\n", "\nversion: 2\n").Replace(m.Body)
	m.Body = regexp.MustCompile(`(?m)^(\| \w+ \| )\d+`).ReplaceAllString(m.Body, "${1}0")
	s.thread.Messages = slices.Insert(slices.Clone(s.thread.Messages), all[0]+1, m)
	s.at = place{part: subject, message: all[0] + 1}
	return true
}

// noKickoff begins the thread with its first DELTA.
func noKickoff(s *scene) bool {
	s.thread.Messages = append([]gen.Mail(nil), s.thread.Messages[2:]...)
	s.at = place{part: subject}
	return true
}

// swapIDs publishes two assumptions under each other's ids.
func swapIDs(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	all := blocks(*text, "A")
	a, b := all[1], all[2]
	s.at.offset = a.start
	renumber := func(b block, id string) string {
		return strings.Replace((*text)[b.start:b.end], b.id+":", id+":", 1)
	}
	*text = (*text)[:a.start] + renumber(b, a.id) + renumber(a, b.id) + (*text)[b.end:]
	return true
}

// revived publishes a killed hypothesis as active.
func revived(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	for _, b := range blocks(*text, "H") {
		if b.killed {
			now := strings.NewReplacer("~~", "", " [KILLED]", "").Replace((*text)[b.start:b.end])
			now = regexp.MustCompile(`(?m)^\*\*(Killed by|Reason)\*\*: .*\n`).ReplaceAllString(now, "")
			*text = (*text)[:b.start] + now + (*text)[b.end:]
			s.at.offset = b.start
			return true
		}
	}
	return false
}

// unranked publishes two tests in the wrong order.
func unranked(s *scene) bool {
	s.at = place{part: body, message: s.last()}
	text := s.text(s.at)
	swapped, offset, ok := swapTests(*text, s)
	*text, s.at.offset = swapped, offset
	return ok
}

// block is an item of the artifact file: its heading and what follows it.
type block struct {
	id         string
	start, end int
	killed     bool
	total      int // of a test
}

var itemHeading = regexp.MustCompile(`(?m)^### (~~)?([HTAXC]\d+): .*?(?:\(Score: (\d+)/12\))?$`)

// blocks returns the items of a section, by the letter of their ids.
func blocks(text, prefix string) []block {
	var out []block
	for _, m := range itemHeading.FindAllStringSubmatchIndex(text, -1) {
		id := text[m[4]:m[5]]
		if !strings.HasPrefix(id, prefix) {
			continue
		}
		b := block{id: id, start: m[0], end: len(text), killed: m[2] >= 0}
		if next := regexp.MustCompile(`(?m)^##`).FindStringIndex(text[m[1]:]); next != nil {
			b.end = m[1] + next[0]
		}
		if m[6] >= 0 {
			b.total, _ = strconv.Atoi(text[m[6]:m[7]])
		}
		out = append(out, b)
	}
	return out
}

// tooFew kills items until that many are left, except those of keep. It is reported at
// the section's heading.
func tooFew(prefix string, left int, section int, keep ...string) func(*scene) bool {
	return func(s *scene) bool {
		text := &s.thread.Artifact
		for {
			all := slices.DeleteFunc(blocks(*text, prefix), func(b block) bool { return b.killed })
			if len(all) <= left {
				break
			}
			all = slices.DeleteFunc(all, func(b block) bool { return slices.Contains(keep, b.id) })
			b := all[s.IntN(len(all))]
			lines := strings.SplitAfterN((*text)[b.start:b.end], "\n", 2)
			name, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines[0], "### ")), " (Score")
			*text = (*text)[:b.start] + "### ~~" + name + "~~\n**Killed**: true\n**Killed by**: Operator\n**Killed at**: 2025-11-04T08:00:00Z\n**Kill reason**: Superseded\n" + lines[1] + (*text)[b.end:]
		}
		s.at = place{part: artifact, offset: strings.Index(*text, fmt.Sprintf("\n## %d.", section)) + 1}
		return true
	}
}

// tooFewPredictions removes rows until two are left.
func tooFewPredictions(s *scene) bool {
	rows := regexp.MustCompile(`(?m)^\| P\d+ \|.*\n`).FindAllStringIndex(s.thread.Artifact, -1)
	s.thread.Artifact = s.thread.Artifact[:rows[2][0]] + s.thread.Artifact[rows[len(rows)-1][1]:]
	s.at = place{part: artifact, offset: strings.Index(s.thread.Artifact, "## 3.")}
	return true
}

// tooManyHypotheses adds hypotheses and their columns until seven are active.
func tooManyHypotheses(s *scene) bool {
	text := &s.thread.Artifact
	all := blocks(*text, "H")
	active := len(slices.DeleteFunc(slices.Clone(all), func(b block) bool { return b.killed }))
	n, end := len(all), all[len(all)-1].end
	var more strings.Builder
	columns := [3]string{}
	for ; active < 7; active++ {
		n++
		fmt.Fprintf(&more, "### H%d: Account %[1]d\n**Claim**: It is number %[1]d.\n**Mechanism**: By counting to %[1]d.\n**Anchors**: §%[1]d\n\n", n)
		columns[0] += fmt.Sprintf(" H%d |", n)
		columns[1] += " --- |"
		columns[2] += " — |"
	}
	*text = (*text)[:end] + more.String() + (*text)[end:]
	*text = regexp.MustCompile(`(?m)^\| (ID|---|P\d+) \|.*$`).ReplaceAllStringFunc(*text, func(row string) string {
		switch {
		case strings.HasPrefix(row, "| ID"):
			return row + columns[0]
		case strings.HasPrefix(row, "| -"):
			return row + columns[1]
		}
		return row + columns[2]
	})
	s.at = place{part: artifact, offset: strings.Index(*text, fmt.Sprintf("### H%d: ", n))}
	return true
}

// wrongTotal writes a total into the heading of a test that is not the sum of
// the parts.
func wrongTotal(s *scene) bool {
	tests := slices.DeleteFunc(blocks(s.thread.Artifact, "T"), func(b block) bool { return b.killed })
	b := tests[s.IntN(len(tests))]
	wrong := b.total - 1
	if wrong < 0 {
		wrong = 1
	}
	s.fixed = s.thread.Artifact
	s.thread.Artifact = s.fixed[:b.start] + strings.Replace(s.fixed[b.start:b.end], fmt.Sprintf("(Score: %d/12)", b.total), fmt.Sprintf("(Score: %d/12)", wrong), 1) + s.fixed[b.end:]
	s.at = place{part: artifact, offset: b.start}
	return true
}

// swapTests exchanges two tests of different totals, and returns where the second then
// is.
func swapTests(text string, c gen.Chance) (swapped string, offset int, ok bool) {
	tests := slices.DeleteFunc(blocks(text, "T"), func(b block) bool { return b.killed })
	i := c.IntN(len(tests) - 1)
	a, b := tests[i], tests[i+1]
	if a.total == b.total || a.end != b.start {
		return text, 0, false
	}
	return text[:a.start] + text[b.start:b.end] + text[a.start:a.end] + text[b.end:], a.start + b.end - b.start, true
}

// unrankedFile puts two tests of the artifact file in the wrong order.
func unrankedFile(s *scene) (ok bool) {
	s.fixed, s.at = s.thread.Artifact, place{part: artifact}
	s.thread.Artifact, s.at.offset, ok = swapTests(s.thread.Artifact, s)
	return ok
}

// compiled are slips in the messages that publish a version.
var compiled = []slip{
	{name: "subject without a version", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v\d`, with: "COMPILED:"},
	{name: "version without a v", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v(\d)`, with: "COMPILED: $1"},
	{name: "version 0", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v1`, with: "COMPILED: v0"},
	{name: "version with a leading zero", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v(\d)`, with: "COMPILED: v0$1"},
	{name: "version with a colon", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v(\d)`, with: "COMPILED: v$1:"},
	{name: "version with a point", rule: "AP-001", in: subjectOf("COMPILED"), find: `^COMPILED: v(\d)`, with: "COMPILED: v$1.0"},
	{name: "thread of another session", rule: "AP-003", in: bodyOf("COMPILED"), find: `^(- \*\*Thread ID\*\*: )RS-\d+`, with: "${1}‸RS-20240101"},
	{name: "no thread id in the body", rule: "AP-003", in: bodyOf("COMPILED"), find: `^- \*\*Thread ID\*\*: .*\n`, with: "", on: subject},
	{name: "no contributors listed", rule: "AP-004", in: bodyOf("COMPILED"), find: `^\| \w+ \| \d+ \|.*\n(\|.*\n)*`, with: "", at: above(heading)},
	{name: "no section of contributors", rule: "AP-004", in: bodyOf("COMPILED"), find: `(?s)^## Contributors\n.*?^## Stat`, with: "## Stat", on: subject},
	{name: "contributors as a placeholder", rule: "AP-004", in: bodyOf("COMPILED"), find: `(?s)(^## Contributors\n).*?^## Stat`, with: "$1{List of agents}\n\n## Stat"},
	{name: "artifact in another folder", rule: "AP-005", in: bodyOf("COMPILED"), find: "`artifacts/", with: "`‸docs/"},
	{name: "no artifact path", rule: "AP-005", in: bodyOf("COMPILED"), find: `^- \*\*Artifact Path\*\*: .*\n`, with: "", on: subject},
	{name: "path of another session", rule: "AP-005", in: bodyOf("COMPILED"), find: "`artifacts/RS-", with: "`‸artifacts/RS-x"},
	{name: "no artifact", rule: "AP-006", in: bodyOf("COMPILED"), find: `(?s)^## Full Artifact.*`, with: "", on: subject},
	{name: "artifact left out", rule: "AP-006", in: bodyOf("COMPILED"), find: `(?s)^(## Full Artifact\n).*`, with: "$1\nAs before.\n"},
	{name: "no statistics", rule: "AP-007", in: bodyOf("COMPILED"), find: `^## Statistics\n(- .*\n)+\n`, with: "", on: subject},
	{name: "no validation status", rule: "AP-008", in: bodyOf("COMPILED"), find: `^## Validation Status\n(- .*\n)+\n`, with: "", on: subject},
	{name: "no time of compilation", rule: "AP-011", in: bodyOf("COMPILED"), find: `^- \*\*Compiled At\*\*: .*\n`, with: "", on: subject},
	{name: "compiled this morning", rule: "AP-011", in: bodyOf("COMPILED"), find: `^(- \*\*Compiled At\*\*: ).*`, with: "${1}‸this morning"},
	{name: "title of another version", rule: "AP-013", in: bodyOf("COMPILED"), find: `^(# Compiled Artifact )v\d`, with: "${1}‸v7"},
	{name: "body of another version", rule: "AP-013", in: bodyOf("COMPILED"), find: `^(- \*\*Version\*\*: )v\d`, with: "${1}‸v7"},
	{name: "body without a version", rule: "AP-013", in: bodyOf("COMPILED"), find: `(?s)^# Compiled Artifact v\d(.*?)- \*\*Version\*\*: v\d\n(.*?\n)version: \d+\n`, with: "# Compiled Artifact$1$2", on: subject},
	{name: "previous version of itself", rule: "AP-013", in: bodyOf("COMPILED: v2"), find: `^(- \*\*Previous Version\*\*: )v\d`, with: "${1}‸v2"},
	{name: "persistence of its own", rule: "AP-016", in: bodyOf("COMPILED"), find: `^(- \*\*Status\*\*: )Pending`, with: "${1}‸Done"},

	{name: "version published twice", rule: "AP-002", do: republish(2, "v1", ""), stage: research, alone: true},
	{name: "version skipped", rule: "AP-012", do: republish(2, "v5", "- **Previous Version**: v4\n"), stage: research, alone: true},
	{name: "first version is 2", rule: "AP-012", do: republish(1, "v2", ""), stage: research, alone: true},
	{name: "COMPILED before any delta", rule: "AP-018", do: noDeltas, stage: research, alone: true},
	{name: "thread without a KICKOFF", rule: "AP-018", do: noKickoff, stage: research, alone: true},

	{name: "DELTA that names no version", rule: "AP-009", in: pendingDeltas, find: `^\*\*Base Version\*\*: v\d\n\n`, with: "", on: subject, alone: true},
	{name: "DELTA on a version to come", rule: "AP-009", in: pendingDeltas, find: `^(\*\*Base Version\*\*: )v\d`, with: "${1}‸v9", alone: true},
	{name: "CRITIQUE that names no version", rule: "AP-009", in: bodyOf("CRITIQUE"), find: `^- \*\*Artifact Version\*\*: v\d\n`, with: "", on: subject, alone: true},
	{name: "CRITIQUE of a version to come", rule: "AP-009", in: bodyOf("CRITIQUE"), find: `^(- \*\*Artifact Version\*\*: )v\d`, with: "${1}‸v9", alone: true},
	{name: "KICKOFF that names no version", rule: "AP-009", in: bodyOf("KICKOFF: Round 2"), find: `^- \*\*Base Artifact\*\*: v\d\n`, with: "", on: subject, alone: true},

	{name: "schema claimed to fail", rule: "AP-019", in: bodyOf("COMPILED"), find: `^(- Schema: )PASS`, with: "${1}‸FAIL", alone: true},
	{name: "warnings claimed", rule: "AP-019", in: bodyOf("COMPILED"), find: `^(- Linter: )0 warnings`, with: "${1}‸3 warnings", alone: true},
	{name: "third alternative claimed to be missing", rule: "AP-019", in: bodyOf("COMPILED"), find: `^(- Third Alternative: )Present`, with: "${1}‸MISSING", alone: true},
	{name: "every claim wrong", rule: "AP-019", in: bodyOf("COMPILED"), find: `^(- Schema: )PASS\n(- Linter: )0 warnings, 0 errors\n(- Third Alternative: )Present`, with: "${1}‸FAIL\n${2}4 warnings, 2 errors\n${3}MISSING", alone: true},
	{name: "wrong count of hypotheses", rule: "MR-019", in: bodyOf("COMPILED"), find: `^(- Hypotheses: )\d+`, with: "${1}‸17", alone: true},
	{name: "wrong count of tests", rule: "MR-019", in: bodyOf("COMPILED"), find: `^(- Tests: )\d+`, with: "${1}‸0", alone: true},
	{name: "count of deltas one too high", rule: "MR-018", in: bodyOf("COMPILED"), find: `^(\| \w+ \| )\d+`, with: "${1}‸19", alone: true},
	{name: "contributor left out", rule: "MR-018", in: bodyOf("COMPILED"), find: `^\| (Amber|Blue|Green|Red|Purple|White)\w+ \| \d+ \|.*\n`, with: "", at: above(heading), alone: true},
	{name: "contributor who did nothing", rule: "MR-018", in: bodyOf("COMPILED"), find: `^(\|-------.*\n)`, with: "$1| ‸StrangeBird | 2 | H1, H2 |\n", alone: true},
	{name: "contributor misspelt", rule: "MR-018", in: bodyOf("COMPILED"), find: `^\| (\w+?)(\w) (\| \d+ \|)`, with: "| ‸$1 $3", alone: true},
}

// applied returns the slips for which a delta must be rejected, in deltas of a version:
// the rule, and MR-022 once for the version (decisions.md 25, 49).
func applied(families ...[]slip) []slip {
	var out []slip
	for _, family := range families {
		for _, sl := range family {
			if !sl.rejects {
				continue
			}
			sl.name += ", published"
			sl.in = publishedDeltas
			sl.fix, sl.alone = noFix, true
			sl.also = append(sl.also[:len(sl.also):len(sl.also)], follow{rule: "MR-022", law: "25"})
			out = append(out, sl)
		}
	}
	return out
}
