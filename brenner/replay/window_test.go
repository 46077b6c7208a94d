package replay_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	catalogue "github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
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

// An artifact has one hash, whatever was merged that it does not show (decisions.md 91).
func TestPublishedHash(t *testing.T) {
	plain := publish([]post{from("Ada", 1, hypothesis(1))}, 1, nil)
	more := publish([]post{from("Ada", 1, hypothesis(1)), from("Ada", 2, edit("H1", object{"references": []string{"RS-20260101-a"}}))}, 1, nil)
	more[len(more)-1].body = plain[len(plain)-1].body
	a, b := replay.New(thread(plain), replay.Options{}).Windows[0], replay.New(thread(more), replay.Options{}).Windows[0]
	if a.PublishedHash() != a.Hash() || a.PublishedHash() != b.PublishedHash() || b.Hash() == a.Hash() || !*a.Matches || !*b.Matches {
		t.Errorf("merged %s and %s, published %s and %s", a.Hash(), b.Hash(), a.PublishedHash(), b.PublishedHash())
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
	expect(t, r, "MR-010")
	if got := r.Pending.State.Find(id("A1")).Text("name"); got != "Assumption 2" {
		t.Errorf("A1 is %s", got)
	}
	// The server's spelling in a database is no agent's; that of an own time is.
	for _, c := range []struct {
		own   string
		form  mail.Form
		rules []string
	}{{"2025-12-30T12:00:30Z", mail.SQLite, nil}, {"2025-12-30T12:00:30Z", mail.JSON, []string{"MR-010"}}, {"2025-12-30T16:00:30+02:00", mail.SQLite, []string{"MR-010"}}} {
		th := thread([]post{from("Ada", 1, at(c.own, assumption(1))), from("Bob", 3, assumption(2))})
		for _, m := range th.Messages {
			m.Form, m.Created = c.form, source.NewText([]byte(m.Time.Format("2006-01-02 15:04:05.000000")))
		}
		expect(t, replay.New(th, replay.Options{}), c.rules...)
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

func marked(d object, key string) object {
	d["payload"].(object)[key] = true
	return d
}

// The post-conditions are checked at the end of a window unless an artifact states the same, of
// pending windows too. They examine its applied KILLs, and name the last item that had the mark.
func TestPostConditions(t *testing.T) {
	third := func(n int) object { return marked(hypothesis(n), "third_alternative") }
	begin := func(marks ...object) []post {
		return []post{from("Ada", 1, append(marks, hypothesis(8), hypothesis(9))...), unpublished(2)}
	}
	unmark := func(item string) object { return edit(item, object{"third_alternative": false}) }
	unread := post{from: "Operator", subject: "COMPILED: v2 artifact", unread: true, at: unpublished(5).at}
	for _, tt := range []struct {
		name  string
		posts []post
		want  string // in addition to the MR-007 of the first window
	}{
		{"the mark taken away, nothing killed", append(begin(third(1)), from("Bob", 3, unmark("H1"))), ""},
		{"the mark taken away, a KILL rejected", append(begin(third(1)), from("Bob", 3, unmark("H1"), kill("H9"))), "MR-001 H9"},
		{"another one killed", append(begin(third(1)), from("Bob", 3, kill("H2"))), ""},
		{"killed and replaced", append(begin(third(1)), from("Bob", 3, kill("H1"), third(4))), ""},
		{"killed", append(begin(third(1)), from("Bob", 3, kill("H1"))), "MR-005 H1"},
		{"two killed", append(begin(third(1), third(2)), from("Bob", 3, kill("H1"), kill("H2"))), "MR-005 H2"},
		{"two killed, the higher one first", append(begin(third(1), third(2)), from("Bob", 3, kill("H2"), kill("H1"))), "MR-005 H2"},
		{"two marks taken away", append(begin(third(1), third(2)), from("Bob", 3, unmark("H1"), unmark("H2"), kill("H3"))), "MR-005 H1"},
		{"two marks taken away, the higher one first", append(begin(third(1), third(2)), from("Bob", 3, unmark("H2"), unmark("H1"), kill("H3"))), "MR-005 H1"},
		{"one killed, one mark taken away", append(begin(third(1), third(2)), from("Bob", 3, unmark("H1"), kill("H2"))), "MR-005 H2"},
		{"killed again in a later window", append(begin(third(1)), from("Bob", 3, kill("H1")), unpublished(4), from("Bob", 5, kill("H1"), kill("H2"))), "MR-005 H1; MR-007"},
		{"a COMPILED that cannot be read", append(begin(third(1)), from("Bob", 3, kill("H1")), unread), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := "MR-007"
			if tt.want != "" {
				want = tt.want + "; MR-007"
			}
			r := replay.New(thread(tt.posts), replay.Options{})
			if got := strings.Join(rules(r), "; "); got != want {
				t.Errorf("got  %s\nwant %s\n  %s", got, want, strings.Join(faults(r), "\n  "))
			}
		})
	}
	both := []post{from("Ada", 1, third(1), marked(assumption(1), "scale_check"), hypothesis(2), hypothesis(3)), from("Bob", 2, kill("H1"), kill("A1"))}
	expect(t, replay.New(thread(both), replay.Options{}), "MR-005 H1", "MR-006 A1")
	// A window ends with too few items only if it is compiled.
	expect(t, replay.New(thread(append(both, unpublished(3), from("Bob", 4, kill("H2")))), replay.Options{}),
		"MR-005 H1", "MR-006 A1", "MR-007")
	// What was published in full is left to the artifact's own rules.
	posts := publish(append(publish([]post{from("Ada", 1, third(1), hypothesis(2))}, 1, nil), from("Bob", 3, kill("H1"))), 2, nil)
	expect(t, replay.New(thread(posts), replay.Options{}))
}

// An EDIT of an item that is added only after it is told why the ADD comes after it.
func TestAddedAfter(t *testing.T) {
	at := func(from string, minutes int, deltas ...object) post {
		return post{from: from, subject: "DELTA[opus]: x", deltas: deltas, at: time.Duration(minutes) * time.Minute}
	}
	change := edit("H4", object{"claim": "new"})
	for _, tt := range []struct {
		name  string
		posts []post
		want  string
	}{
		{"later", []post{at("Ada", 10, change), at("Bob", 20, hypothesis(4))}, "has a later time"},
		{"tied", []post{at("Ada", 10, change), at("Bob", 10, hypothesis(4))}, "has the same time, and is applied after it"},
		{"in one message", []post{at("Ada", 10, change, hypothesis(4))}, "has the same time, and is applied after it"},
	} {
		r := replay.New(thread(append(first(), tt.posts...)), replay.Options{})
		if !slices.ContainsFunc(findings(r), func(f finding) bool { return f.Rule == "MR-001" && strings.HasSuffix(f.Suggestion, tt.want) }) {
			t.Errorf("%s: no MR-001 says %q", tt.name, tt.want)
		}
	}
}

// A fact about an item, and about its section, is reported from the version on in which it was first
// found, however often it is found again. The artifact's own rules yield to it.
func TestReportedSince(t *testing.T) {
	posts := publish(first(), 1, nil)
	posts = publish(posts, 2, func(st *brenner.State) { set(st, "H2", "claim", "made up") })
	posts = publish(posts, 3, func(st *brenner.State) { set(st, "H2", "claim", "made up again") })
	r := replay.New(thread(posts), replay.Options{})
	for i, want := range []bool{false, true, true} {
		if got := r.AlreadyReported(r.Windows[i].Compiled).Has(id("H2"), replay.FieldDiffers); got != want {
			t.Errorf("v%d: reported is %v", i+1, got)
		}
	}
	last := r.AlreadyReported(r.Windows[2].Compiled)
	if !last.Has(brenner.ItemID{Section: brenner.HypothesisSlate}, replay.FieldDiffers) || last.Has(id("H1"), replay.FieldDiffers) || last.Has(id("H2"), replay.ItemOmitted) {
		t.Error("what is known is not what was said")
	}
	// Facts about pending deltas belong to no version yet.
	r = replay.New(thread(append(publish(first(), 1, nil), from("Cyd", 2, edit("A1", object{"load": "x"})), from("Dan", 2, edit("A1", object{"load": "y"})))), replay.Options{})
	if len(slices.Collect(replay.FactsOf[replay.Conflict](r))) != 1 || r.AlreadyReported(r.Windows[0].Compiled).Has(id("A1"), replay.ConflictedField) {
		t.Error("the past knows what comes")
	}
}

// renumber gives hypotheses other ids, in all fields that name them too.
func renumber(ids ...string) func(*brenner.State) {
	return func(st *brenner.State) {
		out, all := &brenner.State{}, strings.NewReplacer(ids...)
		for _, sec := range brenner.Sections {
			for _, it := range st.Items(sec) {
				var fields object
				if err := json.Unmarshal([]byte(all.Replace(brenner.Canonical(it.Fields()))), &fields); err != nil {
					panic(err)
				}
				out.Add(itemOf(id(all.Replace(it.ID.String())), fields, it.Killed))
			}
		}
		*st = *out
	}
}

// What names a renumbered item by its new id is not a second difference (decisions.md
// 25), in the version that renumbers it and in those that follow.
func TestRenumbered(t *testing.T) {
	anomaly := add("anomaly_register", object{"name": "Odd", "observation": "o", "conflicts_with": []string{"H2", "A1"}, "status": "active", "resolution_plan": "look"})
	posts := func() []post { return round2(anomaly, edit("H1", object{"claim": "new"})) }
	later := func(deltas ...object) []post {
		return append(publish(posts(), 2, renumber("H2", "H4")), from("Cyd", 2, deltas...))
	}
	edges(t,
		edge{name: "everywhere", posts: posts(), change: renumber("H2", "H4"), want: "MR-015 H4"},
		edge{name: "two swapped", posts: posts(), change: renumber("H1", "H2", "H2", "H1"), want: "MR-015 H1; MR-015 H2"},
		edge{name: "two swapped, one killed", posts: append(posts(), from("Bob", 2, kill("H1"))), change: renumber("H1", "H2", "H2", "H1"), want: "MR-015 H1; MR-015 H2"},
		edge{name: "two swapped, one killed, with a forgotten N/A", posts: append(posts(), from("Bob", 2, kill("H1"))),
			change: both(renumber("H1", "H2", "H2", "H1"), sets("P1", "predictions", object{"H1": "no", "H2": "yes", "H3": "maybe"})),
			want:   "MR-015 H1; MR-015 H2; MR-016 P1 predictions"},
		edge{name: "two swapped, with another outcome", posts: posts(), change: both(renumber("H1", "H2", "H2", "H1"), sets("P1", "predictions", object{"H1": "no", "H2": "other", "H3": "maybe"})),
			want: "MR-013 P1 predictions; MR-015 H1; MR-015 H2"},
		edge{name: "only in the heading", posts: posts(), change: renumber("H2", "H4"), old: "| H1 | H3 | H4 |", new: "| H1 | H3 | H2 |", want: "MR-015 H4"},
		edge{name: "with another outcome", posts: posts(), change: both(renumber("H2", "H4"), sets("P1", "predictions", object{"H1": "yes", "H3": "maybe", "H4": "other"})),
			want: "MR-013 P1 predictions; MR-015 H4"},
		edge{name: "another hypothesis named", posts: posts(), change: both(renumber("H2", "H4"), sets("T1", "discriminates", "H3 vs H4")), want: "MR-013 T1 discriminates; MR-015 H4"},
		edge{name: "one left out, the next in its place", posts: posts(), change: both(func(st *brenner.State) { drop(st, "H2") }, renumber("H3", "H2"), sets("T1", "discriminates", "H1 vs H2", "T2", "discriminates", "H1 vs H2")),
			want: "MR-011 H2; MR-013 P1 predictions; MR-015 H2"}, // what H2 had is in no column (85)
		edge{name: "in the version before", posts: later(edit("H1", object{"claim": "newest"})), want: "MR-015 H4"},
		edge{name: "in the version before, with a KILL", posts: later(kill("H4")), want: "MR-015 H4"},
	)
}
