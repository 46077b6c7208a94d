package slips

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/gen"
)

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
