package input

import "bytes"

// Kind is what an input is.
type Kind uint8

// The kinds of inputs (mail_formats.md; artifact_format.md).
const (
	ArtifactMarkdown Kind = iota + 1
	ArtifactJSON
	Archive // one message of the git archive: `---json` front matter and a body
	Profile // profile.json of the git archive: one agent of a roster
	JSON    // mail as JSON in any shape and wrapper, server-sent events and JSON Lines included
	SQLite  // a database of Agent Mail, live or of a share
	Bundle  // the folder of a share
	Zip     // a share as zip
	Draft   // a message that has not been sent
)

// content is what inputs of a kind contain.
type content uint8

const (
	artifactContent content = iota + 1
	mailContent             // an export: package export has a reader for each kind
	draftContent
)

// kinds is the registry of kinds: the name shown to people, the content, and the first
// bytes by which each is recognised. Text kinds have no such bytes, and are distinguished
// by their content (recognise). The order has no meaning.
var kinds = [...]struct {
	name  string
	holds content
	magic []string // any of these begins a file of the kind
}{
	0:                {name: "unknown"},
	ArtifactMarkdown: {name: "artifact", holds: artifactContent},
	ArtifactJSON:     {name: "JSON artifact", holds: artifactContent},
	Archive:          {name: "archive message", holds: mailContent},
	Profile:          {name: "agent profile", holds: mailContent},
	JSON:             {name: "mail JSON", holds: mailContent},
	SQLite:           {name: "SQLite database", holds: mailContent, magic: []string{"SQLite format 3\x00"}},
	Bundle:           {name: "share bundle", holds: mailContent},
	Zip:              {name: "zip file", holds: mailContent, magic: []string{"PK\x03\x04", "PK\x05\x06"}}, // the latter if it is empty
	Draft:            {name: "draft", holds: draftContent},
}

// kindByMagic returns the kind that the first bytes of a file identify, or 0.
func kindByMagic(head []byte) Kind {
	for k := range kinds {
		for _, magic := range kinds[k].magic {
			if bytes.HasPrefix(head, []byte(magic)) {
				return Kind(k)
			}
		}
	}
	return 0
}

// String returns the name of the kind, for people.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		k = 0
	}
	return kinds[k].name
}

// IsArtifact reports whether the input is an artifact.
func (k Kind) IsArtifact() bool { return k.holds(artifactContent) }

// IsMail reports whether the input is an export, which package export reads.
func (k Kind) IsMail() bool { return k.holds(mailContent) }

func (k Kind) holds(c content) bool { return int(k) < len(kinds) && kinds[k].holds == c }
