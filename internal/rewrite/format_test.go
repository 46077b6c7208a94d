package rewrite

import (
	"bytes"
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/must"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/source"
)

var update = flag.Bool("update", false, "write what formatting gives")

func example(t testing.TB) string {
	t.Helper()
	data := must.Read(t, filepath.Join("..", "..", "examples", "artifacts", "RS-20251230-cell-fate.md"))
	return string(data)
}

// checkFormat holds what is promised of formatting any text: formatted again it is the
// same, the model is what it was, and no word is lost. It reports whether it is
// formatted.
func checkFormat(t interface {
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}, data []byte) bool {
	out, err := Format(data, artifact.DefaultLimits)
	if err != nil {
		var loss *LossError
		if !errors.As(err, &loss) || loss.Line < 1 || loss.Line > bytes.Count(data, []byte("\n"))+1 {
			t.Fatalf("the error is %#v, expected one with a line", err)
		}
		return false
	}
	again, err := Format(out, artifact.DefaultLimits)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("formatted again (%v):\n%s\n--- was\n%s", err, again, out)
	}
	before, after := artifact.ParseMarkdown(source.NewText(data), artifact.DefaultLimits), artifact.ParseMarkdown(source.NewText(out), artifact.DefaultLimits)
	if before.State().Hash() != after.State().Hash() {
		if a, b := before.State().CanonicalJSON(), after.State().CanonicalJSON(); !bytes.Equal(withoutFalse(a), withoutFalse(b)) {
			t.Errorf("the items change from\n%s\nto\n%s\n--- by formatting\n%s", a, b, data)
		}
	}
	if n, m := bytes.Count(data, []byte("<!--")), bytes.Count(out, []byte("<!--")); m < n {
		t.Errorf("%d comments are left of %d:\n%s", m, n, data)
	}
	return true
}

// withoutFalse takes flags that are not set out of canonical JSON: no rendering has them.
func withoutFalse(data []byte) []byte {
	for _, member := range []string{`"third_alternative":false`, `"scale_check":false`, `"load_bearing":false`, `"real_third_alternative":false`} {
		data = bytes.ReplaceAll(data, []byte(","+member), nil)
		data = bytes.ReplaceAll(data, []byte(member+","), nil)
	}
	return data
}

// TestFormat checks what formatting gives, and what is refused with which reason: each
// archive of testdata has artifacts NAME, and what becomes of them in NAME.formatted.
func TestFormat(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		must.OK(t, err)
		var out []txtar.File
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, ".formatted") {
				continue
			}
			checkFormat(t, f.Data)
			got, err := Format(f.Data, artifact.DefaultLimits)
			if err != nil {
				got = []byte(err.Error() + "\n")
			}
			out = append(out, f, txtar.File{Name: f.Name + ".formatted", Data: got})
		}
		old := txtar.Format(a)
		a.Files = out
		switch now := txtar.Format(a); {
		case *update:
			must.Write(t, path, now)
		case !bytes.Equal(old, now):
			t.Errorf("%s is now\n%s", path, now)
		}
	}
}

// TestFormatPages formats all artifacts of the rules' pages, with all faults that
// the rules know.
func TestFormatPages(t *testing.T) {
	all, formatted := 0, 0
	for _, glob := range []string{"../../rules/doc/*.md", "../../rules/testdata/edges/*.md"} {
		paths, err := filepath.Glob(filepath.FromSlash(glob))
		must.OK(t, err)
		for _, path := range paths {
			data := must.Read(t, path)
			page, _ := rulepage.Parse(data)
			for _, ex := range page.Examples {
				for _, f := range ex.Files {
					if strings.HasSuffix(f.Name, ".md") && strings.Contains(f.Name, "artifacts/") {
						all++
						if checkFormat(t, f.Data) {
							formatted++
						}
					}
				}
			}
		}
	}
	if all < 500 || formatted*2 < all {
		t.Errorf("%d of %d artifacts are formatted", formatted, all)
	}
}

// lines are put into artifacts: what the format gives a meaning to, and what it does not
// know.
var lines = []string{
	"", "text", "<!-- a comment -->", "<!--", "-->", "```", "~~~", "---", "***", "## Notes", "# Brenner Protocol Artifact: x", "## 2. Hypothesis Slate", "### 3. Predictions Table",
	"### H1: again", "### H9: new", "### T9", "### no id", "### ~~H8: gone~~ [KILLED]", "**Claim**: again", "**Reviewer**: Ada", "**Killed by**: Ada (2025-12-30T10:00:00Z)", "**Reason**: r", "**Anchors**: §1, §2; inference",
	"**Third alternative**: false", "**Score**: LP=3 (good), DM=2", "**Last run**:", "- Exit code: 0", "- Mood: good", "- If H1: yes", "| P9 | c | a | b | c | extra |", "| ID | Observation/Condition | H1 (lineage) | Notes |", "| --- | --- | --- |",
	"> a quotation", "- a list", "    code", "None registered.", "<div>", "</div>", "Claim: plain", "**Claim:** inside", "* **Claim**: listed", "=====", "**Status**:", "§5", "\\", "|", "a  ", "\tb", "**Expected outcomes**:",
}

// TestFormatAny formats artifacts with lines put in, taken out and moved at random.
func TestFormatAny(t *testing.T) {
	text := strings.SplitAfter(example(t), "\n")
	rapid.Check(t, func(t *rapid.T) {
		now := append([]string{}, text...)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			at := rapid.IntRange(0, len(now)-1).Draw(t, "at")
			switch rapid.IntRange(0, 6).Draw(t, "change") {
			case 0:
				now = append(now[:at:at], now[at+1:]...)
			case 1:
				to := rapid.IntRange(0, len(now)-1).Draw(t, "to")
				now[at], now[to] = now[to], now[at]
			case 2:
				now[at] = strings.TrimRight(now[at], "\n") + rapid.SampledFrom(lines).Draw(t, "end") + "\n"
			default:
				line := rapid.SampledFrom(lines).Draw(t, "line") + "\n"
				now = append(now[:at:at], append([]string{line}, now[at:]...)...)
			}
		}
		data := strings.Join(now, "")
		if rapid.IntRange(0, 9).Draw(t, "ends") == 0 {
			data = strings.ReplaceAll(data, "\n", "\r\n")
		}
		checkFormat(t, []byte(data))
	})
}

// FuzzFormat checks the same of any text.
func FuzzFormat(f *testing.F) {
	f.Add([]byte(example(f)))
	f.Add([]byte("---\nsession_id: x\n---\n\n## 1. Research Thread\n<!-- x\n## 3. Predictions Table\n| ID |\n|-|\n"))
	f.Add([]byte("## 2. Hypothesis Slate\r\n### H1: x\r\n**Claim**: y\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) { checkFormat(t, data) })
}

// TestFormatKeepsMark checks that a word that is put in anywhere is there afterwards.
func TestFormatKeepsMark(t *testing.T) {
	text := strings.SplitAfter(example(t), "\n")
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"MARK", "<!-- MARK -->", "## MARK", "### MARK", "**MARK**: x", "**Claim**: MARK", "- MARK", "| MARK |", "```\nMARK\n```", "> MARK", "# MARK", "MARK: x", "- If H2: MARK", "### H7: MARK", "**Reason**: MARK", "**Killed by**: MARK"}).Draw(t, "line")
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		blank := rapid.SampledFrom([]string{"", "\n"}).Draw(t, "blank line")
		data := strings.Join(text[:at], "") + blank + line + "\n" + blank + strings.Join(text[at:], "")
		if out, err := Format([]byte(data), artifact.DefaultLimits); err == nil && !bytes.Contains(out, []byte("MARK")) {
			t.Errorf("the line is lost from\n%s", data)
		}
	})
}
