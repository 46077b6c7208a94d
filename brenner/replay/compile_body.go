package replay

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
)

// writer writes the body of a message.
type writer struct {
	*Compiled
	b strings.Builder
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// body returns the body of the message, with every section of the extended schema.
func (c *Compiled) body(dir, embedded string) string {
	w := &writer{Compiled: c}
	w.printf("# Compiled Artifact v%d\n\n", c.Version)
	w.metadata()
	w.summary()
	w.contributors()
	w.changes()
	w.statistics()
	w.validation()
	w.printf("## Persistence\n- **Artifact Path**: `%s/%s.md`\n- **Status**: Draft\n\n", dir, text.OneLine(c.Thread))
	w.printf("%s%s", fullArtifact, embedded)
	return w.b.String()
}

func (w *writer) metadata() {
	w.printf("## Metadata\n- **Thread ID**: %s\n- **Version**: v%d\n", text.OneLine(w.Thread), w.Version)
	if w.Version > 1 {
		w.printf("- **Previous Version**: v%d\n", w.Version-1)
	}
	w.printf("- **Compiled At**: %s\n- **Compiler**: %s\n- **State Hash**: %s\n\n", brenner.FormatTime(w.At), text.Markdown(w.Compiler), w.State.Hash())
}

// summary says in a few sentences what the version adds.
func (w *writer) summary() {
	applied := w.Window.Applied
	since := ""
	if w.Version > 1 {
		since = fmt.Sprintf(" since v%d", w.Version-1)
	}
	w.printf("## Summary\nMerges %s of %s%s: ", text.Count(applied, "delta", "deltas"), text.Count(len(w.Contributors), "agent", "agents"), since)
	if counts := w.counts(); len(counts) > 0 {
		w.printf("%s.", strings.Join(counts, ", "))
	} else {
		w.printf("no item changed.")
	}
	rejected := len(w.Window.Rejected)
	if rejected > 0 {
		w.printf(" %s rejected.", text.Count(rejected, "delta was", "deltas were"))
	}
	if rest := len(w.Window.Deltas) - applied - rejected; rest > 0 {
		w.printf(" %s nothing.", text.Count(rest, "delta changes", "deltas change"))
	}
	if n := len(w.Conflicts) + len(w.Unresolved); n > 0 {
		w.printf(" %s left at a CONFLICT marker.", text.Count(n, "field is", "fields are"))
	}
	for _, s := range w.Shortages {
		w.printf(" %s.", shortage(s.Section, s.Active))
	}
	w.printf("\n\n")
}

// shortage returns a sentence that a section has too few active items.
func shortage(sec brenner.Section, active int) string {
	return fmt.Sprintf("%s has %s; expected at least %d", sec.Title(), text.Count(active, "active "+sec.Singular(), "active "+sec.Plural()), sec.Minimum())
}

func (w *writer) contributors() {
	w.printf("## Contributors\n| Agent | Delta Count | Items Added/Modified |\n|-------|-------------|---------------------|\n")
	for _, c := range w.Contributors {
		var items []string
		for _, id := range c.Items {
			items = append(items, id.String())
			if kill := w.Window.SetBy(id, "killed"); kill != nil && kill.Agent == c.Agent {
				items[len(items)-1] += " (killed)"
			}
		}
		w.printf("| %s | %d | %s |\n", agentName(c.Agent), c.Deltas, strings.Join(items, ", "))
	}
	w.printf("\n")
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

// statistics counts the active items, and names how many more are killed.
func (w *writer) statistics() {
	w.printf("## Statistics\n")
	for _, sec := range brenner.Sections {
		label := sec.Plural()
		if sec == brenner.ResearchThread {
			label = sec.Title()
		}
		active := w.State.Active(sec)
		w.printf("- %s: %d", strings.ToUpper(label[:1])+label[1:], active)
		if killed := w.State.Len(sec) - active; killed > 0 {
			w.printf(" (and %d killed)", killed)
		}
		w.printf("\n")
	}
	w.printf("\n")
}

// maxFindings is how many findings of the artifact the message lists.
const maxFindings = 20

func (w *writer) validation() {
	v := &w.Validation
	schema, third := "PASS", "MISSING"
	if v.Errors > 0 {
		schema = "FAIL"
	}
	if w.State.ActiveMarked(brenner.HypothesisSlate) > 0 {
		third = "Present"
	}
	w.printf("## Validation Status\n- Schema: %s\n- Linter: %s, %s\n- Third Alternative: %s\n\n", schema,
		text.Count(v.Warnings, "warning", "warnings"), text.Count(v.Errors, "error", "errors"), third)
	if len(v.Findings) == 0 {
		return
	}
	w.printf("### Findings\n")
	for _, f := range v.Findings[:min(len(v.Findings), maxFindings)] {
		w.printf("- %s %s: %s\n", f.Severity, f.Rule, text.Markdown(f.Message))
	}
	if rest := len(v.Findings) - maxFindings; rest > 0 {
		w.printf("- and %d more\n", rest)
	}
	w.printf("\n")
}
