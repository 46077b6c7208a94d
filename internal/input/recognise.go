package input

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// recognition is the kind of a file; if it is not recognised, the reason.
type recognition struct {
	kind         Kind
	malformed    bool // as Input.Malformed
	reason, hint string
}

func is(k Kind) recognition { return recognition{kind: k} }

const (
	notRecognised = "is not recognised as an artifact, a mail export or a draft"
	kindHint      = "--kind artifact, mail or draft checks it anyway"
	draftHint     = "check a draft with brennerlint presend, or with --kind draft"
)

var bom = []byte(source.BOM)

// magics are first bytes that say what a file is.
var magics = []struct {
	begins string
	recognition
}{
	{"SQLite format 3\x00", is(SQLite)},
	{"PK\x03\x04", is(Zip)},
	{"PK\x05\x06", is(Zip)}, // an empty one
	{"\x37\x7f\x06", recognition{reason: "is the log of a database", hint: "name the database itself"}},
	{"age-encryption.org/", isEncrypted},
	{"-----BEGIN AGE ENCRYPTED FILE-----", isEncrypted}, // as text
}

var isEncrypted = recognition{reason: "is encrypted", hint: "decrypt it with age --decrypt, and name the zip file"}

// recognise determines the kind of a file from its first bytes, its name, and, if these do
// not suffice, from more of its content (decisions.md 37 to 39).
func recognise(in *Input, as As) recognition {
	head := bytes.TrimPrefix(in.head(), bom)
	if !firstLineIs(head, ArchiveStart) && in.isMessagePlace() {
		return override(in, is(Archive), as, head) // the reader says what is wrong (decisions.md 76)
	}
	if in.isProfilePlace() && (IsUTF16(head) || readDocument(in).err != nil) {
		return override(in, is(Profile), as, head)
	}
	for i := range magics {
		if bytes.HasPrefix(head, []byte(magics[i].begins)) {
			return magics[i].recognition
		}
	}
	if IsUTF16(head) { // the reader says so
		return override(in, cmp.Or(recogniseBroken(in, fromUTF16(head)), recogniseByName(in, as)), as, nil)
	}
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	var v recognition
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
	if v.kind == 0 && isJSON(in.path) {
		v = cmp.Or(recogniseBelow(in, head), v)
	}
	return override(in, v, as, trimmed)
}

// override applies --kind. In a walked folder it accepts what looks like the requested
// kind; a named file is accepted whatever it is.
func override(in *Input, v recognition, as As, trimmed []byte) recognition {
	isObject := len(trimmed) > 0 && trimmed[0] == '{'
	switch {
	case as == Auto:
		if v.kind == Draft && !in.Named {
			return recognition{reason: "is a draft"} // drafts are checked when they are named
		}
		return v
	case as == v.kind.As():
		return v
	case !in.Named && (v.kind != 0 || !nameIsText(in.path)):
		return recognition{}
	case as == AsDraft:
		return is(Draft)
	case as == AsArtifact && isObject:
		return is(ArtifactJSON)
	case as == AsArtifact:
		return is(ArtifactMarkdown)
	case !in.Named:
		return recognition{}
	case isObject || len(trimmed) > 0 && trimmed[0] == '[':
		return is(JSON)
	default:
		return is(Archive)
	}
}

// recogniseByName recognises a file without content, or in another encoding.
func recogniseByName(in *Input, as As) recognition {
	switch {
	case isMarkdown(in.path) && (in.namedForThread() || as == AsArtifact):
		return is(ArtifactMarkdown)
	case isJSON(in.path) && in.Explicit():
		return is(JSON)
	case len(in.head()) == 0:
		return recognition{reason: "is empty"}
	}
	return recognition{reason: notRecognised, hint: kindHint}
}

// Explicit reports whether the user says that the file is an input: then little evidence
// suffices.
func (in *Input) Explicit() bool { return in.Named && !in.strict }

// nameless reports whether an input is standard input or a pipe without an informative
// name.
func (in *Input) nameless() bool { return in.InMemory() && path.Ext(in.path) == "" }

func hasExtension(name string, extensions ...string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}

func isMarkdown(name string) bool { return hasExtension(name, ".md", ".markdown") }

func isJSON(name string) bool { return hasExtension(name, ".json", ".jsonl", ".ndjson") }

// nameIsText reports whether a name is typical of text inputs.
func nameIsText(name string) bool { return isMarkdown(name) || isJSON(name) }

// NameIsOurs reports whether a name is typical of inputs: if such a file cannot be opened
// on a walk, that is reported.
func NameIsOurs(name string) bool {
	return nameIsText(name) || hasExtension(name, ".sqlite3", ".sqlite", ".zip")
}

// IsSSE reports whether a text begins a stream of server-sent events, of which one holds JSON.
func IsSSE(head []byte) bool {
	for line := range EventLines(head) {
		name, value, found := bytes.Cut(line, []byte(":"))
		switch {
		case !found && len(bytes.TrimSpace(line)) > 0:
			return false
		case string(name) == "data":
			if value = bytes.TrimLeft(value, " "); len(value) > 0 && bytes.IndexByte([]byte("{[\r\n"), value[0]) >= 0 {
				return true
			}
		case found && len(name) > 0 && string(name) != "event" && string(name) != "id" && string(name) != "retry":
			return false
		}
	}
	return false
}

// EventLines returns the lines of server-sent events with their ends: CR, LF or both.
func EventLines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := bytes.IndexAny(text, "\r\n") + 1
			if n == 0 {
				n = len(text)
			} else if bytes.HasPrefix(text[n-1:], []byte("\r\n")) {
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
