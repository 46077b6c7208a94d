package lint

import (
	"time"

	"github.com/brennerlint/brennerlint/source"
)

// Finding is one fault, ready to be reported. Its JSON form is fixed by
// contract.md.
type Finding struct {
	Rule     string   `json:"rule"`
	Name     string   `json:"name"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Path     string   `json:"path"`
	// Range is nil where no file holds the text: in a database.
	Range     *source.Range `json:"range,omitempty"`
	Thread    string        `json:"thread,omitempty"`
	MessageID string        `json:"message_id,omitempty"`
	Delta     int           `json:"delta,omitempty"` // from 1, in the message
	Item      string        `json:"item,omitempty"`
	Field     string        `json:"field,omitempty"`
	// Body is the place in the decoded message body, where there is one.
	Body       *BodyPosition `json:"body,omitempty"`
	Suggestion string        `json:"suggestion,omitempty"`
	Fix        *Fix          `json:"fix,omitempty"`
	Related    []Related     `json:"related,omitempty"`
	// Block is the delta block that a draft must have instead, with its fence; "" if the
	// suggestion is shorter.
	Block       string `json:"block,omitempty"`
	Fingerprint string `json:"fingerprint"`

	// Assume is a guessed edit. fix.Ahead applies it to find faults that this one hides. It is set
	// only if there is no certain fix, and is never shown.
	Assume *Fix `json:"-"`

	// Mail describes the message concerned, for reports that people read.
	Mail *MailInfo `json:"-"`
	// Frame is the source around the fault, for reports that people read.
	Frame *Frame `json:"-"`
	// Quoted are texts of the input that Message or Suggestion repeats without
	// quotation marks; redaction leaves them out.
	Quoted []string `json:"-"`
	// Artifact reports that Path is an artifact and the finding is about it.
	Artifact bool `json:"-"`
	// Unreadable reports that the finding says why an input could not be read or parsed.
	Unreadable bool `json:"-"`
	// Session is the thread of an artifact file, for reports that people read.
	Session string `json:"-"`
	// Header reports that the place is in the JSON around a message's texts. Each form of export
	// writes that differently, so the subject identifies the finding, not the line.
	Header bool `json:"-"`
	// LineHash identifies the line of the file at the start of Range as GitHub
	// does (package linehash). Only the sarif format needs it; else "".
	LineHash string `json:"-"`
}

// MostSevere returns the most severe findings, at most so many, and those that are left. Both keep
// their order.
func MostSevere(findings []*Finding, most int) (kept, left []*Finding) {
	if len(findings) <= most {
		return findings, nil
	}
	var room [Info + 1]int // how many of each severity are kept
	for _, f := range findings {
		room[f.Severity]++
	}
	for s := Error; s <= Info; s++ {
		room[s] = min(room[s], most)
		most -= room[s]
	}
	for _, f := range findings {
		if room[f.Severity] > 0 {
			room[f.Severity]--
			kept = append(kept, f)
		} else {
			left = append(left, f)
		}
	}
	return kept, left
}

// BodyPosition is a place in a decoded body.
type BodyPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Fix is a change that clears a finding. Its edits are made together or not at all. An
// unsafe fix may change what the writer meant.
type Fix struct {
	Description string `json:"description"`
	Edits       []Edit `json:"edits"`
	Unsafe      bool   `json:"unsafe,omitempty"`
	// NotApplied is why --fix did not apply it, such as "it uncovers DL-006". It is "" without
	// --fix.
	NotApplied string `json:"not_applied,omitempty"`
}

// Edit replaces a part of the file that holds the fault. Text is escaped as the file needs it.
type Edit struct {
	Range source.Range `json:"range"`
	Text  string       `json:"text"`
}

// Related is another place that explains a finding.
type Related struct {
	Path    string        `json:"path"`
	Range   *source.Range `json:"range,omitempty"`
	Message string        `json:"message"`
	// Mail describes the message that holds the place, if any.
	Mail *MailInfo `json:"-"`
}

// Project returns the project of the message that the finding is about, "" if it is unknown.
func (f *Finding) Project() string {
	if f.Mail == nil {
		return ""
	}
	return f.Mail.Project
}

// MailInfo describes a message to people.
type MailInfo struct {
	// Project is the project of the thread; "" if it is unknown. Ids of threads and
	// messages are unique within a project.
	Project                   string
	Thread, ID, Subject, From string
	// Type is the intended type (KICKOFF, DELTA, …), "" if none.
	Type string
	Time time.Time // zero if unknown
}

// Frame is the lines around a fault as people read them. For a body held in JSON or in a
// database they are the decoded lines, with the body's own line numbers.
type Frame struct {
	Line  int      // number of the first line
	Lines []string // the last one holds the fault's first character
	// Start and End are byte offsets of the fault in the last line; End is at
	// most its length.
	Start, End int
	// Before and After report that the last line was cut on that side.
	Before, After bool
}
