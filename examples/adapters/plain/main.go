// Command plain answers the merge cases of the conformance suite with the plain merge,
// the second implementation of the merge that the suite has its expected states from.
// It is also an adapter to begin with:
//
//	brennerlint conformance -- go run ./examples/adapters/plain
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// request is a case as it is given, response as it is answered.
type request struct {
	ID    string           `json:"id"`
	Kind  conformance.Kind `json:"kind"`
	Input json.RawMessage  `json:"input"`
}

type response struct {
	ID          string                   `json:"id"`
	Result      *conformance.MergeResult `json:"result,omitempty"`
	Unsupported bool                     `json:"unsupported,omitempty"`
	Error       string                   `json:"error,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plain:", err)
		os.Exit(1)
	}
}

// serve answers cases until the input ends.
func serve(in io.Reader, out io.Writer) error {
	cases, answers := json.NewDecoder(in), json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for {
		var r request
		switch err := cases.Decode(&r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read a case: %w", err)
		}
		if err := answers.Encode(answer(r)); err != nil {
			return err
		}
	}
}

func answer(r request) response {
	out := response{ID: r.ID}
	if r.Kind != conformance.MergeKind {
		out.Unsupported = true
		return out
	}
	var in conformance.MergeInput
	if err := json.Unmarshal(r.Input, &in); err != nil {
		out.Error = err.Error()
		return out
	}
	result := oracle.Answer(in)
	out.Result = &result
	return out
}
