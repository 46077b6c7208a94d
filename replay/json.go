package replay

// Schema names the form of a Report in JSON.
const Schema = "brennerlint/replay/v1"

// Report tells of each thread what its merges give, window by window. Its JSON
// form is fixed by contract.md.
type Report struct {
	Schema  string         `json:"schema"`
	Threads []ThreadReport `json:"threads"`

	// Notices and Unreadable are as in a Report.
	Notices []string `json:"-"`
	// Failures are internal errors: what they are about is not in the report.
	Failures   []error `json:"-"`
	Unreadable bool    `json:"-"`
}

// Matches reports whether no published artifact differs from its deltas.
func (r *Report) Matches() bool {
	for _, t := range r.Threads {
		for _, w := range t.Windows {
			if w.Matches != nil && !*w.Matches {
				return false
			}
		}
	}
	return true
}

// ThreadReport is the replay of one thread.
type ThreadReport struct {
	Thread  string         `json:"thread"`
	Project string         `json:"-"`
	Windows []WindowReport `json:"windows"`
	Pending PendingDeltas  `json:"pending"`

	// Artifact is the canonical Markdown of the last state; only if asked for.
	Artifact []byte `json:"-"`
	// Shuffled tells how many permutations of the messages were replayed, and
	// Stable whether all gave the same hashes.
	Shuffled int  `json:"-"`
	Stable   bool `json:"-"`

	// Untimed is the notice about messages that the replay leaves out, perhaps "".
	Untimed string `json:"-"`
}

// WindowReport is the stretch of a thread up to and with a COMPILED.
type WindowReport struct {
	Version        *int            `json:"version"` // null where the subject gives none
	MessageID      string          `json:"message_id"`
	Base           string          `json:"base"` // empty, published or replayed
	Applied        int             `json:"applied"`
	Rejected       []RejectedDelta `json:"rejected"`
	Hash           string          `json:"hash"`
	PublishedHash  string          `json:"published_hash,omitempty"`
	Matches        *bool           `json:"matches"` // null where nothing was compared
	OrderSensitive bool            `json:"order_sensitive"`
}

// RejectedDelta is a delta that the merge did not apply.
type RejectedDelta struct {
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta"`
	Rule      string `json:"rule"`
	Message   string `json:"message"`
}

// PendingDeltas are those after the last COMPILED.
type PendingDeltas struct {
	Deltas int    `json:"deltas"`
	Hash   string `json:"hash"`
}

// BlamedField tells of a field of an artifact which delta set it.
type BlamedField struct {
	Item  string `json:"item"`
	Field string `json:"field"` // "" for the item itself, "killed" for its end
	Value string `json:"value"`
	// Agent, MessageID, Delta and Time are those of the delta that set the field
	// last; left out if no delta explains it.
	Agent     string `json:"agent,omitempty"`
	MessageID string `json:"message_id,omitempty"`
	Delta     int    `json:"delta,omitempty"`
	Time      string `json:"time,omitempty"`
	Explained bool   `json:"explained"`
	// Rejected is the rule by which that delta had to be rejected; left out if it
	// was right to apply it.
	Rejected string `json:"rejected,omitempty"`
	Differs  bool   `json:"differs"` // the artifact does not say what the delta set
}

// BlameReport tells for every field of an artifact which delta set it.
type BlameReport struct {
	Schema      string        `json:"schema"`
	Path        string        `json:"path"`
	Thread      string        `json:"thread"`
	Fields      []BlamedField `json:"fields"`
	Unexplained int           `json:"unexplained"`
}

// BlameSchema names the form of a BlameReport in JSON.
const BlameSchema = "brennerlint/blame/v1"
