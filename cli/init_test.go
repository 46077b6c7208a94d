package cli

import (
	"strings"
	"testing"
)

// TestHookRoundTrip checks that what init --hook adds to settings with comments is what
// --remove takes away: every byte is as it was, and a second time too.
func TestHookRoundTrip(t *testing.T) {
	for _, settings := range []string{
		"{\n  // mine\n  \"theme\": \"dark\" // last\n}\n",
		"{\n  \"theme\": \"dark\", // last\n}\n",
		"// a\n{\n\t\"hooks\": {\n\t\t\"EVENT\": [\n\t\t\t{\"matcher\": \"x\"}, // x\n\t\t\t{\"matcher\": \"y\"}, /* y */\n\t\t\t// z\n\t\t],\n\t},\n}\n",
		"{\"hooks\": {\"EVENT\": [{\"matcher\": \"x\"} /* x */ ] /* y */} /* z */}",
		"{\"hooks\": {\"EVENT\": [{\"matcher\": \"x\"} /* x\n x */, ]} // z\n}",
		"{\"hooks\": {\"EVENT\": [{\"matcher\": \"x\"} // x\n, // y\n]}}",
		"{\"hooks\": {\"other\": [], // o\n}}",
		"{\"hooks\": {\"EVENT\": [\n// none\n]}}",
		"{\"a\": 1 /* b */ , /* c */ \"hooks\": {/* d */}, /* e */}",
		"{\"Hooks\": {\"EVENT\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"brennerlint presend\"}]}]}} // another name\n",
		"{\n}\n// end\n", "\ufeff{\"a\": 1} // b\n",
	} {
		for _, a := range agents {
			before := strings.ReplaceAll(settings, "EVENT", a.event)
			added := edited(t, a, before, (*hookSettings).addHook)
			if s, err := a.parse([]byte(added)); err != nil || !s.runsPresend {
				t.Errorf("added to %s: %v", added, err)
			}
			if after := edited(t, a, added, (*hookSettings).removeHook); after != before {
				t.Errorf("%q\nwith the hook %q\nwithout       %q", before, added, after)
			}
		}
	}
}

// edited returns settings after an edit.
func edited(t *testing.T, a agent, settings string, edit func(*hookSettings) error) string {
	t.Helper()
	s, err := a.parse([]byte(settings))
	if err == nil {
		err = edit(s)
	}
	if err != nil {
		t.Fatalf("%s: %v", settings, err)
	}
	return string(s.format([]byte(settings)))
}

// TestHookBetweenComments checks that comments before and after a hook stay comments without it.
func TestHookBetweenComments(t *testing.T) {
	const hook = `{"hooks": [{"type": "command", "command": "brennerlint presend --hook claude"}]}`
	got := edited(t, agents[0], "{\"hooks\": {\"PreToolUse\": [ // a\n"+hook+" /* b */, {}]}}", (*hookSettings).removeHook)
	if want := "{\"hooks\": {\"PreToolUse\": [ // a\n /* b */\n {}]}}"; got != want {
		t.Errorf("what is left is %q, want %q", got, want)
	}
}

// TestHookOffPath checks that init says what to do if the agent program will not find the
// command of the hook.
func TestHookOffPath(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	for _, c := range []struct {
		args []string
		want bool
	}{{nil, true}, {nil, true}, {[]string{"--remove"}, false}} {
		var out strings.Builder
		status := run(t.Context(), append([]string{"init", "--hook", "claude"}, c.args...), streams{nil, &out, &out}, nil)
		if got := strings.Contains(out.String(), "add the folder of the program to PATH"); status != exitClean || got != c.want {
			t.Errorf("%q: status %d, output %q", c.args, status, out.String())
		}
	}
}
