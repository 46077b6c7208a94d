// Package answers answers the cases of the conformance suite with this program's own
// packages, as any other implementation would.
package answers

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// New returns a function that answers a case of a kind, and lints by rules. Its error is an input that
// does not have the form of the kind, or a kind that there is not.
func New(rules lint.Catalogue) func(conformance.Kind, json.RawMessage) (any, error) {
	kinds := map[conformance.Kind]func(json.RawMessage) (any, error){
		conformance.SubjectKind:  answer(subject),
		conformance.ThreadIDKind: answer(threadID),
		conformance.DeltaKind:    answer(deltas),
		conformance.MergeKind:    answer(merged),
		conformance.PublishKind:  answer(published),
		conformance.ArtifactKind: answer(artifactState),
		conformance.RenderKind:   answer(rendered),
		conformance.LintKind:     answer(linter{rules}.lint),
	}
	return func(kind conformance.Kind, input json.RawMessage) (any, error) {
		if f := kinds[kind]; f != nil {
			return f(input)
		}
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
}

// answer makes a function that reads an input and answers it.
func answer[In, Out any](f func(In) (Out, error)) func(json.RawMessage) (any, error) {
	return func(data json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(data, &in); err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		return f(in)
	}
}

const (
	maxSubject = 120 // thread_subject_conventions, Subject Validation

	badPrefix     = "INVALID_SUBJECT_PREFIX"
	noDescription = "EMPTY_SUBJECT_DESCRIPTION"
	tooLong       = "SUBJECT_TOO_LONG"
)

func subject(in conformance.SubjectInput) (conformance.SubjectResult, error) {
	s := brenner.ParseSubject(in.Subject)
	out := conformance.SubjectResult{Codes: []string{}}
	if s.Intended != "" {
		name := string(s.Intended)
		out.Type = &name
	}
	if s.Role.Len() > 0 {
		role := in.Subject[s.Role.Start:s.Role.End]
		out.Role = &role
	}
	if s.Intended == brenner.Compiled {
		if v := session.ReadVersion(in.Subject, s.Description); v.Number > 0 {
			out.Version = &v.Number
		}
	}
	if s.Type == "" {
		out.Codes = append(out.Codes, badPrefix)
	}
	if s.Intended != "" && s.Description.Len() == 0 {
		out.Codes = append(out.Codes, noDescription)
	}
	if utf8.RuneCountInString(in.Subject) > maxSubject {
		out.Codes = append(out.Codes, tooLong)
	}
	return out, nil
}

// threadKinds name the kinds of threads, and the codes of their faults.
var threadKinds = map[brenner.ThreadKind]struct{ name, code string }{
	brenner.EngineeringThread:  {"engineering", "INVALID_BEAD_ID"},
	brenner.ResearchSession:    {"research", "INVALID_RS_THREAD_ID"},
	brenner.CoordinationThread: {"coordination", "INVALID_COORD_THREAD_ID"},
}

func threadID(in conformance.ThreadIDInput) (conformance.ThreadIDResult, error) {
	kind, ok := brenner.ClassifyThreadID(in.ThreadID)
	names := threadKinds[kind]
	out := conformance.ThreadIDResult{Kind: names.name}
	if !ok {
		out.Code = &names.code
	}
	return out, nil
}

// codes are those of the faults for which a delta is rejected (conformance/README.md,
// Codes).
var codes = map[delta.Kind]string{
	delta.BlankBlock: "INVALID_JSON", delta.UnclosedFence: "INVALID_JSON", delta.InvalidJSON: "INVALID_JSON",
	delta.NotObject:    "INVALID_DELTA",
	delta.BadOperation: "INVALID_OPERATION", delta.ThreadOperation: "INVALID_OPERATION",
	delta.BadSection:   "INVALID_SECTION",
	delta.ThreadTarget: "INVALID_TARGET", delta.MissingTarget: "INVALID_TARGET", delta.ForeignTarget: "INVALID_TARGET",
	delta.NoPayload: "MISSING_REQUIRED_FIELD", delta.NoReason: "MISSING_REQUIRED_FIELD", delta.LacksFields: "MISSING_REQUIRED_FIELD",
}

func deltas(in conformance.DeltaInput) (conformance.DeltaResult, error) {
	out := conformance.DeltaResult{Blocks: []conformance.Block{}}
	for _, d := range delta.Extract(markdown.Parse(source.NewText([]byte(in.Body)).Normalize()), jsontree.Options{}) {
		if fault := d.Rejected(); fault != nil {
			out.Blocks = append(out.Blocks, conformance.Block{Code: codes[fault.Kind]})
			continue
		}
		b := conformance.Block{Accepted: true, Operation: string(d.Operation), Section: d.Section.ID()}
		if d.Operation != brenner.Add && d.TargetID != "" {
			b.TargetID = &d.TargetID
		}
		out.Blocks = append(out.Blocks, b)
	}
	return out, nil
}
