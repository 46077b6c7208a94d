package export

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/mail"
)

// corpusJSON returns the exports as JSON of the corpus.
func corpusJSON(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(realmail + "json/*")
	if err != nil || len(files) < 40 {
		t.Fatal(files, err)
	}
	return files
}

// TestCorpusJSON compares what is read with what a plain JSON library finds: by
// id, every subject, body, sender and time.
func TestCorpusJSON(t *testing.T) {
	truth := corpusMessages(t)
	seen := 0
	for _, name := range corpusJSON(t) {
		s := open(t, Options{Scope: AllScope}, name)
		for _, ti := range s.Threads() {
			th, problems := s.Load(ti)
			if problems.Count() > 0 {
				t.Errorf("%s: %v", name, problems)
			}
			for i, m := range th.Messages {
				seen++
				want, ok := truth[m.ID]
				if !ok {
					t.Errorf("%s: message %s is none of the corpus", name, m.ID)
					continue
				}
				got := corpusMessage{textOf(m.Subject), textOf(m.From), textOf(m.Created), want.Body, m.AckRequired}
				if m.BodyState == mail.BodyPresent {
					got.Body = textOf(m.Body)
				} else if !strings.Contains(name, "nobodies") && !strings.Contains(name, "mailbox") {
					t.Errorf("%s: message %s has no body", name, m.ID)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s: message %s: (-want +got)\n%s", name, m.ID, d)
				}
				if i > 0 && th.Messages[i-1].Time.After(m.Time) {
					t.Errorf("%s: message %s is out of order", name, m.ID)
				}
			}
		}
		if strings.Contains(name, "error") {
			equal(t, `Malformed error.rpc.json:1:90 "\"Error reading resource 'resource://thread/RS-20990101-nope': project parameter is required for thread resource\"": the server answered with an error, so the export has no mail: "Error reading resource 'resource://thread/RS-20…"`, faults(s))
		} else if p := faults(s); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
	if seen < 200 {
		t.Errorf("only %d messages", seen)
	}
}

type corpusMessage struct {
	Subject, From, Created, Body string
	Ack                          bool
}

// corpusMessages reads the bare thread and inbox exports by encoding/json.
func corpusMessages(t testing.TB) map[string]corpusMessage {
	t.Helper()
	type object struct {
		ID      int    `json:"id"`
		Subject string `json:"subject"`
		From    string `json:"from"`
		Created string `json:"created_ts"`
		Body    string `json:"body_md"`
		Ack     bool   `json:"ack_required"`
	}
	out := map[string]corpusMessage{}
	for _, name := range corpusJSON(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var thread struct{ Messages []object }
		var inbox []object
		if json.Unmarshal(data, &thread) != nil && json.Unmarshal(data, &inbox) != nil {
			continue
		}
		for _, m := range append(thread.Messages, inbox...) {
			if m.Body != "" {
				out[fmt.Sprint(m.ID)] = corpusMessage{m.Subject, m.From, m.Created, m.Body, m.Ack}
			}
		}
	}
	return out
}

// TestPlaces holds for every character of every text of the corpus, and of some
