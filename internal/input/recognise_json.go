package input

import (
	"bytes"
	"errors"
	"io"
	"path"

	"github.com/go-json-experiment/json/jsontext"
)

// traits are what the names of a document's members tell of it.
type traits uint16

const (
	hasMetadata  traits = 1 << iota
	hasSections         // with metadata: an artifact
	hasContainer        // holds messages, or is a wrapper that may
	hasCall             // a call of a tool
	hasMessage          // what a message has, sent or not
	hasSent             // what only a sent message has
	hasAgent            // what a profile has
	decisive            // no further member can change the verdict
)

var memberTraits = map[string]traits{
	"metadata":          hasMetadata,
	"sections":          hasSections,
	"messages":          hasContainer | decisive,
	"deliveries":        hasContainer | decisive,
	"contents":          hasContainer | decisive,
	"structuredContent": hasContainer | decisive,
	"result":            hasContainer | decisive,
	"content":           hasContainer,
	"error":             hasContainer,
	"method":            hasCall | decisive,
	"tool_input":        hasCall | decisive,
	"tool_name":         hasCall | decisive,
	"thread_id":         hasMessage,
	"subject":           hasMessage,
	"body_md":           hasMessage,
	"created_ts":        hasSent,
	"created":           hasSent,
	"id":                hasSent,
	"from":              hasSent,
	"program":           hasAgent,
	"inception_ts":      hasAgent,
}

// recogniseJSON judges a document by the names of its outermost members, or of
// those of its first element.
func recogniseJSON(in *Input) verdict {
	t, array, err := readTraits(in, 0)
	if errors.Is(err, io.ErrUnexpectedEOF) && in.size > int64(len(in.head)) && (in.Named || t != 0) {
		t, array, err = readTraits(in, maxBeyond)
		if errors.Is(err, io.ErrUnexpectedEOF) && in.size > maxBeyond {
			err = nil
		}
	}
	switch {
	case array && t&(hasContainer|hasMessage) != 0:
		return is(JSON)
	case t&hasMetadata != 0 && t&hasSections != 0:
		return is(ArtifactJSON)
	case t&hasAgent != 0 && path.Base(in.name) == "profile.json":
		return is(Profile)
	case t&hasCall != 0:
		return is(Draft)
	case t&hasContainer != 0, t&hasMessage != 0 && t&hasSent != 0:
		return is(JSON)
	case t&hasMessage != 0:
		return is(Draft)
	case in.Named && (err != nil || array):
		return is(JSON) // an empty listing, or the reader says at which byte
	}
	return verdict{reason: noneOfOurs}
}

// Bounds on what is read to recognise a document: members, and bytes beyond the
// head, which are only read of what may be ours. What needs more is none.
const (
	maxMembers = 64
	maxBeyond  = 4 << 20
)

// readTraits reads the names of members until they decide, in the head and some
// bytes beyond.
func readTraits(in *Input, beyond int64) (t traits, array bool, err error) {
	var r io.Reader = bytes.NewBuffer(bytes.TrimPrefix(in.head, bom))
	if beyond > 0 {
		c, err := in.open()
		if err != nil {
			return 0, false, err
		}
		r = io.MultiReader(r, io.NewSectionReader(c, int64(len(in.head)), beyond))
	}
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() == '[' {
		array = true
		if _, err := d.ReadToken(); err != nil {
			return 0, true, err
		}
	}
	if d.PeekKind() != '{' {
		return 0, array, d.SkipValue()
	}
	_, err = d.ReadToken()
	for n := 0; err == nil && n < maxMembers && d.PeekKind() != '}'; n++ {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		if t |= memberTraits[name.String()]; t&decisive != 0 {
			return t, array, nil
		}
		err = d.SkipValue()
	}
	return t, array, err
}
