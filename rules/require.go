package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// The constructors that most rules on artifacts use: a required field, a number of
// items, an item of a kind, a word to begin with.

// fieldReq is what a rule requires of a field.
type fieldReq struct {
	section brenner.Section
	key     string
	// want says what belongs in the field: "one sentence that can be refuted".
	want string
	// alternatives are fields that may be used instead.
	alternatives []string
	// filter selects the items that need the field.
	filter func(*lint.ArtifactPass, *artifact.Item) bool
}

// field returns the rule that each active item of a section has a field, which of an
// error must not be empty.
func field(id, name string, severity lint.Severity, n fieldReq, help string) *lint.Rule {
	has := "has"
	if severity == lint.Error {
		has = "has a non-empty"
	}
	return &lint.Rule{ID: id, Name: name, Severity: severity, SpecRef: "artifact_format#" + n.section.Title(),
		Summary: fmt.Sprintf("Each active %s %s `%s`.", n.section.Singular(), has, n.section.Field(n.key).Label),
		Help:    help, Check: requireField(n)}
}

// requireField returns a check that each active item of a section has a nonempty field.
func requireField(n fieldReq) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		for _, it := range active(p.Artifact, n.section) {
			if n.filter == nil || n.filter(p, it) {
				n.check(p, it)
			}
		}
	}
}

// check checks one item.
func (n fieldReq) check(p *lint.ArtifactPass, it *artifact.Item) {
	f := it.Field(n.key)
	if f != nil && filled(f) {
		return
	}
	for _, key := range n.alternatives {
		if alt := it.Field(key); alt != nil && filled(alt) {
			return
		}
	}
	if slices.ContainsFunc(append([]string{n.key}, n.alternatives...), func(key string) bool { return lost(p, it, key) }) {
		return
	}
	a := p.Artifact
	name := fieldName(a, n.section, n.key)
	if f == nil && (a.GarbledIn(it.Span, name) || a.Text.Garbled && slices.ContainsFunc(it.Fields, func(f *artifact.Field) bool { return isGarbled(f.Key) })) {
		return // it may be this one (decisions.md 90)
	}
	if f == nil {
		d := n.suggest(a, it)
		d.Message = fmt.Sprintf("%s lacks %s (%s)", itemName(it), name, n.want)
		itemReport(p, it, n.key, it.Heading, d)
		return
	}
	if f.Node != nil && !fits(f.Node, f.Known) && !f.Node.Absent() {
		itemReport(p, it, n.key, f.Value, lint.Diagnostic{
			Message: fmt.Sprintf("%s of %s is %s; expected %s", name, itemName(it), f.Node.Kind, n.want),
		})
		return
	}
	itemReport(p, it, n.key, line(f), lint.Diagnostic{
		Message: fmt.Sprintf("%s of %s is empty; expected %s", name, itemName(it), n.want),
	})
}

// isGarbled reports whether a name has a byte that was read as U+FFFD: nobody knows what was
// written.
func isGarbled(name string) bool { return strings.ContainsRune(name, utf8.RuneError) }

// suggest returns the fix for a missing field: rename the misnamed field, mark the line
// that is not a field line, else add one.
func (n fieldReq) suggest(a *artifact.Artifact, it *artifact.Item) lint.Diagnostic {
	name, missing := fieldName(a, n.section, n.key), n.missing(a, it)
	for _, f := range it.Fields {
		if f.Known == nil && filled(f) && n.meant(name, missing, f) {
			return lint.Diagnostic{
				Suggestion: fmt.Sprintf("rename %s to %s", wordOf(a, f), name),
				Related:    []lint.RelatedLocation{{At: a.Text.Place(f.Label), Message: "probably meant as " + name}},
			}
		}
	}
	for _, l := range it.PlainLabels {
		if l.Field.Key == n.key {
			return lint.Diagnostic{
				Suggestion: fmt.Sprintf("replace `%s` with `**%s**:`", a.Text.Slice(l.Span), name),
				Related:    []lint.RelatedLocation{{At: a.Text.Place(l.Span), Message: "probably meant as " + name}},
			}
		}
	}
	return lint.Diagnostic{Suggestion: addition(a, n.section, n.key)}
}

// missing returns the names of the fields that an item lacks.
func (n fieldReq) missing(a *artifact.Artifact, it *artifact.Item) (names []string) {
	for i := range n.section.Fields() {
		known := &n.section.Fields()[i]
		if it.Field(known.Key) == nil && (a.IsJSON() || known.Label != "") {
			names = append(names, fieldName(a, n.section, known.Key))
		}
	}
	return names
}

// meant reports whether an unknown field most likely is the missing one of that name.
func (n fieldReq) meant(name string, missing []string, f *artifact.Field) bool {
	if meant := n.section.Suggest(f.Key); meant != nil {
		return meant.Key == n.key
	}
	return text.Nearest(f.Key, missing) == name
}

// addition suggests to add a field as the artifact's form writes it.
func addition(a *artifact.Artifact, kind brenner.Section, key string) string {
	if a.IsJSON() {
		return "add " + strconv.Quote(key)
	}
	return fmt.Sprintf("add a line `**%s**: …`", fieldName(a, kind, key))
}

// wordOf returns a field's name as written.
func wordOf(a *artifact.Artifact, f *artifact.Field) string { return a.Text.Slice(f.Label) }

// line returns where an empty field is: its label.
func line(f *artifact.Field) source.Span {
	if f.Label.Empty() {
		return f.Value
	}
	return f.Label
}

// filled reports whether a field has a nonblank value of its kind.
func filled(f *artifact.Field) bool {
	if f.Node != nil && !fits(f.Node, f.Known) {
		return false
	}
	if f.Known != nil {
		switch f.Known.Kind {
		case brenner.ListField, brenner.OutcomesField, brenner.ScoreField:
			return anyFilled(f.Entries) || f.Node == nil && f.Text != "" && len(f.Entries) == 0
		}
	}
	return says(f.Text)
}

// says reports whether a text has content: it is neither blank nor the placeholder of a
// suggestion.
func says(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !brenner.IsPlaceholder(text)
}

func anyFilled(entries []artifact.Entry) bool {
	for _, e := range entries {
		if says(e.Text) {
			return true
		}
	}
	return false
}

// fits reports whether a JSON value has the kind of its field.
func fits(n *jsontree.Node, known *brenner.Field) bool {
	if known == nil {
		return !n.Absent()
	}
	switch known.Kind {
	case brenner.ListField:
		return n.Is(jsontree.Array)
	case brenner.OutcomesField, brenner.ScoreField, brenner.RecordField:
		return n.Is(jsontree.Object)
	case brenner.TextField:
		return n.Is(jsontree.String)
	}
	return true
}

// atLeast returns a check that a section has its minimum of active items.
func atLeast(kind brenner.Section) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		a := p.Artifact
		s := a.Section(kind)
		if s == nil || unreadable(s) || kind == brenner.PredictionsTable && !a.IsJSON() && !usableTable(a, s) {
			return // ES-001 or EP-002 reports it
		}
		n := len(active(a, kind))
		// An item with a bad id exists: its id is the fault.
		if missing := kind.Minimum() - n - strays(a, kind); missing <= 0 || omitsActive(p, kind, missing) {
			return
		}
		d := lint.Diagnostic{At: heading(a, s), Message: shortage(a, kind, n)}
		if n == 0 {
			if loose := looseItem(a, s); loose != "" {
				d.Message += fmt.Sprintf(" (%s is not in a heading)", loose)
				d.Suggestion = fmt.Sprintf("start each item with a heading, `### %s: name`, and put its fields below", loose)
			}
		}
		p.Report(d)
	}
}

// shortage describes a section with too few or too many items.
func shortage(a *artifact.Artifact, kind brenner.Section, n int) string {
	expected := "at least " + strconv.Itoa(kind.Minimum())
	if kind.Maximum() > 0 {
		expected = fmt.Sprintf("%d to %d", kind.Minimum(), kind.Maximum())
	}
	killed := ""
	if k := len(a.ItemsOf(kind)) - n; k > 0 {
		killed = fmt.Sprintf(" (and %d killed)", k)
	}
	return fmt.Sprintf("%s has %s%s; expected %s", sectionName(a, kind), quantity(n, kind), killed, expected)
}

// beginsWith returns a check that a field begins with one of its section's values:
// `Status: verified (see …)`. Unless required it may be absent.
func beginsWith(kind brenner.Section, key string, required bool) lint.ArtifactCheck {
	values := kind.Field(key).Values
	return func(p *lint.ArtifactPass) {
		name := fieldName(p.Artifact, kind, key)
		for _, it := range active(p.Artifact, kind) {
			f := it.Field(key)
			switch {
			case lost(p, it, key):
			case f == nil || f.Node.Is(jsontree.Null):
				if required {
					d := fieldReq{section: kind, key: key}.suggest(p.Artifact, it)
					d.Message = fmt.Sprintf("%s lacks %s (%s)", it.ID, name, text.Or(values))
					itemReport(p, it, key, it.Heading, d)
				}
			case strings.TrimSpace(f.Text) == "":
				itemReport(p, it, key, line(f), lint.Diagnostic{
					Message: fmt.Sprintf("%s of %s is empty; expected %s", name, it.ID, text.Or(values)),
				})
			case !beginsWithWord(f.Text, values) && !state.IsConflict(f.Text):
				itemReport(p, it, key, f.Value, lint.Diagnostic{
					Message:    fmt.Sprintf("%s of %s is %s; expected it to begin with %s", name, it.ID, text.Quote(f.Text), text.Or(values)),
					Suggestion: didYouMean(firstWord(f.Text), values),
				})
			}
		}
	}
}

// firstWord returns a text up to its first blank.
func firstWord(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, " \t\n("); i >= 0 {
		text = text[:i]
	}
	return text
}

// beginsWithWord reports whether a text begins with one of the words, in any case,
// followed by the end or by something other than a letter.
func beginsWithWord(text string, words []string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`", r) })
	for _, w := range words {
		if brenner.HasPrefixFold(text, w) {
			r, _ := utf8.DecodeRuneInString(text[len(w):])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
				return true
			}
		}
	}
	return false
}

// sameText reports whether two texts are equal, ignoring case.
func sameText(a, b string) bool {
	return strings.EqualFold(brenner.FoldSpace(a), brenner.FoldSpace(b))
}
