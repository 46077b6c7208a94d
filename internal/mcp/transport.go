package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/deadline"
)

// maxLine bounds a message that a client sends, in bytes.
const maxLine = 32 << 20

// stdio is the SDK's transport. It also answers the calls that are under way when the client
// closes its end: the SDK would drop them, and the client may still read.
type stdio struct{ mcp.IOTransport }

func newStdio(in io.Reader, out io.Writer) *stdio {
	return &stdio{mcp.IOTransport{Reader: io.NopCloser(in), Writer: keptOpen{out}, MaxLineLength: maxLine}}
}

// keptOpen is a writer that the transport does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// Connect implements mcp.Transport.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &answering{Connection: c}, err
}

// answering is a connection that counts the calls under way. It refuses one with the id of
// another: the SDK would not answer it.
type answering struct {
	mcp.Connection
	ids   sync.Map // of the calls under way
	calls sync.WaitGroup
}

// Read implements mcp.Connection.
func (c *answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if call, ok := message.(*jsonrpc.Request); ok && err == nil && call.IsCall() {
		if _, used := c.ids.LoadOrStore(call.ID, true); used {
			refusal := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a request with this id is not yet answered"}
			if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: call.ID, Error: refusal}); err != nil {
				return nil, err
			}
			return c.Read(ctx)
		}
		c.calls.Add(1)
	}
	if errors.Is(err, io.EOF) {
		ctx, cancel := context.WithTimeout(ctx, maxTime+10*time.Second)
		defer cancel()
		_, _ = deadline.Run(ctx, func(context.Context) (any, error) { c.calls.Wait(); return nil, nil })
	}
	return message, err
}

// Write implements mcp.Connection.
func (c *answering) Write(ctx context.Context, message jsonrpc.Message) error {
	if answer, ok := message.(*jsonrpc.Response); ok {
		c.ids.Delete(answer.ID)
		defer c.calls.Done()
	}
	return c.Connection.Write(ctx, message)
}
