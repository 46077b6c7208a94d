package export

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// describeFacts returns what is wrong with exports, a line each: kind, place, the text
// there, and what is wrong.
func describeFacts(f Facts) []string {
	var out []string
	for i := range f.Faults {
		out = append(out, describeFault(&f.Faults[i]))
	}
	for _, m := range f.Mismatches {
		switch m.Kind {
		case mail.CopyReadAlone:
			out = append(out, fmt.Sprintf("CopyReadAlone %s: %s, from %s", describePlace(m.Here.Path, m.Here.At), describeMessage(m.MessageID), m.There.Path))
			continue
		case mail.IDGivenTwice:
			out = append(out, fmt.Sprintf("IDGivenTwice %s: %s, before in %s", describePlace(m.Here.Path, m.Here.At), describeMessage(m.MessageID), m.There.Path))
			continue
		}
		out = append(out, fmt.Sprintf("CopyMismatch %s: %s of %s: %s, in %s %s", describePlace(m.Here.Path, m.Here.At), m.Part, describeMessage(m.MessageID), copyText(m.Here), m.There.Path, copyText(m.There)))
	}
	for _, m := range f.Incomplete {
		name := describeMessage(m.MessageID)
		if m.Draft {
			name = "the draft"
		}
		out = append(out, fmt.Sprintf("Incomplete %s: %s lacks %s", describePlace(m.Path, m.At), name, text.And(lacking(m))))
	}
	return out
}

func describeFault(f *source.Fault) string {
	what := f.Err.Error()
	if f.InMessage {
		what = describeMessage(f.MessageID) + ": " + what
	}
	return fmt.Sprintf("%s %s: %s", f.Kind, describePlace(f.Path, f.At), what)
}

func describePlace(path string, at source.Place) string {
	path = filepath.Base(path)
	if at.Known() {
		if span, ok := at.Text.ToFile(at.Span); ok {
			pos := at.Text.File.Position(span.Start)
			return fmt.Sprintf("%s:%d:%d %q", path, pos.Line, pos.Column, at.Text.File.Bytes(span))
		}
	}
	return path
}

func describeMessage(id string) string {
	return strings.TrimSpace("message " + id)
}

func copyText(t mail.CopyText) string {
	if t.Ends {
		return "nothing more"
	}
	return text.Quote(t.Text)
}

func lacking(m mail.Incomplete) []string {
	var out []string
	for _, lack := range []struct {
		is   bool
		what string
	}{{m.NoSubject, "a subject"}, {m.NoBody, "a body"}, {m.NoSender, "a sender"}, {m.NoTime && m.Time == "", "a timestamp"}, {m.NoTime && m.Time != "", fmt.Sprintf("a timestamp that parses (found %q)", m.Time)}} {
		if lack.is {
			out = append(out, lack.what)
		}
	}
	return out
}
