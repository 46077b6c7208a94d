package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/internal/config"
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

// command is a command line without the files that it is about: those of a shape, or
// named here.
type command struct {
	name string
	args []string
}

// Commands for shapes, by what they take.
var (
	checks = []command{
		{"check", []string{"--fail-on", "never", "thread.json"}},
		{"html", []string{"--fail-on", "never", "--format", "html", "thread.json"}},
		{"sarif", []string{"--fail-on", "never", "--format", "sarif", "thread.json"}},
	}
	checksOfArtifacts = []command{
		{"check", []string{"--fail-on", "never", "artifacts"}},
		{"html", []string{"--fail-on", "never", "--format", "html", "artifacts"}},
		{"sarif", []string{"--fail-on", "never", "--format", "sarif", "artifacts"}},
		{"diff", []string{"--diff", "--unsafe-fixes", "artifacts"}},
	}
	replays = []command{
		{"replay", []string{"replay", "thread.json"}},
		{"replay json", []string{"replay", "--format", "json", "thread.json"}},
		{"blame", []string{"blame", "artifacts/RS-20251230-x.md", "thread.json"}},
		{"history", []string{"blame", "--history", "artifacts/RS-20251230-x.md", "thread.json"}},
	}
	presends = []command{
		{"presend", []string{"presend", "draft.json"}},
		{"presend json", []string{"presend", "--format", "json", "draft.json"}},
		{"presend fix", []string{"presend", "--fix", "draft.json"}},
		{"presend unsafe", []string{"presend", "--unsafe-fixes", "draft.json"}},
	}
)

// commandShapes returns inputs of whole commands.
func commandShapes() []shape {
	var out []shape
	add := func(name string, start int, commands []command, files func(n int) []txtar.File) {
		for _, c := range commands {
			out = append(out, shape{c.name + ": " + name, start, files, running(c.args)})
		}
	}
	for name, make := range map[string]func(n int) string{
		"keys repeated":         func(n int) string { return draftOf(repeated("{", `"operation": "ADD", `, `"section": "x"}`, n)) },
		"payload keys repeated": func(n int) string { return draftOf(payloadOf(repeated("", `"claim": "c", `, `"name": "n"`, n))) },
		"keys unknown":          func(n int) string { return draftOf(payloadOf(repeated("", `"k%d": 1, `, `"name": "n"`, n))) },
		"edits of one fix": func(n int) string {
			return draftOf(payloadOf(`"claim": "c` + strings.Repeat("\n", n) + `", "name": "n"`))
		},
		"edits of one fix, commas": func(n int) string {
			return draftOf(payloadOf(`"anchors": [` + strings.Repeat("[1,], ", n) + `1], "name": "n"`))
		},
		"quotation marks": func(n int) string {
			return draftOf(payloadOf(`"anchors": "` + strings.Repeat("“a not ", n) + `", "name": "n"`))
		},
		"edits of many fixes": func(n int) string { return draftOf(slices.Repeat([]string{payloadOf("\"claim\": \"c\n\"")}, 1+n/8)...) },
		"blocks":              func(n int) string { return draftOf(slices.Repeat([]string{payloadOf(`"name": "n"`)}, 1+n/8)...) },
	} {
		add(name, 200, presends, oneFile("draft.json", make))
		add(name, 200, checks, oneFile("thread.json", make))
	}
	add("windows", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, versionEach))}, persisted(n)}
	})
	add("windows without deltas", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, func(i int) (string, string) {
			return fmt.Sprintf("COMPILED: v%d x", i+1), "# Compiled Artifact\n"
		}))}, persisted(n)}
	})
	add("EDITs", 80, slices.Concat(checks, replays), func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n, false, func(i int) (string, string) {
			if i == 0 {
				return versionEach(0)
			}
			return "DELTA[gpt]: x", assumption(deltaBlock("EDIT", `"A1"`, fmt.Sprintf(`{"load": "l%d"}`, i)))
		}))}, persisted(1)}
	})
	long := func(n int) string {
		return mailbox([]any{post(1, "DELTA[gpt]: x", assumption(deltaBlock("ADD", "null", fmt.Sprintf(`{"name": "n", "statement": "s", "load": %q, "test": "t", "status": "unchecked"}`, strings.Repeat("a* b\n", n)))))})
	}
	head := persisted(0).Data
	add("an item repeated", 200, replays[2:], func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(long(n))}, {Name: "artifacts/RS-20251230-x.md", Data: []byte(repeated(string(head), "### A1: n\n**Load**: x\n", "", n))}}
	})
	add("a field repeated", 200, replays[2:], func(n int) []txtar.File {
		mail := inbox(n, false, func(i int) (string, string) {
			if i == 0 {
				return versionEach(0)
			}
			return "DELTA[gpt]: x", assumption(deltaBlock("EDIT", `"A1"`, fmt.Sprintf(`{"load": "l%d"}`, i)))
		})
		return []txtar.File{{Name: "thread.json", Data: []byte(mail)}, {Name: "artifacts/RS-20251230-x.md", Data: []byte(repeated(string(head)+"### A1: n\n", "**Load**: x\n", "", n))}}
	})
	artifact := func(make func(n int) string) func(n int) []txtar.File {
		return oneFile("artifacts/RS-20251230-x.md", make)
	}
	add("findings on one line", 200, checksOfArtifacts, artifact(func(n int) string { return anchorField + strings.Repeat("§999, ", n) + "\n" }))
	add("findings on many lines", 200, checksOfArtifacts, artifact(func(n int) string { return repeated(slate, "### H%d: x\n", "", n) }))
	add("suppressions", 200, checksOfArtifacts, artifact(func(n int) string {
		return repeated(slate, "<!-- brennerlint:ignore WH-001 -- x -->\n### H%d: x\n", "", n)
	}))
	few := inbox(5, false, func(int) (string, string) { return "KICKOFF: x", "x" })
	all := []command{{"check", []string{"--fail-on", "never", "."}}}
	add("a file and versions", 200, all, func(n int) []txtar.File {
		return []txtar.File{{Name: "thread.json", Data: []byte(inbox(n/4, false, func(i int) (string, string) {
			return fmt.Sprintf("COMPILED: v%d x", 99_999+i), "# Compiled Artifact\n# Brenner Protocol Artifact: RS-20251230-x\n\n## 5. Assumption Ledger\n\n### A1: n\n"
		}))}, persisted(n)}
	})
	files := func(first string, data string) func(n int) []txtar.File {
		return func(n int) []txtar.File {
			out := []txtar.File{{Name: first, Data: []byte(data)}}
			for i := range n {
				out = append(out, txtar.File{Name: fmt.Sprintf("artifacts/RS-20251230-x%d.md", i), Data: []byte(slate + "### H1: x\n")})
			}
			return out
		}
	}
	add("files and suppressions", 50, all, files(config.FileName, repeated("suppress:\n", "- {rule: MB-001, path: 'a%d/**', reason: x}\n", "", 50)))
	add("files and patterns", 50, all, files(".gitignore", repeated("", "a%d/**/b\n", "", 50)))
	add("patterns", 200, all, func(n int) []txtar.File {
		return append(files(".gitignore", repeated("", "a%d/**/b\n", "", n))(10), txtar.File{Name: "thread.json", Data: []byte(few)})
	})
	slices.SortFunc(out, func(a, b shape) int { return strings.Compare(a.name, b.name) })
	return out
}

// running returns the check of a shape that runs a command in its folder.
func running(args []string) func(testing.TB, string, []txtar.File) {
	return func(tb testing.TB, dir string, files []txtar.File) {
		tb.Helper()
		args := slices.Clone(args)
		for i, a := range args {
			if a == "." || a == "artifacts" || strings.HasSuffix(a, ".json") || strings.HasSuffix(a, ".md") {
				args[i] = filepath.Join(dir, a)
			}
		}
		if files[0].Name == config.FileName {
			args = append(args, "--config", filepath.Join(dir, config.FileName))
		} else {
			args = append(args, "--no-config")
		}
		var complaint strings.Builder
		if status := cli.Run(context.Background(), args, strings.NewReader(""), io.Discard, &complaint, rules.All()...); status > 1 {
			tb.Errorf("%v ends with status %d: %.500s", args, status, complaint.String())
		}
	}
}

// draftOf returns a draft, and a message, with blocks of deltas.
func draftOf(deltas ...string) string {
	data, _ := json.Marshal(map[string]any{
		"id": 1, "subject": "DELTA[gpt]: x", "thread_id": "RS-20251230-x", "from": "BlueLake", "to": []string{"RedLake"}, "created_ts": "2025-12-30T10:00:00Z",
		"body_md": "## Deltas\n\n```delta\n" + strings.Join(deltas, "\n```\n\n```delta\n") + "\n```\n",
	})
	return string(data)
}

func payloadOf(members string) string {
	return `{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": {` + members + `}, "rationale": "r"}`
}

// versionEach alternates an ADD that is applied, and the version that has it.
func versionEach(i int) (subject, body string) {
	if i%2 == 0 {
		add := deltaBlock("ADD", "null", fmt.Sprintf(`{"name": "n%d", "statement": "s", "load": "l", "test": "t", "status": "unchecked"}`, i))
		return "DELTA[gpt]: x", strings.ReplaceAll(add, "hypothesis_slate", "assumption_ledger")
	}
	return fmt.Sprintf("COMPILED: v%d x", i/2+1), "# Compiled Artifact\n"
}

// persisted returns an artifact of n assumptions.
func persisted(n int) txtar.File {
	head := "---\nsession_id: RS-20251230-x\nversion: 100000\n---\n# Brenner Protocol Artifact: RS-20251230-x\n\n## 5. Assumption Ledger\n\n"
	return txtar.File{Name: "artifacts/RS-20251230-x.md", Data: []byte(repeated(head, "### A%[1]d: n%[1]d\n**Statement**: s\n\n", "", n))}
}
