package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// document is what is known of a JSON document by the names of its members, or of its first
// element's members, as far as they could be read.
type document struct {
	members            mail.Members
	metadata, sections bool // together: an artifact
	session            bool // a session_id, or the id of a section: only artifacts have them
	body               bool // a text body_md
	call               bool // a body_md among the arguments of a tool
	noList             bool // messages that are not a list
	scalar             bool // messages that are null, a text or the like
	holdsMail          bool // no further member can change the verdict
	array, empty       bool // an array, an empty one
	err                error
}

// mayHold reports whether the document holds messages, or is a wrapper that may.
func (d *document) mayHold() bool { return d.holdsMail || d.members.HasRole(mail.MayHoldMail) }

func (d *document) isArtifact() bool { return d.metadata && d.sections }

// says reports whether a name was read that inputs have.
func (d *document) says() bool {
	return d.metadata || d.sections || d.session || d.call || d.holdsMail ||
		d.members.HasRole(mail.InMessage|mail.InSent|mail.InAddress|mail.InProfile|mail.MayHoldMail) ||
		d.members.Has("messages", "project", "agent")
}

// recogniseJSON recognises a document by the names of its members, or of those of its
// first element.
func recogniseJSON(in *Input) recognition {
	d := readDocument(in)
	message, thread := d.members.HasRole(mail.InMessage), d.members.Has("thread_id")
	switch artifactName := hasExtension(in.path, ".json") || in.nameless(); {
	case d.array && (d.mayHold() || message):
		return is(JSON)
	case d.isArtifact() && (in.Explicit() || d.session):
		if artifactName {
			return is(ArtifactJSON)
		}
	case d.members.HasRole(mail.InProfile) && path.Base(in.path) == "profile.json":
		return is(Profile)
	case d.call:
		return is(Draft)
	case d.mayHold(), message && d.members.HasRole(mail.InSent):
		return is(JSON)
	case d.body && d.members.HasRole(mail.InAddress):
		return is(Draft)
	case d.err != nil && artifactName && d.asBroken(true) != recognition{}:
		return d.asBroken(true)
	case d.noList && thread, d.scalar && (in.Explicit() || d.members.Has("project", "agent")):
		return is(JSON)
	case in.Explicit() && (d.err != nil || d.empty):
		return is(JSON) // an empty listing, or the reader says at which byte
	}
	if d.err != nil && hasExtension(in.path, ".json") { // perhaps a dict as Python prints it
		if p := readMembers(bytes.ReplaceAll(in.head(), []byte("'"), []byte(`"`))); p.body || p.members.Has("thread_id") {
			return recognition{kind: JSON, malformed: true}
		}
	}
	return recognition{reason: notRecognised, hint: kindHint}
}

// asBroken recognises a document that cannot be read whole, by the members that can be read (decisions.md
// 77). It returns nothing if these do not decide. Alone, it is a file of its own, not a line of JSON Lines.
func (d *document) asBroken(alone bool) recognition {
	switch {
	case alone && (d.metadata || d.sections) && d.session:
		return is(ArtifactJSON)
	case d.body || d.holdsMail || alone && (d.session || d.members.Has("thread_id")):
		return recognition{kind: JSON, malformed: true} // the reader says what is wrong with it (decisions.md 52)
	}
	return recognition{}
}

// recogniseBelow recognises JSON below other lines: a line of a log, the marker of a conflict, a
// fence. It returns nothing if there is none.
func recogniseBelow(in *Input, head []byte) recognition {
	tries := 8 // of lines that may begin JSON
	at := 0
	for line := range bytes.Lines(head) {
		if text := bytes.TrimLeft(line, " \t"); at > 0 && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
			if v := recogniseBroken(in, head[at:]); v.kind != 0 || tries == 1 {
				return v
			}
			tries--
		}
		at += len(line)
	}
	return recognition{}
}

// recogniseBroken recognises the beginning of a file of JSON that is broken.
func recogniseBroken(in *Input, text []byte) recognition {
	if !isJSON(in.path) {
		return recognition{}
	}
	return readMembers(text).asBroken(hasExtension(in.path, ".json"))
}

// fromUTF16 decodes the beginning of a text in UTF-16.
func fromUTF16(text []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if text[0] == 0xfe || text[0] == 0 {
		order = binary.BigEndian
	}
	units := make([]uint16, len(text)/2)
	_, _ = binary.Decode(text, order, units) // it is as long
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), bom)
}

// Bounds on what is read to recognise a document: members, and bytes if the head does not
// decide. A document that needs more is not recognised.
const (
	maxMembers = 64
	maxMore    = 4 << 20
)

// readDocument reads the names of members until they decide: those in the head, and if
// these do not decide, in more of the file. Bytes that JSON does not allow do not prevent
// mail from being recognised.
func readDocument(in *Input) *document {
	head := bytes.TrimPrefix(in.head(), bom)
	d := readMembers(head)
	more := in.isCut() && errors.Is(d.err, io.ErrUnexpectedEOF) && (in.Explicit() || d.says())
	if d.err == nil || d.holdsMail || !more && utf8.Valid(head) && jsontree.RawControl(head) < 0 {
		return d
	}
	data, err := readMore(in)
	if err != nil {
		return &document{err: err}
	}
	if more {
		d = readMembers(data)
		if errors.Is(d.err, io.ErrUnexpectedEOF) && in.size > maxMore {
			d.err = nil
		}
	}
	if d.err == nil || d.holdsMail || !jsontree.Mask(data) {
		return d
	}
	if masked := readMembers(data); masked.err == nil {
		return masked
	}
	return d
}

// readMembers reads names until they decide.
func readMembers(text []byte) *document {
	d, in := &document{}, jsontree.NewDecoder(text)
	if d.array = in.PeekKind() == '['; d.array {
		_, d.err = in.ReadToken()
		d.empty = d.err == nil && in.PeekKind() == ']'
	}
	if d.err == nil && !d.empty {
		d.object(in, "")
	}
	return d
}

// object reads the members of an object, which is the value of the member of that name; it is ""
// at the top. Another value says nothing.
func (d *document) object(in *jsontext.Decoder, of string) {
	if in.PeekKind() != '{' {
		d.err = in.SkipValue()
		return
	}
	_, d.err = in.ReadToken()
	for n := 0; d.err == nil && in.PeekKind() != '}' && (n < maxMembers || of != ""); n++ {
		var token jsontext.Token
		if token, d.err = in.ReadToken(); d.err != nil {
			return
		}
		name := token.String() // now: PeekKind invalidates the token
		needed := d.member(of, name, in.PeekKind())
		switch {
		case d.holdsMail:
			return
		case needed:
			d.object(in, name)
		default:
			d.err = in.SkipValue()
		}
	}
	if d.err == nil && of != "" {
		_, d.err = in.ReadToken()
	}
}

// member notes a member with a kind of value. It reports whether the members of the value are
// needed, too.
func (d *document) member(of, name string, value jsontext.Kind) (needed bool) {
	isSection := brenner.SectionByID(name) != 0
	switch of {
	case "metadata":
		d.session = d.session || name == "session_id"
		return false
	case "sections":
		d.session = d.session || isSection
		return false
	case "params":
		return name == "arguments"
	case "arguments", "tool_input": // a tool call is ours if its arguments hold body_md (decisions.md 36)
		d.call = d.call || name == "body_md"
		return false
	}
	d.members.Add(name)
	d.metadata, d.sections = d.metadata || name == "metadata", d.sections || name == "sections"
	d.session = d.session || name == "session_id" || isSection
	d.holdsMail = d.holdsMail || mail.HasRole(name, mail.HoldsMail)
	switch name {
	case "body_md":
		d.body = d.body || value == '"'
	case "messages":
		d.holdsMail = d.holdsMail || value == '['
		d.noList = d.noList || value != '['
		d.scalar = d.scalar || value != '[' && value != '{'
	}
	return name == "metadata" || name == "sections" || name == "params" || name == "tool_input"
}
