package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	suite "github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

// shaky answers one kind, and breaks on another.
type shaky struct{}

func (shaky) Answer(kind suite.Kind, _ json.RawMessage) (any, error) {
	switch kind {
	case suite.SubjectKind:
		return map[string]string{"type": "<INFO>"}, nil
	case suite.MergeKind:
		panic("out of cheese")
	case suite.RenderKind:
		return func() {}, nil // no JSON
	}
	return nil, errors.New("no idea")
}

// TestServe checks that every line is answered, whatever happens.
func TestServe(t *testing.T) {
	in := strings.Join([]string{
		`{"id": "1", "kind": "subject"}`, ``, `{"id": "2", "kind": "merge"}`, `{"id": "3", "kind": "render"}`, `{"id": "4"}`, `[]`,
		strings.Repeat("[", 100_000), "\x00", `{"id": "5", "kind": "subject"}` + "\r", `{"id": "6", "kind": "subject"}`,
	}, "\n") // the last without a line break
	var out bytes.Buffer
	must.OK(t, conformance.Serve(context.Background(), strings.NewReader(in), &out, shaky{}))
	var got []string
	for line := range strings.Lines(out.String()) {
		var r conformance.Response
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got = append(got, r.ID+" "+string(r.Result)+r.Error)
	}
	for i, want := range []string{
		`1 {"type":"<INFO>"}`, "2 internal error: out of cheese", "3 json: unsupported type", "4 no idea", " the line is not a case", " the line is not a case",
		" the line is not a case", `5 {"type":"<INFO>"}`, `6 {"type":"<INFO>"}`,
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("answers %q; expected %q at %d", got, want, i)
		}
	}
}

// TestServeEndless checks that a line that does not end is not read to its end.
func TestServeEndless(t *testing.T) {
	endless := readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = 'x'
		}
		return len(p), nil
	})
	if err := conformance.Serve(context.Background(), endless, &bytes.Buffer{}, shaky{}); err == nil {
		t.Error("the line was read")
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
