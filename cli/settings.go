package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// settings are what all commands have in common, and the flags that several take. Each
// declares those that it takes; the others keep their zero values.
type settings struct {
	std       streams
	catalogue lint.Catalogue // the rules of the program
	setup

	format      string
	configPath  string
	noConfig    bool
	selected    []string
	levelWords  []config.LevelWord // of --ignore and --severity, in their common order
	failOnFlag  string
	kind        string
	stdinName   string
	scope       string
	exclude     []string
	noGitIgnore bool
	jobs        int
	color       string
	redact      bool
	baseline    string
}

// setup is what load makes of the flags and the configuration; flags win.
type setup struct {
	opts       engine.Options
	cfg        *config.Config // empty without one
	rules      lint.Catalogue // the rules of the program and of the configuration
	failOn     string
	configFile string   // the one that was read
	ruleFiles  []string // globs of those that it includes, also if it is at fault
}

func (s *settings) configFlags(f *flags) {
	f.heading("Configuration")
	f.add(&s.configPath, "config", "read the configuration from `FILE` instead of looking for "+config.FileName, yamlFiles)
	f.add(&s.noConfig, "no-config", "ignore configuration files", nil)
}

func (s *settings) ruleFlags(f *flags) {
	f.heading("Rules")
	f.list(&s.selected, "select", "run only these `RULES`: ids, names, codes or prefixes such as MB, comma separated", s.ruleWords)
	s.levelFlags(f)
	f.choice(&s.failOnFlag, "fail-on", "error", "exit with status 1 on findings at `LEVEL` or above",
		append(levels, "never\tnever for findings")...)
}

// levels complete what is shown or counts.
var levels = []cobra.Completion{"error\terrors only", "warning\terrors and warnings", "info\teverything"}

// levelFlags declares --ignore and --severity. Their common order on the command line counts.
func (s *settings) levelFlags(f *flags) {
	var ignored []string
	ignore := func(given string) error {
		for word := range strings.SplitSeq(given, ",") {
			ignored = append(ignored, word)
			s.levelWords = append(s.levelWords, config.LevelWord{Word: strings.TrimSpace(word), Level: "off"})
		}
		return nil
	}
	severity := func(given string) error {
		word, level, _ := strings.Cut(given, "=")
		if level == "" {
			word = given // an error tells it
		}
		s.levelWords = append(s.levelWords, config.LevelWord{Word: strings.TrimSpace(word), Level: config.Level(level)})
		return nil
	}
	f.add(&value{set: ignore, get: func() string { return strings.Join(ignored, ",") }}, "ignore", "do not run these `RULES`", listOf(s.ruleWords))
	f.add(&value{set: severity}, "severity", "set the level of a rule to error, warning, info or off: `RULE=LEVEL`; may be repeated",
		pairOf(s.ruleWords, "error", "warning", "info", "off"))
}

func (s *settings) kindFlag(f *flags) {
	f.choice(&s.kind, "kind", "auto", "what the inputs are",
		"auto\tdecide by what it is", "artifact\tartifact files", "mail\texported mail", "draft\tmessages before they are sent")
}

func (s *settings) inputFlags(f *flags) {
	f.heading("Inputs")
	f.choice(&s.scope, "scope", "auto", "which mail of a whole mailbox to read",
		"auto\tthreads of the protocol, and mail that is named", "protocol\tonly threads of the protocol", "all\tall mail")
	s.excludeFlag(f)
	f.add(&s.noGitIgnore, "no-gitignore", "also read what .gitignore files ignore", nil)
	f.add(&s.jobs, "jobs", "use at most `N` processors (default: all)", anyWord)
}

func (s *settings) excludeFlag(f *flags) {
	f.add(&s.exclude, "exclude", "leave out paths that match `GLOB`; may be repeated", nil)
}

func (s *settings) baselineFlag(f *flags) {
	f.add(&s.baseline, "baseline", "leave out findings that are in the baseline `FILE`", nil)
}

func (s *settings) colorFlag(f *flags) {
	f.choice(&s.color, "color", "auto", "colour", "auto", "always", "never")
}

func (s *settings) redactFlag(f *flags) {
	f.add(&s.redact, "redact", "hide the text of mail and artifacts: no source lines, no quotations", nil)
}

// ruleWords completes rules of the program.
func (s *settings) ruleWords() (out []cobra.Completion) {
	for _, w := range s.catalogue.Words() {
		out = append(out, cobra.CompletionWithDesc(w.Word, w.Description))
	}
	return out
}

// load reads the configuration, and makes the setup of it and the flags.
func (s *settings) load(flags *pflag.FlagSet) error {
	s.failOn = s.failOnFlag
	s.opts = engine.Options{
		Stdin: engine.Stdin{Reader: s.std.in, Name: s.stdinName}, Workers: s.jobs,
		Kind:  map[string]engine.Kind{"artifact": engine.AsArtifact, "mail": engine.AsMail, "draft": engine.AsDraft}[s.kind],
		Files: engine.Files{GitIgnore: flags.Lookup("no-gitignore") != nil && !s.noGitIgnore},
	}
	if err := s.loadConfig(); err != nil {
		return err
	}
	s.cfg.Apply(&s.opts, s.rules)
	if s.cfg.FailOn != "" && !flags.Changed("fail-on") {
		s.failOn = s.cfg.FailOn
	}
	if flags.Changed("scope") {
		s.opts.Mail = engine.MailScope(s.scope)
	}
	if err := s.applyLevels(&s.opts.Severities); err != nil {
		return err
	}
	for _, glob := range s.exclude {
		switch {
		case !input.ValidGlob(glob):
			return fmt.Errorf("invalid glob %q in --exclude; write \\ before a literal bracket or brace", glob)
		case strings.Contains(glob, ",") && !strings.ContainsAny(glob, `[{\\`):
			return fmt.Errorf("--exclude %q is one glob; repeat the flag for several, or write \\, for a comma in a name", glob)
		}
	}
	s.opts.Files.Exclude = append(s.opts.Files.Exclude, s.exclude...)
	return s.loadBaseline()
}

// loadConfig reads the configuration, if there is one.
func (s *settings) loadConfig() error {
	s.cfg, s.rules, s.configFile, s.ruleFiles = &config.Config{}, s.catalogue, "", nil
	if s.noConfig {
		return nil
	}
	if s.configFile = s.configPath; s.configFile == "" {
		found, err := config.Find(".")
		if err != nil || found == "" {
			return err
		}
		s.configFile = relative(found)
	}
	cfg, err := config.Load(s.configFile, s.catalogue)
	if faults, ok := errors.AsType[*config.Error](err); ok {
		s.ruleFiles = faults.IncludeRules
	}
	if err != nil {
		return err
	}
	s.cfg, s.rules, s.ruleFiles = cfg, cfg.AllRules(s.catalogue), cfg.IncludeRules
	return nil
}

// applyLevels applies --select, --ignore and --severity. What the user names wins over the
// configuration, and its overrides too.
func (s *settings) applyLevels(l *engine.Severities) error {
	if len(s.selected) > 0 {
		found, err := s.rules.Select(s.selected...)
		if err != nil {
			return err
		}
		l.Select, l.Ignore = found, map[string]bool{}
	}
	for _, w := range s.levelWords {
		if _, err := lint.ParseSeverity(w.Word); w.Level == "" && err == nil {
			return fmt.Errorf("--severity %q: expected RULE=LEVEL; use --level %[1]s to show only such findings", w.Word)
		} else if w.Level == "" {
			return fmt.Errorf("--severity %q: expected RULE=LEVEL", w.Word)
		}
		if len(s.rules.Match(w.Word)) == 0 {
			return s.rules.Unknown(w.Word)
		}
		if _, err := lint.ParseSeverity(string(w.Level)); err != nil && w.Level != "off" {
			return fmt.Errorf("--severity %q: unknown level %q; expected error, warning, info or off", w.Word+"="+string(w.Level), w.Level)
		}
	}
	ignored, severity := config.Levels(s.rules, s.levelWords)
	maps.Copy(l.Ignore, ignored)
	l.Fixed = map[string]bool{}
	for id := range severity {
		delete(l.Ignore, id)
		l.Severity[id], l.Fixed[id] = severity[id], true
	}
	return nil
}

func (s *settings) loadBaseline() error {
	if s.baseline == "" {
		return nil
	}
	f, err := os.Open(s.baseline)
	if err != nil {
		return fmt.Errorf("read baseline: %w", err)
	}
	defer f.Close()
	b, err := engine.ReadBaseline(f)
	if err != nil {
		return fmt.Errorf("%s: %w", s.baseline, err)
	}
	b.Path = filepath.ToSlash(s.baseline)
	rebase(b.Findings, s.baseline, false)
	s.opts.Baseline = b
	return nil
}

// open opens the mailbox at paths under the settings of configuration and flags.
func (s *settings) open(cmd *cobra.Command, paths ...string) (*engine.Mailbox, error) {
	if err := s.load(cmd.Flags()); err != nil {
		return nil, err
	}
	tuneGC()
	return engine.Open(cmd.Context(), s.rules, s.opts, paths...)
}

// paths returns the paths to check: the arguments, or else what the configuration includes.
func (s *settings) paths(args []string) []string {
	switch {
	case len(args) > 0:
		return args
	case len(s.cfg.Include) > 0:
		return s.cfg.Paths()
	}
	return []string{"."}
}

// relative shortens a path to one from the working folder where that is below or above it.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}
