package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestCredentials checks that no report shows the token of a draft or of a logged
// call, whatever the file is taken for, and however it is broken.
func TestCredentials(t *testing.T) {
	testenv.SkipUnderRace(t)
	const token = "tok-5ecret"
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"cut.json":     `{"sender_name": "BlueLake", "sender_token": "tok-5ecret", "subject": "INFO: x", "body_md": "y"`,
		"bare.json":    `{"sender_token": tok-5ecret, "subject": "INFO: x", "body_md": "y"}`,
		"lines.json":   "{\n \"subject\": \"x\",\n \"sender_token\":\n\n   tok-5ecret,\n \"body_md\": \"x\"\n}\n",
		"quotes.json":  `{"subject": "INFO: x", "registration_token": 'tok-5ecret', "body_md": "y"}`,
		"key.json":     `{"subject": "INFO: x", api_key: tok-5ecret, "body_md": "y"}`,
		"hook.json":    `{"tool_name": "mcp__mail__send_message", "tool_input": {"sender_token": "tok-5ecret", "subject": "delta[x]: y", "body_md": "y",}}`,
		"log.jsonl":    `{"id": 1, "thread_id": "RS-1", "sender_token": "tok-5ecret", "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "subject": "KICKOFF: x", "body_md": "# x"` + "\n{}\n",
		"header.md":    "xx{\"sender_token\": \"tok-5ecret\", \"subject\": \"DELTA[gpt]: x\",\n\n\"sender_token\": \"tok-5ecret\", \"body_md\": {\"operation\": \"ADD\", \"section\": \"x\"}}",
		"message.json": `{"thread_id": "RS-20251230-x", "messages": [{"id": 1, "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "sender_token": "tok-5ecret", "ack_required": true, "subject": "INFO: x", "body_md": "# x"}, {"sender_token": "tok-5ecret", "id": 2}]}`,
	} {
		writeFile(t, name, text)
		for _, kind := range []string{"auto", "mail", "artifact", "draft"} {
			found := false
			for _, format := range formatNames() {
				if kind == "artifact" && format == "html" {
					continue // the page holds artifacts whole: there is --redact
				}
				stdout, stderr, _ := runHere(t, "--no-config", "--scope", "all", "--kind", kind, "--format", format, name)
				if strings.Contains(stdout+stderr, token) {
					t.Errorf("%s as %s: the %s report shows the token:\n%s%s", name, kind, format, stdout, stderr)
				}
				found = found || strings.Contains(stdout, "IN-00") || strings.Contains(stdout, "MB-")
			}
			if !found && kind == "auto" && filepath.Ext(name) == ".json" {
				t.Errorf("%s: nothing was found", name)
			}
		}
		for _, format := range []string{"text", "json", "validation-error"} {
			if stdout, stderr, _ := runHere(t, "presend", "--no-config", "--format", format, name); strings.Contains(stdout+stderr, token) {
				t.Errorf("presend %s: the %s report shows the token:\n%s%s", name, format, stdout, stderr)
			}
		}
	}
}

// TestCredentialsHideNoMore checks that lines without a credential are shown.
func TestCredentialsHideNoMore(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "{\"thread_id\": \"RS-20251230-cell-fate\", \"messages\": [\n {\"id\": 1, \"subject\": \"how many tokens it takes\", oops: 1}\n]}"
	writeFile(t, "mail.json", text)
	if stdout, _, _ := runHere(t, "--no-config", "mail.json"); !strings.Contains(stdout, `"how many tokens it takes", oops: 1}`) {
		t.Errorf("the line of the fault is not shown:\n%s", stdout)
	}
}
