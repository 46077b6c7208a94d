package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// FuzzJSON checks for any file read as mail that nothing panics, and that what is found can
// be loaded, is in order, and is where its places say.
func FuzzJSON(f *testing.F) {
	for _, name := range corpusJSON(f) {
		if data, err := os.ReadFile(name); err == nil && len(data) < 8<<10 {
			f.Add(data)
		}
	}
	for _, tt := range jsonFaults {
		if len(tt.in) < 4<<10 {
			f.Add([]byte(tt.in))
		}
	}
	f.Add([]byte("data: " + thread(message()) + "\n\ndata: {\ndata: }\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzStore(t, input.JSON, data) })
}

// FuzzArchive is FuzzJSON for message files of the archive.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(letter("1", "T", `INFO: \u00a7`, "---\nbody")))
	f.Add([]byte("\xef\xbb\xbf---json\r\n{\"id\": \"x\"}\r\n---\r\n\r\nb"))
	f.Add([]byte("---json\n[{}]\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzStore(t, input.Archive, data) })
}

func fuzzStore(t *testing.T, kind input.Kind, data []byte) {
	s := NewStore(Options{Scope: AllScope})
	in := input.NewBytes(kind, "fuzz", data)
	in.Named = true
	if err := s.Add(context.Background(), in, nil); err != nil && !errors.Is(err, ErrNoMail) {
		t.Fatal(err)
	}
	file := source.NewFile("fuzz", data)
	for _, p := range s.Faults() {
		fuzzPlace(t, file, p.At)
		if p.Err == nil || p.Err.Error() == "" || p.Kind.String() == "" || p.Path == "" {
			t.Fatalf("%+v", p)
		}
	}
	total := 0
	var once []string // what is loaded from files kept in memory
	for _, ti := range s.Threads() {
		th, facts := s.Load(ti)
		total += len(th.Messages)
		once = append(once, describeMail(th.Messages)...)
		for _, f := range facts.Faults {
			fuzzPlace(t, file, f.At)
			if f.Kind != source.NotUTF8 && f.Kind != source.RawControl {
				t.Fatalf("%+v", f)
			}
		}
		for _, m := range facts.Incomplete {
			fuzzPlace(t, file, m.At)
		}
		for _, m := range facts.Mismatches {
			fuzzPlace(t, file, m.Here.At)
			fuzzPlace(t, file, m.There.At)
		}
		for i, m := range th.Messages {
			if i > 0 && compareMessages(th.Messages[i-1], m) > 0 {
				t.Fatal("out of order")
			}
			fuzzMessage(t, file, m)
		}
	}
	if total != s.Counts().Messages {
		t.Fatalf("%d messages loaded, %d counted", total, s.Counts().Messages)
	}
	var again []string // by scanning
	for _, ti := range s.Threads() {
		th, _ := s.Load(ti)
		again = append(again, describeMail(th.Messages)...)
	}
	if diff := cmp.Diff(again, once); diff != "" {
		t.Fatalf("messages of a file that is held (-scanned +held):\n%s", diff)
	}
}

// describeMail returns the contents of messages and their places.
func describeMail(messages []*mail.Message) []string {
	at := func(p source.Place) string {
		if !p.Known() {
			return "-"
		}
		span, _ := p.Text.ToFile(p.Span)
		return fmt.Sprint(span)
	}
	var out []string
	for _, m := range messages {
		var b strings.Builder
		fmt.Fprint(&b, m.ID, m.Time, m.HasTime, m.BodyState, m.AckRequired, m.AckMistyped, m.HasRecipients, at(m.Header), at(m.AckPlace))
		for _, x := range texts(m) {
			fmt.Fprintf(&b, " %q %s", x.String(), at(x.WholePlace()))
		}
		for _, f := range m.Malformed {
			fmt.Fprint(&b, f.Name, at(f.At))
		}
		for _, r := range m.Recipients {
			fmt.Fprint(&b, r.Name, r.Kind)
		}
		out = append(out, b.String())
	}
	return out
}

func fuzzMessage(t *testing.T, file *source.File, m *mail.Message) {
	fuzzPlace(t, file, m.Header)
	fuzzPlace(t, file, m.AckPlace)
	for _, x := range texts(m) {
		if x == nil {
			continue
		}
		fuzzPlace(t, file, x.WholePlace())
		for i := 0; i < min(len(x.Data), 500); {
			_, n := utf8.DecodeRune(x.Data[i:])
			fuzzPlace(t, file, x.Place(source.Span{Start: i, End: i + n}))
			i += n
		}
	}
	if m.BodyState == mail.BodyPresent && m.Body == nil || m.BodyState != mail.BodyPresent && m.Body != nil {
		t.Fatalf("body state %d, body %v", m.BodyState, m.Body)
	}
}

// texts returns the texts of a message, including nil ones.
func texts(m *mail.Message) []*source.Text {
	out := []*source.Text{m.Thread, m.Subject, m.From, m.Created, m.Body}
	for _, r := range m.Recipients {
		out = append(out, r.Text)
	}
	return out
}

// fuzzPlace checks that a place is in the file, on character boundaries, and has the
// position that it has in the whole file.
func fuzzPlace(t *testing.T, file *source.File, p source.Place) {
	if !p.Known() {
		return
	}
	span, ok := p.Text.ToFile(p.Span)
	if !ok {
		t.Fatal("a place without a file")
	}
	if span.Start < 0 || span.End < span.Start || span.End > len(file.Data) {
		t.Fatalf("%v lies outside of the %d bytes of the file", span, len(file.Data))
	}
	if len(file.Data) < 4<<10 && utf8.Valid(file.Data) {
		for _, at := range []int{span.Start, span.End} {
			if at < len(file.Data) && !utf8.RuneStart(file.Data[at]) {
				t.Fatalf("%v cuts a character", span)
			}
		}
		if got, want := p.Text.File.Position(span.Start), file.Position(span.Start); got != want {
			t.Fatalf("position %+v, want %+v", got, want)
		}
	}
}

// FuzzDraft checks that no input makes the draft reader panic, and that faults have places.
func FuzzDraft(f *testing.F) {
	for _, ex := range drafts(f) {
		f.Add([]byte(ex.In))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("fuzz", data)
		call, facts := ReadDraft(file, jsontree.Options{})
		for _, f := range facts.Faults {
			fuzzPlace(t, file, f.At)
		}
		for _, m := range facts.Incomplete {
			fuzzPlace(t, file, m.At)
		}
		if call.Message != nil {
			fuzzMessage(t, file, call.Message)
		}
	})
}

// FuzzRecognise checks that any file is either recognised or refused with a
// reason.
func FuzzRecognise(f *testing.F) {
	dir := f.TempDir()
	for _, ex := range drafts(f) {
		f.Add([]byte(ex.In), "x.md")
	}
	f.Add([]byte(thread(message())), "artifacts/x.json")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		name = filepath.Join(dir, filepath.Base(filepath.Clean("/"+name)))
		if len(name) > 200 || os.WriteFile(name, data, 0o600) != nil {
			return
		}
		defer os.Remove(name)
		set, err := input.Discover(context.Background(), []string{name}, input.Options{Workers: 1}, nil)
		if (err == nil) != (len(set.Inputs) == 1) {
			t.Fatal(err, set.Inputs)
		}
	})
}

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
	mail, facts := recordAll(s)
	var b strings.Builder
	for _, f := range facts.Faults {
		fmt.Fprintln(&b, f.Kind, f.MessageID)
	}
	for _, m := range facts.Incomplete {
		fmt.Fprintln(&b, "incomplete", m.MessageID)
	}
	fmt.Fprintf(&b, "%+v", mail)
	return b.String()
}

// TestThreadOfBrokenEnvelope checks that the thread of the enclosing envelope is read from
// its own place, although the object has a fault after the messages.
func TestThreadOfBrokenEnvelope(t *testing.T) {
	envelope := `{"thread_id":"RS-1","messages":[{"id":1,"subject":"INFO: x","body_md":"x","from":"A","created_ts":"2025-12-30T10:00:00Z"}]]`
	for _, data := range []string{envelope, `{"content":[{"type":"text","text":` + quoted(envelope) + `}]}`} {
		if got := mailIn([]byte(data)); !strings.Contains(got, `{Thread:RS-1 Subject:INFO: x From:A Body:x Created:2025-12-30 10:00:00 +0000 UTC`) {
			t.Errorf("%s is read as\n%s", data, got)
		}
	}
}
