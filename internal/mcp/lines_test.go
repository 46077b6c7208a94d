package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

const (
	initialize = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	ready      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	explain    = `{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"explain_rule","arguments":{"rule":"MB-005"}}}`
)

// malformed are lines that are no message, with the code that answers them; 0 for
// those that need no answer.
var malformed = map[string]int{
	"nonsense": -32700, `{"jsonrpc":"2.0","id":1,`: -32700, `{"a":1} {"b":2}`: -32700, "{\"x\": \"\x00\"}": -32700, "\xff\xfe": -32700,
	"[]": -32600, "42": -32600, `"text"`: -32600, "null": -32600, "{}": -32600, `{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600,
	"[" + explain + "]": -32600, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":true,"method":"ping"}`: -32600,
	`{"jsonrpc":"2.0","method":5}`: -32600, strings.Repeat("[", 100_000): -32700,
	"": 0, "   ": 0, `{"jsonrpc":"2.0","method":"notifications/nothing"}`: 0,
	`{"jsonrpc":"2.0","id":77,"result":{}}`: 0, `{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}`: 0,
}

// answers reads messages until the one with an id, and counts the error codes of
// those without.
func answers(t *testing.T, r *bufio.Reader, id string) (codes map[int]int, result json.RawMessage) {
	t.Helper()
	codes = map[int]int{}
	for {
		data, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatalf("the server ended before it answered %q: %v", id, err)
		}
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      any             `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(data, &m); err != nil || m.JSONRPC != "2.0" {
			t.Fatalf("the server writes %q: %v", data, err)
		}
		if m.ID == id {
			return codes, m.Result
		}
		if m.ID == nil && m.Error != nil && m.Error.Message != "" {
			codes[m.Error.Code]++
		}
	}
}

// converse sends malformed lines before, in and after the handshake, and holds
// that each is answered and the tools work on.
func converse(t *testing.T, in io.Writer, out io.Reader) {
	t.Helper()
	r := bufio.NewReader(out)
	send := func(lines ...string) {
		go func() { _, _ = io.WriteString(in, strings.Join(lines, "\n")+"\n") }() // an answer may be waited for first
	}
	want := map[int]int{}
	var all []string
	for l, code := range malformed {
		all = append(all, l)
		if code != 0 {
			want[code]++
		}
	}
	send(append([]string{"nonsense"}, initialize)...)
	if codes, _ := answers(t, r, "first"); codes[-32700] != 1 {
		t.Errorf("before the handshake the codes are %v", codes)
	}
	send(append(append([]string{ready}, all...), explain)...)
	codes, result := answers(t, r, "last")
	for code, n := range want {
		if codes[code] != n {
			t.Errorf("%d answers have the code %d, want %d", codes[code], code, n)
		}
	}
	if !bytes.Contains(result, []byte("delta-json")) {
		t.Errorf("afterwards the tool says %s", result)
	}
}

// TestMalformedLines checks that no line ends the server.
func TestMalformedLines(t *testing.T) {
	s, err := newServer(testOptions, defaultBounds)
	if err != nil {
		t.Fatal(err)
	}
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(context.Background(), &lines{fromClient, toClient}) }()
	converse(t, in, out)
	in.Close()
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestMalformedLinesOfProgram checks the same of the program.
func TestMalformedLinesOfProgram(t *testing.T) {
	cmd := process(t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	converse(t, in, out)
	in.Close()
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// TestReadLine checks how lines are cut: each at its end, the last one without, and
// one that is too long not at all.
func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	r := bufio.NewReaderSize(strings.NewReader("a\r\n\n"+long+"\nb\n"+long[1:]), 4096)
	for _, want := range []string{"a\r\n", "\n", "too long", "b\n"} {
		got, err := readLine(r)
		if want == "too long" {
			if !errors.Is(err, errLongLine) || got != nil {
				t.Errorf("the long line gives %.20q, %v", got, err)
			}
			continue
		}
		if string(got) != want || err != nil {
			t.Errorf("got %.20q, %v, want %q", got, err, want)
		}
	}
	if got, err := readLine(r); len(got) != maxLine || !errors.Is(err, io.EOF) {
		t.Errorf("the last line has %d bytes, %v", len(got), err)
	}
	if got, err := readLine(r); len(got) != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end there is %q, %v", got, err)
	}
}
