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
	journal             string // the mode in which it is left: WAL, or DELETE for a single file
}

func newDatabaseWriter(path, journal string) (w *databaseWriter, err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	w = &databaseWriter{journal: journal}
	if w.conn, err = sqlite3.Open(path); err != nil {
		return nil, err
	}
	const fast = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN;"
	if err := w.conn.Exec(fast + schema + directory()); err != nil {
		return nil, err
	}
	w.message, _, err = w.conn.Prepare("INSERT INTO messages(id, project_id, sender_id, thread_id, subject, body_md, importance, ack_required, created_ts) VALUES(?,?,?,?,?,?,?,?,?)")
	if err != nil {
		return nil, err
	}
	w.recipients, _, err = w.conn.Prepare("INSERT INTO message_recipients VALUES(?,?,?,?,?)")
	return w, err
}

// directory inserts the projects and agents.
func directory() (sql string) {
	for _, p := range projects {
		sql += fmt.Sprintf("INSERT INTO projects VALUES(%d, '%s', '%s', '%s');", p.id, p.slug, p.key, naive(founded))
		for _, a := range p.everybody() {
			sql += fmt.Sprintf("INSERT INTO agents VALUES(%d, %d, '%s', '%s', '%s', '%s', '%[7]s', '%[7]s', 'auto', 'auto', NULL);",
				a.id, p.id, a.Name, a.Program, a.Model, a.task, naive(founded))
		}
	}
	return sql
}

// naive returns a time as the server writes it in SQLite.
func naive(t time.Time) string { return t.Format("2006-01-02 15:04:05.000000") }

// insert inserts a row.
func insert(s *sqlite3.Stmt, values ...any) (err error) {
	for i, v := range values {
		switch v := v.(type) {
		case int:
			err = errors.Join(err, s.BindInt(i+1, v))
		case bool:
			err = errors.Join(err, s.BindBool(i+1, v))
		case string:
			err = errors.Join(err, s.BindText(i+1, v))
		default:
			err = errors.Join(err, s.BindNull(i+1))
		}
	}
	return errors.Join(err, s.Exec(), s.Reset())
}

func (w *databaseWriter) write(s *Thread) error {
	for _, m := range s.Messages {
		err := insert(w.message, m.ID, s.project.id, s.project.agentID(m.From), s.ID,
			m.Subject, m.Body, m.importance, m.Ack, naive(m.Created))
		var acked any
		if !m.acked.IsZero() {
			acked = naive(m.acked)
		}
		for i, a := range m.recipients() {
			kind := "to"
			if i >= len(m.To) {
				kind = "cc"
			}
			err = errors.Join(err, insert(w.recipients, m.ID, s.project.agentID(a), kind, acked, acked))
		}
		if err != nil {
			return fmt.Errorf("write message %d: %w", m.ID, err)
		}
	}
	return nil
}

func (w *databaseWriter) close() error {
	last := indexes + "COMMIT; PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=" + w.journal + ";"
	return errors.Join(w.message.Close(), w.recipients.Close(), w.conn.Exec(last), w.conn.Close())
}
