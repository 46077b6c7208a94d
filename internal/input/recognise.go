package input

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// verdict is what a file is; of none of ours, why not.
type verdict struct {
	kind         Kind
	reason, hint string
}

func is(k Kind) verdict { return verdict{kind: k} }

const noneOfOurs = "is neither an artifact nor a mail export nor a draft"

var (
	bom         = []byte(source.BOM)
	sqliteMagic = []byte("SQLite format 3\x00")
	zipMagic    = []byte("PK\x03\x04")
	emptyZip    = []byte("PK\x05\x06")
	walMagic    = []byte{0x37, 0x7f, 0x06} // a write-ahead log beside a database
)

// recognise tells what a file is from its first bytes, its name, and where
// these do not suffice from more of its content.
func recognise(in *Input, as As) verdict {
	head := bytes.TrimPrefix(in.head, bom)
	switch {
	case bytes.HasPrefix(head, sqliteMagic):
		return is(SQLite)
	case bytes.HasPrefix(head, zipMagic), bytes.HasPrefix(head, emptyZip):
		return is(Zip)
	case bytes.HasPrefix(head, walMagic):
		return verdict{reason: "is the log of a database", hint: "name the database itself"}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return recogniseByName(in, as) // UTF-16: the reader says so
	case bytes.IndexByte(head[:min(len(head), 1024)], 0) >= 0:
		return verdict{reason: noneOfOurs}
	}
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	var v verdict
	switch {
	case len(trimmed) == 0:
		v = recogniseByName(in, as)
	case trimmed[0] == '{' || trimmed[0] == '[':
		v = recogniseJSON(in)
	case IsSSE(trimmed):
		v = is(JSON)
	default:
		v = recogniseMarkdown(in, head)
	}
	return override(in, v, as, trimmed)
}

// override applies --kind. Of a walked folder it takes what looks like the kind
// asked for; of a named file, whatever it is.
func override(in *Input, v verdict, as As, trimmed []byte) verdict {
	isObject := len(trimmed) > 0 && trimmed[0] == '{'
	switch {
	case as == Auto:
		if v.kind == Draft && !in.Named {
			return verdict{reason: "is a draft"} // drafts are checked when they are named
		}
		return v
	case as == AsArtifact && v.kind.IsArtifact(), as == AsMail && v.kind.IsMail(), as == AsDraft && v.kind == Draft:
		return v
	case !in.Named && (v.kind != 0 || !nameIsText(in.name)):
		return verdict{}
	case as == AsDraft:
		return is(Draft)
	case as == AsArtifact && isObject:
		return is(ArtifactJSON)
	case as == AsArtifact:
		return is(ArtifactMarkdown)
	case !in.Named:
		return verdict{}
	case isObject || len(trimmed) > 0 && trimmed[0] == '[':
		return is(JSON)
	default:
		return is(Archive)
	}
}

// recogniseByName judges a file without content, or in another encoding.
func recogniseByName(in *Input, as As) verdict {
	switch {
	case isMarkdown(in.name) && (inArtifacts(in) || as == AsArtifact):
		return is(ArtifactMarkdown)
	case isJSON(in.name) && in.Named:
		return is(JSON)
	case len(in.head) == 0:
		return verdict{reason: "is empty"}
	}
	return verdict{reason: noneOfOurs}
}

var (
	frontMatterID = regexp.MustCompile(`(?m)^session_id[ \t]*:`)
	digestTitle   = regexp.MustCompile(`^# Thread \S`)
	headerField   = regexp.MustCompile(`^(?i)(subject|to|from|thread[-_ ]?id|thread|ack[-_ ]?required|cc|sender_name)[ \t]*:`)
)

// recogniseMarkdown judges text that is neither JSON nor a stream of events.
func recogniseMarkdown(in *Input, head []byte) verdict {
	switch {
	case firstLineIs(head, "---json"):
		return is(Archive)
	case isDigest(in, head):
		return verdict{reason: "is the digest of a thread, not its mail", hint: "name the folder messages, or the message files"}
	case looksLikeArtifact(head), inArtifacts(in) && isMarkdown(in.name) && !isReadme(in.name):
		return is(ArtifactMarkdown)
	case headerField.Match(head):
		return is(Draft)
	case firstLineIs(head, "---"):
		// a draft whose header is fenced as YAML front matter is
		if _, rest, ok := bytes.Cut(head, []byte("\n")); ok && headerField.Match(rest) {
			return is(Draft)
		}
	}
	return verdict{reason: noneOfOurs}
}

func firstLineIs(text []byte, line string) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimRight(first, " \t\r")) == line
}

// isDigest reports a digest of a thread (mail_formats.md section 1).
func isDigest(in *Input, head []byte) bool {
	if !digestTitle.Match(head) {
		return false
	}
	return strings.HasSuffix(path.Dir(in.Abs()), "/messages/threads") || bytes.Contains(head, []byte("\n[View canonical]("))
}

// looksLikeArtifact reports Markdown with an artifact's front matter, title, or
// at least two of its seven section headings outside fences.
func looksLikeArtifact(head []byte) bool {
	if firstLineIs(head, "---") {
		if end := bytes.Index(head, []byte("\n---")); end > 0 && frontMatterID.Match(head[:end]) {
			return true
		}
	}
	found, fenced := map[protocol.Section]bool{}, false
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte("```")), bytes.HasPrefix(line, []byte("~~~")):
			fenced = !fenced
		case !fenced && (bytes.HasPrefix(line, []byte("# ")) || bytes.HasPrefix(line, []byte("## "))):
			title := strings.Trim(string(line), "# \t")
			if line[1] == ' ' && protocol.HasPrefixFold(title, protocol.ArtifactTitle) {
				return true
			}
			if s := protocol.SectionByTitle(title); s != 0 {
				found[s] = true
			}
		}
	}
	return len(found) >= 2
}

// inArtifacts reports a file in a folder named artifacts: at any depth of the
// path as given, or directly.
func inArtifacts(in *Input) bool {
	dir := path.Dir(in.Path())
	for part := range strings.SplitSeq(dir, "/") {
		if part == "artifacts" {
			return true
		}
	}
	return path.Base(path.Dir(in.Abs())) == "artifacts"
}

func hasExtension(name string, extensions ...string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}

func isMarkdown(name string) bool { return hasExtension(name, ".md", ".markdown") }

func isJSON(name string) bool { return hasExtension(name, ".json", ".jsonl", ".ndjson") }

func isReadme(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.HasPrefix(base, "readme") || base == "index.md" || base == "changelog.md" || base == "license.md"
}

// nameIsText reports a name that text inputs have.
func nameIsText(name string) bool { return isMarkdown(name) || isJSON(name) }

// nameIsOurs reports a name that inputs usually have: if such a file cannot be
// opened on a walk, somebody should know.
func nameIsOurs(name string) bool {
	return nameIsText(name) || hasExtension(name, ".sqlite3", ".sqlite", ".zip")
}

// IsSSE reports the beginning of a stream of server-sent events.
func IsSSE(head []byte) bool {
	for line := range bytes.Lines(head) {
		name, value, found := bytes.Cut(line, []byte(":"))
		switch {
		case !found:
			return false
		case string(name) == "data":
			value = bytes.TrimLeft(value, " ")
			return len(value) > 0 && (value[0] == '{' || value[0] == '[' || value[0] == '\r' || value[0] == '\n')
		case len(name) > 0 && string(name) != "event" && string(name) != "id" && string(name) != "retry":
			return false
		}
	}
	return false
}

// maxManifest is how much of a manifest is read to find its database, in bytes.
const maxManifest = 64 << 20

// isBundle reports the folder of a share: a manifest that names a database, and
// that database or its pieces (mail_formats.md section 3).
func isBundle(dir *folder, entries []fs.DirEntry) bool {
	manifest, database := false, false
	for _, e := range entries {
		switch e.Name() {
		case "manifest.json":
			manifest = e.Type().IsRegular()
		case "mailbox.sqlite3", "mailbox.sqlite3.config.json", "chunks":
			database = true
		}
	}
	if !manifest || !database {
		return false
	}
	f, err := os.Open(dir.join("manifest.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	return err == nil && bytes.Contains(data, []byte(`"database"`))
}
