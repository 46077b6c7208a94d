package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message that a client sends, in bytes.
const maxLine = 32 << 20

// lastAnswers is how long calls may take that are under way when the client closes its
// end: it may still read.
const lastAnswers = 40 * time.Second

// lines is the stdio transport of the protocol: one message a line, or one batch in
// the revisions that have batches. Unlike that of the library it answers a line
// that is neither with an error and goes on: one slip of a client must not take its
// tools away.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect implements mcp.Transport.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{out: l.out, incoming: make(chan line), closed: make(chan struct{})}
	go c.read(bufio.NewReaderSize(l.in, 64<<10))
	return c, nil
}

// line is a message, or why there are no more.
type line struct {
	message jsonrpc.Message
	err     error
}

// lineConn is the connection of lines.
type lineConn struct {
	incoming chan line
	once     sync.Once
	closed   chan struct{}

	mu      sync.Mutex // of what follows
	out     io.Writer
	version string                // of the protocol, "" before the handshake
	batches map[jsonrpc.ID]*batch // by the calls in them
	calls   int                   // not yet answered
	last    chan struct{}         // closed when there are none and no more come; nil before
}

// read reads messages until the client goes away.
func (c *lineConn) read(r *bufio.Reader) {
	for {
		data, err := readLine(r)
		switch {
		case errors.Is(err, errLongLine):
			c.refuse(jsonrpc.CodeInvalidRequest, err)
			continue
		case err != nil && len(data) == 0:
			c.awaitAnswers()
			c.pass(line{err: err})
			return
		}
		for _, m := range c.messages(bytes.TrimSpace(data)) {
			if !c.pass(line{message: m}) {
				return
			}
		}
	}
}

// awaitAnswers waits until all calls are answered.
func (c *lineConn) awaitAnswers() {
	c.mu.Lock()
	c.last = make(chan struct{})
	if c.calls == 0 {
		close(c.last)
	}
	c.mu.Unlock()
	select {
	case <-c.last:
	case <-c.closed:
	case <-time.After(lastAnswers):
	}
}

// countCall counts the calls that are under way.
func (c *lineConn) countCall(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls += n; c.calls == 0 && c.last != nil {
		close(c.last)
	}
}

// pass hands a message on; false if messages are not taken any more.
func (c *lineConn) pass(next line) bool {
	if call, ok := next.message.(*jsonrpc.Request); ok && call.IsCall() {
		c.countCall(1)
	}
	select {
	case c.incoming <- next:
		return true
	case <-c.closed:
		return false
	}
}

// messages returns those of a line: one, or those of a batch. What is none is answered.
func (c *lineConn) messages(data []byte) []jsonrpc.Message {
	switch {
	case len(data) == 0:
		return nil
	case data[0] == '[' && c.takesBatches():
		return c.openBatch(data)
	}
	message, code, err := decode(data)
	if err != nil {
		c.refuse(code, err)
		return nil
	}
	return []jsonrpc.Message{message}
}

var errLongLine = fmt.Errorf("the message is larger than %d MiB", maxLine>>20)

// readLine reads a line, without keeping more of it than may be. The last one may
// lack its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var data []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(data)+len(part) > maxLine; !long {
			data = append(data, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && err == nil:
			return nil, errLongLine
		case long:
			return nil, err
		}
		return data, err
	}
}

var errNoJSON = errors.New("the line is not valid JSON; expected one message a line")

// decode reads a message; else it returns the code of the error that is answered.
func decode(data []byte) (jsonrpc.Message, int64, error) {
	if !json.Valid(data) {
		return nil, jsonrpc.CodeParseError, errNoJSON
	}
	if data[0] != '{' {
		return nil, jsonrpc.CodeInvalidRequest, errors.New("expected one JSON-RPC message a line, not a batch or a bare value")
	}
	message, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, jsonrpc.CodeInvalidRequest, fmt.Errorf("expected a JSON-RPC 2.0 message: %w", err)
	}
	return message, 0, nil
}

// refuse answers what is not a message. A client that is gone hears nothing.
func (c *lineConn) refuse(code int64, reason error) {
	_ = c.writeLine(refusal(code, reason))
}

// refusal returns the answer to what is not a message.
func refusal(code int64, reason error) json.RawMessage {
	out, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": reason.Error()}})
	if err != nil {
		panic(err) // numbers and texts can be written
	}
	return out
}

func (c *lineConn) writeLine(data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Read implements mcp.Connection.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case l := <-c.incoming:
		return l.message, l.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements mcp.Connection.
func (c *lineConn) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	if response, ok := message.(*jsonrpc.Response); ok {
		defer c.countCall(-1)
		return c.answer(response, data)
	}
	return c.writeLine(data)
}

// Close implements mcp.Connection. Standard input cannot be closed under a read: the
// goroutine that reads it ends with the next line, or with the process.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements mcp.Connection.
func (c *lineConn) SessionID() string { return "" }
