// Package config reads `.brennerlint.yaml` or `.brennerlint.yml`. It is strict: a mistake is
// an error with its line, not a setting without effect.
//
// The types below are the format: decoding, the JSON Schema for editors and the
// documentation are made from them and their tags.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
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

// IsFileName reports whether a file of this name is a configuration.
func IsFileName(name string) bool { return name == FileName || name == ShortFileName }

// Config is the content of a configuration file.
type Config struct {
	Include      []string      `key:"include" doc:"What to check when no PATH is given: files, folders, patterns or globs."`
	Exclude      []string      `key:"exclude" word:"glob" doc:"Globs of paths to leave out."`
	Scope        string        `key:"scope" enum:"auto,protocol,all" doc:"Which mail to check: threads of the protocol in whole mailboxes and all mail named directly (auto), only threads of the protocol (protocol), or all mail (all)."`
	FailOn       string        `key:"fail-on" enum:"error,warning,info,never" doc:"Exit with status 1 on findings at this level or above."`
	Rules        Rules         `key:"rules" doc:"Which rules run, and the severity of their findings; or a list of rules of your own."`
	IncludeRules []string      `key:"include-rules" doc:"Files with rules of your own, or globs of such files: paths from the folder of the configuration, and inside it."`
	Overrides    []Override    `key:"overrides" doc:"Rules and levels for some paths; later entries win."`
	Agents       Agents        `key:"agents" doc:"The agents of the research group."`
	Roles        []string      `key:"roles" doc:"More tags of DELTA subjects, in addition to opus, gpt, gemini, claude and human."`
	CorpusSize   int           `key:"corpus-size" min:"1" doc:"Number of the last transcript section that may be cited (236)."`
	ArtifactsDir string        `key:"artifacts-dir" doc:"Name of the folder of persisted artifacts (artifacts)."`
	Limits       Limits        `key:"limits" doc:"Limits on what is read."`
	Suppress     []Suppression `key:"suppress" doc:"Findings to suppress, each with a reason."`
	Hook         Hook          `key:"hook" doc:"What presend --hook does."`

	path   string
	text   *source.Text
	custom lint.Catalogue
	// digest identifies the text that the custom rules are made of.
	digest []byte
	pages  map[string]string // of custom rules, by their ids
}

// AllRules returns the rules of the program, and then those that the configuration
// defines.
func (c *Config) AllRules(rules lint.Catalogue) lint.Catalogue {
	if c == nil || len(c.custom) == 0 {
		return rules
	}
	return slices.Concat(rules, c.custom)
}

// CustomRules returns the rules that the configuration defines.
func (c *Config) CustomRules() lint.Catalogue {
	if c == nil {
		return nil
	}
	return slices.Clone(c.custom)
}

// Rules says which rules run, and how severe their findings are. Rules are named
// by id, name, code, or a prefix of ids such as MB.
type Rules struct {
	Select []string         `key:"select" word:"rule" doc:"If given, only these rules run."`
	Ignore []string         `key:"ignore" word:"rule" doc:"Rules that do not run."`
	Levels map[string]Level `key:"levels" word:"rule" doc:"Severity by rule: error, warning, info or off."`
	Define []CustomRule     `key:"define" doc:"Rules of your own (docs/custom-rules.md). Where rules is a list, it is this one."`
}

// CustomRule is a custom rule (docs/custom-rules.md).
type CustomRule struct {
	ID         string `key:"id" required:"true" pattern:"^[A-Z]{2,5}-[0-9]{3}$" doc:"Two to five upper-case letters, a hyphen and three digits; no id of the catalogue."`
	Name       string `key:"name" required:"true" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$" doc:"Lower-case words joined by hyphens; no name of the catalogue."`
	Scope      string `key:"scope" required:"true" enum:"message,delta,thread,artifact,item,workspace" doc:"What the rule looks at, one after the other."`
	Severity   string `key:"severity" enum:"error,warning,info" doc:"Severity of its findings (warning)."`
	When       string `key:"when" required:"true" doc:"The condition: an expression that is true where there is something to report, or a list of what to report."`
	Report     string `key:"report" required:"true" doc:"The message, with expressions in braces: {item.id} has no budget."`
	At         string `key:"at" doc:"Where the finding is, such as subject, heading or the name of a field."`
	Suggestion string `key:"suggestion" doc:"How to fix it, with expressions in braces."`
	Docs       string `key:"docs" doc:"What the rule is for; its first sentence is its summary."`
}

// Override changes levels for some paths.
type Override struct {
	Paths  []string         `key:"paths" required:"true" word:"glob" doc:"Globs of the paths that the entry applies to."`
	Ignore []string         `key:"ignore" word:"rule" doc:"Rules to ignore there."`
	Levels map[string]Level `key:"levels" word:"rule" doc:"Severity by rule there."`
}

// Agents are the members of the research group.
type Agents struct {
	Roster   []string       `key:"roster" doc:"Names of the registered agents; any other is reported as unknown."`
	Priority map[string]int `key:"priority" doc:"Rank of agents for deltas with the same time: higher ranks are applied later."`
}

// Limits bound what is read. Exceeding a limit is a finding. The limits on depth have
// maximum values, which package engine sets.
type Limits struct {
	FileSize     Size `key:"file-size" max:"4095MB" doc:"Maximum size of a file; at most 4095MB (128MB)."`
	ExpandedSize Size `key:"expanded-size" doc:"Maximum expanded size of a zip archive (4GB)."`
	Entries      int  `key:"entries" min:"1" doc:"Maximum number of entries in a zip archive (100000)."`
	JSONDepth    int  `key:"json-depth" min:"1" max:"10000" doc:"Maximum nesting of JSON in deltas, artifacts and drafts (512)."`
	YAMLDepth    int  `key:"yaml-depth" min:"1" max:"1000" doc:"Maximum nesting of an artifact's front matter (32)."`
	YAMLAliases  int  `key:"yaml-aliases" min:"1" doc:"Maximum number of aliases in an artifact's front matter (1000)."`
	Findings     int  `key:"findings" min:"1" doc:"Maximum number of findings reported for a file (10000)."`
	FrameLine    int  `key:"frame-line" min:"80" max:"1000000" doc:"Maximum number of bytes kept of a source line (2048)."`
}

// Hook says what presend does as the hook of an agent program.
type Hook struct {
	Mailbox   string `key:"mailbox" doc:"The mailbox that messages join: a live storage.sqlite3, an archive or an export; relative to the configuration's folder, ~/ is the home folder. With it the rules on threads and merges count in the hook, too. The variable BRENNERLINT_MAILBOX overrides it."`
	OnFailure string `key:"on-failure" enum:"block,pass" doc:"What happens to a message on which a rule fails (an internal error): it is blocked with the reason (block), or sent (pass)."`
	Warnings  string `key:"warnings" enum:"hide,show" doc:"Whether an agent program that can (Claude Code) shows the warnings about a message that is sent (show), or not (hide)."`
}

// PassesFailures reports whether the hook lets a message pass if a rule fails on it. By
// default the message is blocked.
func (c *Config) PassesFailures() bool { return c != nil && c.Hook.OnFailure == "pass" }

// ShowsWarnings reports whether the hook shows warnings about messages that pass.
func (c *Config) ShowsWarnings() bool { return c != nil && c.Hook.Warnings == "show" }

// Mailbox returns the path of the mailbox that messages join; "" if there is none.
func (c *Config) Mailbox() string {
	if c == nil || c.Hook.Mailbox == "" {
		return ""
	}
	path := filepath.FromSlash(c.Hook.Mailbox)
	if inHome, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, inHome)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.FromSlash(filepath.Dir(c.path)), path)
}

// Suppression suppresses known findings (decisions.md 34: suppressions).
type Suppression struct {
	Path    string `key:"path" word:"glob" doc:"Glob of the paths that the entry applies to."`
	Rule    string `key:"rule" required:"true" word:"rule" doc:"The rule, or several separated by commas."`
	Thread  string `key:"thread" doc:"Thread id."`
	Message string `key:"message" doc:"Message id."`
	Item    string `key:"item" doc:"Item, such as H2."`
	Reason  string `key:"reason" required:"true" doc:"Why the findings are suppressed."`

	at source.Span
}

// Level is a severity, or off.
type Level string

// Size is a number of bytes, written as 512MB.
type Size int64

// Find looks for a configuration file in a folder and the folders above it. It returns ""
// if there is none. Two in one folder are an error, and so is a broken link, because the
// settings would be ignored.
func Find(dir string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find configuration: %w", err)
	}
	for at := from; ; at = filepath.Dir(at) {
		var found []string
		for _, name := range []string{FileName, ShortFileName} {
			path := filepath.Join(at, name)
			info, err := os.Stat(path)
			if err == nil && info.Mode().IsRegular() {
				found = append(found, path)
			}
			if err == nil {
				continue
			}
			if _, linkErr := os.Lstat(path); linkErr == nil && errors.Is(err, os.ErrNotExist) {
				return "", fmt.Errorf("find configuration: %s is a link to a file that does not exist", shown(from, path))
			}
			if !errors.Is(err, os.ErrNotExist) {
				return "", fmt.Errorf("find configuration: %w", err)
			}
		}
		switch {
		case len(found) > 1:
			return "", fmt.Errorf("find configuration: there are both %s and %s; keep one of them", shown(from, found[0]), shown(from, found[1]))
		case len(found) == 1:
			return found[0], nil
		case at == filepath.Dir(at):
			return "", nil
		}
	}
}

// shown returns a path for an error, relative to a folder.
func shown(from, path string) string {
	rel, err := filepath.Rel(from, path)
	if err != nil {
		rel = path
	}
	return text.QuotePath(filepath.ToSlash(rel))
}

// maxFile bounds a configuration file.
const maxFile = 1 << 20

// Load reads a configuration file. Errors show its path as given. A link may lead out of its
// folder: the file is then read, but errors never show its text.
func Load(path string, rules lint.Catalogue) (*Config, error) {
	data, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	c, err := Parse(filepath.ToSlash(path), data, rules)
	var faults *Error
	if errors.As(err, &faults) {
		faults.hidden = leadsOut(path)
	}
	return c, err
}

// read reads a file up to just beyond the limit.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

// leadsOut reports whether a path is a link to a file that is neither in its
// folder nor in the working folder.
func leadsOut(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	return err != nil || !inFolder(filepath.Dir(path), target) && !inFolder(".", target)
}

// inFolder reports whether a file without links in its path is in a folder.
func inFolder(folder, file string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err == nil {
		file, err = filepath.Abs(file)
	}
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// Parse reads a configuration and the files with rules that it includes, from the folder
// of its path. The error is an *Error with the faults and their places.
func Parse(path string, data []byte, rules lint.Catalogue) (*Config, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("read configuration: %s is larger than %d bytes", path, maxFile)
	}
	c := &Config{path: path, text: source.NewFile(path, data).Text()}
	d := &decoder{text: c.text, rules: rules}
	if err := d.document(c); err != nil {
		return nil, err
	}
	return c, nil
}

// Apply sets the options of a check from the configuration. rules are AllRules.
func (c *Config) Apply(o *engine.Options, rules lint.Catalogue) {
	o.Exclude = append(o.Exclude, c.Exclude...)
	o.Mail = MailScope(c.Scope)
	o.RuleConfig.Roster = c.Agents.Roster
	o.RuleConfig.Priority = c.Agents.Priority
	o.RuleConfig.Roles = c.Roles
	if c.CorpusSize > 0 {
		o.RuleConfig.CorpusSize = c.CorpusSize
	}
	if c.ArtifactsDir != "" {
		o.RuleConfig.ArtifactsDir = strings.Trim(filepath.ToSlash(c.ArtifactsDir), "/")
	}
	c.applyLimits(&o.Limits)
	if len(c.Rules.Select) > 0 {
		o.Severities.Select = ids(rules, c.Rules.Select)
	}
	o.Severities.Ignore, o.Severities.Severity = severities(rules, c.Rules.Ignore, c.Rules.Levels)
	for _, ov := range c.Overrides {
		lo := engine.SeverityOverride{Paths: ov.Paths}
		lo.Ignore, lo.Severity = severities(rules, ov.Ignore, ov.Levels)
		o.Severities.Overrides = append(o.Severities.Overrides, lo)
	}
	for _, s := range c.Suppress {
		o.Suppressions = append(o.Suppressions, engine.Suppression{
			Path: s.Path, Rule: s.Rule, Thread: s.Thread, Message: s.Message, Item: s.Item, Reason: s.Reason,
			At: c.text.Place(s.at),
		})
	}
}

// MailScope returns the scope that a word of --scope or the configuration names.
func MailScope(word string) engine.MailScope {
	switch word {
	case "protocol":
		return engine.ProtocolMail
	case "all":
		return engine.AllMail
	}
	return engine.AutoMail
}

func (c *Config) applyLimits(l *engine.Limits) {
	l.FileSize = cmp.Or(int64(c.Limits.FileSize), l.FileSize)
	l.ExpandedSize = cmp.Or(int64(c.Limits.ExpandedSize), l.ExpandedSize)
	l.Entries = cmp.Or(c.Limits.Entries, l.Entries)
	l.JSONDepth = cmp.Or(c.Limits.JSONDepth, l.JSONDepth)
	l.YAMLDepth = cmp.Or(c.Limits.YAMLDepth, l.YAMLDepth)
	l.YAMLAliases = cmp.Or(c.Limits.YAMLAliases, l.YAMLAliases)
	l.Findings = cmp.Or(c.Limits.Findings, l.Findings)
	l.FrameLine = cmp.Or(c.Limits.FrameLine, l.FrameLine)
}
