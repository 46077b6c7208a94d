package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/source"
)

// allOf is all that a message says, with the places in the file.
func allOf(m *mail.Message) string {
	var b strings.Builder
	text := func(name string, t *source.Text) {
		if t != nil {
			span, exact := t.ToFile(source.Span{End: len(t.Data)})
			fmt.Fprintf(&b, "%s %q at %v %t\n", name, t.String(), span, exact)
		}
	}
	place := func(name string, p source.Place) {
		if p.Known() {
			span, exact := p.Text.ToFile(p.Span)
			fmt.Fprintf(&b, "%s at %v %t\n", name, span, exact)
		}
	}
	fmt.Fprintf(&b, "%s %v %v %v %v %v %v\n", m.ID, m.Time, m.HasTime, m.BodyState, m.AckRequired, m.AckMistyped, m.HasRecipients)
	place("header", m.Header)
	place("ack", m.AckPlace)
	text("thread", m.Thread)
	text("subject", m.Subject)
	text("from", m.From)
	text("created", m.Created)
	text("body", m.Body)
	for _, o := range m.Recipients {
		text(o.Kind+" "+o.Name, o.Text)
	}
	for _, o := range m.Malformed {
		place(o.Name, o.At)
	}
	return b.String()
}

// allMessages are the messages of a store; if again, JSON is decoded again for each.
func allMessages(s *Store, again bool) (out []string, known int) {
	for _, info := range s.Threads() {
		for _, e := range s.entries[info.lo:info.hi] {
			if x, ok := e.export.loader.(*jsonFile); ok {
				known += len(x.members)
				if again {
					x.members = nil
				}
			}
		}
		thread, _ := s.Load(info)
		for _, m := range thread.Messages {
			out = append(out, allOf(m))
		}
	}
	return out, known
}

// oddMessages are objects whose members are not as exports write them.
var oddMessages = []string{
	message("subject", `"a", "subject": 5`, "to", `["A", 5, null, {"x": ["y"]}, "B"]`),
	message("to", `"A, B ,,C"`, "from", `null, "from"  :  "A"`, "thread_id", `7`),
	message("body_md", `"one", "body": "two"`, "to", `{"a": 1}`),
	message("body_md", `null, "body":"two"`, "to", `["A"], "to": 5`),
	message("subject", `"\u00e9\ud83d\ude00 \"x\""`, "id", `"12"`, "to", "[ \n\"A\" ,\t\"B\" ]"),
	message("body_md", `"b", "ack_required": "true", "ack_required" : null`),
	message("importance", `"x", "messages": [`+message("id", "5")+`], "cc": ["C"]`),
}

// TestMembersAreReadOnce holds that messages whose members the index has noted say
// the same as if they were decoded again.
func TestMembersAreReadOnce(t *testing.T) {
	inputs := map[string]string{
		"odd":    thread(oddMessages...),
		"lines":  strings.Join(oddMessages, "\n"),
		"nested": `{"result":{"content":[{"type":"text","text":` + quoted(thread(oddMessages...)) + `}]}}`,
		"events": "event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + quoted(thread(oddMessages...)) + "}]}}\n\n",
		"bytes":  thread(message("subject", "\"a\xffb\""), message("id", "2", "subject", "\"a\x01b\"")),
	}
	for _, name := range corpusJSON(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		inputs[filepath.Base(name)] = string(data)
	}
	total := 0
	for name, data := range inputs {
		s := NewStore(Options{Scope: AllScope})
		if err := s.Add(context.Background(), input.NewBytes(input.JSON, name, []byte(data))); err != nil {
			continue // not mail
		}
		once, known := allMessages(s, false)
		again, _ := allMessages(s, true)
		if total += known; len(once) == 0 && known > 0 {
			t.Errorf("%s: no messages", name)
		}
		if diff := cmp.Diff(again, once); diff != "" {
			t.Errorf("%s (-decoded again +once):\n%s", name, diff)
		}
	}
	if total < 100 {
		t.Errorf("the members of only %d messages are noted", total)
	}
}

// TestMembersOfChangedFile holds that a file that changes between the index and the
// load is an error, and that nothing is read at places that mean something else.
func TestMembersOfChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.json")
	before := thread(message("body_md", `"`+strings.Repeat("x", 50)+`"`))
	if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Scope: AllScope}, path)
	after := strings.Replace(before, `"subject":"`, `"subject":[ `, 1)
	if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
		t.Fatal(err)
	}
	loaded, facts := s.Load(s.Threads()[0])
	if len(loaded.Messages) != 0 || facts.Count() != 1 {
		t.Errorf("%d messages and %d faults", len(loaded.Messages), facts.Count())
	}
}
