package cli

import (
	"bytes"
	_ "embed"
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

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/revision"
)

//go:embed workflow.yml
var workflow []byte

func newInit(s settings) *cobra.Command {
	var hook string
	var remove bool
	cmd := command("init", takes(0, 0, ""), func(cmd *cobra.Command, _ []string) error {
		switch {
		case hook != "":
			i := slices.IndexFunc(agents, func(a agent) bool { return a.name == hook })
			return agents[i].install(s.std, remove)
		case remove:
			return errors.New("--remove takes a hook out again; name it with --hook")
		}
		name := config.FileName
		if _, err := os.Lstat(config.ShortFileName); err == nil {
			name = config.ShortFileName // it is there, and stays as it is
		}
		if err := create(s.std, name, config.Template); err != nil {
			return err
		}
		return create(s.std, filepath.Join(".github", "workflows", "brennerlint.yml"), workflowFor(revision.DefaultBranch(cmd.Context(), ".")))
	})
	f := flagsOf(cmd)
	f.choice(&hook, "hook", "", "write the hook of `NAME` instead", agentWords()...)
	f.add(&remove, "remove", "with --hook: remove the hook", nil)
	return cmd
}

// workflowFor returns the workflow for a repository with a default branch; "" if it is
// unknown.
func workflowFor(branch string) []byte {
	if branch == "" || branch == "main" {
		return workflow
	}
	return bytes.Replace(workflow, []byte("branches: [main]"), fmt.Appendf(nil, "branches: [%q]", branch), 1)
}

// create writes a file that is not there yet, and says what it did.
func create(std streams, path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(std.out, "%s already exists; not changed\n", filepath.ToSlash(path))
		return nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(path))
	}
	fmt.Fprintf(std.out, "wrote %s\n", filepath.ToSlash(path))
	return nil
}

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
	missing := errors.Is(err, fs.ErrNotExist)
	var task, done string
	switch {
	case err != nil && !missing:
		return fmt.Errorf("read %s: %w", shown, err)
	case remove:
		task, done = "remove the hook from", "removed the hook from"
		if err == nil {
			data, err = a.withoutHook(data)
		}
	default:
		task, done = "add the hook to", "added the hook to"
		data, err = a.withHook(data)
	}
	switch {
	case errors.Is(err, errHasHook):
		fmt.Fprintf(std.out, "%s already has the hook; not changed\n", shown)
		warnOffPath(std)
		return nil
	case errors.Is(err, errHasNoHook), remove && missing:
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
	text, err := a.parse(data)
	if err != nil {
		return nil, err
	}
	if text.runsPresend {
		return nil, errHasHook
	}
	hook := matchedHook{a.matcher, []commandHook{{Type: "command", Command: a.command(), Timeout: a.timeout}}}
	value, err := json.Marshal(hook)
	if err != nil {
		return nil, err
	}
	if text.find("/hooks") == nil {
		text.add("", `"hooks": {}`)
	}
	if text.find("/hooks/"+a.event) == nil {
		text.add("/hooks", fmt.Sprintf("%q: []", a.event))
	}
	text.add("/hooks/"+a.event, string(value))
	return text.layOut(), nil
}

// withoutHook returns settings without the hook; nil if nothing is left of them. It refuses
// hooks that run presend in another way.
func (a agent) withoutHook(data []byte) ([]byte, error) {
	text, err := a.parse(data)
	if err != nil {
		return nil, err
	}
	if !text.runsPresend {
		return nil, errHasNoHook
	}
	removed, list := false, "/hooks/"+a.event
	for i, m := range slices.Backward(text.hooks) {
		path := fmt.Sprintf("%s/%d/hooks", list, i)
		left := len(membersOf(text.find(path)))
		if left == 0 || left != len(m.Hooks) {
			continue // none, or the name is written in another way, or twice
		}
		for j, h := range slices.Backward(m.Hooks) {
			if h.Type == "command" && h.Command == a.command() && len(h.Args) == 0 {
				text.remove(path, j)
				removed = true
				left--
			}
		}
		if left == 0 {
			text.remove(list, i)
		}
	}
	if !removed {
		return nil, errors.New("its hook is not the one that init writes; remove it by hand")
	}
	text.removeEmpty("/hooks", a.event)
	text.removeEmpty("", "hooks")
	if string(bytes.Join(bytes.Fields(text.now), nil)) == "{}" {
		return nil, nil
	}
	return text.layOut(), nil
}

// settingsText is the text of an agent's settings, JSON with comments. It is edited as a
// text, so that every other byte stays as it was.
type settingsText struct {
	before, now []byte
	marked      bool // a byte order mark is before it
	hooks       []matchedHook
	runsPresend bool // one of them does
}

// parse reads settings, which may be empty. It refuses those that are not of the form that
// the agent program reads.
func (a agent) parse(data []byte) (*settingsText, error) {
	text, marked := bytes.CutPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, errors.New("it is not a JSON object")
	}
	if len(membersNamed(&root, "hooks")) > 1 || len(membersNamed(root.Find("/hooks"), a.event)) > 1 {
		return nil, errors.New("it has a duplicate key")
	}
	out := &settingsText{before: text, now: bytes.Clone(text), marked: marked}
	var settings struct {
		Hooks json.RawMessage `json:"hooks"`
	}
	root.Standardize() // without comments
	if err := json.Unmarshal(root.Pack(), &settings); err != nil || settings.Hooks == nil {
		return out, err
	}
	var events map[string]json.RawMessage // some programs keep switches there, too
	if err := json.Unmarshal(settings.Hooks, &events); err != nil || events == nil {
		return nil, errors.New("hooks is not an object")
	}
	if list := events[a.event]; list != nil {
		if err := json.Unmarshal(list, &out.hooks); err != nil || out.hooks == nil {
			return nil, fmt.Errorf("hooks.%s is not a list of hooks", a.event)
		}
	}
	for _, m := range out.hooks {
		for _, h := range m.Hooks {
			command := strings.Join(append([]string{h.Command}, h.Args...), " ")
			out.runsPresend = out.runsPresend || strings.Contains(command, "brennerlint") && strings.Contains(command, "presend")
		}
	}
	return out, nil
}

// find returns the value at a JSON pointer; nil if there is none.
func (t *settingsText) find(pointer string) *hujson.Value {
	root, err := hujson.Parse(bytes.Clone(t.now))
	if err != nil {
		panic(err) // it was JSON, and stays that in each edit
	}
	return root.Find(pointer)
}

// memberAt is where a member of an object or a list is in the text.
type memberAt struct {
	name       string // in an object
	start, end int    // its name, if it has one, and its value
	comma      int    // after it; -1 if there is none
}

func membersOf(v *hujson.Value) (out []memberAt) {
	if v == nil {
		return nil
	}
	add := func(name string, start int, v *hujson.Value) {
		out = append(out, memberAt{name, start, v.EndOffset, v.EndOffset + len(v.AfterExtra)})
	}
	var last *hujson.Value
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i := range x.Members {
			last = &x.Members[i].Value
			add(x.Members[i].Name.Value.(hujson.Literal).String(), x.Members[i].Name.StartOffset, last)
		}
	case *hujson.Array:
		for i := range x.Elements {
			last = &x.Elements[i]
			add("", last.StartOffset, last)
		}
	}
	if last != nil && last.AfterExtra == nil {
		out[len(out)-1].comma = -1
	}
	return out
}

// membersNamed returns the numbers of the members with a name.
func membersNamed(v *hujson.Value, name string) (out []int) {
	for i, m := range membersOf(v) {
		if m.name == name {
			out = append(out, i)
		}
	}
	return out
}

// add puts a member at the end of an object or a list, on a line of its own if the closing
// bracket has one.
func (t *settingsText) add(pointer, member string) {
	v := t.find(pointer)
	members := membersOf(v)
	at, end := v.StartOffset+1, v.EndOffset-1
	if n := len(members); n > 0 {
		if at = members[n-1].comma + 1; at == 0 {
			at = members[n-1].end + 1
			t.now = slices.Insert(t.now, at-1, ',')
			end++
		} else {
			member += ","
		}
	}
	tail := t.now[at:end]
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && !bytes.Contains(tail[:i], []byte("/*")) {
		indent := string(tail[bytes.LastIndexByte(tail, '\n')+1:]) + "  "
		if len(members) > 0 {
			if line := bytes.LastIndexByte(t.now[:members[0].start], '\n') + 1; line > v.StartOffset {
				indent = string(t.now[line:members[0].start])
			}
		}
		at += i // after a comment on the line of the last member
		member = "\n" + indent + member
	}
	t.now = slices.Insert(t.now, at, []byte(member)...)
}

// remove takes a member out of an object or a list. Comments around it stay.
func (t *settingsText) remove(pointer string, i int) {
	const space = " \t\r\n"
	v := t.find(pointer)
	members := membersOf(v)
	m, from := members[i], v.StartOffset+1 // from is where what is before the member begins
	if i > 0 {
		from = members[i-1].comma + 1
	}
	before, rest := bytes.TrimRight(t.now[:m.start], space), t.now[m.end:]
	var comments []byte
	if m.comma >= 0 {
		comments, rest = bytes.TrimRight(t.now[m.end:m.comma], space), t.now[m.comma+1:]
	}
	left := len(before) > from || len(comments) > 0
	if m.comma < 0 && i > 0 { // no comma follows the last
		before = slices.Delete(bytes.Clone(before), from-1, from)
	}
	if left && !bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte{'\n'}) {
		comments = append(bytes.Clone(comments), '\n')
	}
	t.now = slices.Concat(before, comments, rest)
}

// removeEmpty removes the member of an object that has nothing, not even a comment.
func (t *settingsText) removeEmpty(pointer, name string) {
	if v := t.find(pointer + "/" + name); len(bytes.TrimSpace(t.now[v.StartOffset+1:v.EndOffset-1])) == 0 {
		t.remove(pointer, membersNamed(t.find(pointer), name)[0])
	}
}

// layOut returns the text as it is to be written. JSON without comments is indented as it
// was: by its first indented line, with its line ends.
func (t *settingsText) layOut() []byte {
	out := t.now
	if json.Valid(t.before) {
		indent := "  "
		for line := range bytes.Lines(t.before) {
			if n := len(line) - len(bytes.TrimLeft(line, " \t")); n > 0 {
				indent = string(line[:n])
				break
			}
		}
		var b bytes.Buffer
		if err := json.Indent(&b, bytes.TrimSpace(t.now), "", indent); err == nil {
			b.WriteByte('\n')
			out = b.Bytes()
		}
		if bytes.Contains(t.before, []byte("\r\n")) {
			out = bytes.ReplaceAll(out, []byte{'\n'}, []byte("\r\n"))
		}
	}
	if t.marked {
		out = append([]byte("\ufeff"), out...)
	}
	return out
}
