package gen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Forms are the forms that mail can be made in: the folder or file of each.
var Forms = []string{"json", "archive", "sqlite", "zip"}

// writer writes the mail of sessions in one form. Sessions come in order.
type writer interface {
	write(s *Thread) error
	close() error
}

// newWriter makes the writer of a form below a folder.
func newWriter(out, form string) (writer, error) {
	switch form {
	case "json":
		return jsonWriter(filepath.Join(out, "json")), nil
	case "archive":
		return newArchiveWriter(filepath.Join(out, "archive"))
	case "sqlite":
		return newDatabaseWriter(filepath.Join(out, "storage.sqlite3"), "WAL")
	case "zip":
		return newZipWriter(out)
	}
	return nil, fmt.Errorf("make mail: no form %q, want one of %q", form, Forms)
}

// writeFile writes a file, and makes its folder if need be.
func writeFile(name, data string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(data), 0o644)
}

// jsonWriter writes each thread as the server gives it out (mail_formats.md
// section 4), one file a thread, to a folder.
type jsonWriter string

func (w jsonWriter) write(s *Thread) error {
	out := struct {
		Project  string   `json:"project"`
		Thread   string   `json:"thread_id"`
		Messages []served `json:"messages"`
	}{s.project.key, s.ID, nil}
	for _, m := range s.Messages {
		out.Messages = append(out.Messages, served{
			m.ID, s.project.id, s.project.agentID(m.From), s.ID, nil, m.Subject, m.importance, m.Ack, stamp(m.Created), []string{}, m.Body, m.From,
		})
	}
	return writeFile(filepath.Join(string(w), s.ID+".json"), pretty(out)+"\n")
}

// served is a message as the server gives it out.
type served struct {
	ID          int      `json:"id"`
	Project     int      `json:"project_id"`
	Sender      int      `json:"sender_id"`
	Thread      string   `json:"thread_id"`
	Topic       any      `json:"topic"`
	Subject     string   `json:"subject"`
	Importance  string   `json:"importance"`
	Ack         bool     `json:"ack_required"`
	Created     string   `json:"created_ts"`
	Attachments []string `json:"attachments"`
	Body        string   `json:"body_md"`
	From        string   `json:"from"`
}

func (w jsonWriter) close() error { return nil }

// archiveWriter writes the git archive (mail_formats.md section 1): of each
// mail the canonical file, the outbox copy and a copy for each recipient.
type archiveWriter struct{ root string }

func newArchiveWriter(root string) (*archiveWriter, error) {
	w := &archiveWriter{root}
	err := w.put("*.json text\n*.md text\n", ".gitattributes")
	for i := range projects {
		p := &projects[i]
		for _, a := range p.everybody() {
			profile := pretty(map[string]any{
				"attachments_policy": "auto", "id": a.id, "inception_ts": stamp(founded), "last_active_ts": stamp(founded),
				"model": a.Model, "name": a.Name, "program": a.Program, "project_id": p.id, "task_description": a.task,
			})
			err = errors.Join(err, w.put(profile+"\n", "projects", p.slug, "agents", a.Name, "profile.json"))
		}
	}
	return w, err
}

func (w *archiveWriter) put(data string, path ...string) error {
	return writeFile(filepath.Join(append([]string{w.root}, path...)...), data)
}

// founded is when the agents registered.
var founded = time.Date(2025, 11, 1, 9, 0, 0, 613_000, time.UTC)

func (w *archiveWriter) write(s *Thread) (err error) {
	var digest strings.Builder
	fmt.Fprintf(&digest, "# Thread %s\n\n", s.ID)
	project := filepath.Join("projects", s.project.slug)
	for _, m := range s.Messages {
		name := fmt.Sprintf("%s__%s__%d.md", m.Created.Format("2006-01-02T15-04-05Z"), subjectSlug(m.Subject), m.ID)
		month := m.Created.Format("2006/01")
		data := archived(s, &m)
		err = errors.Join(err, w.put(data, project, "messages", month, name))
		err = errors.Join(err, w.put(data, project, "agents", m.From, "outbox", month, name))
		for _, a := range m.recipients() {
			err = errors.Join(err, w.put(data, project, "agents", a, "inbox", month, name))
		}
		body := strings.TrimSpace(m.Body)
		if len(body) > 1200 {
			body = body[:1200] + "\n..."
		}
		fmt.Fprintf(&digest, "### %s\n\n## %s — %s → %s\n\n[View canonical](projects/%s/messages/%s/%s)\n\n%s\n\n---\n\n",
			m.Subject, stamp(m.Created), m.From, strings.Join(m.recipients(), ", "),
			s.project.slug, month, name, strings.ToValidUTF8(body, ""))
	}
	return errors.Join(err, w.put(digest.String(), project, "messages", "threads", s.ID+".md"))
}

func (w *archiveWriter) close() error { return nil }

func (m *Mail) recipients() []string { return slices.Concat(m.To, m.Cc) }

// archived returns a mail as a file: JSON front matter in ASCII, keys sorted, and
// the stripped body.
func archived(s *Thread, m *Mail) string {
	front := pretty(map[string]any{
		"ack_required": m.Ack, "attachments": []string{}, "bcc": []string{}, "cc": m.Cc, "created": stamp(m.Created),
		"from": m.From, "id": m.ID, "importance": m.importance, "project": s.project.key, "project_slug": s.project.slug,
		"subject": m.Subject, "thread_id": s.ID, "to": m.To,
	})
	return "---json\n" + escapeASCII(front) + "\n---\n\n" + strings.TrimSpace(m.Body) + "\n"
}

func escapeASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

var notInSlug = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// subjectSlug returns the subject in a file name.
func subjectSlug(subject string) string {
	slug := strings.ToLower(strings.Trim(notInSlug.ReplaceAllString(subject, "-"), "-_"))
	return slug[:min(len(slug), 80)]
}
