package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

// settings are what the commands that read mail or artifacts have in common.
// Each declares the flags that it takes; the others keep their zero values.
type settings struct {
	std   streams
	rules lint.Catalogue // all that there are: options adds those of the configuration
	// catalogue are those that the program has.
	catalogue lint.Catalogue
	cfg       *config.Config // the one that was read; nil without one

	format      string
	configPath  string
	noConfig    bool
	selected    []string
	levelWords  []levelWord
	failOn      string
	kind        string
	stdinName   string
	scope       string
	exclude     []string
	noGitIgnore bool
	jobs        int
	color       string
	redact      bool
	baseline    string
	configFile  string   // the one that was read
	ruleFiles   []string // globs of those that it includes, also if it is at fault
}

func (s *settings) configFlags(f *flags) {
	f.heading("Configuration")
	f.string(&s.configPath, "config", "read the configuration from `FILE` instead of looking for "+config.FileName, yamlFiles)
	f.bool(&s.noConfig, "no-config", "ignore configuration files")
}

func (s *settings) ruleFlags(f *flags) {
	f.heading("Rules")
	f.list(&s.selected, "select", "run only these `RULES`: ids, names, codes or prefixes such as MB, comma separated", s.ruleWords)
	s.levelFlags(f)
	f.choice(&s.failOn, "fail-on", "error", "exit with status 1 on findings at `LEVEL` or above",
		append(levelWords(), cobra.CompletionWithDesc("never", "never for findings"))...)
}

// levelWords completes levels.
func levelWords() []cobra.Completion {
	return described("error", "errors only", "warning", "errors and warnings", "info", "everything")
}

func (s *settings) kindFlag(f *flags) {
	f.choice(&s.kind, "kind", "auto", "what the inputs are",
		described("auto", "decide by what it is", "artifact", "artifact files", "mail", "exported mail", "draft", "messages before they are sent")...)
}

func (s *settings) inputFlags(f *flags) {
	f.heading("Inputs")
	f.choice(&s.scope, "scope", "auto", "which mail of a whole mailbox to read",
		described("auto", "decide by what it is", "protocol", "only threads of the protocol", "all", "all mail")...)
	s.excludeFlag(f)
	f.bool(&s.noGitIgnore, "no-gitignore", "also read what .gitignore files ignore")
	f.number(&s.jobs, "jobs", "use at most `N` processors (default: all)")
}

func (s *settings) excludeFlag(f *flags) {
	f.strings(&s.exclude, "exclude", "leave out paths that match `GLOB`; may be repeated", nil)
}

func (s *settings) baselineFlag(f *flags) {
	f.string(&s.baseline, "baseline", "leave out findings that are in the baseline `FILE`", nil)
}

func (s *settings) colorFlag(f *flags) {
	f.choice(&s.color, "color", "auto", "colour", "auto", "always", "never")
}

func (s *settings) redactFlag(f *flags) {
	f.bool(&s.redact, "redact", "hide the text of mail and artifacts: no source lines, no quotations")
}

// options returns the settings of configuration and flags; flags win. From then on the
// rules are those of the configuration, too.
func (s *settings) options(flags *pflag.FlagSet, all lint.Catalogue) (engine.Options, *config.Config, error) {
	opts := engine.Options{
		Stdin: engine.Stdin{Reader: s.std.in, Name: s.stdinName}, Workers: s.jobs,
		Kind: map[string]engine.Kind{"artifact": engine.AsArtifact, "mail": engine.AsMail, "draft": engine.AsDraft}[s.kind],
	}
	if s.catalogue == nil {
		s.catalogue = all
	}
	cfg, err := s.loadConfig(s.catalogue)
	if err != nil {
		return opts, nil, err
	}
	s.cfg, s.rules = cfg, cfg.AllRules(s.catalogue)
	all = s.rules
	if cfg != nil {
		cfg.Apply(&opts, all)
		if cfg.FailOn != "" && !flags.Changed("fail-on") {
			s.failOn = cfg.FailOn
		}
	}
	if flags.Changed("scope") {
		opts.Mail = config.MailScope(s.scope)
	}
	if err := s.levels(&opts.Severities, all); err != nil {
		return opts, nil, err
	}
	for _, glob := range s.exclude {
		if !input.ValidGlob(glob) {
			return opts, nil, fmt.Errorf("invalid glob %q in --exclude; write \\ before a literal bracket or brace", glob)
		}
	}
	opts.Exclude = append(opts.Exclude, s.exclude...)
	opts.GitIgnore = flags.Lookup("no-gitignore") != nil && !s.noGitIgnore
	opts.Baseline, err = s.loadBaseline()
	return opts, cfg, err
}

// open opens the mailbox at paths under the settings of configuration and flags.
func (s *settings) open(cmd *cobra.Command, paths ...string) (*engine.Mailbox, error) {
	opts, _, err := s.options(cmd.Flags(), s.rules)
	if err != nil {
		return nil, err
	}
	tuneGC()
	return engine.Open(cmd.Context(), s.rules, opts, paths...)
}

func (s *settings) loadConfig(all lint.Catalogue) (*config.Config, error) {
	path := s.configPath
	s.configFile, s.ruleFiles = "", nil
	if s.noConfig {
		return nil, nil
	}
	if path == "" {
		var err error
		if path, err = config.Find("."); err != nil || path == "" {
			return nil, err
		}
		path = relative(path)
	}
	s.configFile = path
	cfg, err := config.Load(path, all)
	if faults, ok := errors.AsType[*config.Error](err); ok {
		s.ruleFiles = faults.IncludeRules
	} else if cfg != nil {
		s.ruleFiles = cfg.IncludeRules
	}
	return cfg, err
}

func (s *settings) loadBaseline() (*engine.Baseline, error) {
	if s.baseline == "" {
		return nil, nil
	}
	f, err := os.Open(s.baseline)
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	defer f.Close()
	b, err := engine.ReadBaseline(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.baseline, err)
	}
	b.Path = filepath.ToSlash(s.baseline)
	fromBaseline(b)
	return b, nil
}
