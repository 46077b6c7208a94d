package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// schema is that of the server's database, as far as mail goes (mail_formats.md
// section 2): the column order too is as found.
const schema = `
CREATE TABLE projects (id INTEGER NOT NULL, slug VARCHAR(255) NOT NULL, human_key VARCHAR(255) NOT NULL, created_at DATETIME NOT NULL, PRIMARY KEY (id));
CREATE UNIQUE INDEX ix_projects_slug ON projects (slug);
CREATE TABLE agents (id INTEGER NOT NULL, project_id INTEGER NOT NULL, name VARCHAR(128) NOT NULL, program VARCHAR(128) NOT NULL, model VARCHAR(128) NOT NULL,
  task_description VARCHAR(2048) NOT NULL, inception_ts DATETIME NOT NULL, last_active_ts DATETIME NOT NULL, attachments_policy VARCHAR(16) NOT NULL,
  contact_policy VARCHAR(16) NOT NULL, registration_token VARCHAR(64), PRIMARY KEY (id), CONSTRAINT uq_agent_project_name UNIQUE (project_id, name));
CREATE TABLE messages (attachments JSON DEFAULT '[]' NOT NULL, id INTEGER NOT NULL, project_id INTEGER NOT NULL, sender_id INTEGER NOT NULL, thread_id VARCHAR(128),
  topic VARCHAR(64), subject VARCHAR(512) NOT NULL, body_md VARCHAR NOT NULL, importance VARCHAR(16) NOT NULL, ack_required BOOLEAN NOT NULL, created_ts DATETIME NOT NULL, PRIMARY KEY (id));
CREATE TABLE message_recipients (message_id INTEGER NOT NULL, agent_id INTEGER NOT NULL, kind VARCHAR(8) NOT NULL, read_ts DATETIME, ack_ts DATETIME, PRIMARY KEY (message_id, agent_id));
`

// indexes are made last: that is faster.
const indexes = `
CREATE INDEX idx_messages_project_created ON messages (project_id, created_ts);
CREATE INDEX ix_messages_thread_id ON messages (thread_id);
CREATE INDEX idx_messages_sender_created ON messages (sender_id, created_ts DESC);
CREATE INDEX idx_message_recipients_agent_message ON message_recipients (agent_id, message_id);
`

// databaseWriter writes a live database.
type databaseWriter struct {
	conn                *sqlite3.Conn
	message, recipients *sqlite3.Stmt
	// share leaves a single file instead of one in WAL mode.
	share bool
}

func newDatabaseWriter(path string) (*databaseWriter, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	conn, err := sqlite3.Open(path)
	if err != nil {
		return nil, err
	}
	w := &databaseWriter{conn: conn}
	if err := conn.Exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN;" + schema); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	w.message, _, err = conn.Prepare("INSERT INTO messages(id, project_id, sender_id, thread_id, subject, body_md, importance, ack_required, created_ts) VALUES(?,?,?,?,?,?,?,?,?)")
	if err == nil {
		w.recipients, _, err = conn.Prepare("INSERT INTO message_recipients VALUES(?,?,?,?,?)")
	}
	if err == nil {
		err = w.directory()
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

// directory writes the projects and agents.
func (w *databaseWriter) directory() error {
	for _, p := range projects {
		sql := fmt.Sprintf("INSERT INTO projects VALUES(%d, '%s', '%s', '%s');", p.id, p.slug, p.key, naive(founded))
		for _, a := range p.everybody() {
			sql += fmt.Sprintf("INSERT INTO agents VALUES(%d, %d, '%s', '%s', '%s', '%s', '%[7]s', '%[7]s', 'auto', 'auto', NULL);",
				a.id, p.id, a.name, a.program, a.model, a.task, naive(founded))
		}
		if err := w.conn.Exec(sql); err != nil {
			return err
		}
	}
	return nil
}

// naive returns a time as the server writes it in SQLite.
func naive(t time.Time) string { return t.Format("2006-01-02 15:04:05.000000") }

func (w *databaseWriter) write(s *Thread) error {
	for _, m := range s.Messages {
		err := errors.Join(
			w.message.BindInt(1, m.ID), w.message.BindInt(2, s.project.id), w.message.BindInt(3, s.project.agentID(m.From)), w.message.BindText(4, s.ID),
			w.message.BindText(5, m.Subject), w.message.BindText(6, m.Body), w.message.BindText(7, m.importance), w.message.BindBool(8, m.Ack),
			w.message.BindText(9, naive(m.Created)), w.message.Exec(), w.message.Reset())
		for i, a := range m.recipients() {
			kind := "to"
			if i >= len(m.To) {
				kind = "cc"
			}
			err = errors.Join(err, w.recipient(&m, s.project.agentID(a), kind))
		}
		if err != nil {
			return fmt.Errorf("write message %d: %w", m.ID, err)
		}
	}
	return nil
}

func (w *databaseWriter) recipient(m *Mail, agent int, kind string) error {
	err := errors.Join(w.recipients.BindInt(1, m.ID), w.recipients.BindInt(2, agent), w.recipients.BindText(3, kind))
	for i := 4; i <= 5; i++ {
		if m.acked.IsZero() {
			err = errors.Join(err, w.recipients.BindNull(i))
		} else {
			err = errors.Join(err, w.recipients.BindText(i, naive(m.acked)))
		}
	}
	return errors.Join(err, w.recipients.Exec(), w.recipients.Reset())
}

func (w *databaseWriter) close() error {
	last := "COMMIT; PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL;"
	if w.share {
		last = "COMMIT; PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=DELETE;"
	}
	return errors.Join(w.message.Close(), w.recipients.Close(), w.conn.Exec(indexes+last), w.conn.Close())
}
