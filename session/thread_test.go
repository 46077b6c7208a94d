package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// TestThread holds what a thread knows of its messages while they come and go.
func TestThread(t *testing.T) {
	in := func(subject string) *mail.Message {
		return &mail.Message{
			Subject: source.NewText([]byte(subject)), Body: source.NewText([]byte("## Context\n\n" + json + "\n")), BodyState: mail.BodyPresent,
		}
	}
	th := NewThread(&mail.Thread{Messages: []*mail.Message{
		in("KICKOFF: x"), in("COMPILED: v1"), in("compiled : v2"), in("ACK: x"), in("INFO: x"),
	}}, artifact.Limits{})
	var published []bool
	for i, m := range th.Messages {
		if m.Index != i {
			t.Errorf("message %d has index %d", i, m.Index)
		}
		published = append(published, th.Published(m))
	}
	if want := []bool{false, false, true, true, true}; !cmp.Equal(published, want) {
		t.Errorf("published: %v, want %v", published, want)
	}
	for _, m := range th.Messages {
		m.Release()
		if kept := m.Doc != nil && len(m.Sections) > 0; kept != (m.Intended == protocol.Ack) {
			t.Errorf("%q: what was read in the body is kept: %v", m.SubjectText, kept)
		}
		if got := m.UnfencedDeltas(); len(got) != 1 {
			t.Errorf("%q: %d misplaced deltas are found after Release", m.SubjectText, len(got))
		}
	}
}
