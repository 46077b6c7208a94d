package rules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/rules"
)

// itemID is an id of an item, as artifacts and deltas name it.
var itemID = regexp.MustCompile(`\b([HPTAXC])([1-9]\d?)\b`)

// grown are the ways in which a Markdown text grows: each returns a text of about n
// times the length.
var grown = map[string]func(text string, n int) string{
	"repeat": func(text string, n int) string { return strings.Repeat(text+"\n", n) },
	"number": func(text string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(itemID.ReplaceAllStringFunc(text, func(id string) string {
				number, _ := strconv.Atoi(id[1:])
				return id[:1] + strconv.Itoa(number+100*i)
			}))
			b.WriteByte('\n')
		}
		return b.String()
	},
	"nest": func(text string, n int) string {
		return strings.Repeat("> ", n*len(text)/2) + "x\n\n" + strings.Repeat("- ", n) + text
	},
	"widen": func(text string, n int) string {
		lines := strings.Split(text, "\n")
		at := 0
		for i, l := range lines {
			if len(l) > len(lines[at]) {
				at = i
			}
		}
		unit := strings.TrimSuffix(lines[at], "|")
		lines[at] += strings.Repeat(" "+unit, n*len(text)/(len(unit)+1))
		return strings.Join(lines, "\n")
	},
	"lines": func(text string, n int) string {
		var b strings.Builder
		for _, l := range strings.SplitAfter(text, "\n") {
			b.WriteString(strings.Repeat(l, n))
		}
		return b.String()
	},
}

// messages are the ways in which mail grows: the same message n times, at one instant
// or in sequence.
var messages = map[string]func(i int) string{
	"tie":    func(int) string { return "2025-12-30T10:00:00Z" },
	"series": func(i int) string { return time.Date(2025, 12, 30, 10, 0, i, 0, time.UTC).Format(time.RFC3339) },
}

// startOf returns how many of a unit make the first size of a shape.
func startOf(unit string) int { return max(2, 1500/(len(unit)+1)) }

// ruleShapes grows the first bad example of each rule, in every way that suits it.
func ruleShapes(t *testing.T) []shape {
	t.Helper()
	var out []shape
	for _, r := range rules.All() {
		examples := examplesIn(t, r.Page())
		at := slices.IndexFunc(examples, func(ex *rulepage.Example) bool { return ex.Kind == "bad" })
		files := examples[at].Files
		grow := largest(files)
		text := string(files[grow].Data)
		add := func(way, unit string, make func(n int) string) {
			if way == "" || len(unit) > 20_000 {
				return
			}
			out = append(out, shape{r.ID + ": " + way, startOf(unit), func(n int) []txtar.File { return with(files, grow, make(n)) }, nil})
		}
		head, body := parted(text)
		switch {
		case strings.HasPrefix(head, "---json"):
			growMail(files, grow, head, body, r.ID, &out)
			fallthrough
		case strings.HasSuffix(files[grow].Name, ".md"):
			for way, make := range grown {
				add(way, body, func(n int) string { return head + make(body, n) })
			}
		case json.Valid(files[grow].Data):
			for way, make := range grownJSON {
				add(way, text, func(n int) string { return make(text, n) })
			}
		default: // not a text
			add("repeat", text, func(n int) string { return strings.Repeat(text, n) })
		}
	}
	slices.SortFunc(out, func(a, b shape) int { return strings.Compare(a.name, b.name) })
	return out
}

// parted returns the front matter of a file and what follows it.
func parted(text string) (head, body string) {
	if strings.HasPrefix(text, "---") {
		if end := strings.Index(text, "\n---\n"); end >= 0 {
			return text[:end+5], text[end+5:]
		}
	}
	return "", text
}

// growMail makes a thread of very many copies of a message.
func growMail(files []txtar.File, at int, head, body, rule string, out *[]shape) {
	front := strings.TrimSuffix(strings.TrimPrefix(head, "---json\n"), "---\n")
	var message map[string]any
	if json.Unmarshal([]byte(front), &message) != nil {
		return
	}
	for way, when := range messages {
		*out = append(*out, shape{rule + ": " + way, startOf(head + body), func(n int) []txtar.File {
			var list []any
			for i := range n {
				m := maps.Clone(message)
				m["id"], m["created"], m["body_md"] = 1000+i, when(i), body
				list = append(list, m)
			}
			grown := with(files, at, mailbox(list))
			grown[at].Name = "thread.json"
			return grown
		}, nil})
	}
}

// grownJSON are the ways in which JSON grows.
var grownJSON = map[string]func(text string, n int) string{
	"repeat": func(text string, n int) string {
		return eachJSON(text, func(v any) any {
			if list, ok := v.([]any); ok {
				return slices.Repeat(list, n)
			}
			return v
		})
	},
	"widen": func(text string, n int) string {
		return eachJSON(text, func(v any) any {
			if object, ok := v.(map[string]any); ok {
				for i := range n {
					object[fmt.Sprint("k", i)] = i
				}
			}
			return v
		})
	},
	"nest": func(text string, n int) string {
		return strings.TrimSuffix(strings.TrimSpace(text), "}") + `, "x": ` + strings.Repeat(`{"x": [`, n*10) + strings.Repeat("]}", n*10) + "}"
	},
	"strings": func(text string, n int) string {
		return eachJSON(text, func(v any) any {
			if s, ok := v.(string); ok {
				return strings.Repeat(s, n)
			}
			return v
		})
	},
	"twice": func(text string, n int) string {
		return strings.TrimSuffix(strings.TrimSpace(text), "}") + strings.Repeat(`, "x": 1`, n*10) + "}"
	},
}

// eachJSON changes the values of a JSON text, the outermost lists only.
func eachJSON(text string, change func(any) any) string {
	var root any
	if json.Unmarshal([]byte(text), &root) != nil {
		return text
	}
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case []any:
			if changed, ok := change(v).([]any); ok && len(changed) != len(v) {
				return changed
			}
			for i := range v {
				v[i] = walk(v[i])
			}
			return v
		case map[string]any:
			for k := range v {
				v[k] = walk(v[k])
			}
		}
		return change(v)
	}
	data, _ := json.Marshal(walk(root))
	return string(data)
}
