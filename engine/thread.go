package engine

import (
	"iter"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
)

// threadRunner reads one thread, message by message in order of time, and replays
// it on the way. It is the only way in which threads are read.
type threadRunner struct {
	*session.Thread
	inputs   *inputs
	reading  *export.ThreadReader
	failures failures
	// replay is nil where the thread is not there as a whole.
	replay *replay.Thread
}

// openThread begins to read and replay a thread.
func (in *inputs) openThread(info export.ThreadInfo) *threadRunner {
	r := in.openMail(info)
	if r.reading.Whole {
		opts := in.replayOptions(r.reading)
		r.replaying(func() { r.replay = replay.Begin(r.Thread, opts) })
	}
	return r
}

// openMail begins to read a thread that is not replayed.
func (in *inputs) openMail(info export.ThreadInfo) *threadRunner {
	reading := in.store.Open(info)
	return &threadRunner{Thread: session.Begin(&reading.Thread, in.opts.Limits.ofArtifacts()), inputs: in, reading: reading}
}

// messages returns those of the export, each replayed before it is shown.
func (r *threadRunner) messages() iter.Seq[*session.Message] {
	return func(yield func(*session.Message) bool) {
		for _, m := range r.read() {
			if read := r.add(m); read != nil && !yield(read) {
				return
			}
		}
	}
}

func (r *threadRunner) read() []*mail.Message {
	defer r.inputs.opts.Profile.add(readStage, r.inputs.opts.Profile.start())
	return r.reading.Read()
}

// add reads and replays the next message; nil where that breaks.
func (r *threadRunner) add(m *mail.Message) (read *session.Message) {
	start := r.inputs.opts.Profile.start()
	ok := r.guard(parseStage, func() { read = r.Thread.Add(m) })
	r.inputs.opts.Profile.add(parseStage, start)
	if !ok {
		r.replay = nil // the thread is no longer there as a whole
		return nil
	}
	if r.replay != nil {
		r.replaying(func() { r.replay.Add(read) })
	}
	return read
}

// finish ends the replay. It returns a notice about messages that the replay
// leaves out, or "".
func (r *threadRunner) finish() string {
	if len(r.Messages) == 0 {
		r.replay = nil
	}
	if r.replay == nil {
		return ""
	}
	r.replaying(r.replay.End)
	if r.replay == nil {
		return ""
	}
	return r.replay.Notice()
}

// run reads the whole thread.
func (r *threadRunner) run() (notice string) {
	for range r.messages() { //revive:disable-line:empty-block each is replayed
	}
	return r.finish()
}

// reopen reads a thread again, for the rules on what sessions say of each other.
func (in *inputs) reopen(info export.ThreadInfo) (*session.Thread, *artifact.Artifact) {
	t := in.openMail(info)
	t.run()
	return t.Thread, nil
}

// facts returns what reading the thread has shown.
func (r *threadRunner) facts() export.Facts { return r.reading.Facts() }

// replaying does a part of the replay. One that breaks is a fault of the program:
// the thread goes without.
func (r *threadRunner) replaying(do func()) {
	defer r.inputs.opts.Profile.add(replayStage, r.inputs.opts.Profile.start())
	if !r.guard(replayStage, do) {
		r.replay = nil
	}
}

func (r *threadRunner) guard(stage string, do func()) bool {
	path := ""
	if len(r.Messages) > 0 {
		path = r.Messages[0].ExportInfo.Path
	}
	return r.failures.guard(stage, path, r.ID, do)
}

// replayOptions returns what the replay of a thread needs in addition: the settings, and
// the thread's artifact files among the inputs.
func (in *inputs) replayOptions(t *export.ThreadReader) replay.Options {
	opts := replay.Options{Roster: in.opts.RuleConfig.Roster, Priority: in.opts.RuleConfig.Priority, Gap: t.Gap}
	if t.ID == "" {
		return opts
	}
	for _, f := range in.byThread[t.ID] {
		if a, _ := in.readArtifact(f.in, in.opts.Profile); a != nil && (!in.sharesID(t.ID) || namesMessageOf(a, t)) {
			opts.Files = append(opts.Files, replay.File{Path: f.in.Path(), Artifact: a})
		}
	}
	return opts
}

// namesMessageOf reports whether the front matter of an artifact names a message
// of a thread.
func namesMessageOf(a *artifact.Artifact, t *export.ThreadReader) bool {
	id := a.Meta.Get("agent_mail_message_id")
	return id != nil && id.Text != "" && t.Has(id.Text)
}
