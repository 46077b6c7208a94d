package merge

import (
	"testing"
)

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
