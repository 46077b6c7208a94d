package merge

import (
	"strings"
	"testing"
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
