package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// otherTools are calls of tools that send no mail, as hooks are handed them.
func otherTools() map[string]string {
	const n = 400_000
	call := func(input string) string { return `{"tool_name": "Bash", "tool_input": ` + input + `}` }
	return map[string]string{
		"a call":          call(`{"command": "ls"}`),
		"a file":          call(`{"content": "` + strings.Repeat(`x\n`, n/3) + `"}`),
		"a list":          call(`{"command": [` + strings.Repeat("0,", n/2) + "0]}"),
		"many arguments":  call("{" + strings.Repeat(`"k": {}, `, n/9) + `"k": 0}`),
		"nested":          call(strings.Repeat("[", n)),
		"not JSON":        call(strings.Repeat("x,", n/2)),
		"not UTF-8":       call(`"` + strings.Repeat("\xff", n) + `"`),
		"too long":        call(`"` + strings.Repeat("x", 17<<20) + `"`),
		"other arguments": `{"tool_name": "Bash"` + strings.Repeat(`, "tool_name": {"tool_input": []}`, n/34) + "}",
	}
}

// heavyConfigurations are configurations that are made to take memory.
func heavyConfigurations() map[string]string {
	const n = 100_000
	repeated := func(head, unit, tail string) string { return head + strings.Repeat(unit, n/len(unit)) + tail }
	return map[string]string{
		"unknown keys":    repeated("{", "k: 1, ", "}"),
		"lines of faults": repeated("", "k: 1\n", ""),
		"rules":           repeated("rules: {ignore: [", "x, ", "]}"),
		"globs":           repeated("exclude: [", "'**/*{a,b}', ", "]"),
		"suppressions":    repeated("suppress: [", "{rule: MB-001, reason: x, path: 'a/**'}, ", "]"),
		"overrides":       repeated("overrides: [", "{paths: ['a/**'], ignore: [ALL]}, ", "]"),
		"nested":          repeated("", "[", ""),
		"anchors":         repeated("a: &a [x]\nb: [", "*a, ", "]"),
		"a long line":     repeated("scope: ", "x", ""),
		"bytes":           repeated("scope: ", "\xff", ""),
	}
}

// TestHookOfOtherTools checks that a hook lets the calls of other tools through,
// whatever they are and whatever the configuration is, in little memory: a hook that
// runs out of it ends with the status that blocks a call.
func TestHookOfOtherTools(t *testing.T) {
	skipMemory(t)
	hook := func(what, config, call string, most int) {
		t.Helper()
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, ".brennerlint.yaml"), config)
		stdout, stderr, status, used := peak(t, dir, call, "presend", "--hook", "claude")
		if status != exitClean || stdout != "" || len(stderr) > 20_000 {
			t.Errorf("%s: status %d, %d bytes of standard error\n%.500s%.500s", what, status, len(stderr), stdout, stderr)
		}
		mustFit(t, what, used, most)
	}
	for name, call := range otherTools() {
		hook(name, "{}", call, 70)
	}
	for name, config := range heavyConfigurations() {
		hook(name+" in the configuration", config, `{"tool_name": "Bash", "tool_input": {"command": "ls"}}`, 70)
	}
}
