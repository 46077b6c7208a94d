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
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
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

// Fault is what is wrong with a definition, or one of its expressions.
type Fault struct {
	Key     string      // the key whose value is wrong; "" for an expression alone
	Span    source.Span // in the value; all of it if empty
	Message string
}

// fault returns what is wrong with a whole expression, or with a value and its quotes.
func fault(expression, message string) *Fault {
	return &Fault{Span: source.Span{End: len(expression)}, Message: message}
}

// ID is the form of the ids of custom rules, which is that of most ids of the
// catalogue.
var ID = text.Pattern(`^[A-Z]{2,5}-[0-9]{3}$`)

// scope is what rules of a scope see, and where they report.
type scope struct {
	name string // as lint.Scope
	vars []variable
	// each, if given, is an element of the list that the condition may be; the report sees it, too.
	each   variable
	places []string
	keys   []string // what else `at` may name
	check  func(r *rule) lint.Check
}

// scopes are all scopes. Their places are the words of `at`; the first is where a rule
// reports that says nothing. A word with a colon takes a name.
var scopes = []scope{
	{
		name: "message", vars: []variable{{"message", noMessage}},
		places: []string{"subject", "body", "from", "thread", "section:NAME", "field:NAME"}, check: checkMessages,
	},
	{
		name: "delta", vars: []variable{{"delta", &Delta{}}, {"message", noMessage}},
		places: []string{"delta", "operation", "section", "target_id", "rationale", "payload"}, check: checkDeltas,
		keys: slices.Concat(itemKeys, []string{"reason"}), // reason is of a KILL
	},
	{
		name: "thread", vars: []variable{{"thread", noThread}}, each: variable{"message", &Envelope{}},
		places: []string{"first", "last"}, check: checkThread,
	},
	{
		name: "artifact", vars: []variable{{"artifact", noArtifact}}, each: variable{"item", &Item{}},
		places: []string{"start"}, keys: delta.SectionIDs, check: checkArtifact,
	},
	{
		name: "item", vars: []variable{{"artifact", noArtifact}, {"item", &Item{}}},
		places: []string{"heading"}, keys: itemKeys, check: checkArtifact,
	},
	{
		name: "workspace", vars: []variable{{"workspace", &Workspace{}}}, each: variable{"session", &Session{}},
		places: []string{"path"}, check: checkWorkspace,
	},
}

// rule is a compiled definition.
type rule struct {
	scope      *scope
	when       *program
	report     template
	suggestion template // nil if there is none
	at         place
}

// Compile makes a rule of a definition that has the form of its tags. It returns all faults
// that it finds.
func Compile(d *Definition) (*lint.Rule, []Fault) {
	var faults []Fault
	add := func(key string, f *Fault) {
		if f != nil {
			faults = append(faults, Fault{key, f.Span, f.Message})
		}
	}
	if !lint.IsRuleName(d.Name) {
		add("name", fault("", "invalid name "+text.Quote(d.Name)+"; expected lower-case words joined by hyphens, such as test-names-budget"))
	}
	severity, _ := lint.ParseSeverity(cmp.Or(d.Severity, "warning"))
	s := &scopes[slices.IndexFunc(scopes, func(s scope) bool { return s.name == d.Scope })]
	r := &rule{scope: s}
	var bad *Fault
	r.at, bad = s.parsePlace(d.At)
	add("at", bad)
	in := s.environment()
	r.when, bad = compileExpression(d.When, in)
	add("when", bad)
	switch isList := s.each.object != nil && (bad != nil || r.when.elem == reflect.TypeOf(s.each.object)); {
	case isList:
		in = s.environment(s.each) // also if the condition is wrong: the report is not blamed for that
	case bad != nil || r.when.result.Kind() == reflect.Bool:
	case s.each.object != nil:
		add("when", fault(d.When, "expected a condition, or a list of "+s.each.name+"s"))
	default:
		add("when", fault(d.When, "expected a condition"))
	}
	r.report, bad = parseTemplate(d.Report, in)
	add("report", bad)
	if d.Suggestion != "" {
		r.suggestion, bad = parseTemplate(d.Suggestion, in)
		add("suggestion", bad)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	summary, help := r.summarize(d)
	return &lint.Rule{
		ID: d.ID, Name: d.Name, Severity: severity, About: lint.Scope(s.name), SpecRef: "custom rules", Summary: summary, Help: help,
		Check: s.check(r),
	}, nil
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
	if r.suggestion != nil {
		help = text.OneLine(r.suggestion.outline())
	}
	return text.Shorten(summary, maxShown), text.Shorten(help, maxShown)
}

// apply reports what the condition says: the whole if it is true, or each element of the list
// that it is. A rule that cannot be evaluated is stopped, and apply returns false.
func apply[E interface{ absent() bool }](r *rule, p *lint.Pass, whole E, report func(E, lint.Diagnostic)) bool {
	t := taskOf(p)
	t.err = nil
	v := t.evaluate(r.when)
	say := func(e E) {
		var d lint.Diagnostic
		d.Message, d.Suggestion = t.render(r.report, &d.Quoted), t.render(r.suggestion, &d.Quoted)
		if strings.TrimSpace(d.Message) == "" {
			d.Message = p.Rule.Name // a report is not empty
		}
		if t.err == nil {
			report(e, d)
		}
	}
	if v == true {
		say(whole)
	}
	for _, e := range elements[E](v) {
		if !e.absent() {
			t.env[r.scope.each.name] = e
			say(e)
		}
	}
	if t.err != nil {
		p.Stop(t.err.Error())
	}
	return t.err == nil
}

func checkMessages(r *rule) lint.Check {
	return lint.MessageCheck(func(p *lint.MessagePass) {
		m := taskOf(&p.Pass).setMessage(p.Message, p.Thread != nil)
		apply(r, &p.Pass, m, func(_ *Message, d lint.Diagnostic) {
			d.At = r.at.inMessage(p.Message)
			p.Report(d)
		})
	})
}

func checkDeltas(r *rule) lint.Check {
	return lint.DeltaCheck(func(p *lint.DeltaPass) {
		t := taskOf(&p.Pass)
		m := t.setMessage(p.Message, p.Thread != nil)
		t.env["delta"] = deltaOf(m, p.Delta)
		apply(r, &p.Pass, m, func(_ *Message, d lint.Diagnostic) {
			d.At, d.Field = r.at.inDelta(p.Delta), r.at.name
			p.Report(d)
		})
	})
}

func checkThread(r *rule) lint.Check {
	return lint.ThreadCheck(func(p *lint.ThreadPass) {
		if !p.Thread.Complete || len(p.Thread.Messages) == 0 {
			return // whole threads only (decisions.md 17)
		}
		messages := taskOf(&p.Pass).setThread(p).Messages
		whole := messages[0]
		if r.at.word == "last" {
			whole = messages[len(messages)-1]
		}
		apply(r, &p.Pass, whole, func(m *Envelope, d lint.Diagnostic) {
			d.At, d.In = m.of.SubjectPlace(), m.of
			p.Report(d)
		})
	})
}

// checkArtifact is of the scopes artifact and item.
func checkArtifact(r *rule) lint.Check {
	return lint.ArtifactCheck(func(p *lint.ArtifactPass) {
		report := func(it *Item, d lint.Diagnostic) {
			if it == nil {
				d.At = r.at.inArtifact(p.Artifact)
			} else {
				d.At, d.Item, d.Field = p.Artifact.Text.Place(r.at.inItem(it.of)), it.ID, r.at.name
			}
			p.Report(d)
		}
		t := taskOf(&p.Pass)
		a := t.setArtifact(p)
		if r.scope.name == "artifact" {
			apply(r, &p.Pass, nil, report)
			return
		}
		for _, it := range a.Items {
			if t.env["item"] = it; !apply(r, &p.Pass, it, report) {
				return
			}
		}
	})
}

func checkWorkspace(r *rule) lint.Check {
	return lint.WorkspaceCheck(func(p *lint.WorkspacePass) {
		sessions := taskOf(&p.Pass).setWorkspace(p.Workspace).Sessions
		if len(sessions) == 0 {
			return
		}
		apply(r, &p.Pass, sessions[0], func(s *Session, d lint.Diagnostic) {
			d.Path, d.Thread = s.Path, s.ID
			p.Report(d)
		})
	})
}

// BadID says why an id cannot be one of a custom rule: it has another form, or its letters are those of
// the catalogue. It is "" if it can.
func BadID(id string, others lint.Catalogue) string {
	if !ID().MatchString(id) {
		return "invalid id " + text.Quote(id) + "; expected two to five upper-case letters, a hyphen and three digits, such as GRP-001"
	}
	family, _, _ := strings.Cut(id, "-")
	if family == "ALL" {
		return "ALL means all rules; take letters of your own, such as GRP-001"
	}
	if slices.ContainsFunc(others, func(o *lint.Rule) bool { return o.Protocol && o.Family() == family }) {
		return fmt.Sprintf("the ids %s-… are those of the catalogue; take letters of your own, such as GRP-001", family)
	}
	return ""
}

// Collides says what ids or names of rules collide with those of others; "" if none do.
func Collides(r *Definition, others lint.Catalogue) (key, message string) {
	if i := slices.IndexFunc(others, func(o *lint.Rule) bool { return o.ID == r.ID }); i >= 0 {
		return "id", "another rule has the id " + r.ID
	}
	if message := BadID(r.ID, others); message != "" {
		return "id", message
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

// place is where a rule reports: a word, which may have a name after a colon, or field and the
// name of one.
type place struct{ word, name string }

// parsePlace reads the value of `at`.
func (s *scope) parsePlace(at string) (place, *Fault) {
	known := s.places
	if at == "" {
		return place{word: known[0]}, nil
	}
	word, name, named := strings.Cut(at, ":")
	for _, k := range known {
		want, _, takesName := strings.Cut(k, ":")
		if want == word && takesName == named && (!named || strings.TrimSpace(name) != "") {
			return place{word, strings.TrimSpace(name)}, nil
		}
	}
	if slices.Contains(s.keys, at) {
		return place{"field", at}, nil
	}
	expected := "expected " + text.Or(known)
	if best := text.Nearest(at, slices.Concat(known, s.keys)); best != "" {
		expected = "did you mean " + text.Quote(best) + "?"
	} else if len(s.keys) > 0 {
		expected += ", or a key such as " + s.keys[0]
	}
	return place{}, fault("", "unknown place "+text.Quote(at)+"; "+expected)
}

// itemKeys are the keys of the fields of items.
var itemKeys = func() (keys []string) {
	for _, section := range brenner.Sections {
		keys = append(keys, section.Keys()...)
	}
	return keys
}()

// inMessage returns a place in a message; what is not there is at its subject.
func (at place) inMessage(m *session.Message) source.Place {
	var found source.Place
	switch at.word {
	case "body":
		if m.Body != nil && m.Body.Len() > 0 {
			found = m.Body.Place(m.Body.Line(1))
		}
	case "from":
		found = m.From.WholePlace()
	case "thread":
		found = m.Thread.WholePlace()
	case "section":
		if s := m.Section(at.name); s != nil {
			found = m.InBody(s.Heading)
		}
	case "field":
		if f := m.Field(at.name); f != nil {
			found = m.InBody(f.Value)
			if f.Value.Empty() {
				found = m.InBody(f.Label)
			}
		}
	}
	if found.Known() {
		return found
	}
	return m.SubjectPlace()
}

// inDelta returns a place in a delta; what is not there is at its opening brace.
func (at place) inDelta(d *delta.Delta) source.Place {
	switch at.word {
	case "delta":
		return d.ObjectStart()
	case "field":
		return d.Pos(d.Payload.Get(at.name))
	}
	return d.Pos(d.Root.Get(at.word))
}

// inItem returns a place in an item of an artifact; what is not there is at its heading.
func (at place) inItem(it *artifact.Item) source.Span {
	if at.word == "field" {
		if f := it.Field(at.name); f != nil && !f.Value.Empty() {
			return f.Value
		} else if f != nil && !f.Label.Empty() {
			return f.Label
		}
		if at.name == "name" && !it.NameSpan.Empty() {
			return it.NameSpan
		}
	}
	return it.Heading
}

// inArtifact returns a place in an artifact: the heading of a section, or the first line.
func (at place) inArtifact(a *artifact.Artifact) source.Place {
	if at.word == "field" {
		if s := a.Section(brenner.SectionByID(at.name)); s != nil {
			return a.Text.Place(s.Heading)
		}
	}
	if v := a.Meta.Get("session_id"); v != nil {
		return a.Text.Place(v.Span)
	}
	return a.Text.Place(a.Text.Line(a.Text.LineAt(a.Span.Start)))
}
