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
		_ = json.Unmarshal(a.data, &a.outer) // nil if it is broken still
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

func (a *agent) body() string          { s, _ := a.args["body_md"].(string); return s }
func (a *agent) subject() string       { s, _ := a.args["subject"].(string); return s }
func (a *agent) setBody(s string) bool { a.args["body_md"] = s; return true }

// draft puts the draft together again, in its form.
func (a *agent) draft() []byte {
	a.args["subject"] = answered(a.subject(), "")
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

// way is what to do about a suggestion of one form. It returns false if it is no such suggestion
// after all.
type way struct {
	form string
	do   func(a *agent, f *advice, m []string) bool
}

// ways are those of all suggestions except on the JSON of a delta, in order. The texts of a
// suggestion that the form names are in m.
var ways = compiled(
	// the subject
	way{`^begin the subject with "([^"]+)"(?:(?:, without| instead of) "([^"]+)")?`, func(a *agent, _ *advice, m []string) bool {
		return a.setSubject(m[1] + " " + strings.TrimSpace(strings.TrimPrefix(a.subject(), m[2])))
	}},
	way{`^write (DELTA\[<role>\]:) (?:as the subject's prefix|with the model)`, func(a *agent, _ *advice, m []string) bool {
		_, rest, _ := strings.Cut(a.subject(), ":")
		return strings.HasPrefix(a.subject(), m[1]) || a.setSubject(m[1]+rest)
	}},
	way{`under (?:the|a) subject (DELTA\[<role>\]: .*)$`, func(a *agent, _ *advice, m []string) bool {
		a.outer["tool_name"] = "mcp__mcp-agent-mail__send_message"
		delete(a.args, "message_id")
		a.args["thread_id"] = "RS-20251230-gradient-vs-lineage"
		return a.setSubject(m[1])
	}},
	way{`^set "subject": "([^"]+)"`, func(a *agent, _ *advice, m []string) bool { return a.setSubject(m[1]) }},
	way{`^write "([^"]+)", and the rest into the body`, func(a *agent, _ *advice, m []string) bool {
		a.setBody(a.body() + "\n" + strings.TrimPrefix(a.subject(), m[1]) + "\n")
		return a.setSubject(m[1])
	}},
	way{`^write COMPILED: v(\d+) and then`, func(a *agent, _ *advice, m []string) bool {
		_, rest, _ := strings.Cut(a.subject(), ":")
		return a.setSubject("COMPILED: v" + m[1] + rest)
	}},
	way{`^write it after the prefix: (.*)$`, func(a *agent, _ *advice, m []string) bool {
		return a.setSubject(strings.TrimRight(a.subject(), " ") + " " + m[1])
	}},
	// sections of the body
	way{`(?s)^add a section: (## [^,]+), and below it (.*)$`, func(a *agent, _ *advice, m []string) bool {
		return a.setBody(strings.TrimRight(a.body(), "\n") + "\n\n" + m[1] + "\n\n" + m[2] + "\n")
	}},
	way{`(?s)^write below the heading:? (.*?)(?:, or the seven.*)?$`, func(a *agent, f *advice, m []string) bool {
		title := strings.Split(strings.SplitN(f.Message, `"`, 3)[1], "\n")[0]
		return f.Body != nil && a.setLine(func(l string) bool { return strings.TrimLeft(l, "# ") == title && strings.HasPrefix(l, "#") },
			func(l string) string { return l + "\n\n" + m[1] })
	}},
	way{`^rename the heading "([^"]+)" to "([^"]+)"`, func(a *agent, _ *advice, m []string) bool {
		return a.replace(" "+m[1]+"\n", " "+m[2]+"\n")
	}},
	way{`^replace the line "([^"]+)" with the heading (## \w[\w ]*?)(?: and, below it, the text "([^"]+)")?(?:; turn the lines of .*)?$`, func(a *agent, _ *advice, m []string) bool {
		return a.replace(m[1], m[2]+"\n\n"+m[3])
	}},
	way{`^instead of the line, write (\w+)$`, func(a *agent, f *advice, m []string) bool {
		n := 0
		return a.setLine(func(string) bool { n++; return n == f.Body.Line }, func(string) string { return m[1] })
	}},
	way{"^add the line `([^`]+)`", func(a *agent, _ *advice, m []string) bool { return a.belowTitle("\n" + m[1] + "\n") }},
	way{"^write `(([^`:]+:)[^`]*)`", func(a *agent, f *advice, m []string) bool {
		return f.Body != nil && a.setLine(func(l string) bool { return strings.HasPrefix(l, m[2]) }, func(string) string { return m[1] })
	}},
	way{`^begin the body with (# .*)$`, func(a *agent, _ *advice, m []string) bool { return a.setBody(m[1] + "\n\n" + a.body()) }},
	way{`^add the line (## Question) above the question$`, func(a *agent, _ *advice, m []string) bool {
		return a.setLine(func(l string) bool { return strings.Contains(l, "?") }, func(l string) string { return m[1] + "\n\n" + l }) ||
			a.belowTitle("\n"+m[1]+"\n\n")
	}},
	// blocks of the body
	way{`^replace the line with`, func(a *agent, f *advice, _ []string) bool {
		quoted := strings.SplitN(f.Message, `"`, 3)[1]
		return f.Block != "" && a.setLine(func(l string) bool { return strings.HasPrefix(strings.TrimLeft(l, "*_"), quoted) },
			func(string) string { return "\n" + f.Block + "\n" })
	}},
	way{`^write each change`, func(a *agent, f *advice, _ []string) bool {
		return f.Block != "" && a.setBody(a.body()+"\n"+f.Block+"\n")
	}},
	way{`^write delta instead of `, func(a *agent, _ *advice, _ []string) bool { return a.replace("```json", "```delta") }},
	way{`^send the whole again: write the rest of the payload, with (.*) in it, then`, func(a *agent, _ *advice, m []string) bool {
		return a.setBody(a.body() + `", ` + m[1] + "}}\n```\n")
	}},
	way{`write the whole block|^write each delta in a fence of its own`, func(a *agent, f *advice, _ []string) bool {
		blocks := fences.FindAllString(a.body(), -1)
		return f.Block != "" && f.Delta > 0 && f.Delta <= len(blocks) && a.replace(blocks[f.Delta-1], f.Block)
	}},
	way{`^remove the HTML tags around it`, func(a *agent, f *advice, _ []string) bool {
		return f.Block != "" && a.setBody(regexp.MustCompile(`(?s)<(\w+)>\s*\{.*\}\s*</\w+>`).ReplaceAllLiteralString(a.body(), "\n"+f.Block))
	}},
)

// compiledWay is a way with its form as a regular expression.
type compiledWay struct {
	*regexp.Regexp
	way
}

func compiled(ways ...way) []compiledWay {
	var out []compiledWay
	for _, w := range ways {
		out = append(out, compiledWay{regexp.MustCompile(w.form), w})
	}
	return out
}

func (a *agent) setSubject(s string) bool    { a.args["subject"] = s; return true }
func (a *agent) replace(old, by string) bool { return a.setBody(strings.Replace(a.body(), old, by, 1)) }

// setLine changes the first line of the body that is meant.
func (a *agent) setLine(isMeant func(string) bool, change func(string) string) bool {
	lines := strings.Split(a.body(), "\n")
	i := slices.IndexFunc(lines, isMeant)
	if i < 0 {
		return false
	}
	lines[i] = change(lines[i])
	return a.setBody(strings.Join(lines, "\n"))
}

// belowTitle adds a text below the first line of the body.
func (a *agent) belowTitle(text string) bool {
	at := strings.Index(a.body(), "\n") + 1
	return a.setBody(a.body()[:at] + text + a.body()[at:])
}

var (
	keys    = regexp.MustCompile(`"([^"]+)" to (\w+)`)
	payload = regexp.MustCompile(`(?s)write into the payload: (.*)$`)
	value   = regexp.MustCompile(`(?s)^(?:write|add) ("\w+": .*)$`)
	word    = regexp.MustCompile(`write "([^"]+)"`)
	removal = regexp.MustCompile(`^remove (\w+)`)
	meant   = regexp.MustCompile(`^"([^"]+)" is not a field .*did you mean "([^"]+)"\?$`)
	oneOf   = regexp.MustCompile(`one of these: (\w+), .*$`) // the first will do
)

// follow does what a suggestion says, unless a fix has done it.
func (a *agent) follow(f *advice) {
	s := oneOf.ReplaceAllString(f.Suggestion, "$1")
	if f.Fix != nil && !a.left[f.Fix] || f.Delta == 0 && replacing.MatchString(s) || f.Rule[:2] == "IN" && !strings.HasPrefix(s, "set ") {
		return
	}
	for _, w := range ways {
		if m := w.FindStringSubmatch(s); m != nil && w.do(a, f, m) {
			return
		}
	}
	if !a.followDelta(f, s) {
		a.ignored = append(a.ignored, f.Rule+" "+s)
	}
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
		var name, instead string
		m[1], instead, _ = strings.Cut(m[1], ", instead of ")
		for _, other := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(instead, -1) {
			delete(d, other[1])
		}
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
