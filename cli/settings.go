package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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
	selected    words
	levelWords  []config.LevelWord // of --ignore and --severity, in their common order
	failOnFlag  string
	failOnEmpty bool
	kind        string
	stdinName   string
	scope       string
	exclude     []string
	noGitIgnore bool
	jobs        int
	color       string
	redact      bool
	baseline    string

	notFixed int // artifact files that could not be changed
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

func (s *settings) configFlags(cmd *command) {
	cmd.heading = "Configuration"
	cmd.add(&s.configPath, "config", "read the configuration from `FILE` instead of looking for "+config.FileName, yamlFiles)
	cmd.add(&s.noConfig, "no-config", "ignore configuration files", nil)
}

func (s *settings) ruleFlags(cmd *command) {
	cmd.heading = "Rules"
	cmd.add(&s.selected, "select", "run only these `RULES`: ids, names, codes or prefixes such as MB, comma separated", listOf(s.ruleWords))
	s.levelFlags(cmd)
	cmd.choice(&s.failOnFlag, "fail-on", "error", "exit with status 1 on findings at `LEVEL` or above",
		append(levels, "never\tnever for findings")...)
}

// levels complete what is shown or counts.
var levels = []cobra.Completion{"error\terrors only", "warning\terrors and warnings", "info\teverything"}

// levelFlags declares --ignore and --severity. Their common order on the command line counts.
func (s *settings) levelFlags(cmd *command) {
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
	cmd.add(&value{set: ignore, get: func() string { return strings.Join(ignored, ",") }}, "ignore", "do not run these `RULES`", listOf(s.ruleWords))
	cmd.add(&value{set: severity}, "severity", "set the level of a rule to error, warning, info or off: `RULE=LEVEL`; may be repeated",
		pairOf(s.ruleWords, "error", "warning", "info", "off"))
}

func (s *settings) kindFlag(cmd *command) {
	cmd.choice(&s.kind, "kind", "auto", "what the inputs are",
		"auto\tdecide by what it is", "artifact\tartifact files", "mail\texported mail", "draft\tmessages before they are sent")
}

func (s *settings) inputFlags(cmd *command) {
	cmd.heading = "Inputs"
	cmd.choice(&s.scope, "scope", "auto", "which mail of a whole mailbox to read",
		"auto\tthreads of the protocol, and mail that is named", "protocol\tonly threads of the protocol", "all\tall mail")
	s.excludeFlag(cmd)
	cmd.add(&s.noGitIgnore, "no-gitignore", "also read what .gitignore files ignore", nil)
	cmd.add(&s.jobs, "jobs", "use at most `N` processors (default: all)", anyWord)
}

func (s *settings) excludeFlag(cmd *command) {
	cmd.add(&s.exclude, "exclude", "exclude paths that match `GLOB`; may be repeated", nil)
}

func (s *settings) baselineFlag(cmd *command) {
	cmd.add(&s.baseline, "baseline", "leave out findings that are in the baseline `FILE`", nil)
}

func (s *settings) colorFlag(cmd *command) {
	cmd.choice(&s.color, "color", "auto", "colour", "auto", "always", "never")
}

func (s *settings) redactFlag(cmd *command) {
	cmd.add(&s.redact, "redact", "hide the text of mail and artifacts: no source lines, no quotations", nil)
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
	if err := notEmpty(flags); err != nil {
		return err
	}
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
		case glob == "":
			return errors.New("--exclude is empty; leave it out, or give it a value")
		case !input.ValidGlob(glob):
			return fmt.Errorf("invalid glob %q in --exclude; write \\ before a literal bracket or brace", glob)
		case strings.Contains(glob, ",") && !strings.ContainsAny(glob, `[{\\`):
			return fmt.Errorf("--exclude %q is one glob; repeat the flag for several, or write \\, for a comma in a name", glob)
		}
	}
	s.opts.Files.Exclude = append(s.opts.Files.Exclude, s.exclude...)
	return s.loadBaseline()
}

// notEmpty refuses flags with an empty value: that of a variable which a script did not set, perhaps.
func notEmpty(flags *pflag.FlagSet) error {
	for _, name := range []string{
		"config", "select", "ignore", "write-baseline", "new-from", "thread", "project", "mail", "exec", "root",
	} {
		if f := flags.Lookup(name); f != nil && f.Changed && slices.Contains([]string{"", "[]"}, f.Value.String()) {
			return fmt.Errorf("--%s is empty; leave it out, or give it a value", name)
		}
	}
	return nil
}

// stdinOnce refuses paths of which several are standard input.
func stdinOnce(paths ...string) error {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return errors.New("standard input can be read only once; name a file in place of one -")
	}
	return nil
}

// loadConfig reads the configuration, if there is one.
func (s *settings) loadConfig() error {
	s.cfg, s.rules, s.configFile, s.ruleFiles = &config.Config{}, s.catalogue, "", nil
	switch {
	case s.noConfig && s.configPath != "":
		return errors.New("--config has no effect with --no-config")
	case s.noConfig:
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
	wd, _ := os.Getwd() // "" leads nowhere
	rel, err := filepath.Rel(wd, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// headingAnnotation is where a flag says below which heading it is.
const headingAnnotation = "brennerlint_heading"

// words are the values of a flag that takes several, comma separated.
type words []string

// add declares a flag "name" or "name,n" that sets a value: a list of strings or words may be
// repeated, a number is >= 1. Without a function to complete its value, the shell completes
// files.
func (c *command) add(to any, name, usage string, complete cobra.CompletionFunc) {
	name, letter, _ := strings.Cut(name, ",")
	f := c.Flags()
	switch to := to.(type) {
	case *bool:
		f.BoolVarP(to, name, letter, false, usage)
	case *string:
		f.StringVarP(to, name, letter, "", usage)
	case *[]string:
		f.StringArrayVarP(to, name, letter, nil, usage)
	case *words: // pflag would read them as a line of CSV, and drop other lines
		set := func(given string) error {
			for word := range strings.SplitSeq(given, ",") {
				*to = append(*to, strings.TrimSpace(word))
			}
			return nil
		}
		f.VarP(&value{set: set, get: func() string { return strings.Join(*to, ",") }}, name, letter, usage)
	case *time.Duration:
		f.DurationVarP(to, name, letter, *to, usage)
	case *int:
		f.VarP(&value{set: func(word string) error { return setNumber(to, name, word) }}, name, letter, usage)
	case pflag.Value:
		f.VarP(to, name, letter, usage)
	}
	f.Lookup(name).Annotations = map[string][]string{headingAnnotation: {c.heading}}
	if complete != nil {
		_ = c.RegisterFlagCompletionFunc(name, complete) // the flag is there, and registered once
	}
}

// choice declares a flag that takes one of a few words. Each may have a description for the
// shell, after a tab.
func (c *command) choice(to *string, name, standard, usage string, completions ...cobra.Completion) {
	*to = standard
	words := make([]string, len(completions))
	for i, completion := range completions {
		words[i], _, _ = strings.Cut(completion, "\t")
	}
	set := func(word string) error {
		if !slices.Contains(words, word) {
			return text.Unknown("--"+name, word, words)
		}
		*to = word
		return nil
	}
	usage = strings.TrimPrefix(usage+": "+text.Or(words), ": ")
	c.add(&value{set: set, get: func() string { return *to }, words: words}, name, usage, cobra.FixedCompletions(completions, cobra.ShellCompDirectiveNoFileComp))
}

// value is the value of a flag that a function sets.
type value struct {
	set   func(word string) error
	get   func() string
	words []string // the only ones that it takes; nil if there are others
}

func (v *value) Set(word string) error { return v.set(word) }

func (v *value) String() string {
	if v.get == nil {
		return ""
	}
	return v.get()
}

// Type returns the name of the value in the help.
func (v *value) Type() string { return "WORD" }

func setNumber(to *int, flag, word string) error {
	i, err := strconv.Atoi(word)
	switch {
	case err != nil:
		return fmt.Errorf("--%s is %q; expected a whole number", flag, word)
	case i < 1:
		return fmt.Errorf("--%s is %d; expected a number >= 1", flag, i)
	}
	*to = i
	return nil
}

// What follows completes the values of flags.

// anyWord completes a value that the program cannot know: no files.
var anyWord cobra.CompletionFunc = cobra.NoFileCompletions

// folders and yamlFiles complete files of a kind.
var (
	folders   = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	yamlFiles = cobra.FixedCompletions([]cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
)

// listOf completes the last of some words that commas separate. The words are made
// only when they are asked for: every start of the program declares completions.
func listOf(words func() []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		var out []string
		for _, w := range words() {
			word, _, _ := strings.Cut(w, "\t")
			if !strings.Contains(","+before, ","+word+",") {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// pairOf completes a KEY=VALUE.
func pairOf(keys func() []cobra.Completion, values ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if key, _, ok := strings.Cut(typed, "="); ok {
			for _, v := range values {
				out = append(out, key+"="+v)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		}
		for _, k := range keys() {
			key, about, _ := strings.Cut(k, "\t")
			out = append(out, cobra.CompletionWithDesc(key+"=", about))
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// formatWords completes the formats of reports.
func formatWords() (out []cobra.Completion) {
	for _, f := range report.Formats {
		out = append(out, cobra.CompletionWithDesc(f.Name, f.Description))
	}
	return out
}

// completeOutput completes --output: FORMAT=, and after that a file.
func completeOutput(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	format, path, ok := strings.Cut(typed, "=")
	if !ok {
		out, _ := pairOf(formatWords)(nil, nil, typed)
		return out, cobra.ShellCompDirectiveNoSpace
	}
	dir := path[:strings.LastIndexByte(path, '/')+1]
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	only := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name := format + "=" + dir + e.Name()
		if e.IsDir() {
			name += "/"
			only |= cobra.ShellCompDirectiveNoSpace
		}
		out = append(out, name)
	}
	return out, only
}
