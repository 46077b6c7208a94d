package replay

// Results is the replay of threads for reports. It keeps no thread in memory. Its JSON is that
// of contract.md: brennerlint/replay/v1.
type Results struct {
	Threads []ThreadResult `json:"threads"` // by thread id, then project

	// Notices are facts a reader should know, such as messages that were left out.
	Notices []string `json:"-"`
	// Quoted are texts of the inputs that Notices repeat without quotation marks.
	Quoted []string `json:"-"`
	// Failures are internal errors: what they concern is not among the threads.
	Failures []error `json:"-"`
	// Unreadable reports that an input could not be read or parsed.
	Unreadable bool `json:"-"`
}

// Matches reports whether all published artifacts match their deltas.
func (r *Results) Matches() bool {
	for _, t := range r.Threads {
		for _, w := range t.Windows {
			if w.Matches != nil && !*w.Matches {
				return false
			}
		}
	}
	return true
}

// ThreadResult is the replay of one thread.
type ThreadResult struct {
	Thread  string         `json:"thread"`
	Project string         `json:"-"`
	Windows []WindowResult `json:"windows"`
	Pending PendingResult  `json:"pending"`

	// Artifact is the canonical Markdown of the last state; only if asked for.
	Artifact []byte `json:"-"`
	// Shuffled is how many permutations of the messages were replayed, and Stable
	// whether all produced the same hashes.
	Shuffled int  `json:"-"`
	Stable   bool `json:"-"`
}

// PendingResult is the part of a thread after the last COMPILED.
type PendingResult struct {
	Deltas int    `json:"deltas"`
	Hash   string `json:"hash"` // of the state with them
}

// WindowResult is the part of a thread up to and including a COMPILED.
type WindowResult struct {
	Version   *int            `json:"version"`    // as the subject says; nil if it states none
	MessageID string          `json:"message_id"` // of the COMPILED
	Base      Base            `json:"base"`
	Applied   int             `json:"applied"` // deltas that changed something
	Rejected  []RejectedDelta `json:"rejected"`
	Hash      string          `json:"hash"` // of the merged state
	// PublishedHash is the hash of the artifact in the COMPILED, "" if it has none;
	// Matches reports whether it equals the merged state, nil if nothing was compared.
	PublishedHash string `json:"published_hash,omitempty"`
	Matches       *bool  `json:"matches"`
	// OrderSensitive reports that the order of deltas of one instant matters.
	OrderSensitive bool `json:"order_sensitive"`
	// Differences are the first in which the published artifact differs from the merged
	// state, and Differing is how many there are.
	Differences []Difference `json:"-"`
	Differing   int          `json:"-"`
}

// Difference is a field of an item that differs in a published artifact, or with an empty
// Key an item that only one side has.
type Difference struct {
	Item, Key, Part   string
	Merged, Published string // on one line; "" if absent
	Missing, Added    bool   // the published artifact lacks the item, or only it has it
}

// RejectedDelta is a delta that the merge did not apply.
type RejectedDelta struct {
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta"`   // in the message, from 1
	Rule      string `json:"rule"`    // the id of the rule that explains it
	Message   string `json:"message"` // why
	// Quoted are texts of the delta that Message repeats without quotation marks.
	Quoted []string `json:"-"`
}

// BlameResult names the delta that set each field of an artifact file.
type BlameResult struct {
	Path   string // of the file, as given on the command line
	Thread string
	Fields []FieldBlame // in the order of the text
}

// Unexplained counts the fields that no delta explains.
func (r *BlameResult) Unexplained() int {
	n := 0
	for i := range r.Fields {
		if r.Fields[i].By == nil {
			n++
		}
	}
	return n
}
