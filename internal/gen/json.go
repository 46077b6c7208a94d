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

func (w *jsonWriter) write(s *Thread) error {
	messages := list{}
	for _, m := range s.Messages {
		messages = append(messages, object{
			{"id", m.ID}, {"project_id", s.project.id}, {"sender_id", s.project.agentID(m.From)}, {"thread_id", s.ID}, {"topic", nil},
			{"subject", m.Subject}, {"importance", m.importance}, {"ack_required", m.Ack}, {"created_ts", stamp(m.Created)},
			{"attachments", []string{}}, {"body_md", m.Body}, {"from", m.From},
		})
	}
	data := appendJSON(nil, object{{"project", s.project.key}, {"thread_id", s.ID}, {"messages", messages}}, "")
	return os.WriteFile(filepath.Join(w.dir, s.ID+".json"), append(data, '\n'), 0o644)
}

func (w *jsonWriter) close() error { return nil }
