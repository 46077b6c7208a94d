package lsp

import "testing"

// TestDraftHeader: documents in Markdown are drafts if they begin with a header as
// presend reads it, and notes are none.
func TestDraftHeader(t *testing.T) {
	for _, test := range []struct {
		path, text string
		lines      int
	}{
		{"a.md", "Subject: x\nThread: RS-1\nFrom: A\nTo: B\nAck: yes\n\nText\n", 5},
		{"a.markdown", "subject: x\r\nThread-Id: RS-1\r\nack_required: yes\r\n\r\nText\r\n", 3},
		{"a.md", "Sender: A\nSubject: x\nCc: B\nBcc: C\nImportance: high\n\nText\n", 5},
		{"a.md", "Sender-Name: A\nSubject: x\n", 2},
		{"a.md", "Subject: x\nDate: today\n\nText\n", 0},
		{"a.md", "To: do\n\nSubject: x\n", 0},
		{"a.md", "\nSubject: x\n", 0},
		{"a.json", "Subject: x\n\n", 0},
	} {
		s := &snapshot{path: test.path, text: []byte(test.text)}
		if got := s.header(); len(got) != test.lines || (got == nil) != (test.lines == 0) {
			t.Errorf("%s %q: the header is %q, expected %d lines", test.path, test.text, got, test.lines)
		}
	}
}
