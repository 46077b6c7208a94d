//go:build !js

package export

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/ncruces/go-sqlite3"
)

// TestKeptRows checks that the index has the same of messages that are kept, whose texts are
// measured as they are read, as of others, whose sizes SQLite computes: of texts in UTF-8 and
// UTF-16, and of what is no text.
func TestKeptRows(t *testing.T) {
	for _, encoding := range []string{"UTF-8", "UTF-16le"} {
		path := filepath.Join(t.TempDir(), "storage.sqlite3")
		conn, err := sqlite3.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.Exec("PRAGMA encoding='" + encoding + `';
			CREATE TABLE messages(id, project_id, sender_id, thread_id, subject, body_md, ack_required, created_ts);
			INSERT INTO messages VALUES
				(1, 1, 1, 'RS-20260102-a-b', 'KICKOFF: größer', 'одно', 1, '2026-01-02 10:00:00'),
				('two', 1.5, NULL, NULL, '', '', 0, 1767348000), (3.5, 'x', 'y', x'', x'4142', x'ff00', 'z', x'32'),
				(-4, NULL, 1, 5, 6, 7, 8, NULL), (NULL, 1, 1, ' RS-20260102-a-b ', NULL, NULL, NULL, 2.5)`); err != nil {
			t.Fatal(err)
		}
		kept, read := open(t, Options{}, path), NewStore(Options{})
		read.room.Store(0)
		fill(t, read, path)
		ignored := []string{"export"}
		if encoding != "UTF-8" {
			ignored = append(ignored, "size") // in the file, or as it is read
		}
		kept.gather()
		read.gather()
		if m := kept.entries[0].export.loader.(*mailbox); len(m.kept) == 0 {
			t.Errorf("%s: no message is kept", encoding)
		}
		if d := cmp.Diff(read.entries, kept.entries, cmp.AllowUnexported(entry{}), cmpopts.IgnoreFields(entry{}, ignored...)); d != "" {
			t.Errorf("%s: the index of others, and of messages that are kept:\n%s", encoding, d)
		}
		if want, got := said(read), said(kept); want != got || got == "" {
			t.Errorf("%s: messages that are read:\n%s\nand that are kept:\n%s", encoding, want, got)
		}
	}
}

// said returns what the messages of a store say, one a line.
func said(s *Store) (out string) {
	for _, info := range s.Threads() {
		thread, facts := s.Load(info)
		for _, m := range thread.Messages {
			out += fmt.Sprintf("%s %q %q %q %q %q %v %v %v %v\n", m.ID, m.Thread, m.Subject, m.From, m.Created, m.Body, m.BodyState, m.Time, m.AckRequired, m.Subject == nil)
		}
		out += fmt.Sprint(describeFacts(facts), "\n")
	}
	return out
}
