package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

const customRule = "{id: GRP-001, name: a, scope: item, when: item.id == \"H1\", report: x}"

// preparedWatch returns a watch of the working folder, a new one with some files, that has
// read its settings.
func preparedWatch(t *testing.T, folder string, files map[string]string, args ...string) *watchCommand {
	t.Helper()
	dir := filepath.Join(t.TempDir(), folder)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	writeFiles(t, ".", files)
	w := newWatchCommand(settings{std: streams{strings.NewReader(""), io.Discard, io.Discard}, catalogue: rules.All()})
	cmd := &cobra.Command{}
	w.flags(flagsOf(cmd))
	flags := cmd.Flags()
	if err := errors.Join(flags.Parse(args), w.prepare(flags, []string{"."})); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWatchKeepsSettings: if the baseline is at fault, a change of the configuration does
// not count either: its rules would be checked under the settings of other rules.
func TestWatchKeepsSettings(t *testing.T) {
	w := preparedWatch(t, "x", map[string]string{
		config.FileName:  "rules:\n  define: [" + customRule + "]\n  levels: {GRP-001: warning}\n",
		"baseline.json":  `{"schema": "` + engine.BaselineSchema + `"}`,
		"RS-artifact.md": "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: Lineage\n**Claim**: x\n",
	}, "--baseline", "baseline.json")
	defer w.previous.Close()
	writeFiles(t, ".", map[string]string{"baseline.json": "{"})
	writeFiles(t, ".", map[string]string{config.FileName: "fail-on: warning\n"})
	c, err := w.check(t.Context())
	if err != nil || w.settingsError == "" {
		t.Fatal(err, w.settingsError)
	}
	if !slices.ContainsFunc(c.Report.Findings, func(f *lint.Finding) bool { return f.Rule == "GRP-001" }) {
		t.Error("a rule of the settings before is not run")
	}
	if w.failOn != "error" {
		t.Errorf("findings count from %s on", w.failOn)
	}
}

// TestWatchFollowsRules: files with rules are followed as soon as the configuration
// includes them, also while they are at fault; whatever their folder is called.
func TestWatchFollowsRules(t *testing.T) {
	w := preparedWatch(t, "[group]", map[string]string{
		config.FileName: "include-rules: [a*.yaml]\n",
		"a1.yaml":       "rules: [" + customRule + "]\n",
		"b.yaml":        "rules: [{id: 1}]\n",
	})
	if files := w.settingFiles(); !slices.Equal(files, []string{config.FileName, "a1.yaml"}) {
		t.Errorf("followed are %q", files)
	}
	writeFiles(t, ".", map[string]string{config.FileName: "include-rules: [a*.yaml, b.yaml, c.yaml]\n"})
	w.readSettings()
	if w.settingsError == "" {
		t.Error("b.yaml is not at fault")
	}
	if files := w.settingFiles(); !slices.Equal(files, []string{config.FileName, "a1.yaml", "b.yaml"}) {
		t.Errorf("followed are %q", files)
	}
}
