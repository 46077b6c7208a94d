package input

import (
	"bytes"
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

// traits are what the names of a document's members say about it.
type traits uint32

const (
	hasMetadata   traits = 1 << iota
	hasSections          // with metadata: an artifact
	hasSessionKey        // a session_id, or the id of a section: only artifacts have them
	hasContainer         // holds messages, or is a wrapper that may
	hasMessage           // what a message has, sent or not
	hasThreadID
	hasBody     // a text body_md
	hasAddress  // what a draft has in addition to its body
	hasCallBody // a body_md among the arguments of a tool
	hasSent     // what only a sent message has
	hasAgent    // what a profile has
	hasNoList   // messages that are no list
	hasScalar   // messages that are null, a text or the like
	hasOwner    // the project or agent whose mail it is
	decisive    // no further member can change the verdict
)

// place is the position of a member in a document.
type place uint8

const (
	atTop place = iota
	inMetadata
	inSections
	inParams
	inArguments
)

// traitsOf returns the traits that a member gives a document, and the place of its own
// members; atTop if these give no more.
func traitsOf(at place, name string, value jsontext.Kind) (traits, place) {
	m := mail.MemberOf(name)
	switch at {
	case inMetadata:
		if name == "session_id" {
			return hasSessionKey, atTop
		}
	case inSections:
		if brenner.SectionByID(name) != 0 {
			return hasSessionKey, atTop
		}
	case inParams:
		if m == mail.MemberArguments {
			return 0, inArguments
		}
	case inArguments: // a tool call is ours if its arguments hold body_md (decisions.md 36)
		if m == mail.MemberBodyMD {
			return hasCallBody, atTop
		}
	default:
		if m == 0 {
			return traitsOfArtifact(name)
		}
		return traitsOfMail(m, value)
	}
	return 0, atTop
}

// traitsOfArtifact returns those of a member of artifacts.
func traitsOfArtifact(name string) (traits, place) {
	switch {
	case name == "metadata":
		return hasMetadata, inMetadata
	case name == "sections":
		return hasSections, inSections
	case name == "session_id", brenner.SectionByID(name) != 0:
		return hasSessionKey, atTop
	}
	return 0, atTop
}

// roleTraits are the traits that the roles of members of mail give.
var roleTraits = [...]struct {
	role   mail.Role
	traits traits
}{
	{mail.InMessage, hasMessage}, {mail.InSent, hasSent}, {mail.InAddress, hasAddress}, {mail.InProfile, hasAgent},
	{mail.HoldsMail, hasContainer | decisive}, {mail.MayHoldMail, hasContainer},
}

// traitsOfMail returns those of a member of mail.
func traitsOfMail(m mail.Member, value jsontext.Kind) (out traits, within place) {
	for _, r := range roleTraits {
		if m.Has(r.role) {
			out |= r.traits
		}
	}
	switch {
	case m == mail.MemberThreadID:
		out |= hasThreadID
	case m == mail.MemberBodyMD && value == '"':
		out |= hasBody
	case m == mail.MemberMessages && value == '[':
		out |= hasContainer | decisive
	case m == mail.MemberMessages && value == '{':
		out |= hasNoList
	case m == mail.MemberMessages:
		out |= hasNoList | hasScalar
	case m == mail.MemberProject, m == mail.MemberAgent:
		out |= hasOwner
	case m == mail.MemberParams:
		within = inParams
	case m == mail.MemberToolInput:
		within = inArguments
	}
	return out, within
}

// recogniseJSON recognises a document by the names of its members, or of those of its
// first element.
func recogniseJSON(in *Input) recognition {
	d := readDocument(in)
	switch artifactName := hasExtension(in.name, ".json") || in.nameless(); {
	case d.array && d.has(hasContainer|hasMessage):
		return is(JSON)
	case d.isArtifact() && (in.Explicit() || d.has(hasSessionKey)):
		if artifactName {
			return is(ArtifactJSON)
		}
	case d.has(hasAgent) && path.Base(in.name) == "profile.json":
		return is(Profile)
	case d.has(hasCallBody):
		return is(Draft)
	case d.has(hasContainer), d.has(hasMessage) && d.has(hasSent):
		return is(JSON)
	case d.has(hasBody) && d.has(hasAddress):
		return is(Draft)
	case d.err != nil && artifactName && d.has(hasMetadata|hasSections) && d.has(hasSessionKey):
		return is(ArtifactJSON)
	case d.err != nil && artifactName && d.has(hasThreadID|hasBody|hasSessionKey):
		return recognition{kind: JSON, malformed: true} // the reader says what is wrong with it (decisions.md 52)
	case d.has(hasNoList) && d.has(hasThreadID), d.has(hasScalar) && (in.Explicit() || d.has(hasOwner)):
		return is(JSON)
	case in.Explicit() && (d.err != nil || d.empty):
		return is(JSON) // an empty listing, or the reader says at which byte
	}
	return recognition{reason: notRecognised, hint: kindHint}
}

// recogniseBroken recognises a text that is not the JSON that the name of its file promises by the
// members that can be read of it (decisions.md 77); else the verdict is that of the file.
func recogniseBroken(in *Input, text []byte, verdict recognition) recognition {
	d := readMembers(bytes.NewBuffer(text))
	switch {
	case !isJSON(in.name):
	case d.has(hasMetadata|hasSections) && d.has(hasSessionKey) && hasExtension(in.name, ".json"):
		return is(ArtifactJSON)
	case d.has(hasBody | decisive), hasExtension(in.name, ".json") && d.has(hasThreadID|hasSessionKey):
		return recognition{kind: JSON, malformed: true}
	}
	return verdict
}

// recogniseBelow recognises JSON below lines that are none: a line of a log, the marker of a
// conflict, a fence.
func recogniseBelow(in *Input, head []byte, verdict recognition) recognition {
	const most = 8 // lines that may begin JSON
	tried := 0
	for at := 0; at < len(head) && tried < most; {
		line := head[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if text := bytes.TrimLeft(line, " \t"); at > 0 && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
			tried++
			if v := recogniseBroken(in, head[at:], verdict); v.kind != 0 {
				return v
			}
		}
		at += len(line)
	}
	return verdict
}

// fromUTF16 decodes the beginning of a text in UTF-16.
func fromUTF16(text []byte) []byte {
	units := make([]uint16, len(text)/2)
	big := text[0] == 0xfe || text[0] == 0
	for i := range units {
		a, b := uint16(text[2*i]), uint16(text[2*i+1])
		if big {
			a, b = b, a
		}
		units[i] = a | b<<8
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), bom)
}

// document is what could be read of a JSON document.
type document struct {
	*jsontext.Decoder
	traits traits
	array  bool
	empty  bool // an empty array
	err    error
}

// has reports whether the document has any of the traits.
func (d *document) has(any traits) bool { return d.traits&any != 0 }

func (d *document) isArtifact() bool { return d.has(hasMetadata) && d.has(hasSections) }

// Bounds on what is read to recognise a document: members, and bytes beyond the head,
// which are only read of what may be an input. A document that needs more is not
// recognised.
const (
	maxMembers = 64
	maxBeyond  = 4 << 20
)

// readDocument reads the names of members until they decide: those in the head, and if
// these do not decide, some bytes beyond. Bytes that JSON does not allow do not prevent
// mail from being recognised.
func readDocument(in *Input) *document {
	d := readMembers(bytes.NewBuffer(bytes.TrimPrefix(in.head, bom)))
	if errors.Is(d.err, io.ErrUnexpectedEOF) && in.size > int64(len(in.head)) && (in.Explicit() || d.traits != 0) {
		c, err := in.open()
		if err != nil {
			return &document{err: err}
		}
		defer c.Close()
		head := bytes.NewReader(bytes.TrimPrefix(in.head, bom))
		d = readMembers(io.MultiReader(head, io.NewSectionReader(c, int64(len(in.head)), maxBeyond)))
		if errors.Is(d.err, io.ErrUnexpectedEOF) && in.size > maxBeyond {
			d.err = nil
		}
	}
	if d.err == nil || d.has(decisive) || utf8.Valid(in.head) && jsontree.RawControl(in.head) < 0 {
		return d
	}
	data, err := readMore(in)
	if err != nil || !jsontree.Mask(data, false) {
		return d
	}
	if masked := readMembers(bytes.NewBuffer(data)); masked.err == nil {
		return masked
	}
	return d
}

// readMembers reads names until they decide.
func readMembers(r io.Reader) *document {
	d := &document{Decoder: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	d.err = d.document()
	return d
}

func (d *document) document() error {
	if d.array = d.PeekKind() == '['; d.array {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		d.empty = d.PeekKind() == ']'
	}
	if d.PeekKind() != '{' {
		if d.empty {
			return nil
		}
		return d.SkipValue()
	}
	return d.members(atTop)
}

// members reads the members of an object.
func (d *document) members(at place) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	_, err := d.ReadToken()
	for n := 0; err == nil && d.PeekKind() != '}'; n++ {
		if n == maxMembers && at == atTop {
			return nil
		}
		var token jsontext.Token
		if token, err = d.ReadToken(); err != nil {
			return err
		}
		name := token.String() // now: PeekKind invalidates the token
		given, within := traitsOf(at, name, d.PeekKind())
		if d.traits |= given; d.traits&decisive != 0 {
			return nil
		}
		if within != atTop {
			err = d.members(within)
		} else {
			err = d.SkipValue()
		}
		if d.traits&decisive != 0 {
			return err
		}
	}
	if err == nil && at != atTop {
		_, err = d.ReadToken()
	}
	return err
}
