package merge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// TestUnlimited checks that the ADDs of a publisher that ignored a limit are applied.
func TestUnlimited(t *testing.T) {
	var s script
	s.at(0, "1", "A")
	for range 8 {
		s.add(h, fields{})
	}
	got := Merge(nil, s.out, Options{Unlimited: map[*Delta]bool{s.out[6]: true}})
	if n := got.State.Active(h); n != 7 || got.Log[6].Outcome != Applied || got.Log[7].Refusal == nil || got.Log[7].Refusal.Reason != SectionFull {
		t.Errorf("%d hypotheses are active:\n%s", n, showLog(got))
	}
}

// TestInputStays checks that no delta's own payload is changed when a KILL withdraws
// outcomes that an EDIT has set since the previous KILL.
func TestInputStays(t *testing.T) {
	var s script
	s.at(0, "1", "A").add(h, fields{}).add(h, fields{}).add(p, fields{"predictions": fields{"H1": "x", "H2": "y"}})
	s.at(1, "2", "A").kill("H1", "r")
	given := fields{"H2": "z"}
	s.at(2, "3", "A").edit("P1", fields{"predictions": given}).at(3, "4", "A").kill("H2", "r")
	got := Merge(nil, s.out, Options{})
	if given["H2"] != "z" {
		t.Errorf("the payload holds %v", given)
	}
	if want := `P1 predictions={"H2":"N/A"}`; !strings.Contains(show(got.State), want) {
		t.Errorf("got %s, want %s", show(got.State), want)
	}
}

// TestHighestPriority checks that of three messages those conflict whose agent has the
// highest priority.
func TestHighestPriority(t *testing.T) {
	var s script
	s.at(0, "0", "A").add(a, fields{})
	s.at(1, "1", "B").edit("A1", fields{"load": "b"}).at(1, "2", "A").edit("A1", fields{"load": "x"}).at(1, "3", "A").edit("A1", fields{"load": "y"})
	got := Merge(nil, s.out, Options{Priority: map[string]int{"A": 2, "B": 1}})
	if want := `conflict A1 load CONFLICT: "x" | "y"`; !strings.Contains(showLog(got), want) {
		t.Errorf("got %s, want %s", showLog(got), want)
	}
}

// TestNoTieAtLimit checks that only KILLs of hypotheses make room: an EDIT at the
// instant of the sixth ADD, or of a KILL, is not a tie.
func TestNoTieAtLimit(t *testing.T) {
	var s script
	s.at(0, "0", "A")
	for range 5 {
		s.add(h, fields{})
	}
	s.at(1, "1", "A").edit("H1", fields{"claim": "c"}).at(1, "2", "B").add(h, fields{})
	s.at(2, "3", "A").kill("H1", "r").at(2, "4", "B").edit("H2", fields{"claim": "c"})
	if got := Merge(nil, s.out, Options{}); len(got.Ties) > 0 {
		t.Errorf("got ties:\n%s", showLog(got))
	}
}

// TestBounds checks that a section and an array grow up to a bound, beyond which deltas are
// refused.
func TestBounds(t *testing.T) {
	members := make([]any, MaxMembers-1)
	for i := range members {
		members[i] = fmt.Sprint("§", i)
	}
	var s script
	s.at(0, "1", "A").add(h, fields{"anchors": members})
	s.edit("H1", fields{"anchors": []any{"x"}}).edit("H1", fields{"anchors": []any{"y"}}).edit("H1", fields{"anchors": []any{"y"}, "replace": true})
	for range MaxItems + 1 {
		s.add(a, fields{})
	}
	got := Merge(nil, s.out, Options{})
	for i, want := range map[int]Outcome{1: Applied, 2: Rejected, 3: Applied, 3 + MaxItems: Applied, 4 + MaxItems: Rejected} {
		if e := got.Log[i]; e.Outcome != want || want == Rejected && e.Refusal.Reason != SectionFull {
			t.Errorf("delta %d: outcome %s, refusal %+v", i, e.Outcome, e.Refusal)
		}
	}
	if got.Log[2].Refusal.Members != MaxMembers || got.State.Len(a) != MaxItems {
		t.Errorf("the array has %d values, the ledger %d items", got.Log[2].Refusal.Members, got.State.Len(a))
	}
}

// TestTieBudget checks that so many messages of one instant that not all can be swapped are
// one tie that says so, and that a few are not.
func TestTieBudget(t *testing.T) {
	for _, tt := range []struct {
		messages int
		want     TieKind // of the last tie
	}{{50, TiedAdds}, {2000, TiedMany}} {
		var s script
		for i := range tt.messages {
			s.at(0, fmt.Sprint(i+1), fmt.Sprint("A", i)).add(a, fields{"name": fmt.Sprint(i)})
		}
		got := Merge(nil, s.out, Options{})
		many := 0
		for _, tie := range got.Ties {
			if tie.Kind == TiedMany {
				many++
			}
		}
		if last := got.Ties[len(got.Ties)-1].Kind; last != tt.want || many > 1 {
			t.Errorf("%d messages: %d ties, the last of kind %d, %d of many", tt.messages, len(got.Ties), last, many)
		}
	}
}

// TestConflictsAreNoTies checks that messages that set one field to different scalars are a
// conflict, and however many there are no tie.
func TestConflictsAreNoTies(t *testing.T) {
	var s script
	s.at(0, "0", "A").add(a, fields{})
	for i := range 300 {
		s.at(1, fmt.Sprint(i+1), "B").edit("A1", fields{"load": fmt.Sprint(i)})
	}
	got := Merge(nil, s.out, Options{})
	if len(got.Ties) != 0 || len(got.Conflicts) != 1 || got.Conflicts[0].Item != (brenner.ItemID{Section: a, Number: 1}) {
		t.Errorf("%d ties and %d conflicts", len(got.Ties), len(got.Conflicts))
	}
}

func TestOrigins(t *testing.T) {
	var s script
	s.at(0, "1", "A").add(h, fields{"name": "a", "anchors": []any{"x"}}).add(p, fields{"predictions": fields{"H1": "y"}})
	before := Merge(nil, s.out, Options{})
	added, prediction := s.out[0], s.out[1]
	s = script{}
	s.at(1, "2", "B").edit("H1", fields{"claim": "c", "name": "a", "anchors": []any{"y"}}).kill("H1", "r")
	edit, kill := s.out[0], s.out[1]
	got := Merge(before.State, s.out, Options{})
	h1, p1 := OriginOf(got.State.Find(item("H1"))), OriginOf(got.State.Find(item("P1")))
	if h1.Added != added || h1.Killed != kill || p1.Added != prediction {
		t.Error("wrong deltas are said to have added or killed")
	}
	for key, want := range map[string]*Delta{"name": added, "claim": edit, "anchors": edit, "none": nil} {
		if h1.Fields[key] != want {
			t.Errorf("%s is said to be set by %+v", key, h1.Fields[key])
		}
	}
	if p1.Fields["predictions"] != prediction {
		t.Error("the KILL is said to have set all outcomes")
	}
	if from := OriginOf(before.State.Find(item("H1"))); from.Fields["claim"] != nil || from.Killed != nil {
		t.Error("the base's origins changed")
	}
}
