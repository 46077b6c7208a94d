// Package customrules makes rules of definitions in the configuration: a condition over
// a typed model of mail and artifacts, and the message that reports it.
//
// model.go is what conditions see; the reference in docs/custom-rules.md is generated
// from it.
package customrules

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/expression"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Definition is a rule as the configuration has it.
type Definition struct {
	ID, Name, Scope, Severity, When, Report, At, Suggestion, Docs string
}

// Fault is what is wrong with a definition.
type Fault struct {
	Key     string      // the key whose value is wrong
	Span    source.Span // in the value; all of it if empty
	Message string
}

// ID is the form of the ids of house rules, which is that of most ids of the
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
	"item":     {lint.ItemScope, reflect.TypeFor[itemVars](), nil, nil, checkItems},
	"workspace": {
		lint.WorkspaceScope, reflect.TypeFor[workspaceVars](), reflect.TypeFor[workspaceEachVars](), reflect.TypeFor[*Session](), checkWorkspace,
	},
}

// language returns what the expressions of a scope may name.
func language(scope string) *expression.Language {
	return &expression.Language{Fields: fields(), Functions: functionsOf(scope)}
}

// rule is a compiled definition.
type rule struct {
	when       *expression.Program
	lists      bool // the condition is a list of what to report
	report     *template
	suggestion *template // nil if there is none
	at         place
}

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
	r := &rule{}
	if r.at, err = parsePlace(d.Scope, d.At); err != nil {
		fault("at", source.Span{}, "%v", err)
	}
	faults = append(faults, r.compile(d, &s)...)
	if len(faults) > 0 {
		return nil, faults
	}
	summary, help := r.summarize(d)
	return &lint.Rule{
		ID: d.ID, Name: d.Name, Severity: severity, About: s.scope, SpecRef: "house rules", Summary: summary, Help: help,
		Check: s.check(r),
	}, nil
}

// compile compiles the expressions of a definition.
func (r *rule) compile(d *Definition, s *scope) (faults []Fault) {
	l := language(d.Scope)
	vars := s.vars
	when, err := l.Compile(d.When, s.vars)
	switch {
	case err != nil:
		faults = append(faults, Fault{"when", err.Span, err.Message})
	case when.Type.Kind() == reflect.Bool:
		r.when = when
	case s.each != nil && when.Elem == s.element:
		r.when, r.lists, vars = when, true, s.each
	case s.each != nil:
		faults = append(faults, Fault{"when", source.Span{End: len(d.When)}, "expected a condition, or a list of " + plural(s.element)})
	default:
		faults = append(faults, Fault{"when", source.Span{End: len(d.When)}, "expected a condition"})
	}
	if when == nil && s.each != nil {
		vars = s.each // the report is not blamed for what is wrong with the condition
	}
	if r.report, err = parseTemplate(l, d.Report, vars); err != nil {
		faults = append(faults, Fault{"report", err.Span, err.Message})
	}
	if d.Suggestion != "" {
		if r.suggestion, err = parseTemplate(l, d.Suggestion, vars); err != nil {
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

// eval evaluates the condition: whether to report, and what, if it is a list. A rule
// that cannot be evaluated is stopped: ok is false.
func (r *rule) eval(p *lint.Pass, t *taskState) (reports bool, list []any, ok bool) {
	v, err := t.frame.Run(r.when)
	if err != nil {
		stop(p, err)
		return false, nil, false
	}
	if r.lists {
		list = expression.List(v)
		return len(list) > 0, list, true
	}
	reports, _ = v.(bool)
	return reports, nil, true
}

func stop(p *lint.Pass, err error) {
	reason := err.Error()
	if f, ok := errors.AsType[*expression.Failure](err); ok {
		reason = f.Reason
	}
	p.Stop(reason)
}

// diagnostic returns what the rule says; false if that cannot be evaluated.
func (r *rule) diagnostic(p *lint.Pass, t *taskState) (d lint.Diagnostic, ok bool) {
	var err error
	if d.Message, d.Quoted, err = r.report.render(&t.frame); err != nil {
		stop(p, err)
		return d, false
	}
	if r.suggestion != nil {
		var quoted []string
		if d.Suggestion, quoted, err = r.suggestion.render(&t.frame); err != nil {
			stop(p, err)
			return d, false
		}
		d.Quoted = append(d.Quoted, quoted...)
	}
	return d, true
}

func checkMessages(r *rule) lint.Check {
	return lint.MessageCheck(func(p *lint.MessagePass) {
		t := stateOf(&p.Pass)
		t.showMessage(p.Message, p.Thread != nil)
		t.frame.First = p.Message
		if reports, _, _ := r.eval(&p.Pass, t); !reports {
			return
		}
		if d, ok := r.diagnostic(&p.Pass, t); ok {
			d.At = r.at.inMessage(p.Message)
			p.Report(d)
		}
	})
}

func checkDeltas(r *rule) lint.Check {
	return lint.DeltaCheck(func(p *lint.DeltaPass) {
		t := stateOf(&p.Pass)
		t.showMessage(p.Message, p.Thread != nil)
		t.frame.First, t.frame.Second = t.delta(p.Message, p.Delta), p.Message
		if reports, _, _ := r.eval(&p.Pass, t); !reports {
			return
		}
		if d, ok := r.diagnostic(&p.Pass, t); ok {
			d.At = r.at.inDelta(p.Delta)
			if r.at.word == "field" {
				d.Field = r.at.name
			}
			p.Report(d)
		}
	})
}

func checkThread(r *rule) lint.Check {
	return lint.ThreadCheck(func(p *lint.ThreadPass) {
		if !p.Complete || len(p.Thread.Messages) == 0 {
			return // whole threads only (decisions.md 17)
		}
		t := stateOf(&p.Pass)
		t.showThread(p)
		t.frame.First, t.frame.Second = t.thread, nil
		reports, list, _ := r.eval(&p.Pass, t)
		if !reports {
			return
		}
		if !r.lists {
			at := p.Thread.Messages[0]
			if r.at.word == "last" {
				at = p.Thread.Messages[len(p.Thread.Messages)-1]
			}
			list = []any{at}
		}
		for _, v := range list {
			m, ok := v.(msg)
			if !ok {
				continue
			}
			t.frame.Second = m
			d, ok := r.diagnostic(&p.Pass, t)
			if !ok {
				return
			}
			d.At, d.In = m.SubjectPlace(), m
			p.Report(d)
		}
	})
}

func checkArtifact(r *rule) lint.Check {
	return lint.ArtifactCheck(func(p *lint.ArtifactPass) {
		t := stateOf(&p.Pass)
		t.showArtifact(p)
		t.frame.First, t.frame.Second = p.Artifact, nil
		reports, list, _ := r.eval(&p.Pass, t)
		if !reports {
			return
		}
		if !r.lists {
			if d, ok := r.diagnostic(&p.Pass, t); ok {
				d.At = r.at.inArtifact(p.Artifact)
				p.Report(d)
			}
			return
		}
		for _, v := range list {
			t.frame.Second = v
			if it, ok := v.(*item); ok && !r.reportItem(p, t, it) {
				return
			}
		}
	})
}

// reportItem reports an item; false if the rule was stopped.
func (r *rule) reportItem(p *lint.ArtifactPass, t *taskState, it *item) bool {
	d, ok := r.diagnostic(&p.Pass, t)
	if !ok {
		return false
	}
	d.At, d.Item = p.Artifact.Text.Place(r.at.inItem(it)), it.ID.String()
	if r.at.word == "field" {
		d.Field = r.at.name
	}
	p.Report(d)
	return true
}

func checkItems(r *rule) lint.Check {
	return lint.ArtifactCheck(func(p *lint.ArtifactPass) {
		t := stateOf(&p.Pass)
		t.showArtifact(p)
		t.frame.First = p.Artifact
		for _, v := range t.items(p.Artifact) {
			t.frame.Second = v
			reports, _, ok := r.eval(&p.Pass, t)
			if !ok || reports && !r.reportItem(p, t, v.(*item)) {
				return
			}
		}
	})
}

func checkWorkspace(r *rule) lint.Check {
	return lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
		t := stateOf(&p.Pass)
		if t.sessions == nil || t.sessions.of != p.Workspace {
			t.sessions = newSessions(p.Workspace)
		}
		all := t.sessions
		t.frame.Begin(baseSteps + stepsPerElement*all.size)
		t.frame.First, t.frame.Second = all, nil
		reports, list, _ := r.eval(&p.Pass, t)
		if !reports {
			return
		}
		if !r.lists {
			list = all.list[:min(1, len(all.list))]
		}
		for _, v := range list {
			s, ok := v.(*sessionLists)
			if !ok {
				continue
			}
			t.frame.Second = s
			d, ok := r.diagnostic(&p.Pass, t)
			if !ok {
				return
			}
			d.Path, d.Thread = s.Path, s.ID
			p.Report(d)
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
