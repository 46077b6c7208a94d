// Package customrules makes rules of definitions in the configuration: a condition over
// a typed model of mail and artifacts, and the message that reports it.
//
// model.go is what conditions see; the reference in docs/custom-rules.md is generated
// from it.
package customrules

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Definition is a rule as the configuration has it. Package config reads it and makes the
// schema by the tags.
type Definition struct {
	ID         string `yaml:"id" required:"true" pattern:"^[A-Z]{2,5}-[0-9]{3}$" doc:"Two to five upper-case letters, a hyphen and three digits; no id of the catalogue."`
	Name       string `yaml:"name" required:"true" pattern:"^[a-z0-9]+(-[a-z0-9]+)*$" doc:"Lower-case words joined by hyphens; no name of the catalogue."`
	Scope      string `yaml:"scope" required:"true" enum:"message,delta,thread,artifact,item,workspace" doc:"What the rule looks at, one after the other."`
	Severity   string `yaml:"severity,omitempty" enum:"error,warning,info" doc:"Severity of its findings (warning)."`
	When       string `yaml:"when" required:"true" doc:"The condition: an expression that is true where there is something to report, or a list of what to report."`
	Report     string `yaml:"report" required:"true" doc:"The message, with expressions in braces: {item.id} has no budget."`
	At         string `yaml:"at,omitempty" doc:"Where the finding is, such as subject, heading or the name of a field."`
	Suggestion string `yaml:"suggestion,omitempty" doc:"How to fix it, with expressions in braces."`
	Docs       string `yaml:"docs,omitempty" doc:"What the rule is for; its first sentence is its summary."`
}

// Fault is what is wrong with a definition.
type Fault struct {
	Key     string      // the key whose value is wrong
	Span    source.Span // in the value; all of it if empty
	Message string
}

// ID is the form of the ids of custom rules, which is that of most ids of the
// catalogue.
var ID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z]{2,5}-[0-9]{3}$`) })

// Scopes are the words for scopes.
var Scopes = []string{"message", "delta", "thread", "artifact", "item", "workspace"}

// scope is what rules of a scope see and report.
type scope struct {
	scope lint.Scope
	vars  reflect.Type
	// each, if given, are the variables of the report where the condition is a list of
	// elements.
	each, element reflect.Type
	check         func(r *rule) lint.Check
}

var scopes = map[string]scope{
	"message":  {lint.MessageScope, reflect.TypeFor[messageVars](), nil, nil, checkMessages},
	"delta":    {lint.DeltaScope, reflect.TypeFor[deltaVars](), nil, nil, checkDeltas},
	"thread":   {lint.ThreadScope, reflect.TypeFor[threadVars](), reflect.TypeFor[threadEachVars](), reflect.TypeFor[*Envelope](), checkThread},
	"artifact": {lint.ArtifactScope, reflect.TypeFor[artifactVars](), reflect.TypeFor[artifactEachVars](), reflect.TypeFor[*Item](), checkArtifact},
	"item":     {lint.ItemScope, reflect.TypeFor[artifactEachVars](), nil, nil, checkItems},
	"workspace": {
		lint.WorkspaceScope, reflect.TypeFor[workspaceVars](), reflect.TypeFor[workspaceEachVars](), reflect.TypeFor[*Session](), checkWorkspace,
	},
}

// rule is a compiled definition.
type rule struct {
	when       *program
	report     *template
	suggestion *template // nil if there is none
	at         place
	scope      lint.Scope
	words      map[string]bool // of its expressions
}

// reads reports whether a rule may read the fields of a name.
func (r *rule) reads(name string) bool { return r.words[name] }

// Compile makes a rule of a definition whose keys are all known and whose required ones
// are given. It returns all faults that it finds.
func Compile(d *Definition) (*lint.Rule, []Fault) {
	var faults []Fault
	fault := func(key string, span source.Span, format string, args ...any) {
		faults = append(faults, Fault{key, span, fmt.Sprintf(format, args...)})
	}
	if !ID().MatchString(d.ID) {
		fault("id", source.Span{}, "invalid id %s; expected two to five upper-case letters, a hyphen and three digits, such as GRP-001", text.Quote(d.ID))
	}
	if !lint.IsRuleName(d.Name) {
		fault("name", source.Span{}, "invalid name %s; expected lower-case words joined by hyphens, such as test-names-budget", text.Quote(d.Name))
	}
	severity, err := lint.ParseSeverity(cmp.Or(d.Severity, "warning"))
	if err != nil {
		fault("severity", source.Span{}, "%v", err)
	}
	s, ok := scopes[d.Scope]
	if !ok {
		best := text.Nearest(d.Scope, Scopes)
		if best != "" {
			fault("scope", source.Span{}, "unknown scope %s; did you mean %s?", text.Quote(d.Scope), best)
		} else {
			fault("scope", source.Span{}, "unknown scope %s; expected %s", text.Quote(d.Scope), text.Or(Scopes))
		}
		return nil, faults
	}
	r := &rule{scope: s.scope, words: map[string]bool{}}
	for word := range strings.FieldsFuncSeq(d.When+" "+d.Report+" "+d.Suggestion, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) }) {
		r.words[word] = true
	}
	if r.at, err = parsePlace(d.Scope, d.At); err != nil {
		fault("at", source.Span{}, "%v", err)
	}
	faults = append(faults, r.compile(d, &s)...)
	if len(faults) > 0 {
		return nil, faults
	}
	summary, help := r.summarize(d)
	return &lint.Rule{
		ID: d.ID, Name: d.Name, Severity: severity, About: s.scope, SpecRef: "custom rules", Summary: summary, Help: help,
		Check: s.check(r),
	}, nil
}

// compile compiles the expressions of a definition.
func (r *rule) compile(d *Definition, s *scope) (faults []Fault) {
	vars := s.vars
	when, err := compileExpression(d.When, s.vars)
	switch {
	case err != nil:
		faults = append(faults, Fault{"when", err.Span, err.Message})
	case when.result.Kind() == reflect.Bool:
		r.when = when
	case s.each != nil && when.elem == s.element:
		r.when, vars = when, s.each
	case s.each != nil:
		faults = append(faults, Fault{"when", source.Span{End: len(d.When)}, "expected a condition, or a list of " + plural(s.element)})
	default:
		faults = append(faults, Fault{"when", source.Span{End: len(d.When)}, "expected a condition"})
	}
	if when == nil && s.each != nil {
		vars = s.each // the report is not blamed for what is wrong with the condition
	}
	if r.report, err = parseTemplate(d.Report, vars); err != nil {
		faults = append(faults, Fault{"report", err.Span, err.Message})
	}
	if d.Suggestion != "" {
		if r.suggestion, err = parseTemplate(d.Suggestion, vars); err != nil {
			faults = append(faults, Fault{"suggestion", err.Span, err.Message})
		}
	}
	return faults
}

// plural returns how the reference calls several objects of a type.
func plural(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[*Envelope]():
		return "messages"
	case reflect.TypeFor[*Item]():
		return "items"
	}
	return "sessions"
}

// summarize returns a sentence on what a rule checks, and what to write instead.
func (r *rule) summarize(d *Definition) (summary, help string) {
	summary, help = text.OneLine(d.Docs), "see `brennerlint explain "+d.ID+"`"
	if i := strings.Index(summary, ". "); i >= 0 {
		summary = summary[:i+1]
	}
	if summary == "" {
		summary = text.OneLine(r.report.outline())
	} else {
		help = summary
	}
	if r.suggestion != nil && !r.suggestion.hasHoles() {
		help = text.OneLine(r.suggestion.outline())
	}
	return text.Shorten(summary, maxShown), text.Shorten(help, maxShown)
}

// eval evaluates the condition: true or false, or a list of what to report. A rule that
// cannot be evaluated is stopped, and the value is nil.
func (r *rule) eval(p *lint.Pass, t *task, vars scopeVars) any {
	v, err := t.evaluate(r.when, vars)
	if err != nil {
		p.Stop(err.Error())
	}
	return v
}

// say reports what the rule says; false if that cannot be evaluated.
func (r *rule) say(p *lint.Pass, t *task, vars scopeVars, report func(d lint.Diagnostic)) bool {
	d, err := r.diagnostic(t, vars)
	if err != nil {
		p.Stop(err.Error())
		return false
	}
	report(d)
	return true
}

func (r *rule) diagnostic(t *task, vars scopeVars) (d lint.Diagnostic, err error) {
	show := func(p *program) (any, error) { return t.evaluate(p, vars) }
	if d.Message, d.Quoted, err = r.report.render(show); err != nil || r.suggestion == nil {
		return d, err
	}
	var quoted []string
	d.Suggestion, quoted, err = r.suggestion.render(show)
	d.Quoted = append(d.Quoted, quoted...)
	return d, err
}

func checkMessages(r *rule) lint.Check {
	return lint.MessageCheck(func(p *lint.MessagePass) {
		t := taskOf(&p.Pass)
		m := t.messageOf(r, p.Message, p.Thread != nil)
		vars := &messageVars{t.functions, m.functions(), m}
		if r.eval(&p.Pass, t, vars) == true {
			r.say(&p.Pass, t, vars, func(d lint.Diagnostic) {
				d.At = r.at.inMessage(p.Message)
				p.Report(d)
			})
		}
	})
}

func checkDeltas(r *rule) lint.Check {
	return lint.DeltaCheck(func(p *lint.DeltaPass) {
		t := taskOf(&p.Pass)
		m := t.messageOf(r, p.Message, p.Thread != nil)
		vars := &deltaVars{t.functions, m.functions(), deltaOf(m, p.Delta), m}
		if r.eval(&p.Pass, t, vars) == true {
			r.say(&p.Pass, t, vars, func(d lint.Diagnostic) {
				d.At, d.Field = r.at.inDelta(p.Delta), r.at.field()
				p.Report(d)
			})
		}
	})
}

func checkThread(r *rule) lint.Check {
	return lint.ThreadCheck(func(p *lint.ThreadPass) {
		if !p.Complete || len(p.Thread.Messages) == 0 {
			return // whole threads only (decisions.md 17)
		}
		t := taskOf(&p.Pass)
		thread := t.threadOf(r, p)
		vars := threadVars{t.functions, killed, thread.functions(), thread}
		report := func(m *session.Message) func(lint.Diagnostic) {
			return func(d lint.Diagnostic) {
				d.At, d.In = m.SubjectPlace(), m
				p.Report(d)
			}
		}
		v := r.eval(&p.Pass, t, &vars)
		if v == true {
			at := p.Thread.Messages[0]
			if r.at.word == "last" {
				at = p.Thread.Messages[len(p.Thread.Messages)-1]
			}
			r.say(&p.Pass, t, &vars, report(at))
		}
		for _, m := range elements[*Envelope](v) {
			if m.of != nil && !r.say(&p.Pass, t, &threadEachVars{vars, m}, report(m.of)) {
				return
			}
		}
	})
}

func checkArtifact(r *rule) lint.Check {
	return lint.ArtifactCheck(func(p *lint.ArtifactPass) {
		t, vars := taskOf(&p.Pass), r.varsOf(p)
		v := r.eval(&p.Pass, t, &vars)
		if v == true {
			r.say(&p.Pass, t, &vars, func(d lint.Diagnostic) {
				d.At = r.at.inArtifact(p.Artifact)
				p.Report(d)
			})
		}
		for _, it := range elements[*Item](v) {
			if it.of != nil && !r.sayItem(p, t, &artifactEachVars{vars, it}) {
				return
			}
		}
	})
}

// varsOf returns the variables of an artifact.
func (r *rule) varsOf(p *lint.ArtifactPass) artifactVars {
	t := taskOf(&p.Pass)
	path := ""
	if p.Message == nil {
		path = p.Path
	}
	return artifactVars{t.functions, killed, artifactFunctionsOn(p.Artifact), t.artifactOf(r, p.Artifact, path)}
}

// sayItem reports an item; false if that cannot be evaluated.
func (r *rule) sayItem(p *lint.ArtifactPass, t *task, vars *artifactEachVars) bool {
	return r.say(&p.Pass, t, vars, func(d lint.Diagnostic) {
		it := vars.Item.of
		d.At, d.Item, d.Field = p.Artifact.Text.Place(r.at.inItem(it)), it.ID.String(), r.at.field()
		p.Report(d)
	})
}

func checkItems(r *rule) lint.Check {
	return lint.ArtifactCheck(func(p *lint.ArtifactPass) {
		t, vars := taskOf(&p.Pass), &artifactEachVars{artifactVars: r.varsOf(p)}
		for _, vars.Item = range vars.Artifact.Items {
			v := r.eval(&p.Pass, t, vars)
			if v == nil || v == true && !r.sayItem(p, t, vars) {
				return
			}
		}
	})
}

func checkWorkspace(r *rule) lint.Check {
	return lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
		t := taskOf(&p.Pass)
		vars := workspaceVars{t.functions, t.sessionsOf(p.Workspace)}
		report := func(s *Session) func(lint.Diagnostic) {
			return func(d lint.Diagnostic) {
				d.Path, d.Thread = s.Path, s.ID
				p.Report(d)
			}
		}
		v := r.eval(&p.Pass, t, &vars)
		if all := vars.Workspace.Sessions; v == true && len(all) > 0 {
			r.say(&p.Pass, t, &vars, report(all[0]))
		}
		for _, s := range elements[*Session](v) {
			if s.Path != "" && !r.say(&p.Pass, t, &workspaceEachVars{vars, s}, report(s)) {
				return
			}
		}
	})
}

// Collides says what ids or names of rules collide with those of others; "" if none do.
func Collides(r *Definition, others lint.Catalogue) (key, message string) {
	if i := slices.IndexFunc(others, func(o *lint.Rule) bool { return o.ID == r.ID }); i >= 0 {
		return "id", "another rule has the id " + r.ID
	}
	if i := slices.IndexFunc(others, func(o *lint.Rule) bool { return o.Name == r.Name }); i >= 0 {
		return "name", fmt.Sprintf("%s has the name %s, too", others[i].ID, r.Name)
	}
	own := lint.Catalogue{{ID: r.ID}}
	names := func(name string) bool { return name == "all" || len(own.Match(name)) > 0 }
	if names(r.Name) && !strings.EqualFold(r.Name, r.ID) || len(others.Match(r.Name)) > 0 {
		return "name", "the name " + r.Name + " also names other rules"
	}
	if i := slices.IndexFunc(others, func(o *lint.Rule) bool { return names(o.Name) }); i >= 0 {
		return "id", fmt.Sprintf("the name of %s, %s, also names %s", others[i].ID, others[i].Name, r.ID)
	}
	return "", ""
}
