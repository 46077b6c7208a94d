package replay

import (
	_ "embed" // for compiledTemplate
	"fmt"
	"strings"
	"sync"
	"text/template"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
)

// compiledTemplate is the body of a message up to the artifact, with every section of the extended
// schema (artifact_publish_spec).
//
//go:embed compiled.md.tmpl
var compiledTemplate string

var bodyTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("COMPILED").Funcs(template.FuncMap{
		"agent": agentName, "agents": agentNames, "capital": capital, "count": text.Count, "field": fieldName, "kept": keptText,
		"line": text.OneLine, "markdown": text.Markdown, "sections": func() []brenner.Section { return brenner.Sections[:] },
		"time": brenner.FormatTime, "value": valueText, "where": where,
	}).Parse(compiledTemplate))
})

// body is what the template shows.
type body struct {
	*Compiled
	Dir string // of persisted artifacts
}

// write returns the body up to the artifact.
func (b *body) write() string {
	var out strings.Builder
	if err := bodyTemplate().Execute(&out, b); err != nil {
		panic(err) // the template is wrong
	}
	return out.String()
}

// Previous returns the number of the version before, 0 if there is none.
func (b *body) Previous() int { return b.Version - 1 }

// Counted counts the items that changed, "" if none has.
func (b *body) Counted() string {
	_, counted := b.changed()
	return strings.Join(counted, ", ")
}

// Unchanging returns how many deltas were merged and changed nothing.
func (b *body) Unchanging() int {
	return len(b.Window.Deltas) - b.Window.Applied - len(b.Window.Rejected)
}

// Touched names the items that a contributor changed.
func (b *body) Touched(c Contributor) string {
	var items []string
	for _, id := range c.Items {
		items = append(items, id.String())
		if kill := b.Window.SetBy(id, "killed"); kill != nil && kill.Agent == c.Agent {
			items[len(items)-1] += " (killed)"
		}
	}
	return strings.Join(items, ", ")
}

// Listed lists what changed item by item.
func (b *body) Listed() string { return diff.Markdown(b.Changes, b.by) }

// by says who made a change: to an item when it was added or killed, to a field of a new
// item when another delta has set it since.
func (b *body) by(c *diff.Change, f *diff.FieldChange) string {
	if f != nil {
		d := b.Window.SetBy(c.ID, f.Key)
		if c.Before == nil && d == b.Window.SetBy(c.ID, "") || c.After == nil {
			return ""
		}
		h, _ := brenner.ParseItemID(f.Part)
		if kill := b.Window.SetBy(h, "killed"); kill != nil && f.Key == "predictions" && f.After == brenner.NotApplicable {
			return agentName(kill.Agent) + " killed " + h.String()
		}
		return byDelta(d)
	}
	switch c.Kind {
	case diff.ItemAdded:
		return byDelta(b.Window.SetBy(c.ID, ""))
	case diff.ItemKilled:
		return byDelta(b.Window.SetBy(c.ID, "killed"))
	}
	return ""
}

// Label names a section in the statistics.
func (b *body) Label(sec brenner.Section) string {
	if sec == brenner.ResearchThread {
		return sec.Title()
	}
	return capital(sec.Plural())
}

// Killed returns how many items of a section are killed.
func (b *body) Killed(sec brenner.Section) int { return b.State.Len(sec) - b.State.Active(sec) }

// HasThird reports whether an active hypothesis is a third alternative.
func (b *body) HasThird() bool { return b.State.HasMarked(brenner.HypothesisSlate) }

// Count counts the findings of a severity.
func (b *body) Count(severity string) (n int) {
	for _, f := range b.Findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// byDelta names the agent and the message of a delta.
func byDelta(d *Delta) string {
	switch {
	case d == nil:
		return ""
	case d.In.ID == "":
		return agentName(d.Agent)
	}
	return fmt.Sprintf("%s, message %s", agentName(d.Agent), text.Markdown(d.In.ID))
}

// where names a delta of a message, or without a number the message, and who sent it.
func where(in *session.Message, delta int, agent string) string {
	name := text.Markdown(nameOf(in))
	if delta > 0 {
		name += fmt.Sprintf(", delta %d", delta)
	}
	return fmt.Sprintf("%s (%s)", name, agentName(agent))
}

// agentName returns the name of an agent in Markdown. A proper name is written
// unchanged, so that programs find it.
func agentName(name string) string {
	switch {
	case session.IsAgentName(name):
		return name
	case strings.TrimSpace(name) == "":
		return "an unknown sender"
	}
	return text.Markdown(name)
}

// agentNames names the agents whose deltas conflict.
func agentNames(c Conflict) string {
	names := rivals(c)
	for i := range names {
		names[i] = agentName(names[i])
	}
	return text.And(names)
}

// keptText says what was published and what the deltas give.
func keptText(f FieldDiff) string {
	published, merged := keptValues(&f.Field)
	return fmt.Sprintf("published as %s, but the deltas give %s", text.Markdown(published), text.Markdown(merged))
}

// fieldName returns the name of a field as people write it.
func fieldName(key string) string { return text.Markdown(strings.ReplaceAll(key, "_", " ")) }

// valueText returns the beginning of a value on one line.
func valueText(v any) string {
	return text.Markdown(text.Shorten(text.OneLine(brenner.OneLine(v)), maxValue))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
