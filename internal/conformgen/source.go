package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/conformance"
)

// sourceFile is a file of conformance/source (README.md, Sources).
type sourceFile struct {
	Kind  conformance.Kind `yaml:"kind"`
	Cases []sourceCase     `yaml:"cases"`
}

// sourceCase is a case written by hand. Which members it has depends on the kind.
type sourceCase struct {
	ID        string   `yaml:"id"`
	Title     string   `yaml:"title"`
	Spec      []string `yaml:"spec"`
	Decisions []int    `yaml:"decisions"`

	Subject *string  `yaml:"subject"`
	Type    *string  `yaml:"type"`
	Role    *string  `yaml:"role"`
	Version *int     `yaml:"version"`
	Codes   []string `yaml:"codes"`

	ThreadID *string `yaml:"thread_id"`
	Is       string  `yaml:"is"`
	Code     *string `yaml:"code"`

	Body   *string `yaml:"body"`
	Repeat []struct {
		Text  string `yaml:"text"`
		Times int    `yaml:"times"`
	} `yaml:"repeat"` // a long body
	Blocks []string `yaml:"blocks"`

	Messages []sourceMessage `yaml:"messages"`
	Roster   []string        `yaml:"roster"`
	Priority map[string]int  `yaml:"priority"`
	Windows  []sourceWindow  `yaml:"windows"`

	Differences []string `yaml:"differences"`

	Markdown *string        `yaml:"markdown"`
	State    map[string]any `yaml:"state"`
	Lines    []string       `yaml:"lines"`
}

// handWritten reads the sources of a folder.
func handWritten(dir string, spec *specLines) ([]*conformance.Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var out []*conformance.Case
	for _, path := range paths {
		name := filepath.Base(path)
		if name == linksFile {
			continue
		}
		f, err := readSource(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for i := range f.Cases {
			c, err := f.Cases[i].build(f.Kind, spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, f.Cases[i].ID, err)
			}
			c.Source = "conformance/source/" + name
			out = append(out, c)
		}
	}
	return out, nil
}

func readSource(path string) (*sourceFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var f sourceFile
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &f, nil
}

// build makes the case of a source.
func (s *sourceCase) build(kind conformance.Kind, spec *specLines) (*conformance.Case, error) {
	passages, err := spec.find(s.Spec)
	if err != nil {
		return nil, err
	}
	if s.ID == "" || s.Title == "" {
		return nil, errors.New("a case has an id and a title")
	}
	read := map[conformance.Kind]func() (input, expected any, err error){
		conformance.SubjectKind: s.subject, conformance.ThreadIDKind: s.threadID, conformance.DeltaKind: s.delta, conformance.MergeKind: s.merge,
		conformance.PublishKind: s.publish, conformance.ArtifactKind: s.artifact, conformance.RenderKind: s.render,
	}[kind]
	if read == nil {
		return nil, fmt.Errorf("unknown kind %q", kind)
	}
	input, expected, err := read()
	if err != nil {
		return nil, err
	}
	return &conformance.Case{
		ID: string(kind) + "/" + s.ID, Title: s.Title, Kind: kind, Spec: passages, Decisions: s.Decisions,
		Input: encoded(input), Expected: encoded(expected),
	}, nil
}

// encoded returns a value as JSON. All that sources hold can be written.
func encoded(v any) json.RawMessage {
	data, err := conformance.ToJSON(v)
	if err != nil {
		panic(err)
	}
	return data
}

var errMember = errors.New("a member of the kind is absent")

func (s *sourceCase) subject() (any, any, error) {
	if s.Subject == nil {
		return nil, nil, errMember
	}
	out := conformance.SubjectResult{Type: s.Type, Role: s.Role, Version: s.Version, Codes: s.Codes}
	if out.Codes == nil {
		out.Codes = []string{}
	}
	return conformance.SubjectInput{Subject: *s.Subject}, out, nil
}

func (s *sourceCase) threadID() (any, any, error) {
	if s.ThreadID == nil || s.Is == "" {
		return nil, nil, errMember
	}
	return conformance.ThreadIDInput{ThreadID: *s.ThreadID}, conformance.ThreadIDResult{Kind: s.Is, Code: s.Code}, nil
}

// delta reads blocks as `EDIT hypothesis_slate H1`, or the code of one that is
// rejected.
func (s *sourceCase) delta() (any, any, error) {
	body := ""
	for _, part := range s.Repeat {
		body += strings.Repeat(part.Text, part.Times)
	}
	switch {
	case s.Body != nil:
		body = *s.Body
	case body == "":
		return nil, nil, errMember
	}
	out := conformance.DeltaResult{Blocks: []conformance.Block{}}
	for _, text := range s.Blocks {
		words := strings.Fields(text)
		switch len(words) {
		case 1:
			out.Blocks = append(out.Blocks, conformance.Block{Code: words[0]})
			continue
		case 2, 3:
		default:
			return nil, nil, fmt.Errorf("the block %q is not `OPERATION section target` or a code", text)
		}
		b := conformance.Block{Accepted: true, Operation: words[0], Section: words[1]}
		if len(words) == 3 {
			b.TargetID = &words[2]
		}
		out.Blocks = append(out.Blocks, b)
	}
	return conformance.DeltaInput{Body: body}, out, nil
}
