// Package lsp serves brennerlint to editors by the Language Server Protocol, on
// standard input and output. It reads documents from the client, and settings; it
// writes nothing to disk.
package lsp

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

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
}

// Settings are those of the workspace folder.
type Settings struct {
	engine.Options
	// Rules are all rules, those of the configuration too; nil means Options.Rules.
	Rules lint.Catalogue
	// RuleFiles are globs of the files with rules that the configuration includes. They are
	// set even if Load fails.
	RuleFiles []string
	// Paths are what is checked in the workspace folder: where its mail is.
	Paths []string
}

// rule returns the rule with an id; nil if there is none.
func (s *Settings) rule(id string) *lint.Rule {
	for _, r := range s.Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// ErrNoShutdown reports that the client ended the server without asking it to shut
// down before.
var ErrNoShutdown = errors.New("the client sent exit without shutdown")

// maxChecks bounds the checks that run side by side.
const maxChecks = 4

// server is one session with a client. The connection calls Handle for one message after the
// other. Handle starts goroutines for what takes time; all else happens in the order of the
// messages.
type server struct {
	opts      Options
	conn      *jsonrpc2.Conn  // set by the first message
	ctx       context.Context // ends with the session
	ended     chan error      // why the session ended: an exit too early, a message that cannot be read
	client    client
	settings  atomic.Pointer[Settings]
	documents documents
	dirs      atomic.Pointer[[]string] // the workspace folders
	workspace workspace
	fromMail  atomic.Pointer[mailFindings]

	// asksForWorkspace is set once the client has asked for the diagnostics of the workspace,
	// refreshing while it has been told to ask again and has not done so.
	asksForWorkspace, refreshing atomic.Bool

	checks chan struct{}  // has room for as many as may run
	work   sync.WaitGroup // what goroutines do for the client

	// Only Handle uses these.
	initialized, shutdown bool
	watched               []string // globs that the client watches

	mu      sync.Mutex
	pending map[jsonrpc2.ID]context.CancelFunc
}

// client is what the client said of itself. It does not change after initialize.
type client struct {
	root     string // the workspace folder; may be ""
	unit     encoding
	pulls    bool // it asks for diagnostics
	markdown bool // it shows Markdown when the mouse hovers
	can      capabilities
}

// Serve serves until the client ends the session, closes the connection or sends what is
// not a message, or the context ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	if err := opts.Rules.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		opts: opts, ctx: ctx, ended: make(chan error, 2),
		documents: documents{byURI: map[string]*snapshot{}}, checks: make(chan struct{}, maxChecks), pending: map[jsonrpc2.ID]context.CancelFunc{},
	}
	s.client.unit = utf16Units
	s.dirs.Store(&[]string{})
	silent := jsonrpc2.SetLogger(log.New(io.Discard, "", 0))
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stdio{in, out}, codec{server: s}), s, silent)
	<-conn.DisconnectNotify()
	s.mu.Lock() // from now on nothing begins
	cancel()
	s.mu.Unlock()
	s.work.Wait()
	select {
	case err := <-s.ended:
		return err
	default:
		return nil
	}
}

// stdio is standard input and output. Closing them would not end a read of standard input:
// the goroutine that reads ends with the next message, or with the process.
type stdio struct {
	io.Reader
	io.Writer
}

func (stdio) Close() error { return nil }

// codec reads and writes messages. When the client closes its end, it waits for the work that
// is under way: the library would drop the answers, and the client may still read.
type codec struct {
	jsonrpc2.VSCodeObjectCodec
	server *server
}

// ReadObject implements jsonrpc2.ObjectCodec.
func (c codec) ReadObject(r *bufio.Reader, v any) error {
	err := c.VSCodeObjectCodec.ReadObject(r, v)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.server.work.Wait()
	case err != nil:
		c.server.ended <- fmt.Errorf("read a message of the client: %w", err)
	}
	return err
}

// begin does work in a goroutine, unless the session has ended.
func (s *server) begin(name string, do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.work.Go(func() { s.guard(name, do) })
	}
}

// Handle implements jsonrpc2.Handler.
func (s *server) Handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if s.conn == nil {
		s.conn = conn
	}
	params := *cmp.Or(r.Params, &json.RawMessage{})
	switch {
	case r.Method == "exit":
		if !s.shutdown {
			s.ended <- ErrNoShutdown
		}
		_ = conn.Close() // it closes nothing that can fail
	case !r.Notif:
		s.call(r.ID, r.Method, params)
	case s.initialized && !s.shutdown && notifications[r.Method] != nil: // others are ignored, as the protocol says
		s.guard(r.Method, func() {
			if notifications[r.Method](s, params) != nil {
				s.log(errorMessage, "%s: %s", r.Method, invalidParams)
			}
		})
	}
}

// call answers a request.
func (s *server) call(id jsonrpc2.ID, method string, params json.RawMessage) {
	var result any
	var err error
	switch {
	case s.shutdown || s.initialized && method == "initialize":
		err = failure(jsonrpc2.CodeInvalidRequest, method+" is not expected now")
	case method == "initialize":
		result, err = s.guarded(method, func() (any, error) { return s.initialize(params) })
	case !s.initialized:
		err = failure(codeNotInitialized, "the first request is initialize")
	case method == "shutdown":
		s.shutdown = true
	case requests[method] == nil:
		err = failure(jsonrpc2.CodeMethodNotFound, fmt.Sprintf("the method %.80q is not supported", method))
	default:
		if err = s.beginAnswer(id, method, params); err == nil {
			return
		}
	}
	s.answer(id, result, err)
}

// beginAnswer answers a request in a goroutine, until it is cancelled.
func (s *server) beginAnswer(id jsonrpc2.ID, method string, params json.RawMessage) error {
	var p documentParams
	if err := parse(params, &p); err != nil {
		return err
	}
	r := &request{params, s.documents.current(p.TextDocument.URI)}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.pending[id] = cancel
	s.mu.Unlock()
	s.begin(method, func() {
		result, err := s.guarded(method, func() (any, error) { return requests[method](s, ctx, r) })
		if ctx.Err() != nil {
			result, err = nil, failure(codeCancelled, "the request is cancelled")
		}
		cancel()
		s.mu.Lock()
		delete(s.pending, id)
		s.mu.Unlock()
		s.answer(id, result, err)
	})
	return nil
}

// cancel ends the context of a request that is under way.
func (s *server) cancel(p *cancelParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.pending[p.ID]; cancel != nil {
		cancel()
	}
}

// request is a request that is under way. snap is its document as it was when the request
// came; nil if that is not open.
type request struct {
	params json.RawMessage
	snap   *snapshot
}

// onDocument reads the parameters of a request about a document. If the document is not open,
// the answer is null.
func onDocument[T any](do func(*server, context.Context, *snapshot, *T) (any, error)) func(*server, context.Context, *request) (any, error) {
	return func(s *server, ctx context.Context, r *request) (any, error) {
		p := new(T)
		if err := parse(r.params, p); err != nil || r.snap == nil {
			return nil, err
		}
		return do(s, ctx, r.snap, p)
	}
}

// on reads the parameters of a notification.
func on[T any](do func(*server, *T)) func(*server, json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		p := new(T)
		if err := parse(params, p); err != nil {
			return err
		}
		do(s, p)
		return nil
	}
}

const invalidParams = "the parameters are not as the protocol says"

// parse reads parameters.
func parse(data json.RawMessage, params any) error {
	if len(data) > 0 && json.Unmarshal(data, params) != nil {
		return failure(jsonrpc2.CodeInvalidParams, invalidParams)
	}
	return nil
}

// guard runs a function whose panic must not end the server.
func (s *server) guard(name string, do func()) {
	_, _ = s.guarded(name, func() (any, error) { do(); return nil, nil }) // a panic is in the log
}

// guarded turns a panic into an error, and logs it.
func (s *server) guarded(name string, do func() (any, error)) (result any, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log(errorMessage, "internal error in %.80q: %v\n%s", name, v, debug.Stack())
			result, err = nil, failure(jsonrpc2.CodeInternalError, fmt.Sprintf("internal error: %v", v))
		}
	}()
	return do()
}

// Below, errors of writing are ignored: the client is gone.

// answer answers a request.
func (s *server) answer(id jsonrpc2.ID, result any, err error) {
	wire := &jsonrpc2.Error{}
	switch {
	case err == nil:
		_ = s.conn.Reply(s.ctx, id, result)
		return
	case !errors.As(err, &wire):
		wire = failure(codeRequestFailed, err.Error())
	}
	_ = s.conn.ReplyWithError(s.ctx, id, wire)
}

// notify sends a notification.
func (s *server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }

// ask sends a request whose answer is ignored.
func (s *server) ask(method string, params any) {
	_, _ = s.conn.DispatchCall(s.ctx, method, params, jsonrpc2.StringID())
}

// The values of MessageType.
const (
	errorMessage   = 1
	warningMessage = 2
)

// show sends what an editor shows to the user.
func (s *server) show(kind int, message string) {
	s.notify("window/showMessage", map[string]any{"type": kind, "message": "brennerlint: " + message})
}

// log sends what an editor shows in its log.
func (s *server) log(kind int, format string, args ...any) {
	s.notify("window/logMessage", map[string]any{"type": kind, "message": "brennerlint: " + fmt.Sprintf(format, args...)})
}
