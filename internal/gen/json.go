package gen

import (
	"os"
	"path/filepath"
)

// jsonWriter writes each thread as the server gives it out (mail_formats.md
// section 4), one file a thread.
type jsonWriter struct{ dir string }

func newJSONWriter(dir string) (*jsonWriter, error) {
	return &jsonWriter{dir}, os.MkdirAll(dir, 0o755)
}

func (w *jsonWriter) write(s *session) error {
	messages := list{}
	for _, m := range s.messages {
		messages = append(messages, object{
			{"id", m.id}, {"project_id", s.project.id}, {"sender_id", m.from.id}, {"thread_id", s.id}, {"topic", nil},
			{"subject", m.subject}, {"importance", m.importance}, {"ack_required", m.ack}, {"created_ts", stamp(m.created)},
			{"attachments", []string{}}, {"body_md", m.body}, {"from", m.from.name},
		})
	}
	data := appendJSON(nil, object{{"project", s.project.key}, {"thread_id", s.id}, {"messages", messages}}, "")
	return os.WriteFile(filepath.Join(w.dir, s.id+".json"), append(data, '\n'), 0o644)
}

func (w *jsonWriter) close() error { return nil }
