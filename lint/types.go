package lint

import (
	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// What checks are shown is made by internal packages, whose shape follows the
// formats. Here it has names, so that other programs can write checks of their
// own as functions.
type (
	// Place is a part of a text, which may itself are in another text.
	Place = source.Place
	// Message is a message as the protocol reads it: type, sections, deltas.
	Message = session.Message
	// Thread is the messages of a thread, in order of time.
	Thread = session.Thread
	// Delta is a delta block of a message.
	Delta = delta.Delta
	// Artifact is an artifact file, or one that a message holds.
	Artifact = artifact.Artifact
	// MessageType is what a subject says that a message is.
	MessageType = protocol.MessageType
)

// The types of messages, for Rule.Types.
const (
	KickoffMessage  = protocol.Kickoff
	DeltaMessage    = protocol.Delta
	CompiledMessage = protocol.Compiled
	CritiqueMessage = protocol.Critique
	AckMessage      = protocol.Ack
	ClaimMessage    = protocol.Claim
	HandoffMessage  = protocol.Handoff
	BlockedMessage  = protocol.Blocked
	QuestionMessage = protocol.Question
	InfoMessage     = protocol.Info
)
