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
	expect(t, replay.New(thread(both), replay.Options{}),
		"MR-005 no third alternative is left among the active hypotheses after this window's KILLs [H1, the last third alternative, was killed by Bob in message 2, delta 1]",
		"MR-006 no scale or physics check is left among the active assumptions after this window's KILLs [A1, the last scale check, was killed by Bob in message 2, delta 2]")
	// A window ends with too few items only if it is compiled.
	expect(t, replay.New(thread(append(both, unpublished(3), from("Bob", 4, kill("H2")))), replay.Options{}),
		"MR-005", "MR-006", "MR-007 the merged artifact has too few active items: 2 hypotheses (expected 3), 0 predictions (expected 3)")
	// What was published in full is left to the artifact's own rules.
	posts := publish(append(publish([]post{from("Ada", 1, third(1), hypothesis(2))}, 1, nil), from("Bob", 3, kill("H1"))), 2, nil)
	expect(t, replay.New(thread(posts), replay.Options{}))
}
