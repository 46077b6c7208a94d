package input

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

var (
	frontMatterID = text.Pattern(`(?m)^["']?session_id["']?[ \t]*:`)
	digestTitle   = text.Pattern(`^# Thread \S`)
	headerField   = text.Pattern(`^(?i)(subject|to|from|thread[-_ ]?id|thread|ack[-_ ]?required|cc|sender_name)[ \t]*:`)
	// The file of a message is named after its time, and is in a folder for its month
	// (mail_formats.md section 1).
	archiveName   = text.Pattern(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ__`)
	messageName   = text.Pattern(`^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ__.*|.*__\d+|\d+)\.md$`)
	archiveFolder = text.Pattern(`/(messages|inbox|outbox)/\d{4}/\d\d$`)
)

// recogniseMarkdown recognises text that is neither JSON nor a stream of events.
func recogniseMarkdown(in *Input, head []byte) recognition {
	switch {
	case firstLineIs(head, ArchiveStart) && isArchive(in, head):
		return is(Archive)
	case isDigest(in, head):
		return recognition{reason: "is the digest of a thread, not its mail", hint: "name the folder messages, or the message files"}
	case (isMarkdown(in.path) || in.nameless()) && isArtifact(in, source.NewText(head).Normalize().Data):
		return is(ArtifactMarkdown)
	case headerField().Match(head):
		return recognition{reason: notRecognised, hint: draftHint}
	}
	return recognition{reason: notRecognised, hint: kindHint}
}

func firstLineIs(text []byte, line string) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimRight(first, " \t\r")) == line
}

// isDigest reports whether a text is a digest of a thread (mail_formats.md section 1).
func isDigest(in *Input, head []byte) bool {
	if !digestTitle().Match(head) {
		return false
	}
	return strings.HasSuffix(path.Dir(in.Abs()), "/messages/threads") || bytes.Contains(head, []byte("\n[View canonical]("))
}

// ArchiveStart is the first line of a message of the git archive. Site generators also
// begin pages with it.
const ArchiveStart = "---json"

// isMessagePlace reports whether the name and the folder of the file are those of an archive
// message, whatever it contains.
func (in *Input) isMessagePlace() bool {
	return isMessagePlace(path.Base(in.Path()), path.Dir(in.Abs()))
}

func isMessagePlace(name, dir string) bool {
	return messageName().MatchString(name) && archiveFolder().MatchString(filepath.ToSlash(dir))
}

// isProfilePlace reports whether the file is where an archive has the profile of an agent,
// whatever it contains.
func (in *Input) isProfilePlace() bool {
	if in.InMemory() || path.Base(in.Path()) != "profile.json" {
		return false
	}
	agents := path.Dir(path.Dir(in.Abs()))
	info, err := os.Stat(path.Join(path.Dir(agents), "messages"))
	return path.Base(agents) == "agents" && err == nil && info.IsDir()
}

// isArchive reports whether a text is a message of the git archive: front matter with
// members of a message, or a name and folder that only messages have. For a file named
// explicitly unreadable front matter is enough: the reader reports what is wrong with it.
func isArchive(in *Input, head []byte) bool {
	if archiveName().MatchString(path.Base(in.path)) || archiveFolder().MatchString(path.Dir(in.Abs())) {
		return true
	}
	_, front, _ := bytes.Cut(head, []byte("\n"))
	d := readMembers(front)
	switch has := d.members.Has; {
	case has("ack_required", "thread_id", "project_slug", "body_md"):
		return true
	case has("subject") && (in.Explicit() || has("from", "to", "created")):
		return true
	}
	return in.Explicit() && (d.err != nil || !bytes.HasPrefix(bytes.TrimLeft(front, " \t\r\n"), []byte("{")))
}

// isArtifact reports whether a text is Markdown with an artifact's front matter, title, or
// three of its seven section headings, or with the name of one (decisions.md 37).
func isArtifact(in *Input, head []byte) bool {
	if in.namedForThread() {
		return true
	}
	text, cut := head, in.isCut()
	front, closed := frontMatter(text)
	if cut && (in.Explicit() || front != nil && !closed || linesAsHeadings(text).mayBeEnough()) {
		if data, err := readMore(in); err == nil {
			text, cut = source.NewText(data).Normalize().Data, in.size > int64(len(data))
			front, closed = frontMatter(text)
		}
	}
	return (closed || cut) && frontMatterID().Match(front) || linesAsHeadings(text).isEnough() && parsedHeadings(text).isEnough()
}

// leastSections is how many of the seven sections are enough for an artifact.
const leastSections = 3

// frontMatter returns the YAML front matter that a text begins with, nil if there is none, and
// whether the text has its end.
func frontMatter(text []byte) (front []byte, closed bool) {
	if !firstLineIs(text, "---") {
		return nil, false
	}
	front, _, closed = bytes.Cut(text, []byte("\n---"))
	return front, closed
}

// readMore returns more of the beginning of a file than its head, as a copy.
func readMore(in *Input) (data []byte, err error) {
	if in.isRead() {
		data = bytes.Clone(in.data[:min(len(in.data), maxMore)])
	} else {
		data, _, err = in.ref.First(maxMore)
	}
	return bytes.TrimPrefix(data, bom), err
}

// headings are what the headings of a text say about it.
type headings struct {
	title    bool // one is the title of an artifact
	sections map[brenner.Section]bool
}

func (h *headings) add(heading []byte) {
	if isTitle(heading) {
		h.title = true
	} else if s := brenner.SectionByTitle(string(heading)); s != 0 {
		h.sections[s] = true
	}
}

// isEnough reports whether a text with these headings is an artifact.
func (h *headings) isEnough() bool { return h.title || len(h.sections) >= leastSections }

// mayBeEnough reports whether more of the text may make it one.
func (h *headings) mayBeEnough() bool { return h.title || len(h.sections) > 0 }

// linesAsHeadings takes each line for a heading. That decides whether the text is parsed.
func linesAsHeadings(text []byte) *headings {
	h := &headings{sections: map[brenner.Section]bool{}}
	for line := range bytes.Lines(text) {
		if line = bytes.Trim(line, "# \t\r\n"); len(line) <= len(artifactTitle)+1 || isTitle(line) {
			h.add(line)
		}
	}
	return h
}

// parsedHeadings returns the headings of a text; lines in code do not count.
func parsedHeadings(text []byte) *headings {
	h := &headings{sections: map[brenner.Section]bool{}}
	doc := markdown.Parse(source.NewText(text))
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind != markdown.Heading || b.Level > 2 || b.InList || b.InQuote {
			continue
		}
		if heading := []byte(doc.HeadingText(b)); b.Level == 1 || !isTitle(heading) {
			h.add(heading)
		}
	}
	return h
}

// artifactTitle begins the H1 of an artifact. A document about artifacts may
// begin with the same words, but has no colon.
const artifactTitle = brenner.ArtifactTitle + ":"

func isTitle(line []byte) bool {
	return len(line) >= len(artifactTitle) && bytes.EqualFold(line[:len(artifactTitle)], []byte(artifactTitle))
}

// namedForThread reports whether a Markdown file is in a folder named artifacts, by its
// real path, and is named after a session: it is the session's artifact, whatever its
// content.
func (in *Input) namedForThread() bool {
	real := in.RealPath()
	name := strings.TrimSuffix(path.Base(real), path.Ext(real))
	_, slug, ok := brenner.SplitResearchID(name)
	return ok && slug != "" && path.Base(path.Dir(real)) == "artifacts"
}
