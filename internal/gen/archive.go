package gen

import (
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

// archiveWriter writes the git archive (mail_formats.md section 1): of each
// mail the canonical file, the outbox copy and a copy for each recipient.
type archiveWriter struct {
	root string
	made map[string]bool // folders
}

func newArchiveWriter(root string) (*archiveWriter, error) {
	w := &archiveWriter{root, map[string]bool{}}
	for i := range projects {
		p := &projects[i]
		for _, a := range p.everybody() {
			if err := w.file(w.agent(p, a.name, "profile.json"), profile(p, a)); err != nil {
				return w, err
			}
		}
	}
	return w, w.file(filepath.Join(root, ".gitattributes"), []byte("*.json text\n*.md text\n"))
}

// file writes a file and makes its folder.
func (w *archiveWriter) file(name string, data []byte) error {
	if dir := filepath.Dir(name); !w.made[dir] {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		w.made[dir] = true
	}
	return os.WriteFile(name, data, 0o644)
}

func (w *archiveWriter) agent(p *project, name string, parts ...string) string {
	return filepath.Join(append([]string{w.root, "projects", p.slug, "agents", name}, parts...)...)
}

func profile(p *project, a *agent) []byte {
	return append(appendJSON(nil, object{
		{"attachments_policy", "auto"}, {"id", a.id}, {"inception_ts", stamp(founded)}, {"last_active_ts", stamp(founded)},
		{"model", a.model}, {"name", a.name}, {"program", a.program}, {"project_id", p.id}, {"task_description", a.task},
	}, ""), '\n')
}

// founded is when the agents registered.
var founded = time.Date(2025, 11, 1, 9, 0, 0, 613_000, time.UTC)

func (w *archiveWriter) write(s *Thread) error {
	var digest strings.Builder
	fmt.Fprintf(&digest, "# Thread %s\n\n", s.ID)
	for _, m := range s.Messages {
		name := fmt.Sprintf("%s__%s__%d.md", m.Created.Format("2006-01-02T15-04-05Z"), subjectSlug(m.Subject), m.ID)
		month := m.Created.Format("2006/01")
		data := archived(s, &m)
		canonical := filepath.Join("projects", s.project.slug, "messages", month, name)
		files := []string{filepath.Join(w.root, canonical), w.agent(s.project, m.From, "outbox", month, name)}
		for _, a := range m.recipients() {
			files = append(files, w.agent(s.project, a, "inbox", month, name))
		}
		for _, f := range files {
			if err := w.file(f, data); err != nil {
				return err
			}
		}
		body := strings.TrimSpace(m.Body)
		if len(body) > 1200 {
			body = body[:1200] + "\n..."
		}
		fmt.Fprintf(&digest, "### %s\n\n## %s — %s → %s\n\n[View canonical](%s)\n\n%s\n\n---\n\n",
			m.Subject, stamp(m.Created), m.From, strings.Join(m.recipients(), ", "), filepath.ToSlash(canonical), strings.ToValidUTF8(body, ""))
	}
	return w.file(filepath.Join(w.root, "projects", s.project.slug, "messages", "threads", s.ID+".md"), []byte(digest.String()))
}

func (w *archiveWriter) close() error { return nil }

func (m *Mail) recipients() []string { return slices.Concat(m.To, m.Cc) }

func names(agents []*agent) []string {
	out := []string{}
	for _, a := range agents {
		out = append(out, a.name)
	}
	return out
}

// archived returns a mail as a file: JSON front matter in ASCII, keys sorted, and
// the stripped body.
func archived(s *Thread, m *Mail) []byte {
	front := appendJSON(nil, object{
		{"ack_required", m.Ack}, {"attachments", []string{}}, {"bcc", []string{}}, {"cc", m.Cc}, {"created", stamp(m.Created)},
		{"from", m.From}, {"id", m.ID}, {"importance", m.importance}, {"project", s.project.key}, {"project_slug", s.project.slug},
		{"subject", m.Subject}, {"thread_id", s.ID}, {"to", m.To},
	}, "")
	return []byte("---json\n" + escapeASCII(string(front)) + "\n---\n\n" + strings.TrimSpace(m.Body) + "\n")
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
