package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/brennerlint/brennerlint/internal/files"
)

// hookSetting is where an agent program keeps its hooks, and how a hook before
// the tools that send mail is written there. Tool names differ with the name
// that the mail server has in the program, so they are matched by their end.
type hookSetting struct {
	path  string
	event string
	hook  matchedHook
}

type matchedHook struct {
	Matcher string        `json:"matcher"`
	Hooks   []commandHook `json:"hooks"`
}

type commandHook struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"` // in seconds, of Gemini in milliseconds
}

func hookSettings(name string) hookSetting {
	command := commandHook{Type: "command", Command: "brennerlint presend --hook " + name, Timeout: 10}
	s := hookSetting{event: "PreToolUse", hook: matchedHook{Matcher: "mcp__.*__(send|reply)_message"}}
	switch name {
	case "claude":
		s.path = filepath.Join(".claude", "settings.json")
	case "codex":
		s.path = filepath.Join(".codex", "hooks.json")
	case "gemini":
		s.path, s.event = filepath.Join(".gemini", "settings.json"), "BeforeTool"
		s.hook.Matcher = "mcp_.*_(send|reply)_message"
		command.Timeout *= 1000
	}
	s.hook.Hooks = []commandHook{command}
	return s
}

// errHasHook is the error of settings that have the hook already.
var errHasHook = errors.New("the hook is already installed")

// addHook writes the hook into the agent's settings. Everything else in them
// stays as it is, comments and order included.
func addHook(std streams, name string) error {
	s := hookSettings(name)
	shown := filepath.ToSlash(s.path)
	data, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", shown, err)
	}
	data, err = mergeHook(data, s)
	switch {
	case errors.Is(err, errHasHook):
		fmt.Fprintf(std.out, "%s already has the hook; not changed\n", shown)
		return nil
	case err != nil:
		return fmt.Errorf("add the hook to %s: %w; the file is not changed", shown, err)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", shown, err)
	}
	if err := new(files.Writer).Write(s.path, data); err != nil {
		return fmt.Errorf("write %s: %w", shown, err)
	}
	fmt.Fprintf(std.out, "added the hook to %s\n", shown)
	return nil
}

// agentSettings are the settings of an agent program, to be changed in place.
type agentSettings struct {
	hujson.Value
	text   []byte // as it was
	marked bool   // a byte order mark was before it
	hooks  []matchedHook
}

// parseSettings reads settings, which may be empty, and their hooks of an event. It
// refuses those that are not of the form that the agent program reads.
func parseSettings(data []byte, event string) (*agentSettings, error) {
	text, marked := bytes.CutPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	v, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	hooks, err := readHooks(v, event)
	return &agentSettings{v, text, marked, hooks}, err
}

// mergeHook adds a hook to settings, which may be empty.
func mergeHook(data []byte, s hookSetting) ([]byte, error) {
	v, err := parseSettings(data, s.event)
	if err != nil {
		return nil, err
	}
	if runsPresend(v.hooks) {
		return nil, errHasHook
	}
	hook, err := json.Marshal(s.hook)
	if err != nil {
		return nil, err
	}
	value, err := hujson.Parse(hook)
	if err != nil {
		return nil, err
	}
	list := within(&v.Value, "hooks", &hujson.Object{})
	list = within(list, s.event, &hujson.Array{})
	appendValue(list, "", value)
	if hooks, err := readHooks(v.Value, s.event); err != nil || !runsPresend(hooks) {
		return nil, errDuplicateKey
	}
	return v.pack(), nil
}

var errDuplicateKey = errors.New("it has a duplicate key")

// within returns the last member of an object with a name, which is added if need be.
func within(v *hujson.Value, name string, empty hujson.ValueTrimmed) *hujson.Value {
	if found := v.Find("/" + name); found != nil {
		return found
	}
	appendValue(v, name, hujson.Value{BeforeExtra: hujson.Extra(" "), Value: empty})
	return v.Find("/" + name)
}

// pack writes changed settings as they were written.
func (v *agentSettings) pack() []byte {
	out := v.Pack()
	if json.Valid(v.text) { // with comments: leave the layout alone
		out = layOut(out, v.text)
	}
	if v.marked {
		out = append([]byte("\ufeff"), out...)
	}
	return out
}

// readHooks reads the hooks of an event; nil if there are none yet.
func readHooks(v hujson.Value, event string) ([]matchedHook, error) {
	plain := v.Clone()
	plain.Standardize()
	var settings struct {
		Hooks json.RawMessage `json:"hooks"`
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, errors.New("it is not a JSON object")
	}
	if err := json.Unmarshal(plain.Pack(), &settings); err != nil || settings.Hooks == nil {
		return nil, err
	}
	var events map[string]json.RawMessage // some programs keep switches there, too
	if err := json.Unmarshal(settings.Hooks, &events); err != nil || events == nil {
		return nil, errors.New("hooks is not an object")
	}
	var hooks []matchedHook
	if events[event] == nil {
		return nil, nil
	}
	if err := json.Unmarshal(events[event], &hooks); err != nil || hooks == nil {
		return nil, fmt.Errorf("hooks.%s is not a list of hooks", event)
	}
	return hooks, nil
}

// runsPresend reports whether some hook runs presend.
func runsPresend(hooks []matchedHook) bool {
	for _, m := range hooks {
		for _, h := range m.Hooks {
			command := strings.Join(append([]string{h.Command}, h.Args...), " ")
			if strings.Contains(command, "brennerlint") && strings.Contains(command, "presend") {
				return true
			}
		}
	}
	return false
}

// layOut indents JSON like the text that it replaces: by its first indented line, with
// its line ends.
func layOut(data, like []byte) []byte {
	indent := "  "
	for line := range bytes.Lines(like) {
		if n := len(line) - len(bytes.TrimLeft(line, " \t")); n > 0 {
			indent = string(line[:n])
			break
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(data), "", indent); err != nil {
		return data
	}
	out.WriteByte('\n')
	if bytes.Contains(like, []byte("\r\n")) {
		return bytes.ReplaceAll(out.Bytes(), []byte{'\n'}, []byte("\r\n"))
	}
	return out.Bytes()
}
