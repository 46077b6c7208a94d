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

	"github.com/sourcegraph/jsonrpc2"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

// FuzzStream sends any bytes after the beginning of a session: what the server sends
// are whole messages, and no request panics.
func FuzzStream(f *testing.F) {
	message := func(method string, id any, params any) []byte {
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id != nil {
			m["id"] = id
		}
		data, err := json.Marshal(m)
		must.OK(f, err)
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
