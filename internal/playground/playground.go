// Package playground answers a page that checks what its reader pastes: it is the
// program for a browser, without files, and decides nothing that the engine decides.
//
// A page sends requests and gets responses as JSON, one at a time. All texts are in
// memory; nothing is kept between requests.
package playground

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
)

const (
	// MaxInput bounds what is checked, in bytes.
	MaxInput = 4 << 20
	// maxFindings bounds what is shown.
	maxFindings = 1000
	// maxFixed bounds a text whose fixes are applied all at once, in bytes: it is checked
	// again after each of them.
	maxFixed = 512 << 10
)

// request is what a page asks. The text comes with each: nothing is kept.
type request struct {
	Do   string `json:"do"`
	Text string `json:"text"`
	Name string `json:"name"` // of a file that was dropped; may be ""
	Kind string `json:"kind"` // as --kind; "" for auto

	Fingerprint string `json:"fingerprint"` // of the finding to fix
	Unsafe      bool   `json:"unsafe"`      // apply unsafe fixes too
	Thread      string `json:"thread"`      // to blame
	Project     string `json:"project"`     // of the thread
}

// kinds are the words for an engine.Kind in requests and responses, those of --kind.
var kinds = []string{engine.Auto: "auto", engine.AsArtifact: "artifact", engine.AsMail: "mail", engine.AsDraft: "draft"}

// answers are what can be asked for.
var answers = map[string]func(*work, context.Context) (any, error){
	"check": (*work).check, "fix": (*work).fix, "fix-all": (*work).fixAll, "replay": (*work).replay, "blame": (*work).blame,
}

// work is the answer to one request.
type work struct {
	request
	rules   lint.Catalogue
	version string
	name    string // the path of the text in findings
	data    []byte
	kind    engine.Kind // as it was recognised
	form    string      // of it, in words
}

// Handle answers a request by some rules; version is that of the program. It does not
// panic: a fault of the program is an answer, too.
func Handle(rules lint.Catalogue, version string, asked []byte) (answer []byte) {
	defer func() {
		if v := recover(); v != nil {
			answer = encode(failure(fmt.Errorf("internal error: %v", v)))
		}
	}()
	w := &work{rules: rules, version: version}
	if err := json.Unmarshal(asked, &w.request); err != nil {
		return encode(failure(fmt.Errorf("read the request: %w", err)))
	}
	out, err := w.answer(context.Background())
	if err != nil {
		return encode(failure(err))
	}
	return encode(out)
}

func (w *work) answer(ctx context.Context) (any, error) {
	do := answers[w.Do]
	kind := slices.Index(kinds, cmp.Or(w.Kind, "auto"))
	switch {
	case do == nil:
		return nil, fmt.Errorf("unknown request %q", w.Do)
	case kind < 0:
		return nil, fmt.Errorf("unknown kind %q", w.Kind)
	case len(w.Text) > MaxInput:
		return nil, fmt.Errorf("larger than %d MiB, which is all that this page checks; the program checks more", MaxInput>>20)
	}
	w.data, w.name, w.kind = []byte(w.Text), nameOf(w.Name), engine.Kind(kind)
	if err := w.recognize(ctx); err != nil {
		return nil, err
	}
	return do(w, ctx)
}

// nameOf returns the name of a text in findings: that of its file, without folders.
func nameOf(name string) string {
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	if strings.Trim(name, "./-") == "" {
		return "input"
	}
	return name
}

// recognize finds out what the text is. What the check of files does not take, presend
// takes if it is a message of the protocol.
func (w *work) recognize(ctx context.Context) error {
	box, err := engine.Open(ctx, w.rules, w.options(), w.name)
	if err == nil {
		defer box.Close()
		inputs, unreadable := box.Inputs()
		if len(unreadable) > 0 {
			return &unreadable[0]
		}
		w.kind, w.form = inputs[0].Kind, inputs[0].Form
		return nil
	}
	var misuse *input.UsageError
	if w.kind != engine.Auto || !errors.As(err, &misuse) {
		return err
	}
	d, failed := w.draft(ctx, false)
	if failed == nil && d.OfProtocol {
		w.kind, w.form = engine.AsDraft, "draft"
		return nil
	}
	return &unrecognized{misuse.Reason}
}

// unrecognized is the error of a text that is not of the protocol.
type unrecognized struct{ reason string }

func (e *unrecognized) Error() string {
	return "The text " + e.reason + ". Choose what it is to check it anyway."
}

// draft checks the text as a draft. A review also says what is left after its fixes.
func (w *work) draft(ctx context.Context, review bool) (*lint.Draft, error) {
	box, err := engine.Open(ctx, w.rules, w.options())
	if err != nil {
		return nil, err
	}
	defer box.Close()
	if review {
		return box.ReviewDraft(ctx, w.name, w.data)
	}
	return box.CheckDraft(ctx, w.name, w.data)
}

// options read the text by its name.
func (w *work) options() engine.Options {
	return engine.Options{
		Kind: w.kind, Contents: map[string][]byte{w.name: w.data}, Workers: 1,
		Limits: engine.Limits{FileSize: MaxInput, Findings: maxFindings},
	}
}

// errorAnswer is the answer to what cannot be done.
type errorAnswer struct {
	Error string `json:"error"`
	// Unrecognized reports that the reader should say what the text is.
	Unrecognized bool `json:"unrecognized,omitempty"`
}

func failure(err error) errorAnswer {
	var unknown *unrecognized
	return errorAnswer{strings.TrimPrefix(err.Error(), "input: "), errors.As(err, &unknown)}
}

// encode returns an answer as JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // the types of answers can be encoded
	}
	return b.Bytes()
}
