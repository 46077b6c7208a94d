package replay_test

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/replay"
)

func marked(d object, key string) object {
	d["payload"].(object)[key] = true
	return d
}

// The post-conditions examine a window's applied KILLs, and name the last item that
// had the mark.
func TestPostConditionEdges(t *testing.T) {
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
	// What was published in full is left to the artifact's own rules.
	posts := publish(append(publish([]post{from("Ada", 1, third(1), hypothesis(2))}, 1, nil), from("Bob", 3, kill("H1"))), 2, nil)
	expect(t, replay.New(thread(posts), replay.Options{}))
}

// The post-conditions are checked at the end of a window unless an artifact states
// the same, of pending windows too.
func TestPostConditions(t *testing.T) {
	mark := func(d object, key string) object {
		d["payload"].(object)[key] = true
		return d
	}
	third, check := mark(hypothesis(1), "third_alternative"), mark(assumption(1), "scale_check")
	posts := func(deltas ...object) []post {
		return []post{from("Ada", 1, third, check, hypothesis(2), hypothesis(3)), from("Bob", 2, deltas...)}
	}
	for _, tt := range []struct {
		name  string
		posts []post
		want  []string
	}{
		{"both killed", posts(kill("H1"), kill("A1")), []string{"MR-005 no third alternative is left among the active hypotheses after this window's KILLs [H1, the last third alternative, was killed by Bob in message 2, delta 1]",
			"MR-006 no scale or physics check is left among the active assumptions after this window's KILLs [A1, the last scale check, was killed by Bob in message 2, delta 2]"}},
		{"killed and replaced", posts(kill("H1"), mark(hypothesis(4), "third_alternative")), nil},
		{"another one killed", posts(kill("H2")), nil},
		{"killed in an earlier window", append(posts(kill("H1")), unpublished(3), from("Bob", 4, kill("H2"))), []string{"MR-005", "MR-007 the merged artifact has too few active items: 2 hypotheses (expected 3), 0 predictions (expected 3)"}},
		{"the mark taken away", append(posts(), unpublished(3), from("Bob", 4, edit("H1", object{"third_alternative": false}), kill("H2"))), []string{"MR-007", "MR-005"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, replay.New(thread(tt.posts), replay.Options{}), tt.want...)
		})
	}
}
