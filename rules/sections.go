package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the seven sections of an artifact and the ids of their items.
var sectionRules = []*lint.Rule{
	{ID: "ES-001", Name: "required-sections", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "All seven sections are present; one finding per missing section.",
		Help:    "add the section; only the Anomaly Register may have no items",
		Check:   lint.ArtifactCheck(checkRequiredSections)},
	{ID: "ES-002", Name: "section-order", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "Sections stand in the canonical order.",
		Help:    "order the sections: Research Thread, Hypothesis Slate, Predictions Table, Discriminative Tests, Assumption Ledger, Anomaly Register, Adversarial Critique",
		Check:   lint.ArtifactCheck(checkSectionOrder)},
	{ID: "ES-003", Name: "item-id", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "Item headings carry well-formed ids of their own section.",
		Help:    "write the heading as ### H1: Name, with the letter of the section",
		Check:   lint.ArtifactCheck(checkItemIDs)},
	{ID: "ES-004", Name: "duplicate-item-id", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No id appears twice in a section.",
		Help:    "give one of the two the next free id",
		Check:   lint.ArtifactCheck(checkDuplicateIDs)},
	{ID: "ES-005", Name: "field-given-twice", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No field of an item is given twice; the finding is at the second.",
		Help:    "keep one of the two values",
		Check:   lint.ArtifactCheck(checkRepeatedFields)},
	{ID: "ES-006", Name: "conflict-marker-lines", Severity: lint.Error, SpecRef: "artifact_format#File",
		Summary: "No line is a conflict marker of a version control system (`<<<<<<<`, `|||||||`, `>>>>>>>`); one finding an artifact, at the first.",
		Help:    "resolve the conflict: keep one version, and remove the lines of the markers",
		Check:   lint.ArtifactCheck(checkConflictLines)},
	{ID: "WS-001", Name: "id-gap", Severity: lint.Warning, SpecRef: "artifact_format#File",
		Summary: "Ids in a section run 1, 2, 3 without a gap.",
		Check:   lint.ArtifactCheck(checkIDGaps)},
}

// start returns where an artifact begins, the place of what it lacks as a whole: its
// title, else its first line; for JSON the opening brace.
func start(a *artifact.Artifact) source.Place {
	switch {
	case a.Root != nil:
		span := a.Root.Span()
		return a.Text.Place(source.Span{Start: span.Start, End: min(span.Start+1, span.End)})
	case a.Doc == nil:
		return firstLine(a)
	}
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind == markdown.Heading && b.Level == 1 && len(b.Parts) > 0 && a.Span.Contains(b.Span) {
			return a.Text.Place(b.Parts[0])
		}
	}
	return firstLine(a)
}

// firstLine returns the place of an artifact's first line.
func firstLine(a *artifact.Artifact) source.Place {
	return a.Text.Place(a.Text.Line(a.Text.LineAt(a.Span.Start)))
}

func checkRequiredSections(p *lint.ArtifactPass) {
	a := p.Artifact
	reportHidden(p)
	var missing []brenner.Section
	for _, kind := range brenner.Sections {
		if s := a.Section(kind); s == nil && p.Reported.Has(replay.SectionOmitted, brenner.ItemID{Section: kind}) {
			continue // MR-011 names its items
		} else if s == nil {
			missing = append(missing, kind)
		} else if unreadable(s) {
			p.Report(lint.Diagnostic{At: a.Text.Place(s.Malformed[0].ID), Message: wrongType(a, s)})
		} else if m := s.Misheaded; m != nil {
			p.Report(lint.Diagnostic{
				At:         a.Text.Place(m.Mark),
				Message:    misheaded(kind.Title(), m, 2),
				Suggestion: "write " + headingLine(2, fmt.Sprintf("%d. %s", kind, kind.Title()), ""),
			})
		}
	}
	for _, kind := range missing {
		if a.IsJSON() {
			p.Report(lint.Diagnostic{At: start(a), Message: fmt.Sprintf("the artifact lacks %s; expected all seven sections", kind)})
			continue
		}
		title := fmt.Sprintf("## %d. %s", kind, kind.Title())
		d := lint.Diagnostic{
			At:      start(a),
			Message: fmt.Sprintf("the artifact lacks section %d, %s", kind, kind.Title()),
		}
		if h := meantHeading(a, kind, missing); h != nil {
			d.At = a.Text.Place(h.Span)
			d.Message += fmt.Sprintf("; %s is not its heading", text.Quote(a.Doc.HeadingText(h)))
			d.Suggestion = fmt.Sprintf("write `%s`", title)
		} else {
			d.Suggestion = fmt.Sprintf("add `%s`", title)
		}
		p.Report(d)
	}
}

// reportHidden reports the fences and comments that contain sections.
func reportHidden(p *lint.ArtifactPass) {
	for i := range p.Artifact.Hidden {
		h := &p.Artifact.Hidden[i]
		if len(h.Sections) == 0 {
			continue // ES-003 reports it
		}
		numbers := make([]string, len(h.Sections))
		for i, s := range h.Sections {
			numbers[i] = strconv.Itoa(int(s))
		}
		what := "section " + numbers[0] + " is"
		if len(numbers) > 1 {
			what = "sections " + text.And(numbers) + " are"
		}
		d := hiddenIn(p.Artifact, h, what)
		if h.Whole && !h.Comment {
			d.Message = "the whole artifact is in a fence and shown as code"
			d.Suggestion = "remove the line of the fence"
			if h.Closed {
				d.Suggestion = "remove the first and the last line of the fence"
			}
		}
		p.Report(d)
	}
}

// hiddenIn words that something is in a fence or comment.
func hiddenIn(a *artifact.Artifact, h *artifact.Hidden, what string) lint.Diagnostic {
	d := lint.Diagnostic{At: a.Text.Place(h.Line)}
	switch {
	case h.Comment:
		d.Message = fmt.Sprintf("the comment is not closed: %s in it", what)
		d.Suggestion = "close it with -->"
	case !h.Closed:
		d.Message = fmt.Sprintf("the fence is not closed: %s in it", what)
		d.Suggestion = "close it where the code ends, or remove its line"
	default:
		d.Message = what + " in a fence and shown as code"
		d.Suggestion = "close the fence where the code ends, or remove its two lines"
	}
	return d
}

// unreadable reports whether a section of a JSON artifact is neither an array nor, for
// the research thread, an object.
func unreadable(s *artifact.Section) bool {
	return len(s.Malformed) == 1 && s.Malformed[0].Item == nil && s.Malformed[0].ID.End == s.Span.End
}

func wrongType(a *artifact.Artifact, s *artifact.Section) string {
	want := "an array of items"
	if s.Kind == brenner.ResearchThread {
		want = "an object or null"
	}
	return fmt.Sprintf("%s is %s; expected %s", s.Kind, a.Root.Get("sections").Get(s.Kind.ID()).Kind, want)
}

// maxHeadings bounds the headings searched for one that was meant.
const maxHeadings = 256

// meantHeading returns the heading that most likely means a missing section: one with
// its number, its noun or nearly its name.
func meantHeading(a *artifact.Artifact, kind brenner.Section, missing []brenner.Section) *markdown.Block {
	titles := make([]string, len(missing))
	for i, s := range missing {
		titles[i] = s.Title()
	}
	looked := 0
	for i := range a.Doc.Blocks {
		b := &a.Doc.Blocks[i]
		if b.Kind != markdown.Heading || b.Level > 3 || !a.Span.Contains(b.Span) {
			continue
		}
		if looked++; looked > maxHeadings {
			break
		}
		title := strings.TrimSpace(a.Doc.HeadingText(b))
		number := title[:len(title)-len(strings.TrimLeft(title, "0123456789"))]
		name := strings.Trim(title[len(number):], ".) \t#*")
		if brenner.SectionByTitle(name) != 0 && b.Level < 3 && !slices.Contains(missing, brenner.SectionByTitle(name)) {
			continue
		}
		if number == strconv.Itoa(int(kind)) && b.Level < 3 || strings.EqualFold(name, kind.Plural()) || text.Nearest(name, titles) == kind.Title() {
			return b
		}
	}
	return nil
}

func checkSectionOrder(p *lint.ArtifactPass) {
	a := p.Artifact
	if a.IsJSON() {
		return // the order of keys has no meaning
	}
	seen := [len(brenner.Sections) + 1]*artifact.Section{}
	var wrong, last *artifact.Section
	repeated := false
	for _, s := range a.Sections {
		if first := seen[s.Kind]; first != nil && !repeated {
			repeated = true
			p.Report(lint.Diagnostic{
				At:      heading(a, s),
				Message: fmt.Sprintf("duplicate section %d, %s", s.Kind, s.Kind.Title()),
				Related: []lint.RelatedLocation{{At: heading(a, first), Message: "first occurrence"}},
			})
		}
		if wrong == nil && last != nil && s.Kind < last.Kind {
			wrong = s
		}
		seen[s.Kind], last = s, s
	}
	if wrong == nil || repeated {
		return // one finding per artifact
	}
	d := lint.Diagnostic{At: heading(a, wrong), Message: outOfOrder(a, wrong)}
	if p.Message == nil && len(a.Hidden) == 0 {
		spans := make([]source.Span, len(a.Sections))
		order := make([]int, len(a.Sections))
		for i, s := range a.Sections {
			spans[i], order[i] = s.Span, i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(a.Sections[i].Kind) - int(a.Sections[j].Kind) })
		d.Fix = &lint.SuggestedFix{Description: "put the sections in order", Edits: reorder(a, spans, order)}
	}
	p.Report(d)
}

// outOfOrder says before which section a misplaced one belongs.
func outOfOrder(a *artifact.Artifact, wrong *artifact.Section) string {
	for _, s := range a.Sections {
		if s.Kind > wrong.Kind {
			return fmt.Sprintf("section %d, %s, is after section %d, %s; expected it before", wrong.Kind, wrong.Kind.Title(), s.Kind, s.Kind.Title())
		}
	}
	return ""
}
