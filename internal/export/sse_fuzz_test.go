package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
)

// FuzzEvents checks that mail in server-sent events reads as the same mail in a plain file,
// however its lines are split, and that all places are in the file for any other events.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(thread(message(), message("id", "2"))), uint16(0), false)
	f.Add([]byte(`{"content":[{"type":"text","text":`+quoted(thread(message("body_md", `"§\n\ud83d\ude00"`)))+`}]}`), uint16(3), true)
	f.Add([]byte("{\"messages\":\n\n[\n"+message()+"]}"), uint16(7), true)
	f.Add([]byte("{\ndata: }\n\nevent: x\r\n\r\ndata"), uint16(1), false)
	f.Fuzz(func(t *testing.T, data []byte, form uint16, crlf bool) {
		end := "\n"
		if crlf {
			end = "\r\n"
		}
		var events bytes.Buffer
		if form&1 != 0 {
			events.WriteString("event: message" + end)
		}
		prefix := []string{"data:", "data: "}[form>>1&1]
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			events.WriteString(prefix + string(line) + end)
		}
		events.WriteString(strings.Repeat(end, 1+int(form>>2&1)))
		fuzzStore(t, input.JSON, events.Bytes())
		if json.Valid(data) && !bytes.ContainsRune(data, '\r') && bytes.ContainsAny(data[:1], "{[") {
			if got, want := mailIn(events.Bytes()), mailIn(data); got != want {
				t.Fatalf("events are read as\n%swant\n%s", got, want)
			}
		}
	})
}

// mailIn returns all mail of a file, as the program reads it, and its problems.
func mailIn(data []byte) string {
	s := NewStore(Options{Scope: AllScope})
	in := input.NewBytes(input.JSON, "fuzz", data)
	in.Named = true
	if err := s.Add(context.Background(), in, nil); err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, f := range s.Faults() {
		fmt.Fprintln(&b, f.Kind, f.MessageID)
	}
	for _, ti := range s.Threads() {
		th, facts := s.Load(ti)
		for _, f := range facts.Faults {
			fmt.Fprintln(&b, f.Kind, f.MessageID)
		}
		for _, m := range facts.Incomplete {
			fmt.Fprintln(&b, "incomplete", m.MessageID)
		}
		for _, m := range th.Messages {
			fmt.Fprintf(&b, "%s/%s %s", th.Project, th.ID, m.ID)
			for _, x := range texts(m) {
				if x != nil {
					fmt.Fprintf(&b, " %q", x.Data)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// TestThreadOfBrokenEnvelope checks that the thread of the enclosing envelope is read from
// its own place, although the object has a fault after the messages.
func TestThreadOfBrokenEnvelope(t *testing.T) {
	envelope := `{"thread_id":"RS-1","messages":[{"id":1,"subject":"INFO: x","body_md":"x","from":"A","created_ts":"2025-12-30T10:00:00Z"}]]`
	for _, data := range []string{envelope, `{"content":[{"type":"text","text":` + quoted(envelope) + `}]}`} {
		if got := mailIn([]byte(data)); !strings.Contains(got, ` "RS-1" "INFO: x" "A" "2025-12-30T10:00:00Z" "x"`) {
			t.Errorf("%s is read as\n%s", data, got)
		}
	}
}
