package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine bounds a message that a client sends, in bytes.
	maxLine = 32 << 20
	// maxNesting bounds how deep a message is nested: the SDK ends the session at 1,000. It is
	// deeper than a draft may be, so that a tool still finds it too deep.
	maxNesting = 900
	// lastAnswers is how long calls may still take after the client has closed its end: it may
	// still read.
	lastAnswers = 40 * time.Second
)

// stdio is the SDK's transport. It also answers the calls that are under way when the client
// closes its end: the SDK would drop them.
type stdio struct{ mcp.IOTransport }

func newStdio(in io.Reader, out io.Writer) *stdio {
	return &stdio{mcp.IOTransport{Reader: io.NopCloser(&shallow{in: bufio.NewReader(in)}), Writer: keptOpen{out}, MaxLineLength: maxLine}}
}

// keptOpen is a writer that the transport does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// Connect implements mcp.Transport.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &answering{Connection: c}, err
}

// answering is a connection that counts the calls under way.
type answering struct {
	mcp.Connection
	calls sync.WaitGroup
}

// Read implements mcp.Connection.
func (c *answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if call, ok := message.(*jsonrpc.Request); ok && err == nil && call.IsCall() {
		c.calls.Add(1)
	}
	if errors.Is(err, io.EOF) {
		answered := make(chan struct{})
		go func() { c.calls.Wait(); close(answered) }()
		select {
		case <-answered:
		case <-ctx.Done():
		case <-time.After(lastAnswers):
		}
	}
	return message, err
}

// Write implements mcp.Connection.
func (c *answering) Write(ctx context.Context, message jsonrpc.Message) error {
	if _, ok := message.(*jsonrpc.Response); ok {
		defer c.calls.Done()
	}
	return c.Connection.Write(ctx, message)
}

// shallow is a stream of JSON with null for what is nested too deep, so that a call with deep
// arguments is answered as a call.
type shallow struct {
	in                *bufio.Reader
	depth             int
	inString, escaped bool
}

// Read implements io.Reader.
func (s *shallow) Read(p []byte) (n int, err error) {
	for n+len("null") <= len(p) {
		if n > 0 && s.in.Buffered() == 0 {
			break // what there is may be a whole message
		}
		b, err := s.in.ReadByte()
		if err != nil {
			if n > 0 {
				return n, nil //nolint:nilerr // the next call returns it
			}
			return 0, err
		}
		if deep := s.pass(b); deep && s.depth == maxNesting+1 && (b == '[' || b == '{') && !s.inString {
			n += copy(p[n:], "null")
		} else if !deep {
			p[n] = b
			n++
		}
	}
	return n, nil
}

// pass takes in a byte, and reports whether it is part of what is nested too deep. A line ends
// what is open: a message has one line.
func (s *shallow) pass(b byte) (deep bool) {
	deep = s.depth > maxNesting
	switch {
	case b == '\n':
		*s = shallow{in: s.in}
		return false
	case s.inString:
		s.inString, s.escaped = s.escaped || b != '"', !s.escaped && b == '\\'
	case b == '"':
		s.inString = true
	case b == '[' || b == '{':
		s.depth++
		return s.depth > maxNesting
	case b == ']' || b == '}':
		s.depth--
	}
	return deep
}
