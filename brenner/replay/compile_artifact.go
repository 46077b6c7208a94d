package replay

import (
	"bytes"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// render returns the artifact of the version, with its front matter.
func (c *Compiled) render() []byte {
	meta := artifact.RenderMeta{
		SessionID: c.Thread, Version: c.Version, CreatedAt: brenner.FormatTime(c.At), UpdatedAt: brenner.FormatTime(c.At),
		CompiledAt: brenner.FormatTime(c.At), CompiledBy: c.Compiler, Status: "active",
	}
	for _, m := range c.replay.Thread.Messages {
		if m.HasTime {
			meta.CreatedAt = brenner.FormatTime(m.Time)
			break
		}
	}
	if c.Published != nil {
		meta.MessageID = c.Published.ID
	}
	for _, agent := range c.replay.Contributors(c.Window) {
		meta.Contributors = append(meta.Contributors, artifact.Contributor{Agent: agent})
	}
	return artifact.Render(c.State, meta)
}

// fullArtifact is the heading above the artifact.
const fullArtifact = "## Full Artifact\n\n"

// embedded returns the artifact as the message has it: raw, as in the protocol's own
// messages; in a fence only if its readers would not find it there unchanged, or would
// find more, such as a delta in the text of an item.
func (c *Compiled) embedded() string {
	inline := string(c.Artifact)
	file := artifact.ParseMarkdown(source.NewText(c.Artifact), artifact.Limits{})
	m := session.Begin(&mail.Thread{}, artifact.Limits{}).Add(&mail.Message{
		Subject: source.NewText([]byte("COMPILED: v1")), Body: source.NewText([]byte(fullArtifact + inline)), BodyState: mail.BodyPresent,
	})
	if a := m.Artifact; a != nil && len(m.Deltas)+len(m.UnfencedDeltas) == 0 && bytes.Equal(a.Text.Bytes(a.Span), c.Artifact) && a.State().Equal(file.State()) {
		return inline
	}
	return text.Fence("markdown", inline)
}
