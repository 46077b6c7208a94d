package input

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
	Draft   // a message that is not sent yet
)

// content is what inputs of a kind hold.
type content uint8

const (
	artifactContent content = iota + 1
	mailContent             // an export: package export has a reader for each kind
	draftContent
)

// kinds says of each kind how people call it, and what it holds. Nothing follows
// from their order.
var kinds = [...]struct {
	name  string
	holds content
}{
	0:                {name: "unknown"},
	ArtifactMarkdown: {"artifact", artifactContent},
	ArtifactJSON:     {"JSON artifact", artifactContent},
	Archive:          {"archive message", mailContent},
	Profile:          {"agent profile", mailContent},
	JSON:             {"mail JSON", mailContent},
	SQLite:           {"SQLite database", mailContent},
	Bundle:           {"share bundle", mailContent},
	Zip:              {"zip file", mailContent},
	Draft:            {"draft", draftContent},
}

// MailKinds are the kinds of exports of mail.
func MailKinds() []Kind {
	var out []Kind
	for k := range kinds {
		if Kind(k).IsMail() {
			out = append(out, Kind(k))
		}
	}
	return out
}

// String names the kind for people.
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
