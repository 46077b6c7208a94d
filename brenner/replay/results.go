package replay

// Results is the replay of threads for reports. It keeps no thread in memory.
type Results struct {
	Threads []ThreadResult // by thread id, then project

	// Notices are facts a reader should know, such as messages that were left out.
	Notices []string
	// Quoted are texts of the inputs that Notices repeat without quotation marks.
	Quoted []string
	// Failures are internal errors: what they concern is not among the threads.
	Failures []error
	// Unreadable reports that an input could not be read or parsed.
	Unreadable bool
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
	Thread, Project string
	Windows         []WindowResult

	// Pending counts the deltas after the last COMPILED, and PendingHash is the hash of
	// the state with them.
	Pending     int
	PendingHash string

	// Artifact is the canonical Markdown of the last state; only if asked for.
	Artifact []byte
	// Shuffled is how many permutations of the messages were replayed, and Stable
	// whether all produced the same hashes.
	Shuffled int
	Stable   bool
	// Untimed is the notice about messages that the replay leaves out; "" if none.
	Untimed string
}

// WindowResult is the part of a thread up to and including a COMPILED.
type WindowResult struct {
	Version   int    // as the subject says; 0 if it states none
	MessageID string // of the COMPILED
	Base      Base
	Applied   int // deltas that changed something
	Rejected  []RejectedDelta
	Hash      string // of the merged state
	// PublishedHash is the hash of the artifact in the COMPILED, "" if it has none;
	// Matches reports whether it equals the merged state, nil if nothing was compared.
	PublishedHash string
	Matches       *bool
	// Differences are the first in which the published artifact differs from the merged
	// state, and Differing is how many there are.
	Differences []Difference
	Differing   int
	// OrderSensitive reports that the order of deltas of one instant matters.
	OrderSensitive bool
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
	MessageID string
	Delta     int    // in the message, from 1
	Rule      string // the id of the rule that explains it
	Message   string // why
	// Quoted are texts of the delta that Message repeats without quotation marks.
	Quoted []string
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
