// Package lsp serves brennerlint to editors by the Language Server Protocol, on
// standard input and output. It reads documents from the client, and settings; it
// writes nothing to disk.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
)

// Options are what a server depends on.
type Options struct {
	Rules   lint.Catalogue
	Version string // of the program
	// Load reads the settings: at the beginning, with the workspace folder of the client,
	// which is "" if it names none, and whenever they may have changed.
	Load func(root string) (Settings, error)
	// parentEvery is how often the server looks for the process that started it; 0 means 3 s.
	parentEvery time.Duration
	// requests are further ones that the server answers, in tests.
	requests map[string]handler
}

// Settings are those of the workspace folder.
type Settings struct {
	engine.Options
	// Rules are all rules, those of the configuration too; nil means Options.Rules.
	Rules lint.Catalogue
	// RuleFiles are globs of the files with rules that the configuration includes, also
	// where Load fails.
	RuleFiles []string
	// Paths are what is checked in the workspace folder: where its mail is.
	Paths []string
}

// ErrNoShutdown reports that the client ended the server without asking it to shut
// down before.
var ErrNoShutdown = errors.New("the client sent exit without shutdown")

// maxPending bounds the requests that are not yet answered, and maxChecks the checks
// that run side by side.
const (
	maxPending = 1000
	maxChecks  = 4
)

// server is one session with a client.
type server struct {
	opts      Options
	out       *frameWriter
	ctx       context.Context // ends with the session
	end       context.CancelFunc
	client    client
	settings  atomic.Pointer[settings]
	documents documents
	folders   folders
	mailbox   mailModel
	workspace workspaceChecked
	fromMail  atomic.Pointer[mailFindings]

	// asksForWorkspace reports that the client asked for the diagnostics of the workspace,
	// and refreshing that it was asked to request them again and has not yet.
	asksForWorkspace, refreshing atomic.Bool

	checks  chan struct{}  // has room for as many as may run
	work    sync.WaitGroup // publishing
	answers sync.WaitGroup // requests that are under way

	initialized, shutdown bool     // of the goroutine that reads
	watched               []string // globs that the client watches; of that goroutine, too

	mu      sync.Mutex
	pending map[jsonrpc.ID]context.CancelFunc
	calls   int64 // that the server sent
}

// client is what the client said of itself. It does not change after initialize.
type client struct {
	root            string // the workspace folder; may be ""
	unit            encoding
	pulls           bool // it asks for diagnostics
	refreshes       bool // it requests diagnostics again when asked to
	documentChanges bool
	preparesRename  bool // it asks first what can be renamed
	disabledActions bool // it shows actions that cannot be made, with the reason
	registers       bool // it takes registrations of files to watch
	markdown        bool // it shows Markdown when the mouse hovers
	related, links  bool
	tags, data      bool
}

// Serve serves until the client ends the session, closes the connection, or the
// context ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	if err := opts.Rules.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		opts: opts, out: &frameWriter{out: out}, ctx: ctx, end: cancel,
		documents: documents{byURI: map[string]*document{}}, checks: make(chan struct{}, maxChecks), pending: map[jsonrpc.ID]context.CancelFunc{},
	}
	s.client.unit = utf16Units
	s.workspace.turn = make(chan struct{}, 1)
	s.workspace.turn <- struct{}{}
	defer s.work.Wait()
	defer s.answers.Wait()
	defer cancel()
	frames := make(chan frame)
	go readFrames(ctx, bufio.NewReaderSize(in, 64<<10), frames)
	for {
		select {
		case <-ctx.Done():
			return nil
		case f := <-frames:
			var bad *frameError
			switch {
			case errors.As(f.err, &bad):
				s.refuse(jsonrpc.CodeParseError, bad.reason)
				continue
			case f.err != nil:
				s.awaitAnswers()
				return nil
			}
			if done, err := s.receive(f.data); done {
				return err
			}
		}
	}
}

// lastAnswers is how long requests may take that are under way when the client closes
// its end: it may still read.
const lastAnswers = 30 * time.Second

func (s *server) awaitAnswers() {
	answered := make(chan struct{})
	go func() { s.answers.Wait(); close(answered) }()
	select {
	case <-answered:
	case <-s.ctx.Done():
	case <-time.After(lastAnswers):
	}
}

// frame is a message, or why there is none.
type frame struct {
	data []byte
	err  error
}

// readFrames reads messages until there are no more. Standard input cannot be closed
// under a read: the goroutine ends with the next message, or with the process.
func readFrames(ctx context.Context, r *bufio.Reader, out chan<- frame) {
	for {
		data, err := readFrame(r)
		select {
		case out <- frame{data, err}:
		case <-ctx.Done():
			return
		}
		var bad *frameError
		if err != nil && !errors.As(err, &bad) {
			return
		}
	}
}

// receive takes a message; done reports that it ends the session.
func (s *server) receive(data []byte) (done bool, err error) {
	if !json.Valid(data) {
		s.refuse(jsonrpc.CodeParseError, "the message is not valid JSON")
		return false, nil
	}
	message, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		s.refuse(jsonrpc.CodeInvalidRequest, "the message is not a JSON-RPC 2.0 request")
		return false, nil //nolint:nilerr // the client gets the error
	}
	r, ok := message.(*jsonrpc.Request)
	switch {
	case !ok: // the answer to a call of ours; none is awaited
	case r.Method == "exit":
		if s.shutdown {
			return true, nil
		}
		return true, ErrNoShutdown
	case r.IsCall():
		s.call(r)
	default:
		s.guard(r.Method, func() { s.notified(r) })
	}
	return false, nil
}

// call answers a request, those that may take time next to the messages that follow.
func (s *server) call(r *jsonrpc.Request) {
	var handle func(context.Context) (any, error)
	h := handlers[r.Method]
	if h == nil {
		h = s.opts.requests[r.Method]
	}
	switch {
	case r.Method == "initialize" && !s.initialized:
		result, err := s.guarded(r.Method, func() (any, error) { return s.initialize(r.Params) })
		s.answer(r.ID, result, err)
		return
	case !s.initialized:
		s.answer(r.ID, nil, failure(codeNotInitialized, "the first request is initialize"))
		return
	case s.shutdown || r.Method == "initialize":
		s.answer(r.ID, nil, failure(jsonrpc.CodeInvalidRequest, r.Method+" is not expected now"))
		return
	case r.Method == "shutdown":
		s.shutdown = true
		s.answer(r.ID, nil, nil)
		return
	case h == nil:
		s.answer(r.ID, nil, failure(jsonrpc.CodeMethodNotFound, fmt.Sprintf("the method %.80q is not supported", r.Method)))
		return
	default:
		var err error
		if handle, err = h(s, r.Params); err != nil {
			s.answer(r.ID, nil, err)
			return
		}
	}
	s.answers.Go(s.answering(r, handle))
}

// answering returns the work of a request: it is pending from now on until it is answered.
func (s *server) answering(r *jsonrpc.Request, handle func(context.Context) (any, error)) func() {
	ctx, cancel := context.WithCancel(s.ctx)
	if err := s.admit(r.ID, cancel); err != nil {
		cancel()
		return func() { s.answer(r.ID, nil, err) }
	}
	return func() {
		result, err := s.guarded(r.Method, func() (any, error) { return handle(ctx) })
		if ctx.Err() != nil {
			result, err = nil, failure(codeCancelled, "the request is cancelled")
		}
		s.mu.Lock()
		delete(s.pending, r.ID)
		s.mu.Unlock()
		cancel()
		s.answer(r.ID, result, err)
	}
}

// admit notes a request that is not yet answered, so that it can be cancelled.
func (s *server) admit(id jsonrpc.ID, cancel context.CancelFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending[id] != nil {
		return failure(jsonrpc.CodeInvalidRequest, "a request with this id is not yet answered")
	}
	if len(s.pending) >= maxPending {
		return failure(codeRequestFailed, fmt.Sprintf("%d requests are not yet answered", maxPending))
	}
	s.pending[id] = cancel
	return nil
}

// handler reads the parameters of a request, and the documents that it is about, as
// they are when the request arrives; what it returns makes the answer.
type handler func(s *server, params json.RawMessage) (func(context.Context) (any, error), error)

// parse reads parameters.
func parse[T any](params json.RawMessage) (*T, error) {
	p := new(T)
	if len(params) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(params, p); err != nil {
		return nil, failure(jsonrpc.CodeInvalidParams, "the parameters are not as the protocol says")
	}
	return p, nil
}

// guard does something that must not end the server. What panics is a fault of the
// program.
func (s *server) guard(name string, do func()) {
	_, err := s.guarded(name, func() (any, error) { do(); return nil, nil })
	if err != nil {
		s.log(errorMessage, "%s: %v", name, err)
	}
}

func (s *server) guarded(name string, do func() (any, error)) (result any, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log(errorMessage, "internal error in %.80q: %v\n%s", name, v, debug.Stack())
			result, err = nil, failure(jsonrpc.CodeInternalError, fmt.Sprintf("internal error: %v", v))
		}
	}()
	return do()
}

// answer answers a request. A client that is gone hears nothing.
func (s *server) answer(id jsonrpc.ID, result any, err error) {
	r := &jsonrpc.Response{ID: id}
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire):
		r.Error = wire
	case err != nil:
		r.Error = failure(codeRequestFailed, err.Error())
	default:
		if r.Result, err = marshal(result); err != nil {
			r.Error = failure(jsonrpc.CodeInternalError, err.Error())
		}
	}
	s.send(r)
}

// refuse answers what is not a message.
func (s *server) refuse(code int64, reason string) {
	data, err := marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": failure(code, reason)})
	if err == nil {
		_ = s.out.write(data) // a client that is gone hears nothing
	}
}

// notify sends a notification.
func (s *server) notify(method string, params any) {
	if raw, err := marshal(params); err == nil {
		s.send(&jsonrpc.Request{Method: method, Params: raw})
	}
}

// ask sends a request whose answer is ignored.
func (s *server) ask(method string, params any) {
	s.mu.Lock()
	s.calls++
	id, err := jsonrpc.MakeID(fmt.Sprintf("brennerlint-%d", s.calls))
	s.mu.Unlock()
	if err != nil {
		return
	}
	r := &jsonrpc.Request{ID: id, Method: method}
	if params != nil {
		if r.Params, err = marshal(params); err != nil {
			return
		}
	}
	s.send(r)
}

func (s *server) send(m jsonrpc.Message) {
	if data, err := jsonrpc.EncodeMessage(m); err == nil {
		_ = s.out.write(data) // a client that is gone hears nothing
	}
}

func marshal(v any) (json.RawMessage, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write an answer: %w", err)
	}
	return data, nil
}

// The values of MessageType.
const (
	errorMessage   = 1
	warningMessage = 2
	infoMessage    = 3
)

// show sends what an editor shows to the user.
func (s *server) show(kind int, message string) {
	s.notify("window/showMessage", map[string]any{"type": kind, "message": "brennerlint: " + message})
}

// log sends what an editor shows in its log.
func (s *server) log(kind int, format string, args ...any) {
	s.notify("window/logMessage", map[string]any{"type": kind, "message": "brennerlint: " + fmt.Sprintf(format, args...)})
}
