package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// patience is how long a test waits for a message that must come.
const patience = time.Minute

// testClient is the other end of a session.
type testClient struct {
	t        testing.TB
	in       *io.PipeWriter
	messages chan map[string]any
	ended    chan error
	log      func(map[string]any) // is told all that the server sends
}

// testOptions returns those of a server with the whole catalogue.
func testOptions() Options {
	return Options{Rules: rules.All(), Version: "1.2.3", Load: func(string) (Settings, error) { return Settings{}, nil }}
}

// start starts a session.
func start(t testing.TB, opts Options) *testClient {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &testClient{t: t, in: inW, messages: make(chan map[string]any, 1000), ended: make(chan error, 1), log: func(map[string]any) {}}
	go func() {
		err := Serve(t.Context(), inR, outW, opts)
		inR.Close()
		outW.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.messages)
		r := bufio.NewReader(outR)
		for {
			var m map[string]any
			if (jsonrpc2.VSCodeObjectCodec{}).ReadObject(r, &m) != nil {
				return
			}
			c.messages <- m
		}
	}()
	t.Cleanup(func() { inW.Close() })
	return c
}

func (c *testClient) send(message any) {
	c.t.Helper()
	data, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(frameOf(string(data)))
	}
	must.OK(c.t, err)
}

// await returns the next message that is as wanted; those before it are passed over.
func (c *testClient) await(what string, wanted func(map[string]any) bool) map[string]any {
	c.t.Helper()
	for {
		select {
		case m, ok := <-c.messages:
			if !ok {
				c.t.Fatalf("the session ended; expected %s", what)
			}
			c.log(m)
			if wanted(m) {
				return m
			}
		case <-time.After(patience):
			c.t.Fatalf("no message came; expected %s", what)
		}
	}
}

func (c *testClient) notify(method string, params any) {
	c.t.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// request sends a request and waits for the answer.
func (c *testClient) request(id any, method string, params any) map[string]any {
	c.t.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	m := c.response(id)
	if method == "initialize" && m["error"] != nil {
		c.t.Fatalf("the session does not begin: %v", m)
	}
	return m
}

func (c *testClient) response(id any) map[string]any {
	c.t.Helper()
	want := fmt.Sprint(id)
	return c.await("the answer to "+want, func(m map[string]any) bool {
		_, isCall := m["method"]
		return !isCall && fmt.Sprint(m["id"]) == want
	})
}

// published waits for the diagnostics of a version of a document.
func (c *testClient) published(version int) []any {
	c.t.Helper()
	m := c.await(fmt.Sprintf("diagnostics of version %d", version), func(m map[string]any) bool {
		params, _ := m["params"].(map[string]any)
		return m["method"] == "textDocument/publishDiagnostics" && params["version"] == float64(version)
	})
	return m["params"].(map[string]any)["diagnostics"].([]any)
}

// finish ends the session as a client should.
func (c *testClient) finish() {
	c.t.Helper()
	c.request("end", "shutdown", nil)
	c.notify("exit", nil)
	c.wantEnd(nil)
}

func (c *testClient) wantEnd(want error) {
	c.t.Helper()
	select {
	case err := <-c.ended:
		if !errors.Is(err, want) {
			c.t.Errorf("the session ended with %v, expected %v", err, want)
		}
	case <-time.After(patience):
		c.t.Fatal("the session did not end")
	}
}

func open(uri string, version int, text string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "markdown", "version": version, "text": text}}
}

func change(uri string, version int, changes ...any) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes}
}

func at(line, from, toLine, to int) map[string]any {
	return map[string]any{"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": toLine, "character": to}}
}

// frameOf returns a message as it is sent.
func frameOf(message string) []byte {
	return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(message), message)
}

// FuzzStream sends any bytes after the beginning of a session: what the server sends
// are whole messages, and no request panics.
func FuzzStream(f *testing.F) {
	message := func(method string, id any, params any) []byte {
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id != nil {
			m["id"] = id
		}
		data, _ := json.Marshal(m) // plain data
		return frameOf(string(data))
	}
	draft := `{"to": ["BlueLake"], "thread_id": "RS-20251230-x", "subject": "DELTA[gpt] x", "body_md": "é🧪"}`
	begin := append(message("initialize", 1, map[string]any{}), message("textDocument/didOpen", nil, open("file:///w/a.json", 1, draft))...)
	f.Add(message("textDocument/didChange", nil, change("file:///w/a.json", 2, map[string]any{"range": at(0, 3, 9, 9), "text": "x"})))
	f.Add(append(message("$/cancelRequest", nil, map[string]any{"id": 1}), message("textDocument/diagnostic", 2, map[string]any{"textDocument": map[string]any{"uri": "file:///w/a.json"}})...))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n{}"))
	f.Add([]byte("Content-Length: x\r\nContent-Length: 2\r\n\r\n{}\n\n: \r\n\r\n"))
	position := map[string]any{"textDocument": map[string]any{"uri": "file:///w/a.json"}, "position": map[string]any{"line": 0, "character": 25}}
	for _, method := range slices.Concat(slices.Sorted(maps.Keys(requests)), slices.Sorted(maps.Keys(notifications))) {
		f.Add(message(method, "x", position))
	}
	opts := Options{Rules: rules.All(), Load: func(string) (Settings, error) { return Settings{}, nil }}
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		_ = Serve(t.Context(), bytes.NewReader(append(bytes.Clone(begin), data...)), &out, opts) // what is no message ends the session
		r := bufio.NewReader(&out)
		for {
			var m struct {
				JSONRPC string
				Error   *struct {
					Code    int
					Message string
				}
			}
			switch err := (jsonrpc2.VSCodeObjectCodec{}).ReadObject(r, &m); {
			case errors.Is(err, io.EOF):
				return
			case err != nil || m.JSONRPC != "2.0":
				t.Fatalf("the server sent %+v: %v", m, err)
			}
			if m.Error != nil && m.Error.Code == -32603 {
				t.Fatal(fmt.Sprint(m.Error.Message))
			}
		}
	})
}
