package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lastWithBatches is the last revision of the protocol in which a server has to
// take JSON-RPC batches; the next one removed them.
const lastWithBatches = "2025-03-26"

// maxBatch bounds the messages of a batch, for their answers are kept until all are
// there.
const maxBatch = 100

// batch is the answer to a batch while it is made: an array, written when the last
// of its calls is answered.
type batch struct {
	calls   int // not yet answered
	answers []json.RawMessage
}

// takesBatches reports whether a line may be a batch: after the handshake, in a
// revision that has them.
func (c *lineConn) takesBatches() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version != "" && c.version <= lastWithBatches
}

// openBatch reads a batch. What is not a message in it is answered with the rest.
func (c *lineConn) openBatch(data []byte) []jsonrpc.Message {
	var parts []json.RawMessage
	switch err := json.Unmarshal(data, &parts); {
	case err != nil:
		c.refuse(jsonrpc.CodeParseError, errNoJSON)
		return nil
	case len(parts) == 0:
		c.refuse(jsonrpc.CodeInvalidRequest, errors.New("the batch is empty"))
		return nil
	case len(parts) > maxBatch:
		c.refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("the batch has %d messages; expected at most %d", len(parts), maxBatch))
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b := &batch{}
	var messages []jsonrpc.Message
	for _, part := range parts {
		message, code, err := decode(part)
		if err == nil {
			code, err = jsonrpc.CodeInvalidRequest, c.enter(message, b)
		}
		if err != nil {
			b.answers = append(b.answers, refusal(code, err))
			continue
		}
		messages = append(messages, message)
	}
	c.finish(b)
	return messages
}

// enter has a call of a batch answered with the batch.
func (c *lineConn) enter(message jsonrpc.Message, b *batch) error {
	call, ok := message.(*jsonrpc.Request)
	switch {
	case !ok || !call.IsCall():
		return nil
	case call.Method == "initialize":
		return errors.New("initialize cannot be in a batch")
	case c.batches[call.ID] != nil:
		return fmt.Errorf("the id %v is that of another call", call.ID.Raw())
	}
	if c.batches == nil {
		c.batches = map[jsonrpc.ID]*batch{}
	}
	c.batches[call.ID] = b
	b.calls++
	return nil
}

// finish writes the answer to a batch if it is whole. Of a client that is gone
// nothing is kept.
func (c *lineConn) finish(b *batch) {
	if b.calls == 0 && len(b.answers) > 0 {
		all := make([][]byte, len(b.answers))
		for i, a := range b.answers {
			all[i] = a
		}
		_, _ = fmt.Fprintf(c.out, "[%s]\n", bytes.Join(all, []byte(",")))
	}
}

// answer writes the answer to a call, or keeps it for the batch of the call.
func (c *lineConn) answer(to *jsonrpc.Response, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == "" {
		var handshake struct{ ProtocolVersion string }
		if json.Unmarshal(to.Result, &handshake) == nil {
			c.version = handshake.ProtocolVersion
		}
	}
	b := c.batches[to.ID]
	if b == nil {
		_, err := c.out.Write(append(data, '\n'))
		return err
	}
	delete(c.batches, to.ID)
	b.calls--
	b.answers = append(b.answers, data)
	c.finish(b)
	return nil
}
