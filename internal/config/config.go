// Package config reads `.brennerlint.yaml` or `.brennerlint.yml`. It is strict: a mistake is
// an error with its line, not a setting without effect.
//
// The types below are the format: decoding, the JSON Schema for editors and the
// documentation are made from them and their tags.
package config

import (
	"cmp"
	_ "embed" // for Template
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// FileName and ShortFileName are the names of configuration files, which are found
// upwards from the working folder.
const (
	FileName      = ".brennerlint.yaml"
	ShortFileName = ".brennerlint.yml"
)

// Template is a configuration file in which every setting is explained and commented out.
//
//go:embed template.yaml
var Template []byte

// IsFileName reports whether a file of this name is a configuration.
func IsFileName(name string) bool { return name == FileName || name == ShortFileName }

// Config is the content of a configuration file.
type Config struct {
	Include      []string             `yaml:"include,omitempty" word:"path" doc:"What to check when no PATH is given: files, folders, patterns or globs."`
	Exclude      []string             `yaml:"exclude,omitempty" word:"exclude" doc:"Globs of paths to leave out."`
	Scope        string               `yaml:"scope,omitempty" enum:"auto,protocol,all" doc:"Which mail to check: threads of the protocol in whole mailboxes and all mail named directly (auto), only threads of the protocol (protocol), or all mail (all)."`
	FailOn       string               `yaml:"fail-on,omitempty" enum:"error,warning,info,never" doc:"Exit with status 1 on findings at this level or above."`
	Rules        Rules                `yaml:"rules,omitempty" doc:"Which rules run, and the severity of their findings; or a list of rules of your own."`
	IncludeRules []string             `yaml:"include-rules,omitempty" doc:"Files with rules of your own, or globs of such files: paths from the folder of the configuration, and inside it."`
	Overrides    []Override           `yaml:"overrides,omitempty" doc:"Rules and levels for some paths; later entries win."`
	Agents       Agents               `yaml:"agents,omitempty" doc:"The agents of the research group."`
	Roles        []string             `yaml:"roles,omitempty" word:"role" doc:"More tags of DELTA subjects, in addition to opus, gpt, gemini, claude and human."`
	CorpusSize   int                  `yaml:"corpus-size,omitempty" min:"1" doc:"Number of the last transcript section that may be cited (236)."`
	ArtifactsDir string               `yaml:"artifacts-dir,omitempty" doc:"Name of the folder of persisted artifacts (artifacts)."`
	Limits       engine.Limits        `yaml:"limits,omitempty" doc:"Limits on what is read."`
	Suppress     []engine.Suppression `yaml:"suppress,omitempty" doc:"Findings to suppress, each with a reason."`
	Hook         Hook                 `yaml:"hook,omitempty" doc:"What presend --hook does."`

	path   string
	texts  []*source.Text // of the configuration, and of the files with rules that it includes
	custom lint.Catalogue
	pages  map[string]string // of custom rules, by their ids
}

// AllRules returns the rules of the program, and then those that the configuration
// defines.
func (c *Config) AllRules(rules lint.Catalogue) lint.Catalogue { return slices.Concat(rules, c.custom) }

// CustomRules returns the rules that the configuration defines.
func (c *Config) CustomRules() lint.Catalogue { return slices.Clone(c.custom) }

// Rules says which rules run, and how severe their findings are. Rules are named
// by id, name, code, or a prefix of ids such as MB.
type Rules struct {
	Select []string                 `yaml:"select,omitempty" word:"rule" doc:"If given, only these rules run."`
	Ignore []string                 `yaml:"ignore,omitempty" word:"rule" doc:"Rules that do not run."`
	Levels map[string]Level         `yaml:"levels,omitempty" word:"rule" doc:"Severity by rule: error, warning, info or off."`
	Define []customrules.Definition `yaml:"define,omitempty" doc:"Rules of your own (docs/custom-rules.md). Where rules is a list, it is this one."`
}

// Override changes levels for some paths.
type Override struct {
	Paths  []string         `yaml:"paths,omitempty" required:"true" word:"glob" doc:"Globs of the paths that the entry applies to."`
	Ignore []string         `yaml:"ignore,omitempty" word:"rule" doc:"Rules to ignore there."`
	Levels map[string]Level `yaml:"levels,omitempty" word:"rule" doc:"Severity by rule there."`
}

// Agents are the members of the research group.
type Agents struct {
	Roster   []string       `yaml:"roster,omitempty" doc:"Names of the registered agents; any other is reported as unknown."`
	Priority map[string]int `yaml:"priority,omitempty" doc:"Rank of agents for deltas with the same time: higher ranks are applied later."`
}

// Hook says what presend does as the hook of an agent program.
type Hook struct {
	Mailbox   string `yaml:"mailbox,omitempty" doc:"The mailbox that messages join: a live storage.sqlite3, an archive or an export; relative to the configuration's folder, ~/ is the home folder. With it the rules on threads and merges count in the hook, too. The variable BRENNERLINT_MAILBOX overrides it."`
	OnFailure string `yaml:"on-failure,omitempty" enum:"block,pass" doc:"What happens to a message that cannot be checked (it is too large, takes too long, or a rule fails): it is blocked with the reason (block), or sent (pass)."`
	Warnings  string `yaml:"warnings,omitempty" enum:"hide,show" doc:"Whether an agent program that can (Claude Code) shows the warnings about a message that is sent (show), or not (hide)."`
}

// Mailbox returns the path of the mailbox that messages join; "" if there is none.
func (c *Config) Mailbox() string {
	if c.Hook.Mailbox == "" {
		return ""
	}
	path := filepath.FromSlash(c.Hook.Mailbox)
	home, err := os.UserHomeDir()
	switch inHome, ok := strings.CutPrefix(c.Hook.Mailbox, "~/"); {
	case ok && err == nil:
		return filepath.Join(home, inHome)
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(filepath.FromSlash(filepath.Dir(c.path)), path)
}

// Paths are what to check if no path is given, as the working folder sees it; nil if the
// configuration does not say.
func (c *Config) Paths() (paths []string) {
	dir := path.Dir(c.path)
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(dir) {
		if rel, err := filepath.Rel(wd, dir); err == nil && (filepath.IsLocal(rel) || strings.Trim(rel, "./") == "") {
			dir = filepath.ToSlash(rel)
		}
	}
	for _, p := range c.Include {
		if p != "-" && dir != "." && !filepath.IsAbs(p) {
			glob := path.Clean(input.GlobIn(dir, p))
			p = path.Join(dir, p)
			if _, err := os.Lstat(p); err != nil {
				p = glob
			}
		}
		paths = append(paths, p)
	}
	return paths
}

// Level is a severity, or off.
type Level string

// Find looks for a configuration file in a folder and the folders above it. It returns ""
// if there is none. Two in one folder are an error, and so is a broken link or a folder of that
// name, because the settings would be ignored.
func Find(dir string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find configuration: %w", err)
	}
	shown := func(path string) string {
		rel, _ := filepath.Rel(from, path) // a folder above leads to it
		return text.QuotePath(filepath.ToSlash(rel))
	}
	for at := from; ; at = filepath.Dir(at) {
		var found []string
		for _, name := range []string{FileName, ShortFileName} {
			path := filepath.Join(at, name)
			info, err := os.Stat(path)
			switch _, linkErr := os.Lstat(path); {
			case err == nil && info.Mode().IsRegular():
				found = append(found, path)
			case err == nil:
				return "", fmt.Errorf("find configuration: %s is not a file", shown(path))
			case errors.Is(err, os.ErrNotExist) && linkErr == nil:
				return "", fmt.Errorf("find configuration: %s is a link to a file that does not exist", shown(path))
			case err != nil && !errors.Is(err, os.ErrNotExist):
				return "", fmt.Errorf("find configuration: %w", err)
			}
		}
		switch {
		case len(found) > 1:
			return "", fmt.Errorf("find configuration: there are both %s and %s; keep one of them", shown(found[0]), shown(found[1]))
		case len(found) == 1:
			return found[0], nil
		case at == filepath.Dir(at):
			return "", nil
		}
	}
}

// Load reads a configuration file. Errors show its path as given.
func Load(path string, rules lint.Catalogue) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return Parse(filepath.ToSlash(path), data, rules)
}

// Parse reads a configuration and the files with rules that it includes, from the folder
// of its path. The error is an *Error with the faults and their places.
func Parse(path string, data []byte, rules lint.Catalogue) (*Config, error) {
	text := source.NewFile(path, data).Text()
	c := &Config{path: path, texts: []*source.Text{text}, pages: map[string]string{}}
	d := &decoder{text: text, rules: rules}
	root := d.fill(c)
	d.defineRules(c, RulesDir)
	if len(c.IncludeRules) > 0 {
		d.includeRules(c, valueOf(root, "include-rules"))
	}
	for _, check := range d.later {
		check()
	}
	if len(d.faults) > 0 {
		slices.SortStableFunc(d.faults, func(a, b fault) int { return cmp.Compare(a.entry.Span.Start, b.entry.Span.Start) })
		return nil, &Error{IncludeRules: c.IncludeRules, faults: d.faults}
	}
	return c, nil
}

// Apply sets the options of a check from the configuration. rules are AllRules.
func (c *Config) Apply(o *engine.Options, rules lint.Catalogue) {
	o.Files.Folder, o.Files.ConfigExclude = path.Dir(c.path), c.Exclude
	o.Mail = engine.MailScope(c.Scope)
	o.RuleConfig = lint.RuleConfig{
		Roster: c.Agents.Roster, Priority: c.Agents.Priority, Roles: c.Roles,
		CorpusSize: c.CorpusSize, ArtifactsDir: strings.Trim(strings.TrimPrefix(filepath.ToSlash(c.ArtifactsDir), "./"), "/"),
	}
	o.Limits = c.Limits
	if len(c.Rules.Select) > 0 {
		o.Severities.Select, _ = rules.Select(strings.Split(strings.Join(c.Rules.Select, ","), ",")...) // the decoder has checked them
	}
	o.Severities.Ignore, o.Severities.Severity = Levels(rules, levelWords(c.Rules.Ignore, c.Rules.Levels))
	for _, ov := range c.Overrides {
		lo := engine.SeverityOverride{Paths: ov.Paths}
		lo.Ignore, lo.Severity = Levels(rules, levelWords(ov.Ignore, ov.Levels))
		o.Severities.Overrides = append(o.Severities.Overrides, lo)
	}
	o.Suppressions = c.Suppress
}

// LevelWord gives a level to the rules that a word names. Ignored rules have the level off.
type LevelWord struct {
	Word  string
	Level Level
}

// levelWords returns the words of a configuration in an order in which, of an ignored word and a
// level that name equally many rules, the level wins.
func levelWords(ignore []string, by map[string]Level) (words []LevelWord) {
	for _, word := range ignore {
		words = append(words, LevelWord{word, "off"})
	}
	for _, word := range slices.Sorted(maps.Keys(by)) {
		words = append(words, LevelWord{word, by[word]})
	}
	return words
}

// Levels returns which rules the words switch off, and which severities they set, by rule id. If
// two words name a rule, the word that names fewer rules wins: a single rule over its family. If
// both name equally many, the later wins.
func Levels(rules lint.Catalogue, words []LevelWord) (ignored map[string]bool, severity map[string]lint.Severity) {
	byCount := func(a, b LevelWord) int { return cmp.Compare(len(match(rules, b.Word)), len(match(rules, a.Word))) }
	ignored, severity = map[string]bool{}, map[string]lint.Severity{}
	for _, w := range slices.SortedStableFunc(slices.Values(words), byCount) {
		level, err := lint.ParseSeverity(string(w.Level))
		for _, r := range match(rules, w.Word) {
			delete(ignored, r.ID)
			delete(severity, r.ID)
			if err != nil { // off
				ignored[r.ID] = true
			} else {
				severity[r.ID] = level
			}
		}
	}
	return ignored, severity
}

// match finds the rules that a text names: a word, or several separated by commas.
func match(rules lint.Catalogue, words string) (out lint.Catalogue) {
	for w := range strings.SplitSeq(words, ",") {
		out = append(out, rules.Match(strings.TrimSpace(w))...)
	}
	return out
}
