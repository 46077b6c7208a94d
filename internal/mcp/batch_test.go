package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// client speaks with a server line by line.
type client struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// shakeHands starts a server for a client of a revision of the protocol.
func shakeHands(t *testing.T, revision string) *client {
	t.Helper()
	s, err := newServer(testOptions, defaultBounds)
	if err != nil {
		t.Fatal(err)
	}
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(context.Background(), &lines{fromClient, toClient}) }()
	t.Cleanup(func() {
		in.Close()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	c := &client{t, in, bufio.NewReader(out)}
	if got := c.ask(strings.Replace(initialize, "2025-06-18", revision, 1)); !strings.Contains(got, revision) {
		t.Fatalf("the server answers %s with %s", revision, got)
	}
	c.send(ready)
	return c
}

func (c *client) send(text string) {
	if _, err := io.WriteString(c.in, text+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a line and returns the next one of the server.
func (c *client) ask(text string) string {
	c.t.Helper()
	c.send(text)
	answer, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

func ping(id any) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"ping"}`, id) }

// TestBatches checks what is answered to batches: nothing but an error since revision
// 2025-06-18 of the protocol, which removed them, and one array before.
func TestBatches(t *testing.T) {
	many := "[" + strings.Repeat(ping(1)+",", maxBatch) + ping(2) + "]"
	for _, tt := range []struct {
		name, revision, batch string
		want                  []string // id and error code of each answer, sorted
		single                bool     // the answer is no array
	}{
		{"since 2025-06-18", "2025-06-18", "[" + ping(1) + "]", []string{"<nil> -32600"}, true},
		{"latest", "2025-11-25", "[" + ping(1) + "]", []string{"<nil> -32600"}, true},
		{"2025-03-26", "2025-03-26", "[" + ping(1) + "," + ping(`"a"`) + "," + ready + "]", []string{"1 0", "a 0"}, false},
		{"2024-11-05", "2024-11-05", "[" + ping(1) + "]", []string{"1 0"}, false},
		{"tools", "2025-03-26", "[" + explain + "," + ping(3) + "]", []string{"3 0", "last 0"}, false},
		{"entries that are no messages", "2025-03-26", "[" + ping(1) + `,1,[],{"jsonrpc":"1.0","id":5,"method":"ping"}]`, []string{"1 0", "<nil> -32600", "<nil> -32600", "<nil> -32600"}, false},
		{"no messages alone", "2025-03-26", "[1,2]", []string{"<nil> -32600", "<nil> -32600"}, false},
		{"an id twice", "2025-03-26", "[" + ping(1) + "," + ping(1) + "]", []string{"1 0", "<nil> -32600"}, false},
		{"a handshake", "2025-03-26", "[" + initialize + "]", []string{"<nil> -32600"}, false},
		{"empty", "2025-03-26", "[]", []string{"<nil> -32600"}, true},
		{"broken", "2025-03-26", "[" + ping(1) + ",", []string{"<nil> -32700"}, true},
		{"too many", "2025-03-26", many, []string{"<nil> -32600"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := shakeHands(t, tt.revision)
			c.send("[" + ready + "]") // a batch of notifications: no answer, or one error
			if tt.revision > lastWithBatches {
				if _, err := c.out.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			answer := c.ask(tt.batch)
			type response struct {
				ID    any
				Error struct{ Code int }
			}
			var all []response
			if tt.single {
				answer = "[" + answer + "]"
			}
			if err := json.Unmarshal([]byte(answer), &all); err != nil {
				t.Fatalf("%v: %s", err, answer)
			}
			var got []string
			for _, r := range all {
				got = append(got, fmt.Sprint(r.ID, " ", r.Error.Code))
			}
			if slices.Sort(got); !slices.Equal(got, tt.want) {
				t.Errorf("answered with %q, want %q", got, tt.want)
			}
			if got := c.ask(ping(`"next"`)); !strings.Contains(got, `"next"`) || strings.HasPrefix(got, "[") {
				t.Errorf("afterwards a ping is answered with %s", got)
			}
		})
	}
}

// TestBatchBeforeHandshake checks that a batch cannot come before the handshake.
func TestBatchBeforeHandshake(t *testing.T) {
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	s, err := newServer(testOptions, defaultBounds)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Run(t.Context(), &lines{fromClient, toClient}) }()
	c := &client{t, in, bufio.NewReader(out)}
	if got := c.ask("[" + initialize + "]"); !strings.Contains(got, "-32600") || !strings.Contains(got, `"id":null`) {
		t.Errorf("answered with %s", got)
	}
	in.Close()
}
