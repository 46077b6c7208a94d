package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tailscale/hujson"
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
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // in seconds, of Gemini in milliseconds
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

// addHook writes the hook into the agent's settings. Everything else in them
// stays as it is, comments and order included.
func addHook(std streams, name string) error {
	s := hookSettings(name)
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = []byte("{}\n"), nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	if bytes.Contains(data, []byte("brennerlint presend")) {
		fmt.Fprintf(std.out, "%s has the hook already: left as it is\n", filepath.ToSlash(s.path))
		return nil
	}
	data, err = mergeHook(data, s)
	if err != nil {
		return fmt.Errorf("merge the hook into %s: %w", s.path, err)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	if err := writeFile(s.path, data); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "wrote the hook into %s\n", filepath.ToSlash(s.path))
	return nil
}

func mergeHook(data []byte, s hookSetting) ([]byte, error) {
	v, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, errors.New("it is no JSON object")
	}
	type op struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var patch []op
	if v.Find("/hooks") == nil {
		patch = append(patch, op{"add", "/hooks", map[string]any{}})
	}
	if v.Find("/hooks/"+s.event) == nil {
		patch = append(patch, op{"add", "/hooks/" + s.event, []any{}})
	}
	patch = append(patch, op{"add", "/hooks/" + s.event + "/-", s.hook})
	text, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	if err := v.Patch(text); err != nil {
		return nil, err
	}
	if !json.Valid(data) {
		return v.Pack(), nil // with comments: leave the layout alone
	}
	v.Standardize()
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(v.Pack()), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
