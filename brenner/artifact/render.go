package artifact

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// RenderMeta is the front matter to write. Empty values are left out.
type RenderMeta struct {
	SessionID            string
	CreatedAt, UpdatedAt string
	Version              int
	CompiledAt           string
	CompiledBy           string
	Contributors         []Contributor
	MessageID            string // of the COMPILED in Agent Mail
	Status               string
}

// Contributor is an agent whose deltas were applied. If only Agent is set, it is listed by name.
type Contributor struct {
	Agent, Program, Model, ContributedAt string
}

// Render writes a state as canonical Markdown (artifact_format.md; killed items as in
// artifact_delta_spec, Killed Item Rendering; tests by score, highest first). The result reads
// back to the same state, whatever the texts are: see escape.go. It does not show, and so loses,
// references, fields that the section does not have, fields of predictions other than condition
// and outcomes, who killed a prediction, and flags that are neither set nor in conflict.
func Render(s *brenner.State, meta RenderMeta) []byte {
	r := &renderer{state: s}
	r.frontMatter(meta)
	r.printf("# %s: %s\n", brenner.ArtifactTitle, strings.ReplaceAll(tidy(meta.SessionID), "\n", " "))
	for i, sec := range brenner.Sections {
		r.printf("\n## %d. %s\n", i+1, sec.Title())
		switch sec {
		case brenner.ResearchThread:
			r.researchThread()
		case brenner.PredictionsTable:
			r.predictions()
		default:
			r.items(sec)
		}
	}
	return []byte(r.out.String())
}

type renderer struct {
	state *brenner.State
	out   strings.Builder
	gap   string // the text before each field
}

func (r *renderer) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }

func (r *renderer) frontMatter(m RenderMeta) {
	r.out.WriteString("---\n")
	r.metaLine("", "session_id", m.SessionID)
	r.metaLine("", "created_at", m.CreatedAt)
	r.metaLine("", "updated_at", m.UpdatedAt)
	r.printf("version: %d\n", m.Version)
	r.metaLine("", "compiled_at", m.CompiledAt)
	r.metaLine("", "compiled_by", m.CompiledBy)
	if len(m.Contributors) == 0 {
		r.out.WriteString("contributors: []\n")
	} else {
		r.out.WriteString("contributors:\n")
	}
	for _, c := range m.Contributors {
		if c == (Contributor{Agent: c.Agent}) {
			r.printf("  - %s\n", yamlString(c.Agent))
			continue
		}
		r.printf("  - agent: %s\n", yamlString(c.Agent))
		r.metaLine("    ", "program", c.Program)
		r.metaLine("    ", "model", c.Model)
		r.metaLine("    ", "contributed_at", c.ContributedAt)
	}
	if _, err := strconv.Atoi(m.MessageID); err == nil {
		r.printf("agent_mail_message_id: %s\n", m.MessageID)
	} else {
		r.metaLine("", "agent_mail_message_id", m.MessageID)
	}
	r.metaLine("", "status", m.Status)
	r.out.WriteString("---\n\n")
}

func (r *renderer) metaLine(indent, key, value string) {
	if value != "" {
		r.printf("%s%s: %s\n", indent, key, yamlString(value))
	}
}

// yamlString returns a double-quoted scalar: Go's escapes are YAML's.
func yamlString(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }

// researchThread writes the fields of RT, each as a paragraph. The three required ones
// are written even if they are empty.
func (r *renderer) researchThread() {
	it := &brenner.Item{ID: brenner.ItemID{Section: brenner.ResearchThread}}
	if items := r.state.Items(brenner.ResearchThread); len(items) > 0 {
		it = items[0]
	}
	r.gap = "\n"
	r.fields(it)
	if it.Killed != nil {
		r.line("Killed", "true")
		r.gap = ""
		r.kill(it.Killed, false)
	}
	r.gap = ""
}

// items writes a section of items under headings.
func (r *renderer) items(sec brenner.Section) {
	items := r.state.Items(sec)
	if sec == brenner.AnomalyRegister && len(items) == 0 {
		r.out.WriteString("\nNone registered.\n")
	}
	if sec == brenner.DiscriminativeTests {
		items = slices.Clone(items)
		slices.SortStableFunc(items, func(a, b *brenner.Item) int { return -cmp.Compare(total(a), total(b)) })
	}
	for _, it := range items {
		r.heading(it)
		r.fields(it)
		if it.Killed != nil {
			r.kill(it.Killed, true)
		}
	}
}

func (r *renderer) heading(it *brenner.Item) {
	title := it.ID.String() + ": " + escapeName(brenner.Plain(it.Fields()["name"]))
	title = struckIf(it.Killed != nil, title)
	r.printf("\n### %s", title)
	if score, ok := it.Fields()["score"].(map[string]any); ok && len(score) > 0 && it.ID.Section == brenner.DiscriminativeTests {
		r.printf(" (Score: %s/12)", brenner.Plain(total(it)))
	}
	if it.Killed != nil {
		r.out.WriteString(" " + killedMark)
	}
	r.out.WriteByte('\n')
}

// total returns the sum of a test's score, 0 if it has none.
func total(it *brenner.Item) float64 {
	score, _ := it.Fields()["score"].(map[string]any)
	sum := 0.0
	for _, part := range brenner.ScoreParts {
		if n, ok := brenner.Number(brenner.ScoreWord(brenner.Fold(brenner.Plain(score[part])))).(float64); ok && math.Abs(n) < 1e9 {
			sum += n
		}
	}
	return sum
}

// kill writes who killed an item, when and why.
func (r *renderer) kill(k *brenner.Killing, struck bool) {
	by := oneLine(k.By, nameMarks)
	if k.At.IsZero() {
		if open := strings.LastIndexByte(by, '('); open >= 0 && strings.HasSuffix(brenner.TrimBreak(by), ")") {
			by = by[:open] + `\` + by[open:]
		}
	} else {
		by = strings.TrimLeft(by+" ("+k.At.UTC().Format(time.RFC3339Nano)+")", " ")
	}
	reason := escapeBlock(tidy(k.Reason), struck)
	if struck { // the reader takes all marks away, also where none are needed
		by, reason = escapeStrikes(by), escapeStrikes(reason)
	}
	r.line("Killed by", by)
	r.line("Reason", reason)
}

// line writes `**Label**: value`, or a list below the label.
func (r *renderer) line(label, value string) {
	if value != "" && value[0] != '\n' {
		value = " " + value
	}
	r.printf("%s**%s**:%s\n", r.gap, label, value)
}

// fields writes the fields of an item. A required one is written even if it is empty, so that a
// reader sees what is missing. The values of a killed item are struck through, but not those of
// the research thread: it has no heading that could be, too.
func (r *renderer) fields(it *brenner.Item) {
	sec := it.ID.Section
	struck := it.Killed != nil && sec != brenner.ResearchThread
	for _, f := range sec.Fields() {
		if f.Label == "" {
			continue
		}
		text := fieldText(f, it.Fields()[f.Key], struck)
		shown := text != "" || f.Kind == brenner.TextField && (f.Required && f.Values == nil || sec == brenner.ResearchThread)
		if text == "" && f.Key == "mechanism" && it.Fields()["how_this_could_be_true"] != nil {
			shown = false
		}
		if shown {
			r.line(f.Label, text)
		}
	}
}

// struckIf returns a text struck through, if it is to be, and not empty.
func struckIf(struck bool, text string) string {
	if !struck || text == "" {
		return text
	}
	text = escapeStrikes(text)
	if strings.HasSuffix(text, `\`) {
		text += " " // it would escape the mark
	}
	return strike + text + strike
}

// fieldText returns a value for the line of its label or, each after a line end, the items of the list
// below it: outcomes, and the facts of a run; "" if there is nothing to show.
func fieldText(f *brenner.Field, v any, struck bool) string {
	block := func(v any) string { return struckIf(struck, escapeBlock(tidy(brenner.Plain(v)), struck)) }
	object, isObject := v.(map[string]any)
	if !isObject && (f.Kind == brenner.OutcomesField || f.Kind == brenner.ScoreField) {
		return struckIf(struck, escapeUnpaired(brenner.Plain(v)))
	}
	var out strings.Builder
	add := func(label, text string) {
		if label != "" && text != "" {
			out.WriteString("\n- " + label + ": " + struckIf(struck, text))
		}
	}
	switch f.Kind {
	case brenner.TextField:
		return block(v)
	case brenner.FlagField:
		if brenner.IsTrue(v) {
			return struckIf(struck, "true")
		}
		if text, _ := v.(string); brenner.IsConflict(text) {
			return block(text)
		}
	case brenner.ListField:
		return struckIf(struck, escapeList(listEntries(v), f.Split))
	case brenner.ScoreField:
		var parts []string
		for i, key := range brenner.ScoreParts {
			if text := brenner.ScoreWord(brenner.Fold(brenner.Plain(object[key]))); text != "" {
				parts = append(parts, brenner.ScoreLabels[i]+"="+text)
			}
		}
		return struckIf(struck, strings.Join(parts, ", "))
	case brenner.OutcomesField:
		for _, key := range sortedKeys(object) {
			label := escapeKey(key)
			if struck {
				label = escapeStrikes(label)
			}
			add(label, oneLine(brenner.Plain(object[key]), noMarks))
		}
	case brenner.RecordField:
		if !isObject {
			return block(v)
		}
		for _, l := range recordLines {
			add(l.label, l.text(object[l.key]))
		}
	}
	return out.String()
}

// listEntries returns the texts of a list that are not empty; a single value counts
// as a list of one.
func listEntries(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, entry := range list {
		if text := tidy(brenner.Plain(entry)); text != "" && text != absent {
			out = append(out, text)
		}
	}
	return out
}

// text returns the rendering of a fact of a run, "" if there is none.
func (l recordLine) text(v any) string {
	text := oneLine(brenner.Plain(v), noMarks)
	switch {
	case text == "":
	case l.kind == recordFlag && brenner.IsTrue(v):
		return "yes"
	case l.kind == recordFlag:
		return ""
	case l.kind == recordDuration:
		if ms, ok := brenner.Number(text).(float64); ok {
			return strconv.FormatFloat(ms/1000, 'f', -1, 64) + "s"
		}
	case l.quoted:
		return "`" + text + "`"
	}
	return text
}

// sortedKeys returns the keys of an object, hypotheses by number first.
func sortedKeys(object map[string]any) []string {
	return slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		x, y := leadingID(a), leadingID(b)
		return cmp.Or(int(y.Section)-int(x.Section), x.Compare(y), brenner.CompareKeys(a, b))
	})
}

// predictions writes the predictions table. It has a column for every
// hypothesis, killed ones included, and for every other key of an outcome. What is no object
// of outcomes is in a column without a name.
func (r *renderer) predictions() {
	rows := r.state.Items(brenner.PredictionsTable)
	columns := r.columns(rows)
	named := map[string]bool{}
	for _, c := range columns {
		named[c] = true
	}
	r.out.WriteString("\n| ID | Observation/Condition |")
	for _, c := range columns {
		cell := escapeCell(c)
		meant := meantHypothesis(cell)
		if key, _ := columnKey(cell); key != tidy(c) || meant.Section != 0 && !named[meant.String()] {
			cell = `\` + cell // literally
		}
		r.printf(" %s |", cell)
	}
	r.out.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(columns)) + "\n")
	for _, it := range rows {
		cell := func(v any) string {
			text := escapeCell(brenner.Plain(v))
			if it.Killed != nil {
				text = escapeStrikes(text)
			}
			return text
		}
		r.printf("| %s | %s |", struckIf(it.Killed != nil, it.ID.String()), cell(it.Fields()["condition"]))
		outcomes := outcomesOf(it)
		for _, c := range columns {
			text := cell(outcomes[c])
			if text == "" {
				text = absent
			}
			r.printf(" %s |", text)
		}
		r.out.WriteByte('\n')
	}
}

func (r *renderer) columns(rows []*brenner.Item) []string {
	keys := map[string]any{}
	for _, it := range rows {
		for key, v := range outcomesOf(it) {
			if brenner.Plain(v) != "" {
				keys[key] = true
			}
		}
	}
	var out []string
	for _, h := range r.state.Items(brenner.HypothesisSlate) {
		out = append(out, h.ID.String())
		delete(keys, h.ID.String())
	}
	return append(out, sortedKeys(keys)...)
}

// outcomesOf returns the outcomes of a prediction by the names of their columns.
func outcomesOf(it *brenner.Item) map[string]any {
	v := it.Fields()["predictions"]
	outcomes, ok := v.(map[string]any)
	if !ok {
		return map[string]any{"": v}
	}
	outcomes = maps.Clone(outcomes)
	maps.DeleteFunc(outcomes, func(key string, _ any) bool { return tidy(key) == "" })
	return outcomes
}
