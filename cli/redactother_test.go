package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestRedactEverywhere checks that presend, replay and blame show with --redact as
// little of what writers wrote as the check does, with the same exit status.
func TestRedactEverywhere(t *testing.T) {
	testenv.SkipUnderRace(t)
	t.Chdir(t.TempDir())
	zebraMail(t)
	commands := [][]string{
		{"replay", "mail.json"}, {"replay", "--format", "json", "mail.json"}, {"replay", "broken.json"},
		{"blame", "artifacts/RS-20251230-cell-fate.md", "mail.json"}, {"blame", "--format", "json", "artifacts/RS-20251230-cell-fate.md", "mail.json"},
	}
	for i, slip := range slips {
		draft := map[string]any{
			"subject": "DELTA[gpt]: zebra", "thread_id": "RS-20251230-cell-fate", "sender_name": "BlueLake", "to": []string{"RedCreek"},
			"body_md": "# Zebra\n\n```delta\n" + slip + "\n```\n\n```json\n" + slip + "\n```\n",
		}
		for name, value := range map[string]any{"draft": draft, "hook": map[string]any{"tool_name": "send_message", "tool_input": draft}} {
			data, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, fmt.Sprintf("%s%d.json", name, i), string(data))
		}
		for _, format := range []string{"validation-error", "text", "json"} {
			commands = append(commands, []string{"presend", "--thread", "mail.json", "--format", format, fmt.Sprintf("draft%d.json", i)})
		}
		commands = append(commands, []string{"presend", "--hook", "claude", fmt.Sprintf("hook%d.json", i)})
	}
	shown := map[string]int{} // commands that show a text without --redact
	for _, args := range commands {
		stdout, stderr, status := runHere(t, append(args[:1:1], append([]string{"--no-config"}, args[1:]...)...)...)
		if strings.Contains(strings.ToLower(stdout+stderr), "zebra") {
			shown[args[0]]++
		}
		out, errs, redacted := runHere(t, append(args[:1:1], append([]string{"--no-config", "--redact"}, args[1:]...)...)...)
		for line := range strings.Lines(out + errs) {
			if strings.Contains(strings.ToLower(line), "zebra") {
				t.Errorf("%s shows %q", strings.Join(args, " "), line)
			}
		}
		if status != redacted || strings.Count(stdout, "\n") == 0 != (strings.Count(out, "\n") == 0) {
			t.Errorf("%s ends with %d, with --redact with %d", strings.Join(args, " "), status, redacted)
		}
	}
	if shown["presend"] < len(slips) || shown["replay"] == 0 || shown["blame"] != 2 {
		t.Errorf("without --redact too few commands show a text: %v", shown)
	}
	for _, args := range [][]string{{"presend", "--fix", "draft1.json"}, {"presend", "--unsafe-fixes", "draft1.json"}, {"replay", "--artifact", "mail.json"}} {
		if _, stderr, status := runHere(t, append(args, "--redact")...); status != exitUsage || !strings.Contains(stderr, "--redact hides") {
			t.Errorf("%s --redact ends with %d, %q", strings.Join(args, " "), status, stderr)
		}
	}
}
