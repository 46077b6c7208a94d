package fix_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
)

// agent does literally what a report says to a draft: it applies fixes, then follows
// suggestions word by word. It knows JSON and Markdown, and nothing of the protocol.
type agent struct {
	data    []byte
	fixes   []*lint.Fix
	head    string // of a draft in Markdown
	outer   map[string]any
	args    map[string]any // what is sent
	ignored []string
	left    map[*lint.Fix]bool // that could not be applied with the others
}

func newAgent(data []byte) *agent { return &agent{data: data} }

// fix collects the edits of a finding that has some.
func (a *agent) fix(f *advice) {
	if f.Fix != nil {
		a.fixes = append(a.fixes, f.Fix)
	}
	if m := replacing.FindStringSubmatch(f.Suggestion); f.Fix == nil && m != nil && f.Range != nil && f.Delta == 0 {
		text, _ := json.Marshal(m[1])
		a.fixes = append(a.fixes, &lint.Fix{Edits: []lint.Edit{{Range: *f.Range, Text: strings.Trim(string(text), `"`)}}})
	}
	switch {
	case strings.HasPrefix(f.Suggestion, "begin the draft with the lines"):
		lines := strings.Split(f.Suggestion, "`")
		header := lines[1] + "\n" + lines[3] + "\n\n"
		for placeholder, answer := range answers {
			header = strings.ReplaceAll(header, placeholder, answer)
		}
		a.data = append([]byte(header), a.data...)
	case f.Suggestion == "add }" || f.Rule != "IN-002":
	case strings.Contains(f.Suggestion, "write the whole draft as JSON"), f.Suggestion == "remove the comma": // by hand
		a.data = bytes.ReplaceAll(regexp.MustCompile(`,\s*}\s*$`).ReplaceAll(a.data, []byte("}")), []byte("\n"), []byte("\\n"))
		a.data = regexp.MustCompile(`(",|{)\\n `).ReplaceAll(a.data, []byte("$1\n "))
		a.data = bytes.TrimSuffix(a.data, []byte("\\n"))
	case strings.HasPrefix(f.Suggestion, "put a blank line"):
		a.data = bytes.Replace(a.data, []byte("\n#"), []byte("\n\n#"), 1)
	}
}

// replacing is a suggestion that gives the text for the range of the finding.
var replacing = regexp.MustCompile(`^(?:did you mean "?|write )([A-Za-z0-9][^ "]*?|(?:- )?<[^>]*>)(?:"?\??$|, or the name| instead of the line)`)

// edit applies the fixes that were collected, and takes the draft apart.
func (a *agent) edit() {
	data, applied := fix.Apply(a.data, a.fixes)
	a.data, a.left = data, map[*lint.Fix]bool{}
	for i, f := range a.fixes {
		a.left[f] = !applied[i]
	}
	if bytes.HasPrefix(bytes.TrimSpace(a.data), []byte("{")) {
		if json.Unmarshal(a.data, &a.outer) != nil {
			a.outer = nil
		}
		a.args = a.outer
		if in, ok := a.outer["tool_input"].(map[string]any); ok {
			a.args = in
		}
		if in, ok := a.args["arguments"].(map[string]any); ok { // of a dispatcher
			a.args = in
		}
	}
	if a.args == nil {
		head, body, _ := strings.Cut(string(a.data), "\n\n")
		subject := regexp.MustCompile(`(?m)^Subject: (.*)$`)
		a.args = map[string]any{"body_md": body}
		if m := subject.FindStringSubmatch(head); m != nil {
			a.args["subject"] = m[1]
		}
		a.head = subject.ReplaceAllLiteralString(head, "Subject: %SUBJECT%")
	}
}

func (a *agent) body() string     { s, _ := a.args["body_md"].(string); return s }
func (a *agent) subject() string  { s, _ := a.args["subject"].(string); return s }
func (a *agent) setBody(s string) { a.args["body_md"] = s }

// draft puts the draft together again, in its form.
func (a *agent) draft() []byte {
	a.args["subject"] = answered(a.subject(), "")
	if a.args["subject"] == "" {
		delete(a.args, "subject")
	}
	if a.head != "" {
		head := strings.Replace(a.head, "%SUBJECT%", a.subject(), 1)
		return []byte(answered(head, "") + "\n\n" + answered(a.body(), ""))
	}
	a.setBody(answered(a.body(), ""))
	if id, ok := a.args["thread_id"].(string); ok {
		a.args["thread_id"] = answered(id, "")
	}
	out, _ := json.Marshal(a.outer)
	return out
}

var (
	begins    = regexp.MustCompile(`^begin the subject with "([^"]+)"(?:(?:, without| instead of) "([^"]+)")?`)
	replaces  = regexp.MustCompile(`replace "([^"]+)" with "([^"]+)"`)
	prefixes  = regexp.MustCompile(`^write (DELTA\[<role>\]:) (?:as the subject's prefix|with the model)`)
	newSubj   = regexp.MustCompile(`under (?:the|a) subject (DELTA\[<role>\]: .*)$`)
	setSubj   = regexp.MustCompile(`^set "subject": "([^"]+)"`)
	shorter   = regexp.MustCompile(`^write "([^"]+)", and the rest into the body`)
	version   = regexp.MustCompile(`^write COMPILED: v(\d+) and then`)
	section   = regexp.MustCompile(`(?s)^add a section: (## [^,]+), and below it (.*)$`)
	below     = regexp.MustCompile(`(?s)^write below the heading: (.*?)(?:, or the seven.*)?$`)
	renames   = regexp.MustCompile(`^rename the heading "([^"]+)" to "([^"]+)"`)
	lineHead  = regexp.MustCompile(`^replace the line "([^"]+)" with the heading (## \w[\w ]*?)(?: and, below it, the text "([^"]+)")?$`)
	oneOf     = regexp.MustCompile(`one of these: (\w+), .*$`) // the first will do
	instead   = regexp.MustCompile(`^instead of the line, write (\w+)$`)
	addLine   = regexp.MustCompile("^add the line `([^`]+)`")
	writeLine = regexp.MustCompile("^write `([^`]+)`")
	h1        = regexp.MustCompile(`^begin the body with (# .*)$`)
	keys      = regexp.MustCompile(`"([^"]+)" to (\w+)`)
	payload   = regexp.MustCompile(`(?s)write into the payload: (.*)$`)
	value     = regexp.MustCompile(`(?s)^(?:write|add) ("\w+": .*)$`)
	word      = regexp.MustCompile(`write "([^"]+)"`)
	removal   = regexp.MustCompile(`^remove (\w+)`)
	meant     = regexp.MustCompile(`^"([^"]+)" is not a field .*did you mean "([^"]+)"\?$`)
	threadID  = regexp.MustCompile("^write `(RS-<YYYYMMDD>-[^ ,`]+)`")
)

// follow does what a suggestion says, unless a fix has done it.
func (a *agent) follow(f *advice) {
	s := oneOf.ReplaceAllString(f.Suggestion, "$1")
	switch {
	case f.Fix != nil && !a.left[f.Fix] || f.Delta == 0 && replacing.MatchString(s) || f.Rule[:2] == "IN" && !strings.HasPrefix(s, "set "):
	case a.followSubject(s), a.followBody(f, s), a.followDelta(f, s):
	default:
		a.ignored = append(a.ignored, f.Rule+" "+s)
	}
}

func (a *agent) followSubject(s string) bool {
	old := a.subject()
	set := func(new string) bool { a.args["subject"] = new; return true }
	if m := begins.FindStringSubmatch(s); m != nil {
		return set(m[1] + " " + strings.TrimSpace(strings.TrimPrefix(old, m[2])))
	}
	if m := replaces.FindStringSubmatch(s); m != nil {
		return set(m[2] + strings.TrimPrefix(old, m[1]))
	}
	if m := prefixes.FindStringSubmatch(s); m != nil {
		if strings.HasPrefix(old, m[1]) {
			return true
		}
		_, rest, _ := strings.Cut(old, ":")
		return set(m[1] + rest)
	}
	if m := newSubj.FindStringSubmatch(s); m != nil {
		a.outer["tool_name"] = "mcp__mcp-agent-mail__send_message"
		delete(a.args, "message_id")
		a.args["thread_id"] = "RS-20251230-gradient-vs-lineage"
		return set(m[1])
	}
	if m := setSubj.FindStringSubmatch(s); m != nil {
		return set(m[1])
	}
	if m := shorter.FindStringSubmatch(s); m != nil {
		a.setBody(a.body() + "\n" + strings.TrimPrefix(old, m[1]) + "\n")
		return set(m[1])
	}
	if m := version.FindStringSubmatch(s); m != nil {
		_, rest, _ := strings.Cut(old, ":")
		return set("COMPILED: v" + m[1] + rest)
	}
	if strings.HasPrefix(s, "write it after the prefix: ") {
		return set(strings.TrimRight(old, " ") + " " + strings.TrimPrefix(s, "write it after the prefix: "))
	}
	if m := threadID.FindStringSubmatch(s); m != nil {
		a.args["thread_id"] = m[1]
		return true
	}
	return false
}

func (a *agent) followBody(f *advice, s string) bool {
	body := a.body()
	lines := strings.Split(body, "\n")
	if m := section.FindStringSubmatch(s); m != nil {
		a.setBody(strings.TrimRight(body, "\n") + "\n\n" + m[1] + "\n\n" + m[2] + "\n")
		return true
	}
	if m := below.FindStringSubmatch(s); m != nil && f.Body != nil {
		title := strings.Split(strings.SplitN(f.Message, `"`, 3)[1], "\n")[0]
		for i, l := range lines {
			if strings.TrimLeft(l, "# ") == title && strings.HasPrefix(l, "#") {
				lines[i] += "\n\n" + m[1]
				a.setBody(strings.Join(lines, "\n"))
				return true
			}
		}
	}
	if m := renames.FindStringSubmatch(s); m != nil {
		a.setBody(strings.Replace(body, " "+m[1]+"\n", " "+m[2]+"\n", 1))
		return true
	}
	if m := lineHead.FindStringSubmatch(s); m != nil {
		a.setBody(strings.Replace(body, m[1], m[2]+"\n\n"+m[3], 1))
		return true
	}
	if m := addLine.FindStringSubmatch(s); m != nil {
		at := strings.Index(body, "\n") + 1
		a.setBody(body[:at] + "\n" + m[1] + "\n" + body[at:])
		return true
	}
	if m := writeLine.FindStringSubmatch(s); m != nil && f.Body != nil {
		name := m[1][:strings.Index(m[1], ":")]
		for i, l := range lines {
			if strings.HasPrefix(l, name) {
				lines[i] = m[1]
			}
		}
		a.setBody(strings.Join(lines, "\n"))
		return true
	}
	if m := instead.FindStringSubmatch(s); m != nil && f.Body != nil {
		lines[f.Body.Line-1] = m[1]
		a.setBody(strings.Join(lines, "\n"))
		return true
	}
	if m := h1.FindStringSubmatch(s); m != nil {
		a.setBody(m[1] + "\n\n" + body)
		return true
	}
	return a.followBlock(f, s)
}

func (a *agent) followBlock(f *advice, s string) bool {
	body := a.body()
	switch {
	case f.Block != "" && strings.HasPrefix(s, "replace the line with") && f.Body != nil:
		quoted := strings.SplitN(f.Message, `"`, 3)[1]
		for _, l := range strings.Split(body, "\n") {
			if strings.HasPrefix(strings.TrimLeft(l, "*_"), quoted) {
				a.setBody(strings.Replace(body, l, "\n"+f.Block+"\n", 1))
				return true
			}
		}
	case f.Block != "" && strings.HasPrefix(s, "write each change"):
		a.setBody(body + "\n" + f.Block + "\n")
		return true
	case strings.HasPrefix(s, "write delta instead of "):
		a.setBody(strings.Replace(body, "```json", "```delta", 1))
		return true
	case s == "remove the fence around the text":
		a.setBody(strings.Join(strings.Split(strings.TrimSpace(body), "\n")[1:len(strings.Split(strings.TrimSpace(body), "\n"))-1], "\n"))
		return true
	case s == `replace each \n with a line break`:
		a.setBody(strings.NewReplacer(`\n`, "\n", `\"`, `"`).Replace(body))
		return true
	case f.Block != "" && (strings.Contains(s, "write the whole block") || strings.HasPrefix(s, "write each delta in a fence of its own")):
		if blocks := fences.FindAllStringIndex(body, -1); f.Delta > 0 && f.Delta <= len(blocks) {
			a.setBody(body[:blocks[f.Delta-1][0]] + f.Block + body[blocks[f.Delta-1][1]:])
			return true
		}
	case f.Block != "" && strings.HasPrefix(s, "remove the HTML tags around it"):
		a.setBody(regexp.MustCompile(`(?s)<(\w+)>\s*\{.*\}\s*</\w+>`).ReplaceAllLiteralString(body, "\n"+f.Block))
		return true
	case s == "add the line ## Question above the question":
		at := strings.Index(body, "\n") + 1
		a.setBody(body[:at] + "\n## Question\n\n" + body[at:])
		return true
	}
	return false
}

// fences are the delta blocks of a body.
var fences = regexp.MustCompile("(?s)```delta\n(.*?)\n?```")

// followDelta changes the JSON of a delta.
func (a *agent) followDelta(f *advice, s string) bool {
	blocks := fences.FindAllStringSubmatchIndex(a.body(), -1)
	if f.Delta < 1 || f.Delta > len(blocks) {
		return false
	}
	at := blocks[f.Delta-1]
	var d map[string]any
	if json.Unmarshal([]byte(a.body()[at[2]:at[3]]), &d) != nil {
		return false
	}
	if !change(d, f, s) {
		return false
	}
	sec, _ := d["section"].(string)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		panic(err)
	}
	text := answered(out.String(), sec)
	text = regexp.MustCompile(`("(?:likelihood_ratio|cost|speed|ambiguity)": )"(\d)"`).ReplaceAllString(text, "$1$2") // a number
	if at[0] > 0 && a.body()[at[0]-1] != '\n' {                                                                       // in a list
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(text)); err != nil {
			panic(err)
		}
		text = "  " + compact.String()
		a.setBody(a.body()[:at[2]] + text + "\n  " + strings.TrimLeft(a.body()[at[3]:], " \n"))
		return true
	}
	a.setBody(a.body()[:at[2]] + strings.TrimSpace(text) + a.body()[at[3]:])
	return true
}

var members = []string{"operation", "section", "target_id", "payload", "rationale", "timestamp", "agent", "delta_id"}

func change(d map[string]any, f *advice, s string) bool {
	in, _ := d["payload"].(map[string]any)
	if m := meant.FindStringSubmatch(f.Message + " " + s); m != nil {
		for _, object := range []map[string]any{in, d} {
			if v, ok := object[m[1]]; ok {
				delete(object, m[1])
				object[m[2]] = v
				return true
			}
		}
	}
	done := false
	for _, m := range keys.FindAllStringSubmatch(s, -1) {
		for _, object := range []map[string]any{in, d} {
			if v, ok := object[m[1]]; ok && strings.HasPrefix(s, "rename") {
				delete(object, m[1])
				object[m[2]] = v
				done = true
				break
			}
		}
	}
	if m := payload.FindStringSubmatch(s); m != nil && in != nil {
		said, instead, _ := strings.Cut(m[1], ", instead of ")
		for _, name := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(instead, -1) {
			delete(in, name[1])
		}
		return merge("{"+said+"}", in)
	}
	if m := value.FindStringSubmatch(s); m != nil {
		var name string
		if name = strings.SplitN(m[1], `"`, 3)[1]; slices.Contains(members, name) || in == nil {
			return merge("{"+m[1]+"}", d)
		}
		return merge("{"+m[1]+"}", in)
	}
	switch m := removal.FindStringSubmatch(s); {
	case done:
		return true
	case m != nil && f.Field == m[1]:
		delete(d, m[1])
		return true
	case strings.HasPrefix(s, "set target_id to null"):
		d["target_id"] = nil
		return true
	case strings.HasPrefix(s, "move "):
		if in == nil {
			in = map[string]any{}
			d["payload"] = in
		}
		for k, v := range d {
			if !slices.Contains(members, k) && (k == f.Field || strings.HasPrefix(s, "move them")) {
				in[k] = v
				delete(d, k)
			}
		}
		return true
	}
	var literal any
	if text, ok := strings.CutPrefix(s, "write "); ok && in != nil && json.Unmarshal([]byte(text), &literal) == nil && !slices.Contains(members, f.Field) {
		in[f.Field] = literal
		return true
	}
	if m := word.FindStringSubmatch(s); m != nil && slices.Contains(members, f.Field) {
		d[f.Field] = m[1]
		if strings.Contains(s, m[1]+`" as section`) {
			d["section"] = m[1]
			d[f.Field] = strings.SplitN(s, `"`, 3)[1]
		}
		return true
	} else if m != nil && in != nil {
		in[f.Field] = m[1]
		return true
	}
	return false
}

// merge adds the members of JSON to an object; what a suggestion says after them is
// left out.
func merge(text string, into map[string]any) bool {
	text = strings.ReplaceAll(text, "<0 to 3>", answers["<0 to 3>"])
	text = strings.ReplaceAll(text, "true, or false", "true") // what is true
	for end := len(text); end > 1; end-- {
		var add map[string]any
		if json.Unmarshal([]byte(strings.TrimRight(text[:end], ", }")+closing(text[:end])), &add) == nil && len(add) > 0 {
			for k, v := range add {
				into[k] = v
			}
			return true
		}
	}
	return false
}

// closing returns the brackets that a text leaves open, innermost first.
func closing(text string) string {
	text = strings.TrimRight(text, ", }")
	var open []byte
	inString := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return string(open)
}
