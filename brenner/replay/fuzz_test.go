package replay_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// FuzzReplay replays threads made of arbitrary bodies. A message is a byte for its
// type, one for its minute, one for its sender, and its body; 0xFF separates messages.
func FuzzReplay(f *testing.F) {
	for _, posts := range [][]post{
		first(),
		publish(first(), 1, nil),
		append(publish(first(), 1, nil), post{from: "Cyd", subject: "DELTA[gpt]: y", deltas: []object{kill("H2"), edit("A1", object{"load": "x"}), edit("H9", object{"claim": "x"})}}),
	} {
		var seed [][]byte
		for i, p := range thread(posts).Messages {
			seed = append(seed, append([]byte{byte(slices.Index(brenner.MessageTypes, p.Intended) + 1), byte(i), posts[i].from[0]}, p.Body.Data...))
		}
		f.Add(bytes.Join(seed, []byte{0xff}), uint64(1))
	}
	f.Add([]byte("\x02\x01A```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"payload\":{\"name\":\"x\",},}\n```\xff\x03\x01B### H1: x"), uint64(2))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if len(data) > 1<<16 {
			return
		}
		messages := fuzzedMessages(data)
		one := outcome(t, messages)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		if two := outcome(t, messages); one != two {
			t.Fatalf("the order of the input shows:\n%s\n---\n%s", one, two)
		}
	})
}

func fuzzedMessages(data []byte) []*mail.Message {
	text := func(s string) *source.Text { return source.NewText([]byte(s)) }
	facts := &mail.ExportInfo{Path: "thread.json"}
	var out []*mail.Message
	for i, part := range bytes.Split(data, []byte{0xff}) {
		if len(part) < 3 || i == 64 {
			continue
		}
		subject := string(brenner.MessageTypes[int(part[0])%len(brenner.MessageTypes)])
		switch subject {
		case "DELTA":
			subject += "[gpt]"
		case "COMPILED":
			subject += fmt.Sprintf(": v%d", part[0]/16)
		}
		at := noon.Add(time.Duration(part[1]%8) * time.Minute)
		out = append(out, &mail.Message{
			ID: fmt.Sprint(i), Thread: text("RS-20251230-fuzz"), Subject: text(subject + ": x"), From: text(string("ABC"[part[2]%3])),
			Created: text(at.Format(time.RFC3339)), Time: at, HasTime: part[1] < 200,
			Body: text(strings.ToValidUTF8(string(part[3:]), "\uFFFD")), BodyState: mail.BodyPresent, ExportInfo: facts,
		})
	}
	return out
}

// outcome returns all that a replay reports. Reading its places detects those outside of
// their text.
func outcome(t *testing.T, messages []*mail.Message) string {
	sorted := slices.Clone(messages)
	slices.SortFunc(sorted, func(a, b *mail.Message) int {
		return cmp.Or(a.Time.Compare(b.Time), brenner.CompareMessageIDs(a.ID, b.ID))
	})
	r := replay.New(session.NewThread(&mail.Thread{ID: "RS-20251230-fuzz", Messages: sorted, Complete: true}, artifact.Limits{}), replay.Options{})
	var out strings.Builder
	show(&out, r)
	for _, w := range append(r.Windows, r.Pending) {
		out.WriteString(w.Hash() + w.PublishedHash() + "\n")
		for _, d := range w.Deltas {
			if d.Rejection == nil && d.Rejected() != nil {
				t.Fatal("a rejected delta is not said to be")
			}
		}
	}
	r.Summary()
	return out.String()
}
