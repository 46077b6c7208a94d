package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// fixedLimit brings an input to a limit that no configuration moves.
type fixedLimit struct {
	name  string
	limit int
	files func(n int) map[string]string // of which the limit is n
	args  []string
	want  string // what is said beyond the limit
}

func fixedLimits(t *testing.T) []fixedLimit {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	database := readFile(t, "../testdata/corpus/realmail/storage.sqlite3")
	share := func(manifest string) map[string]string {
		return map[string]string{"share/manifest.json": manifest, "share/mailbox.sqlite3": database}
	}
	inputs := []string{"--select", "IN", "--format", "agent"}
	draft := "Subject: INFO: x\nThread: RS-20251230-x\n\n# Information\n\n"
	return []fixedLimit{
		{
			"nesting of JSON around mail", 10_000,
			func(n int) map[string]string {
				return map[string]string{"a.json": `{"messages": [` + mailHead + `"INFO: x", "body_md": "x"}], "x": ` + nested(n-1) + "}"}
			},
			append(inputs, "a.json"), "nested deeper than 10000 levels",
		},
		{
			"nesting of JSON in a manifest", 512,
			func(n int) map[string]string { return share(`{"database": {}, "x": ` + nested(n-1) + "}") },
			append(inputs, "share"), "nested deeper than 512 levels",
		},
		{
			"a manifest", 64 << 20,
			func(n int) map[string]string {
				head := `{"database": {}, "x": "`
				return share(head + strings.Repeat("x", n-len(head)-2) + `"}`)
			},
			append(inputs, "share"), "larger than 64 MiB",
		},
		{
			"a draft", 16 << 20,
			func(n int) map[string]string {
				return map[string]string{"draft.md": draft + strings.Repeat("x", n-len(draft)-1) + "\n"}
			},
			[]string{"presend", "draft.md"}, "larger than 16 MiB",
		},
	}
}

// TestFixedLimits holds for each limit without a name that what is just within it is
// read, and that beyond it there is a finding or an error, and status 2.
func TestFixedLimits(t *testing.T) {
	testenv.SkipUnderRace(t)
	for _, c := range fixedLimits(t) {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{c.limit, c.limit + 1} {
				dir := t.TempDir()
				writeFiles(t, dir, c.files(n))
				stdout, stderr, status := runProgram(t, program(dir, c.args...))
				said := fmt.Sprintf("status %d\n%.2000s\n%.2000s", status, stdout, stderr)
				if beyond := n > c.limit; strings.Contains(said, c.want) != beyond || (status == exitUsage) != beyond {
					t.Errorf("%d: %s", n, said)
				}
			}
		})
	}
}
