package replay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	catalogue "github.com/brennerlint/brennerlint/rules"
)

// A block that is not a delta at all is only DL-024, whoever sent it; a delta that is
// rejected for its content keeps that reason.
func TestUnregistered(t *testing.T) {
	for body, want := range map[string]string{"{}": "", "[1]": "", "3": "", `{"operation": "ADD"}`: "MR-004"} {
		p := from("Zed", 1)
		p.body = "\n```delta\n" + body + "\n```\n"
		r := replay.New(thread([]post{p}), replay.Options{Roster: []string{"Ada"}})
		if got := strings.Join(rules(r), "; "); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
		if why := r.Pending.Deltas[0].Rejection; why == nil || why.Fault == "" {
			t.Errorf("%s is rejected for %v", body, why)
		}
	}
}

func from(agent string, at int, deltas ...object) post {
	return post{from: agent, subject: "DELTA[opus]: x", deltas: deltas, at: time.Duration(at) * time.Hour}
}

func unpublished(at int) post {
	return post{from: "Operator", subject: "COMPILED: v1 artifact", body: "# Compiled Artifact\n", at: time.Duration(at) * time.Hour}
}

// A published CONFLICT marker, and a value that is one side of it, are not the
// publisher's fault.
func TestPublishedConflicts(t *testing.T) {
	posts := []post{from("Ada", 1, assumption(1)), from("Ada", 2, edit("A1", object{"load": "light"})), from("Bob", 2, edit("A1", object{"load": "heavy"}))}
	for load, want := range map[string]string{"": "MR-008 A1 load", "heavy": "MR-008 A1 load", "neither": "MR-008 A1 load; MR-013 A1 load"} {
		published := publish(slices.Clone(posts), 1, func(st *brenner.State) {
			if load != "" {
				set(st, "A1", "load", load)
			}
		})
		r := replay.New(thread(published), replay.Options{})
		if got := strings.Join(rules(r), "; "); got != want {
			t.Errorf("load %q: got %s, want %s", load, got, want)
		}
		if r.Windows[0].Base != replay.FromEmpty || *r.Windows[0].Matches != (load == "") {
			t.Errorf("load %q: matches is %v", load, *r.Windows[0].Matches)
		}
	}
	tied := []post{from("Ada", 1, hypothesis(1)), from("Ada", 2, edit("H1", object{"anchors": []string{"§8"}})), from("Bob", 2, edit("H1", object{"anchors": []string{"§9"}})), from("Ada", 3, assumption(1)),
		from("Ada", 4, edit("A1", object{"load": "light"})), from("Bob", 4, kill("A1"))}
	published := publish(tied, 1, func(st *brenner.State) {
		set(st, "H1", "anchors", []any{"§1", "§9", "§8"}) // the other order
		set(st, "A1", "load", "light")                    // the EDIT that was dropped
	})
	if got := strings.Join(rules(replay.New(thread(published), replay.Options{})), "; "); got != "MR-009 A1; MR-009 H1 anchors" {
		t.Errorf("of a tie either side is right: got %s", got)
	}
}

// Timestamps that sort differently as text and as instants are reported once per
// window; messages whose time cannot be read are left out.
func TestTimes(t *testing.T) {
	at := func(text string, d object) object {
		d["timestamp"] = text
		return d
	}
	posts := []post{from("Ada", 1, at("2025-12-30T13:00:00+00:00", assumption(1)), at("2025-12-30T14:30:00+02:00", assumption(2)), at("2025-12-30T14:45:00+02:00", assumption(3))), from("Bob", 3, assumption(4))}
	r := replay.New(thread(posts), replay.Options{})
	expect(t, r, `MR-010 "2025-12-30T14:45:00+02:00" of Ada in message 1, delta 3 is before "2025-12-30T13:00:00+00:00" of Ada in message 1, delta 1, but sorts after it as text`)
	if got := r.Pending.State.Find(id("A1")).Text("name"); got != "Assumption 2" {
		t.Errorf("A1 is %s", got)
	}
	posts = []post{from("Ada", 1, assumption(1)), {from: "Bob", subject: "DELTA[gpt]: x", deltas: []object{assumption(2)}, untimed: true}, {from: "Bob", subject: "no mail of the protocol", untimed: true}}
	r = replay.New(thread(posts), replay.Options{})
	if len(r.Untimed) != 1 || r.Untimed[0].SubjectText != "DELTA[gpt]: x" || r.Pending.State.Len(brenner.AssumptionLedger) != 1 {
		t.Errorf("outside are %d, the ledger holds %d", len(r.Untimed), r.Pending.State.Len(brenner.AssumptionLedger))
	}
}

// A window with an unreadable body is not compared; the next starts from what was
// published.
func TestUnreadBodies(t *testing.T) {
	posts := publish(first(), 1, nil)
	posts[2].unread = true
	posts = append(posts, post{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{edit("A3", object{"load": "more"}), assumption(9)}})
	r := replay.New(thread(posts), replay.Options{})
	expect(t, r)
	if w := r.Windows[0]; !w.Unread || w.Matches != nil || w.Published == nil {
		t.Errorf("the window is compared: %v", w.Matches)
	}
	if p := r.Pending; p.Unread || p.Base != replay.FromPublished || p.State.Find(id("A4")) == nil || p.State.Find(id("A3")).Text("load") != "more" {
		t.Errorf("the next window starts from %s", p.Base)
	}
	if s := r.Summary(); s.Complete {
		t.Error("the summary is said to be complete")
	}
	// Without an artifact nothing is known any more.
	posts[3].body = "# Compiled Artifact\n"
	if r = replay.New(thread(posts), replay.Options{}); !r.Pending.Unread || len(findings(r)) > 0 || r.MergePreview() != nil {
		t.Errorf("an unknown state is judged: %v", faults(r))
	}
}

// The order in which messages are read never matters, for whole threads with artifacts
// and ties.
func TestReadingOrderNeverMatters(t *testing.T) {
	posts := append(publish(first(), 1, nil), from("Cyd", 1, kill("H2"), hypothesis(4)), from("Ada", 1, edit("A1", object{"load": "x"})), from("Bob", 1, edit("A1", object{"load": "y"})))
	want := ""
	for seed := range uint64(20) {
		th := thread(posts).Thread
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(th.Messages), func(i, j int) { th.Messages[i], th.Messages[j] = th.Messages[j], th.Messages[i] })
		export.Sort(th.Messages)
		r := replay.New(session.NewThread(th, artifact.Limits{}), replay.Options{})
		got := fmt.Sprint(r.Windows[0].Hash(), r.Pending.Hash(), faults(r))
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}

// A preview says what the next merge makes of each delta of a draft.
func TestMergePreview(t *testing.T) {
	r := replay.New(thread([]post{
		from("Ada", 1, assumption(1), assumption(2), hypothesis(1)), from("Ada", 2, kill("A2")),
		from("Bob", 3, assumption(3), edit("A1", object{"load": "other"}), edit("A1", object{"load": "other"}), edit("A2", object{"load": "x"}), kill("A1"), kill("A9"),
			object{"operation": "ADD", "section": "assumption_ledger", "payload": object{"name": "lacks all"}}),
	}), replay.Options{})
	want := []string{"applied A3", "applied A1", "unchanged A1", "skipped A2", "applied A1", "MR-001", "DL-006"}
	if got := previewed(r); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	r = replay.New(thread([]post{from("Ada", 1, assumption(1)), from("Bob", 2, kill("A1")), from("Cyd", 2, edit("A1", object{"load": "x"}))}), replay.Options{})
	if got := previewed(r); !slices.Equal(got, []string{"dropped A1"}) {
		t.Errorf("got %q", got)
	}
	if got := replay.New(thread(nil), replay.Options{}).MergePreview(); got != nil {
		t.Errorf("an empty thread has the preview %v", got)
	}
	if got := r.Contributors(r.Pending); !slices.Equal(got, []string{"Ada", "Bob"}) {
		t.Errorf("contributors are %q", got)
	}
}

// previewed returns what the next merge makes of each delta of a draft: the outcome and
// the item, or the rule that rejects it.
func previewed(r *replay.Thread) []string {
	var out []string
	for i, p := range r.MergePreview() {
		switch rule, _ := catalogue.All().RejectedBy(p.Rejection); {
		case p.Index != i+1:
			out = append(out, fmt.Sprint("delta ", p.Index))
		case p.Rejection != nil:
			out = append(out, rule)
		default:
			out = append(out, string(p.Entry.Outcome)+" "+p.Entry.Item.String())
		}
	}
	return out
}
