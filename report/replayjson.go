package report

import (
	"bufio"
	"io"
	"time"

	"github.com/brennerlint/brennerlint/replay"
)

// The names of the forms of JSON that ReplayJSON and BlameJSON write.
const (
	ReplaySchema = "brennerlint/replay/v1"
	BlameSchema  = "brennerlint/blame/v1"
)

// replayJSON and the types below are the JSON of contract.md.
type replayJSON struct {
	Schema  string       `json:"schema"`
	Threads []threadJSON `json:"threads"`
}

type threadJSON struct {
	Thread  string       `json:"thread"`
	Windows []windowJSON `json:"windows"`
	Pending pendingJSON  `json:"pending"`
}

type windowJSON struct {
	Version        *int           `json:"version"` // null where the subject gives none
	MessageID      string         `json:"message_id"`
	Base           replay.Base    `json:"base"`
	Applied        int            `json:"applied"`
	Rejected       []rejectedJSON `json:"rejected"`
	Hash           string         `json:"hash"`
	PublishedHash  string         `json:"published_hash,omitempty"`
	Matches        *bool          `json:"matches"` // null where nothing was compared
	OrderSensitive bool           `json:"order_sensitive"`
}

type rejectedJSON struct {
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta"`
	Rule      string `json:"rule"`
	Message   string `json:"message"`
}

type pendingJSON struct {
	Deltas int    `json:"deltas"`
	Hash   string `json:"hash"`
}

type blameJSON struct {
	Schema      string      `json:"schema"`
	Path        string      `json:"path"`
	Thread      string      `json:"thread"`
	Fields      []fieldJSON `json:"fields"`
	Unexplained int         `json:"unexplained"`
}

type fieldJSON struct {
	Item  string `json:"item"`
	Field string `json:"field"`
	Value string `json:"value"`

	Agent     string `json:"agent,omitempty"`
	MessageID string `json:"message_id,omitempty"`
	Delta     int    `json:"delta,omitempty"`
	Time      string `json:"time,omitempty"`
	Explained bool   `json:"explained"`
	Rejected  string `json:"rejected,omitempty"`
	Differs   bool   `json:"differs"`

	History []eventJSON `json:"history,omitempty"`
}

// eventJSON is a step in the history of a field.
type eventJSON struct {
	Change    string `json:"change"` // added, edited, killed, conflict or published
	Value     string `json:"value"`
	United    bool   `json:"united,omitempty"` // the value was added to an array
	Agent     string `json:"agent"`
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta,omitempty"`
	Time      string `json:"time"`
	Version   int    `json:"version,omitempty"`
	Rejected  string `json:"rejected,omitempty"`
}

func eventsOf(history []replay.FieldEvent) []eventJSON {
	var out []eventJSON
	for _, e := range history {
		j := eventJSON{Change: e.Kind.String(), Value: e.Value, United: e.United, Version: e.Version}
		if by := e.By; by != nil {
			j.Agent, j.MessageID, j.Delta, j.Time, j.Rejected = by.Agent, by.MessageID, by.Delta, by.Time.Format(time.RFC3339Nano), by.RejectedBy
		}
		out = append(out, j)
	}
	return out
}

// ReplayJSON writes a replay for scripts (contract.md: brennerlint/replay/v1).
func ReplayJSON(w io.Writer, r *replay.Results) error {
	out := replayJSON{Schema: ReplaySchema, Threads: make([]threadJSON, 0, len(r.Threads))}
	for i := range r.Threads {
		t := &r.Threads[i]
		j := threadJSON{Thread: t.Thread, Windows: make([]windowJSON, 0, len(t.Windows)), Pending: pendingJSON{t.Pending, t.PendingHash}}
		for i := range t.Windows {
			j.Windows = append(j.Windows, windowOf(&t.Windows[i]))
		}
		out.Threads = append(out.Threads, j)
	}
	return indented(w, &out)
}

func windowOf(w *replay.WindowResult) windowJSON {
	out := windowJSON{
		MessageID: w.MessageID, Base: w.Base, Applied: w.Applied, Rejected: make([]rejectedJSON, 0, len(w.Rejected)),
		Hash: w.Hash, PublishedHash: w.PublishedHash, Matches: w.Matches, OrderSensitive: w.OrderSensitive,
	}
	if w.Version > 0 {
		out.Version = &w.Version
	}
	for _, d := range w.Rejected {
		out.Rejected = append(out.Rejected, rejectedJSON{d.MessageID, d.Delta, d.Rule, d.Message})
	}
	return out
}

// BlameJSON writes for scripts which delta set each field of an artifact
// (contract.md: brennerlint/blame/v1).
func BlameJSON(w io.Writer, r *replay.BlameResult) error {
	out := blameJSON{Schema: BlameSchema, Path: r.Path, Thread: r.Thread, Fields: make([]fieldJSON, 0, len(r.Fields)), Unexplained: r.Unexplained()}
	for i := range r.Fields {
		f := &r.Fields[i]
		j := fieldJSON{Item: f.Item.String(), Field: f.Field, Value: f.Value, Explained: f.By != nil, Differs: f.Differs}
		if by := f.By; by != nil {
			j.Agent, j.MessageID, j.Delta, j.Time, j.Rejected = by.Agent, by.MessageID, by.Delta, by.Time.Format(time.RFC3339Nano), by.RejectedBy
		}
		j.History = eventsOf(f.History)
		out.Fields = append(out.Fields, j)
	}
	return indented(w, &out)
}

func indented(w io.Writer, v any) error {
	b := bufio.NewWriter(w)
	newJSON(b).value("", v)
	b.WriteByte('\n')
	return b.Flush()
}
