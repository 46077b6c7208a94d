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
	text, err := a.parse(data)
	if err != nil {
		return nil, err
	}
	if text.runsPresend {
		return nil, errHasHook
	}
	data, err = json.Marshal(matchedHook{a.matcher, []commandHook{{Type: "command", Command: a.command(), Timeout: a.timeout}}})
	if err != nil {
		return nil, err
	}
	hook, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	if text.root.Find("/hooks") == nil {
		addMember(&text.root, "hooks", hujson.Value{Value: &hujson.Object{}})
	}
	hooks := text.root.Find("/hooks")
	if hooks.Find("/"+a.event) == nil {
		addMember(hooks, a.event, hujson.Value{Value: &hujson.Array{}})
	}
	addMember(hooks.Find("/"+a.event), "", hook)
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
	removed, hooks := false, text.root.Find("/hooks")
	list := hooks.Find("/" + a.event)
	for i, m := range slices.Backward(text.hooks) {
		each := list.Find(fmt.Sprintf("/%d/hooks", i))
		if each == nil || len(m.Hooks) == 0 || len(membersOf(each)) != len(m.Hooks) {
			continue // none, or the name is written in another way, or twice
		}
		for j, h := range slices.Backward(m.Hooks) {
			if h.Type == "command" && h.Command == a.command() && len(h.Args) == 0 {
				removeMember(each, j)
				removed = true
			}
		}
		if len(membersOf(each)) == 0 {
			removeMember(list, i)
		}
	}
	if !removed {
		return nil, errors.New("its hook is not the one that init writes; remove it by hand")
	}
	for _, at := range []struct {
		in   *hujson.Value
		name string
	}{{hooks, a.event}, {&text.root, "hooks"}} {
		if v := at.in.Find("/" + at.name); len(membersOf(v)) == 0 && len(bytes.TrimSpace(*beforeEnd(v))) == 0 {
			removeMember(at.in, slices.IndexFunc(membersOf(at.in), func(m member) bool { return m.name == at.name }))
		}
	}
	if string(bytes.Join(bytes.Fields(text.root.Pack()), nil)) == "{}" {
		return nil, nil
	}
	return text.layOut(), nil
}

// settingsText is the text of an agent's settings, JSON with comments. Its tree has every
// byte of it, so what is not edited stays as it was.
type settingsText struct {
	before      []byte
	root        hujson.Value
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
	if hasTwice(&root, "hooks") || hasTwice(root.Find("/hooks"), a.event) {
		return nil, errors.New("it has a duplicate key")
	}
	out := &settingsText{before: text, root: root, marked: marked}
	hooks := root.Find("/hooks")
	if hooks == nil {
		return out, nil
	}
	if _, ok := hooks.Value.(*hujson.Object); !ok {
		return nil, errors.New("hooks is not an object")
	}
	if list := hooks.Find("/" + a.event); list != nil { // some programs keep switches beside it
		plain := list.Clone()
		plain.Standardize() // without comments
		if err := json.Unmarshal(plain.Pack(), &out.hooks); err != nil || out.hooks == nil {
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

// member is a member of an object or a list.
type member struct {
	name   string        // in an object
	before *hujson.Extra // space and comments before it
	after  *hujson.Extra // those between it and its comma; nil if it has no comma
}

// membersOf returns the members of an object or a list; none of anything else.
func membersOf(v *hujson.Value) (out []member) {
	if v == nil {
		return nil
	}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i := range x.Members {
			name := &x.Members[i].Name
			out = append(out, member{name.Value.(hujson.Literal).String(), &name.BeforeExtra, &x.Members[i].Value.AfterExtra})
		}
	case *hujson.Array:
		for i := range x.Elements {
			out = append(out, member{"", &x.Elements[i].BeforeExtra, &x.Elements[i].AfterExtra})
		}
	}
	return out
}

// hasTwice reports whether an object has two members of a name.
func hasTwice(v *hujson.Value, name string) bool {
	others := slices.DeleteFunc(membersOf(v), func(m member) bool { return m.name != name })
	return len(others) > 1
}

// beforeEnd returns the space and comments before the end of an object or a list.
func beforeEnd(v *hujson.Value) *hujson.Extra {
	if object, ok := v.Value.(*hujson.Object); ok {
		return &object.AfterExtra
	}
	return &v.Value.(*hujson.Array).AfterExtra
}

// addMember puts a member at the end of an object or a list, on a line of its own if the
// closing bracket has one.
func addMember(v *hujson.Value, name string, value hujson.Value) {
	members, end := membersOf(v), beforeEnd(v)
	var before hujson.Extra
	if len(members) > 0 && *members[len(members)-1].after != nil {
		value.AfterExtra = hujson.Extra{} // a comma follows the last
	}
	if i := bytes.IndexByte(*end, '\n'); i >= 0 && !bytes.Contains((*end)[:i], []byte("/*")) {
		indent := string((*end)[bytes.LastIndexByte(*end, '\n')+1:]) + "  "
		if len(members) > 0 {
			if first := *members[0].before; bytes.IndexByte(first, '\n') >= 0 {
				indent = string(first[bytes.LastIndexByte(first, '\n')+1:])
			}
		}
		before = append(slices.Clone((*end)[:i]), "\n"+indent...) // after a comment on the line of the last member
		*end = (*end)[i:]
	}
	switch x := v.Value.(type) {
	case *hujson.Object:
		value.BeforeExtra = hujson.Extra(" ")
		x.Members = append(x.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: value})
	case *hujson.Array:
		value.BeforeExtra = before
		x.Elements = append(x.Elements, value)
	}
}

// removeMember takes a member out of an object or a list. Comments around it stay.
func removeMember(v *hujson.Value, i int) {
	const space = " \t\r\n"
	members, next := membersOf(v), beforeEnd(v)
	last := i == len(members)-1
	if !last {
		next = members[i+1].before
	}
	left := slices.Concat(bytes.TrimRight(*members[i].before, space), bytes.TrimRight(*members[i].after, space))
	if len(left) > 0 && !bytes.HasPrefix(bytes.TrimLeft(*next, " \t\r"), []byte{'\n'}) {
		left = append(left, '\n')
	}
	if last && i > 0 { // a comma follows the one before only if one followed the last
		before := members[i-1].after
		if *members[i].after == nil {
			left, *before = slices.Concat(*before, left), nil
		} else if *before == nil {
			*before = hujson.Extra{}
		}
	}
	*next = slices.Concat(left, *next)
	switch x := v.Value.(type) {
	case *hujson.Object:
		x.Members = slices.Delete(x.Members, i, i+1)
	case *hujson.Array:
		x.Elements = slices.Delete(x.Elements, i, i+1)
	}
}

// layOut returns the text as it is to be written. JSON without comments is indented as it
// was: by its first indented line, with its line ends.
func (t *settingsText) layOut() []byte {
	out := t.root.Pack()
	if json.Valid(t.before) {
		indent := "  "
		for line := range bytes.Lines(t.before) {
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
		if bytes.Contains(t.before, []byte("\r\n")) {
			out = bytes.ReplaceAll(out, []byte{'\n'}, []byte("\r\n"))
		}
	}
	if t.marked {
		out = append([]byte("\ufeff"), out...)
	}
	return out
}
