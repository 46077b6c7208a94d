package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tailscale/hujson"

	"github.com/brennerlint/brennerlint/internal/files"
)

// agent is an agent program whose pre-tool hooks presend answers: where it keeps its hooks,
// and how it matches the tools that send mail. Tool names differ with the name that the mail
// server has in the program, so they are matched by their end.
type agent struct {
	name, title string
	settings    string
	event       string
	matcher     string
	timeout     int // ten seconds, in the unit of the program
}

// agents all take exit status 2 with a reason on standard error as "do not call", and 0 with
// nothing on standard output as "go on".
var agents = []agent{
	{"claude", "Claude Code", ".claude/settings.json", "PreToolUse", "mcp__.*__(send|reply)_message", 10},
	{"codex", "Codex CLI", ".codex/hooks.json", "PreToolUse", "mcp__.*__(send|reply)_message", 10},
	{"gemini", "Gemini CLI", ".gemini/settings.json", "BeforeTool", "mcp_.*_(send|reply)_message", 10_000},
}

// agentWords completes agent programs.
func agentWords() (out []cobra.Completion) {
	for _, a := range agents {
		out = append(out, cobra.CompletionWithDesc(a.name, a.title))
	}
	return out
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
func (a agent) command() string { return "brennerlint presend --hook " + a.name }

var (
	errHasHook   = errors.New("the hook is already installed")
	errHasNoHook = errors.New("the hook is not installed")
)

// install writes the hook into the agent's settings, or takes it out again. Everything else
// in them stays as it is, comments and order included.
func (a agent) install(std streams, remove bool) error {
	path, shown := filepath.FromSlash(a.settings), a.settings
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", shown, err)
	}
	edit, task, done := a.withHook, "add the hook to", "added the hook to"
	if remove {
		edit, task, done = a.withoutHook, "remove the hook from", "removed the hook from"
	}
	data, err = edit(data)
	switch {
	case errors.Is(err, errHasHook):
		fmt.Fprintf(std.out, "%s already has the hook; not changed\n", shown)
		warnOffPath(std)
		return nil
	case errors.Is(err, errHasNoHook):
		fmt.Fprintf(std.out, "%s does not have the hook; not changed\n", shown)
		return nil
	case err != nil:
		return fmt.Errorf("%s %s: %w; the file is not changed", task, shown, err)
	case data == nil:
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove %s: %w", shown, err)
		}
		_ = os.Remove(filepath.Dir(path)) // if it is empty now
		fmt.Fprintf(std.out, "removed %s, which had nothing but the hook\n", shown)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", shown, err)
	}
	if err := files.Write(path, data); err != nil {
		return fmt.Errorf("write %s: %w", shown, err)
	}
	fmt.Fprintf(std.out, "%s %s\n", done, shown)
	if !remove {
		warnOffPath(std)
	}
	return nil
}

// warnOffPath says what to do if the agent program will not find the command of the hook: it
// would send all messages unchecked.
func warnOffPath(std streams) {
	if pathOf("brennerlint") == "" {
		fmt.Fprintln(std.out, "brennerlint is not on your PATH, so the hook cannot run: add the folder of the program to PATH")
	}
}

// withHook returns settings with the hook; they may be empty.
func (a agent) withHook(data []byte) ([]byte, error) {
	s, err := a.parse(data)
	if err != nil {
		return nil, err
	}
	if s.runsPresend {
		return nil, errHasHook
	}
	hook, err := json.Marshal(matchedHook{a.matcher, []commandHook{{Type: "command", Command: a.command(), Timeout: a.timeout}}})
	if err != nil {
		return nil, err
	}
	to, item := s.root.Find("/hooks/"+a.event), string(hook)
	if to == nil {
		to, item = s.root.Find("/hooks"), fmt.Sprintf("%q: [%s]", a.event, item)
	}
	if to == nil {
		to, item = &s.root, fmt.Sprintf(`"hooks": {%s}`, item)
	}
	return layOut(data, added(s.text, to, item)), nil
}

// withoutHook returns settings without the hook; nil if nothing is left of them. It refuses
// hooks that run presend in another way.
func (a agent) withoutHook(data []byte) ([]byte, error) {
	s, err := a.parse(data)
	if err != nil {
		return nil, err
	}
	if !s.runsPresend {
		return nil, errHasNoHook
	}
	before, list := s.text, "/hooks/"+a.event
	for i, m := range slices.Backward(s.hooks) {
		each := fmt.Sprintf("%s/%d/hooks", list, i)
		if found := itemsOf(s.root.Find(each)); len(found) == 0 || len(found) != len(m.Hooks) {
			continue // none, or the name is written in another way, or twice
		}
		for j, h := range slices.Backward(m.Hooks) {
			if h.Type == "command" && h.Command == a.command() && len(h.Args) == 0 {
				if err := s.remove(each, j); err != nil {
					return nil, err
				}
			}
		}
		if len(itemsOf(s.root.Find(each))) == 0 {
			if err := s.remove(list, i); err != nil {
				return nil, err
			}
		}
	}
	if bytes.Equal(s.text, before) {
		return nil, errors.New("its hook is not the one that init writes; remove it by hand")
	}
	for _, at := range []struct{ in, name string }{{"/hooks", a.event}, {"", "hooks"}} {
		v := s.root.Find(at.in + "/" + at.name)
		if len(bytes.TrimSpace(s.text[v.StartOffset+1:v.EndOffset-1])) == 0 {
			items := itemsOf(s.root.Find(at.in))
			i := slices.IndexFunc(items, func(m item) bool { return m.name == at.name })
			if err := s.remove(at.in, i); err != nil {
				return nil, err
			}
		}
	}
	if string(bytes.Join(bytes.Fields(s.text), nil)) == "{}" {
		return nil, nil
	}
	return layOut(data, s.text), nil
}

// byteOrderMark is before the settings that some editors write.
var byteOrderMark = []byte("\ufeff")

// hookSettings are an agent's settings: JSON, perhaps with comments.
type hookSettings struct {
	text        []byte // without a byte order mark
	root        hujson.Value
	hooks       []matchedHook // of the event
	runsPresend bool          // one of them does
}

// parse reads settings, which may be empty. It refuses those that are not of the form that
// the agent program reads.
func (a agent) parse(data []byte) (*hookSettings, error) {
	s := &hookSettings{text: bytes.TrimPrefix(data, byteOrderMark)}
	if len(bytes.TrimSpace(s.text)) == 0 {
		s.text = []byte("{}\n")
	}
	var err error
	if s.root, err = hujson.Parse(s.text); err != nil {
		return nil, err
	}
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
			s.runsPresend = s.runsPresend || strings.Contains(command, "brennerlint") && strings.Contains(command, "presend")
		}
	}
	return s, nil
}

// remove takes an item out of the object or list at a pointer.
func (s *hookSettings) remove(pointer string, i int) (err error) {
	s.text = removed(s.text, s.root.Find(pointer), i)
	s.root, err = hujson.Parse(s.text)
	return err
}

// item is where an object or a list has an item in the text.
type item struct {
	name       string // in an object
	start, end int
	next       int // after its comma, or else the end
}

// itemsOf returns the items of an object or a list; none of anything else.
func itemsOf(v *hujson.Value) (out []item) {
	if v == nil {
		return nil
	}
	add := func(name string, start int, value *hujson.Value, last bool) {
		it := item{name, start, value.EndOffset, value.EndOffset}
		if !last || value.AfterExtra != nil {
			it.next += len(value.AfterExtra) + len(",")
		}
		out = append(out, it)
	}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i := range x.Members {
			name := &x.Members[i].Name
			add(name.Value.(hujson.Literal).String(), name.StartOffset, &x.Members[i].Value, i == len(x.Members)-1)
		}
	case *hujson.Array:
		for i := range x.Elements {
			add("", x.Elements[i].StartOffset, &x.Elements[i], i == len(x.Elements)-1)
		}
	}
	return out
}

// hasTwice reports whether an object has two members of a name.
func hasTwice(v *hujson.Value, name string) bool {
	others := slices.DeleteFunc(itemsOf(v), func(m item) bool { return m.name != name })
	return len(others) > 1
}

// added returns the text with one more item at the end of an object or a list, on a line of its
// own if the closing bracket has one.
func added(text []byte, v *hujson.Value, item string) []byte {
	items, at, comma := itemsOf(v), v.StartOffset+1, ""
	if n := len(items); n > 0 {
		if at = items[n-1].next; at > items[n-1].end {
			item += ","
		} else {
			comma = ","
		}
	}
	space := text[at : v.EndOffset-1]
	if i := bytes.IndexByte(space, '\n'); i >= 0 && !bytes.Contains(space[:i], []byte("/*")) {
		indent := string(space[bytes.LastIndexByte(space, '\n')+1:]) + "  "
		if len(items) > 0 {
			if first := text[v.StartOffset+1 : items[0].start]; bytes.IndexByte(first, '\n') >= 0 {
				indent = string(first[bytes.LastIndexByte(first, '\n')+1:])
			}
		}
		// It comes after a comment on the line of the last item.
		return slices.Concat(text[:at], []byte(comma), space[:i], []byte("\n"+indent+item), text[at+i:])
	}
	return slices.Concat(text[:at], []byte(comma+item), text[at:])
}

// removed returns the text without an item of an object or a list. Comments around it stay.
func removed(text []byte, v *hujson.Value, i int) []byte {
	const space = " \t\r\n"
	items, from := itemsOf(v), v.StartOffset+1
	it := items[i]
	if i > 0 {
		from = items[i-1].next
	}
	left := bytes.TrimRight(text[from:it.start], space)
	if it.next > it.end {
		after := bytes.TrimRight(text[it.end:it.next-1], space)
		if len(left) > 0 && len(after) > 0 {
			left = slices.Concat(left, []byte{'\n'}) // it may end with the line
		}
		left = slices.Concat(left, after)
	}
	if len(left) > 0 && !bytes.HasPrefix(bytes.TrimLeft(text[it.next:], " \t\r"), []byte{'\n'}) {
		left = slices.Concat(left, []byte{'\n'})
	}
	if i > 0 && it.next == it.end { // the last: the one before becomes it, without a comma
		before := items[i-1]
		left = slices.Concat(text[before.end:before.next-1], left)
		from = before.end
	}
	return slices.Concat(text[:from], left, text[it.next:])
}

// layOut returns a changed text of settings as it is to be written. JSON without comments is
// indented as it was: by its first indented line, with its line ends.
func layOut(before, out []byte) []byte {
	old, marked := bytes.CutPrefix(before, byteOrderMark)
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
		out = slices.Concat(byteOrderMark, out)
	}
	return out
}
