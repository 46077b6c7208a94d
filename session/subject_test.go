package session

import (
	"testing"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// TestSubjectPlace: a form without subject has its findings at the body's first
// line, one without either at the header (decisions.md 3).
func TestSubjectPlace(t *testing.T) {
	subject, body, empty, header := source.NewText([]byte("INFO: x")), source.NewText([]byte("first\nsecond")), source.NewText(nil), source.NewText([]byte("---"))
	for name, tt := range map[string]struct {
		subject, body *source.Text
		text          *source.Text
		want          string
	}{
		"a subject":       {subject, body, subject, "INFO: x"},
		"no subject":      {nil, body, body, "first"},
		"an empty body":   {nil, empty, header, "---"},
		"neither":         {nil, nil, header, "---"},
		"a subject alone": {subject, nil, subject, "INFO: x"},
	} {
		m := readMessage(&mail.Message{Subject: tt.subject, Body: tt.body, Header: header.All()}, &artifact.Limits{})
		if at := m.SubjectPlace(); at.Text != tt.text || at.Text.Slice(at.Span) != tt.want {
			t.Errorf("%s: stands at %q", name, at.Text.Slice(at.Span))
		}
		if m.Doc != nil || m.document() != (*markdown.Document)(nil) {
			t.Errorf("%s: a body that is not present is read", name)
		}
	}
}
