package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// reader reads the cases of a file of conformance/source (README.md, Sources).
type reader func(file []byte, spec *specLines) ([]*conformance.Case, error)

// readers are those of the kinds.
var readers = map[conformance.Kind]reader{
	conformance.SubjectKind: read(func(in *conformance.SubjectInput, out *conformance.SubjectResult) (any, any, error) {
		out.Codes = append([]string{}, out.Codes...)
		return in, out, nil
	}, "subject"),
	conformance.ThreadIDKind: read(func(in *conformance.ThreadIDInput, out *conformance.ThreadIDResult) (any, any, error) {
		return in, out, nil
	}, "thread_id", "is"),
	conformance.DeltaKind: read(func(in *sourceBody, out *sourceBlocks) (any, any, error) {
		if in.Body == nil && in.Repeat == nil {
			return nil, nil, errors.New("body is absent")
		}
		body := ""
		if in.Body != nil {
			body = *in.Body
		}
		for _, part := range in.Repeat {
			body += strings.Repeat(part.Text, part.Times)
		}
		out.Blocks = append([]block{}, out.Blocks...)
		return conformance.DeltaInput{Body: body}, out, nil
	}),
	conformance.MergeKind: read((*sourceThread).merge),
	conformance.PublishKind: read(func(in *sourceThread, out *sourceDifferences) (any, any, error) {
		out.Differences = append([]difference{}, out.Differences...)
		thread, err := in.build()
		return thread, out, err
	}),
	conformance.ArtifactKind: read(func(in *conformance.ArtifactInput, out *sourceState) (any, any, error) {
		state, err := out.complete()
		return in, conformance.ArtifactResult{State: state}, err
	}, "markdown"),
	conformance.RenderKind: read(func(in *sourceState, out *sourceLines) (any, any, error) {
		in.addAnchors()
		state, err := in.complete()
		expected := conformance.RenderExpected{State: state, Lines: out.Lines}
		return conformance.RenderInput{SessionID: defaultThread, State: state}, expected, err
	}, "state"),
}

// read returns the reader of a kind. The members of a case are those of what an implementation is
// given and has to answer, some of which are required; finish makes both of them.
func read[In, Out any](finish func(*In, *Out) (input, expected any, err error), required ...string) reader {
	return func(file []byte, spec *specLines) (out []*conformance.Case, err error) {
		var members struct{ Cases []map[string]any }
		if err := yaml.Unmarshal(file, &members); err != nil {
			return nil, err
		}
		var source struct {
			Cases []struct {
				ID, Title string
				Spec      []string
				Decisions []int
				In        In  `yaml:",inline"`
				Out       Out `yaml:",inline"`
			}
		}
		dec := yaml.NewDecoder(bytes.NewReader(file))
		dec.KnownFields(true)
		if err := dec.Decode(&source); err != nil {
			return nil, err
		}
		for i := range source.Cases {
			s := &source.Cases[i]
			passages, err := spec.find(s.Spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.ID, err)
			}
			if s.ID == "" || s.Title == "" {
				return nil, errors.New("a case has an id and a title")
			}
			for _, name := range required {
				if members.Cases[i][name] == nil {
					return nil, fmt.Errorf("%s: %s is absent", s.ID, name)
				}
			}
			input, expected, err := finish(&s.In, &s.Out)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.ID, err)
			}
			out = append(out, &conformance.Case{
				ID: s.ID, Title: s.Title, Spec: passages, Decisions: s.Decisions,
				Input: encoded(input), Expected: encoded(expected),
			})
		}
		return out, nil
	}
}

// handWritten reads the sources of a folder.
func handWritten(dir string, spec *specLines) (out []*conformance.Case, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if name == linksFile {
			continue
		}
		kind := conformance.Kind(strings.TrimSuffix(name, ".yaml"))
		read := readers[kind]
		if read == nil {
			return nil, fmt.Errorf("%s: unknown kind %q", name, kind)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		cases, err := read(data, spec)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range cases {
			c.ID, c.Kind, c.Source = string(kind)+"/"+c.ID, kind, "conformance/source/"+name
		}
		out = append(out, cases...)
	}
	return out, nil
}

// encoded returns a value as JSON. All that sources hold can be written.
func encoded(v any) json.RawMessage {
	data, err := conformance.ToJSON(v)
	if err != nil {
		panic(err)
	}
	return data
}

// sourceBody is the body of a delta case; a long one repeats texts.
type sourceBody struct {
	Body   *string
	Repeat []struct {
		Text  string
		Times int
	}
}

type sourceBlocks struct {
	Blocks []block `json:"blocks"`
}

// block is written as `EDIT hypothesis_slate H1`, or as the code of one that is rejected.
type block conformance.Block

func (b *block) UnmarshalYAML(n *yaml.Node) error {
	switch words := strings.Fields(n.Value); len(words) {
	case 1:
		b.Code = words[0]
	case 3:
		b.TargetID = &words[2]
		fallthrough
	case 2:
		b.Accepted, b.Operation, b.Section = true, words[0], words[1]
	default:
		return fmt.Errorf("the block %q is not `OPERATION section target` or a code", n.Value)
	}
	return nil
}

type sourceDifferences struct {
	Differences []difference `json:"differences"`
}

// difference is written as `v1 field-differs H2 claim`.
type difference conformance.Difference

func (d *difference) UnmarshalYAML(n *yaml.Node) error {
	d.Version = new(int)
	_, _ = fmt.Sscanf(n.Value, "v%d %s %s %s", d.Version, &d.Kind, &d.Item, &d.Field) // the last two may be absent
	if len(strings.Fields(n.Value)) > 4 || !slices.Contains(conformance.DifferenceKinds, d.Kind) {
		return fmt.Errorf("the difference %q is not `vN kind item field`", n.Value)
	}
	return nil
}

// sourceState is a state, which may lack sections.
type sourceState struct{ State map[string]any }

// sourceLines are the lines that a rendering has.
type sourceLines struct{ Lines []string }

// addAnchors completes the state, so that a case fails for what it is about alone: it has
// a research thread, and its hypotheses have anchors, unless the source says otherwise.
func (s *sourceState) addAnchors() {
	if _, ok := s.State["research_thread"]; !ok {
		s.State["research_thread"] = map[string]any{
			"id": "RT", "statement": "How does a cell know its fate?", "context": "Embryos", "why_it_matters": "Regeneration",
			"anchors": []any{"§1"},
		}
	}
	hypotheses, _ := s.State["hypothesis_slate"].([]any)
	for _, h := range hypotheses {
		if item, ok := h.(map[string]any); ok && item["anchors"] == nil {
			item["anchors"] = []any{"§1"}
		}
	}
}

// complete returns the state with all sections.
func (s *sourceState) complete() ([]byte, error) {
	out := map[string]any{}
	for _, sec := range oracle.Sections {
		out[sec.ID] = []any{}
		if sec.Prefix == "RT" {
			out[sec.ID] = nil
		}
	}
	for name, v := range s.State {
		if _, ok := out[name]; !ok {
			return nil, fmt.Errorf("unknown section %q", name)
		}
		out[name] = v
	}
	return encoded(out), nil
}
