package customrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// place is where a rule reports: a word, which may have a name after a colon.
type place struct{ word, name string }

// parsePlace reads the value of `at`.
func (s *scope) parsePlace(at string) (place, error) {
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
	return place{}, fmt.Errorf("unknown place %s; %s", text.Quote(at), expected)
}

// itemKeys are the keys of the fields of items.
var itemKeys = func() (keys []string) {
	for _, section := range brenner.Sections {
		keys = append(keys, section.Keys()...)
	}
	return keys
}()

// field returns the field that a rule reports; "" if none.
func (at place) field() string {
	if at.word == "field" {
		return at.name
	}
	return ""
}

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
	switch {
	case d.Root == nil:
		return d.Fence
	case at.word == "delta":
		return d.ObjectStart()
	case at.word != "field":
		return d.Pos(d.Root.Get(at.word))
	case d.Payload == nil:
		return d.ObjectStart()
	}
	return d.Pos(d.Payload.Get(at.name))
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
	if a.Meta != nil {
		if v := a.Meta.Get("session_id"); v != nil {
			return a.Text.Place(v.Span)
		}
	}
	line := a.Text.Line(a.Text.Position(a.Span.Start).Line)
	return a.Text.Place(line)
}
