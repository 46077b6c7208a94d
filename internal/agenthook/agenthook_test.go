package agenthook

import (
	"strings"
	"testing"
)

// TestRoundTrip checks that what AddHook adds to settings with comments is what
// RemoveHook takes away: every byte is as it was, and a second time too.
func TestRoundTrip(t *testing.T) {
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
		for _, a := range Agents {
			before := strings.ReplaceAll(settings, "EVENT", a.event)
			added := edited(t, a, before, func(s *Settings) error { s.AddHook(); return nil })
			if s, err := a.Parse([]byte(added)); err != nil || !s.RunsPresend {
				t.Errorf("added to %s: %v", added, err)
			}
			if after := edited(t, a, added, (*Settings).RemoveHook); after != before {
				t.Errorf("%q\nwith the hook %q\nwithout       %q", before, added, after)
			}
		}
	}
}

// edited returns settings after an edit.
func edited(t *testing.T, a Agent, settings string, edit func(*Settings) error) string {
	t.Helper()
	s, err := a.Parse([]byte(settings))
	if err == nil {
		err = edit(s)
	}
	if err != nil {
		t.Fatalf("%s: %v", settings, err)
	}
	return string(s.Format([]byte(settings)))
}

// TestBetweenComments checks that comments before and after a hook stay comments without it.
func TestBetweenComments(t *testing.T) {
	const hook = `{"hooks": [{"type": "command", "command": "brennerlint presend --hook claude"}]}`
	got := edited(t, Agents[0], "{\"hooks\": {\"PreToolUse\": [ // a\n"+hook+" /* b */, {}]}}", (*Settings).RemoveHook)
	if want := "{\"hooks\": {\"PreToolUse\": [ // a\n /* b */\n {}]}}"; got != want {
		t.Errorf("what is left is %q, want %q", got, want)
	}
}
