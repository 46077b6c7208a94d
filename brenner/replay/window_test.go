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
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	catalogue "github.com/brennerlint/brennerlint/rules"
)

// Of two deltas of one instant, the one that comes later in the thread is reported as
// related to the other, whatever their agents are called.
func TestLaterIsReported(t *testing.T) {
	load := func(s string) object { return edit("A1", object{"load": s}) }
	begin := from("Ada", 1, assumption(1))
	for _, tt := range []struct {
		name  string
		posts []post
		want  string
	}{
		{"Ada after Bob", []post{begin, from("Bob", 2, load("heavy")), from("Ada", 2, load("light"))}, `[Bob in message 2, delta 1 sets it to "heavy"]`},
		{"Bob after Ada", []post{begin, from("Ada", 2, load("light")), from("Bob", 2, load("heavy"))}, `[Ada in message 2, delta 1 sets it to "light"]`},
		{"ADDs, Ada after Bob", []post{begin, from("Bob", 2, assumption(2)), from("Ada", 2, assumption(3))}, "[ADD by Bob in message 2, delta 1 at the same time]"},
		{"ADDs, Bob after Ada", []post{begin, from("Ada", 2, assumption(2)), from("Bob", 2, assumption(3))}, "[ADD by Ada in message 2, delta 1 at the same time]"},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, replay.New(thread(tt.posts), replay.Options{}), tt.want) })
	}
}

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

// What the order of deltas of one instant decides is reported with both sides.
func TestTies(t *testing.T) {
	six := []object{hypothesis(1), hypothesis(2), hypothesis(3), hypothesis(4), hypothesis(5), hypothesis(6)}
	for _, tt := range []struct {
		name  string
		posts []post
		prio  map[string]int
		want  []string
	}{
		{"a conflict of values", []post{from("Ada", 1, assumption(1)), from("Ada", 2, edit("A1", object{"load": "light"})), from("Bob", 2, edit("A1", object{"load": "heavy"}))}, nil,
			[]string{`MR-008 A1 load is left in conflict: Ada in message 2, delta 1 and Bob in message 3, delta 1 set it to different values at the same instant, 2025-12-30T14:00:00Z [Ada in message 2, delta 1 sets it to "light"]`}},
		{"a conflict that priorities decide", []post{from("Ada", 1, assumption(1)), from("Ada", 2, edit("A1", object{"load": "light"})), from("Bob", 2, edit("A1", object{"load": "heavy"}))}, map[string]int{"Ada": 1, "Bob": 2}, nil},
		{"a conflict that a later EDIT settles", []post{from("Ada", 1, assumption(1)), from("Ada", 2, edit("A1", object{"load": "light"})), from("Bob", 2, edit("A1", object{"load": "heavy"})), from("Cyd", 3, edit("A1", object{"load": "some"}))}, nil, nil},
		{"a conflict of very many", []post{from("Ada", 1, assumption(1)), from("A", 2, edit("A1", object{"load": "1"})), from("B", 2, edit("A1", object{"load": "2"})), from("C", 2, edit("A1", object{"load": "3"})),
			from("D", 2, edit("A1", object{"load": "4"})), from("E", 2, edit("A1", object{"load": "5"}))}, nil, []string{"A in message 2, delta 1, B in message 3, delta 1, C in message 4, delta 1 and 2 more set it"}},
		{"ADDs", []post{from("Ada", 1, assumption(1)), from("Bob", 1, assumption(2))}, nil,
			[]string{"MR-009 ADD has the same time, 2025-12-30T13:00:00Z, as the ADD to assumption_ledger by Ada in message 1, delta 1: which item gets which id depends on their order alone [ADD by Ada in message 1, delta 1 at the same time]"}},
		{"equal ADDs", []post{from("Ada", 1, assumption(1)), from("Bob", 1, assumption(1))}, nil, nil},
		{"unions", []post{from("Ada", 1, hypothesis(1)), from("Ada", 2, edit("H1", object{"anchors": []string{"§8"}})), from("Bob", 2, edit("H1", object{"anchors": []string{"§9"}}))}, nil,
			[]string{"MR-009 EDIT of H1 anchors has the same time, 2025-12-30T14:00:00Z, as that by Ada in message 2, delta 1: the value depends on their order alone"}},
		{"an EDIT beside a KILL", []post{from("Ada", 1, assumption(1)), from("Ada", 2, edit("A1", object{"load": "light"})), from("Bob", 2, kill("A1"))}, nil,
			[]string{"MR-009 EDIT of A1 has the same time, 2025-12-30T14:00:00Z, as its KILL by Bob in message 3, delta 1: the KILL wins and the EDIT is dropped"}},
		{"an EDIT of what is added", []post{from("Ada", 1, assumption(1)), from("Bob", 1, edit("A1", object{"load": "light"}))}, nil,
			[]string{"MR-009 EDIT has the same time, 2025-12-30T13:00:00Z, as the ADD by Ada in message 1, delta 1: whether A1 exists when it is named depends on their order alone"}},
		{"a KILL that makes room", []post{from("Ada", 1, six...), from("Ada", 2, kill("H1")), from("Bob", 2, hypothesis(7))}, nil,
			[]string{"MR-009 ADD has the same time, 2025-12-30T14:00:00Z, as the KILL by Ada in message 2, delta 1: whether the new hypothesis fits depends on their order alone"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := replay.New(thread(tt.posts), replay.Options{Priority: tt.prio})
			expect(t, r, tt.want...)
			if reported := strings.Contains(strings.Join(tt.want, ""), "MR-009"); r.Pending.OrderSensitive != reported {
				t.Errorf("order-sensitive: %v", r.Pending.OrderSensitive)
			}
		})
	}
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

// Deltas that cannot be applied are reported with what explains them.
func TestTargets(t *testing.T) {
	r := replay.New(thread([]post{
		from("Ada", 1, edit("A1", object{"load": "light"})), from("Bob", 2, assumption(1)), from("Ada", 3, kill("A1")), from("Cyd", 4, edit("A1", object{"load": "heavy"}), kill("A7"), kill("A1")),
	}), replay.Options{})
	expect(t, r, "MR-001 EDIT names A1, but assumption_ledger is empty at this point [A1 is added only later, by Bob in message 2, delta 1]",
		"MR-002 EDIT names A1, but Ada killed it at 2025-12-30T15:00:00Z: killed items are not edited [A1 was killed by Ada in message 3, delta 1]",
		"MR-001 KILL names A7, but assumption_ledger holds only A1 at this point")
	if r.Pending.Applied != 2 || len(r.Pending.Rejected) != 2 {
		t.Errorf("%d applied, %d rejected", r.Pending.Applied, len(r.Pending.Rejected))
	}
}

// Known agents are those of the configuration, or of the export's list.
func TestUnknownAgents(t *testing.T) {
	posts := []post{from("Ada", 1, assumption(1)), from("Boob", 2, assumption(2), assumption(3)), from("Zoroaster", 3, assumption(4)), {from: "Ada", subject: "DELTA[gpt]: x", deltas: []object{
		{"operation": "ADD", "section": "assumption_ledger", "agent": "Bobb", "payload": assumption(5)["payload"]}}, at: 4 * time.Hour}}
	want := []string{`MR-004 agent "Boob" of delta 1 is not registered, so the delta is rejected`, `MR-004 agent "Boob" of delta 2`, `MR-004 agent "Zoroaster" of delta 1`, `MR-004 agent "Bobb" of delta 1`}
	r := replay.New(thread(posts), replay.Options{Roster: []string{"Ada", "Bob"}})
	expect(t, r, want...)
	var got []string
	for _, f := range findings(r) {
		got = append(got, f.Suggestion)
	}
	if !slices.Equal(got, []string{"did you mean Bob?", "did you mean Bob?", "", "did you mean Bob?"}) {
		t.Errorf("suggested: %q", got)
	}
	if r.Pending.Applied != 1 || len(r.Pending.Rejected) != 4 {
		t.Errorf("%d applied, %d rejected", r.Pending.Applied, len(r.Pending.Rejected))
	}
	th := thread(posts)
	th.Roster = []mail.Agent{{Name: "Ada"}, {Name: "Bob"}}
	expect(t, replay.New(th, replay.Options{}), want...)
	expect(t, replay.New(thread(posts), replay.Options{}))
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
