// Package agenthook adds the pre-tool hook of brennerlint to the settings of agent programs, and
// takes it out again. Everything else in them stays as it is, comments and order included.
package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Agent is an agent program whose pre-tool hooks presend answers: where it keeps its hooks,
// and how it matches the tools that send mail. Tool names differ with the name that the mail
// server has in the program, so they are matched by their end.
type Agent struct {
	Name, Title string
	File        string // that has its settings, with forward slashes
	event       string
	matcher     string
	timeout     int // ten seconds, in the unit of the program
}

// Agents all take exit status 2 with a reason on standard error as "do not call", and 0 with
// nothing on standard output as "go on".
var Agents = []Agent{
	{"claude", "Claude Code", ".claude/settings.json", "PreToolUse", "mcp__.*__(send|reply)_message", 10},
	{"codex", "Codex CLI", ".codex/hooks.json", "PreToolUse", "mcp__.*__(send|reply)_message", 10},
	{"gemini", "Gemini CLI", ".gemini/settings.json", "BeforeTool", "mcp_.*_(send|reply)_message", 10_000},
}

// matchedHook is an entry of an agent's list of hooks.
type matchedHook struct {
	Matcher string        `json:"matcher"`
	Hooks   []commandHook `json:"hooks"`
}

type commandHook struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"`
}

// command is what the hook of an agent runs.
func (a Agent) command() string { return "brennerlint presend --hook " + a.Name }

// Settings are an agent's settings: JSON, perhaps with comments.
type Settings struct {
	RunsPresend bool // one of the hooks does
	SeesMail    bool // one of these may be called for mail

	agent Agent
	data  []byte // without a byte order mark
	root  hujson.Value
	hooks []matchedHook // of the event
}

// ownTools is a matcher of nothing but tools of the agent program, as in Bash|Write: those of
// servers have an underscore.
var ownTools = text.Pattern(`^[A-Za-z|]+$`)

// Parse reads settings, which may be empty. It refuses those that are not of the form that
// the agent program reads.
func (a Agent) Parse(data []byte) (*Settings, error) {
	data = bytes.TrimPrefix(data, []byte(source.BOM)) // some editors write it
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	root, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	s := &Settings{agent: a, data: data, root: root}
	if _, ok := s.root.Value.(*hujson.Object); !ok {
		return nil, errors.New("it is not a JSON object")
	}
	hooks := s.root.Find("/hooks")
	if hasTwice(&s.root, "hooks") || hasTwice(hooks, a.event) {
		return nil, errors.New("it has a duplicate key")
	}
	if hooks == nil {
		return s, nil
	}
	if _, ok := hooks.Value.(*hujson.Object); !ok {
		return nil, errors.New("hooks is not an object")
	}
	if list := hooks.Find("/" + a.event); list != nil { // some programs keep switches beside it
		plain := list.Clone()
		plain.Standardize() // without comments
		if err := json.Unmarshal(plain.Pack(), &s.hooks); err != nil || s.hooks == nil {
			return nil, fmt.Errorf("hooks.%s is not a list of hooks", a.event)
		}
	}
	for _, m := range s.hooks {
		for _, h := range m.Hooks {
			command := strings.Join(append([]string{h.Command}, h.Args...), " ")
			if strings.Contains(command, "brennerlint") && strings.Contains(command, "presend") {
				s.RunsPresend = true
				s.SeesMail = s.SeesMail || !ownTools().MatchString(m.Matcher)
			}
		}
	}
	return s, nil
}

// AddHook adds the hook.
func (s *Settings) AddHook() {
	hook, _ := json.Marshal(matchedHook{s.agent.matcher, []commandHook{{Type: "command", Command: s.agent.command(), Timeout: s.agent.timeout}}}) // it is text
	to, text := s.root.Find("/hooks/"+s.agent.event), string(hook)
	if to == nil {
		to, text = s.root.Find("/hooks"), fmt.Sprintf("%q: [%s]", s.agent.event, text)
	}
	if to == nil {
		to, text = &s.root, fmt.Sprintf("%q: {%s}", "hooks", text)
	}
	s.data = add(s.data, to, text)
}

// RemoveHook takes the hook out, and what is empty without it. It refuses hooks that run presend
// in another way.
func (s *Settings) RemoveHook() error {
	before := len(s.data)
	list := "/hooks/" + s.agent.event
	for i, m := range slices.Backward(s.hooks) {
		path := fmt.Sprintf("%s/%d/hooks", list, i)
		if items, _ := itemsOf(s.root.Find(path)); len(items) == 0 || len(items) != len(m.Hooks) {
			continue // none, or the name is written in another way, or twice
		}
		left := len(m.Hooks)
		for j, h := range slices.Backward(m.Hooks) {
			if h.Type == "command" && h.Command == s.agent.command() && len(h.Args) == 0 {
				s.remove(path, j)
				left--
			}
		}
		if left == 0 {
			s.remove(list, i)
		}
	}
	if len(s.data) == before {
		return errors.New("its hook is not the one that init writes; remove it by hand")
	}
	for _, at := range []struct{ in, name string }{{"/hooks", s.agent.event}, {"", "hooks"}} {
		if items, end := itemsOf(s.root.Find(at.in + "/" + at.name)); len(items) == 0 && len(bytes.TrimSpace(end)) == 0 {
			items, _ := itemsOf(s.root.Find(at.in))
			s.remove(at.in, slices.IndexFunc(items, func(m item) bool { return m.name == at.name }))
		}
	}
	return nil
}

// item is an item of an object or a list.
type item struct {
	name       string // in an object
	start, end int
	before     hujson.Extra // what is before it
	after      hujson.Extra // what is before its comma; nil if it has none
}

// itemsOf returns the items of an object or a list, and what is before its closing bracket; nothing
// of anything else.
func itemsOf(v *hujson.Value) (items []item, end hujson.Extra) {
	if v == nil {
		return nil, nil
	}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for _, m := range x.Members {
			items = append(items, item{m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra})
		}
		return items, x.AfterExtra
	case *hujson.Array:
		for _, e := range x.Elements {
			items = append(items, item{"", e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra})
		}
		return items, x.AfterExtra
	}
	return nil, nil
}

// hasTwice reports whether an object has two members of a name.
func hasTwice(v *hujson.Value, name string) bool {
	items, _ := itemsOf(v)
	return len(slices.DeleteFunc(items, func(m item) bool { return m.name != name })) > 1
}

// add returns data with an item at the end of an object or a list of it, on a line of its own if
// the closing bracket has one: after a comment on the line of the last item.
func add(data []byte, to *hujson.Value, text string) []byte {
	items, end := itemsOf(to)
	at := to.EndOffset - 1 - len(end)
	comma := ""
	if n := len(items); n > 0 && items[n-1].after != nil {
		text += ","
	} else if n > 0 {
		comma = ","
	}
	i := bytes.IndexByte(end, '\n')
	if i < 0 || bytes.Contains(end[:i], []byte("/*")) {
		i = 0
	} else {
		indent := string(end[bytes.LastIndexByte(end, '\n')+1:]) + "  "
		if len(items) > 0 && bytes.IndexByte(items[0].before, '\n') >= 0 {
			indent = string(items[0].before[bytes.LastIndexByte(items[0].before, '\n')+1:])
		}
		text = "\n" + indent + text
	}
	return slices.Concat(data[:at], []byte(comma), end[:i], []byte(text), data[at+i:])
}

// remove takes an item out of the object or list at a path, with its comma or else the one before
// it. Comments around it stay.
func (s *Settings) remove(path string, i int) {
	const space = " \t\r\n"
	items, _ := itemsOf(s.root.Find(path))
	it := items[i]
	from, to := it.start-len(it.before), it.end
	kept, after := bytes.TrimRight(it.before, space), bytes.TrimRight(it.after, space)
	if len(kept) > 0 && len(after) > 0 {
		kept = slices.Concat(kept, []byte{'\n'}) // it may end with the line
	}
	kept = slices.Concat(kept, after)
	switch {
	case it.after != nil || i < len(items)-1:
		to += len(it.after) + 1
	case i > 0:
		from--
	}
	if len(kept) > 0 && !bytes.HasPrefix(bytes.TrimLeft(s.data[to:], " \t\r"), []byte{'\n'}) {
		kept = append(kept, '\n')
	}
	s.data = slices.Concat(s.data[:from], kept, s.data[to:])
	s.root, _ = hujson.Parse(s.data)
}

// IsEmpty reports whether the settings are an empty object.
func (s *Settings) IsEmpty() bool { return string(bytes.Join(bytes.Fields(s.data), nil)) == "{}" }

// Format returns the settings as they are to be written in place of others. JSON without comments
// is indented as it was: by its first indented line, with its line ends.
func (s *Settings) Format(before []byte) []byte {
	out := s.data
	old, marked := bytes.CutPrefix(before, []byte(source.BOM))
	if json.Valid(old) || len(bytes.TrimSpace(old)) == 0 {
		indent := "  "
		for line := range bytes.Lines(old) {
			if n := len(line) - len(bytes.TrimLeft(line, " \t")); n > 0 {
				indent = string(line[:n])
				break
			}
		}
		var b bytes.Buffer
		if err := json.Indent(&b, bytes.TrimSpace(out), "", indent); err == nil {
			b.WriteByte('\n')
			out = b.Bytes()
		}
		if bytes.Contains(old, []byte("\r\n")) {
			out = bytes.ReplaceAll(out, []byte{'\n'}, []byte("\r\n"))
		}
	}
	if marked {
		out = slices.Concat([]byte(source.BOM), out)
	}
	return out
}
