// Package conformance holds the cases of the conformance suite of the Brenner Protocol: inputs
// for an implementation, and the expected answers. README.md says how to run it.
//
// The cases are data. Nothing here knows how to answer one.
package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Version is the version of the suite (README.md, Versions).
const Version = "1.0.0"

// Kind is what a case asks.
type Kind string

// The kinds of cases, in the order in which they run.
const (
	SubjectKind  Kind = "subject"   // a subject line: its type, role and version
	ThreadIDKind Kind = "thread-id" // a thread id: its kind
	DeltaKind    Kind = "delta"     // a message body: its delta blocks
	MergeKind    Kind = "merge"     // messages: the state at each COMPILED
	PublishKind  Kind = "publish"   // messages with a COMPILED: how it differs from the merge
	ArtifactKind Kind = "artifact"  // an artifact in Markdown: its state
	RenderKind   Kind = "render"    // a state: an artifact in Markdown that reads back to it
	LintKind     Kind = "lint"      // files: the rules that they break
)

// Kinds are all kinds.
var Kinds = []Kind{SubjectKind, ThreadIDKind, DeltaKind, MergeKind, PublishKind, ArtifactKind, RenderKind, LintKind}

// Passage is a line of a specification, or of the artifact format
// (docs/artifact_format.md).
type Passage struct {
	Document string `json:"document"`
	Section  string `json:"section"`
	Line     int    `json:"line"`
}

// String names the passage by document and line.
func (p Passage) String() string { return fmt.Sprintf("%s:%d", p.Document, p.Line) }

// Case is one case.
type Case struct {
	ID    string `json:"id"` // kind/name
	Title string `json:"title"`
	Kind  Kind   `json:"kind"`
	// Spec are the lines of the specifications that the case tests, Decisions the numbers of the
	// decisions (docs/decisions.md).
	Spec      []Passage `json:"spec,omitempty"`
	Decisions []int     `json:"decisions,omitempty"`
	// Source is the reviewed file that the case was made from.
	Source string `json:"source"`
	// Input and Expected have the form of the kind: SubjectInput and SubjectResult,
	// and so on.
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
}

//go:generate go run ../internal/conformgen ..
//go:generate go test ../internal/slips -run ^TestTogether$ -update

// Cases returns all cases of the suite, by kind and id.
func Cases() ([]*Case, error) {
	all, err := documents()
	if err != nil {
		return nil, err
	}
	var out []*Case
	for files := json.NewDecoder(all); ; {
		var file struct{ Cases []*Case }
		if err := files.Decode(&file); err == io.EOF {
			Sort(out)
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the cases: %w", err)
		}
		out = append(out, file.Cases...)
	}
}

// Sort puts cases in order: by kind, then id.
func Sort(cases []*Case) {
	slices.SortFunc(cases, func(a, b *Case) int {
		if c := slices.Index(Kinds, a.Kind) - slices.Index(Kinds, b.Kind); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
}

// TogetherFile is the file of the cases that run all rules together: conforming sessions with
// one mistake each (internal/slips writes it).
const TogetherFile = "lint-together.json"

// Encode writes a file of cases, each on a line of its own.
func Encode(cases []*Case) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"$schema\": \"../schema.json\", \"suite\": %q, \"cases\": [\n", Version)
	for i, c := range cases {
		line, err := ToJSON(c)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", c.ID, err)
		}
		if out.Write(line); i < len(cases)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]}\n")
	return out.Bytes(), nil
}

// ToJSON writes a value on one line, with texts as they are.
func ToJSON(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
