package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
)

func lines(ss ...string) string { return strings.Join(ss, "\n") }

const (
	rt = brenner.ResearchThread
	h  = brenner.HypothesisSlate
	p  = brenner.PredictionsTable
	a  = brenner.AssumptionLedger
)

// TestMerge checks what the conformance suite cannot ask for: ties, and why a delta has no effect.
// All else that a merge does is in conformance/source/merge.yaml.
func TestMerge(t *testing.T) {
	tests := []struct {
		name  string
		base  func(*script)
		run   func(*script)
		prio  map[string]int
		state string
		log   string
	}{{
		name: "EDIT makes the research thread; an EDIT that sets what is set changes nothing",
		run: func(s *script) {
			s.at(0, "1", "A").edit("RT", fields{"statement": "why", "anchors": []any{"§1"}}).edit("RT", fields{"statement": "why", "anchors": []any{"§1"}})
			s.edit("RT", fields{"id": "RT9"}).add(rt, fields{"statement": "x"})
		},
		state: `RT anchors=["§1"] statement=why`,
		log: lines("1.1 applied RT", "1.2 unchanged RT", "1.3 unchanged RT",
			"1.4 rejected: second thread"),
	}, {
		name: "an EDIT beside a KILL of another message is dropped; two KILLs are no tie",
		base: func(s *script) { s.at(0, "0", "A").add(h, fields{"name": "a"}) },
		run: func(s *script) {
			s.at(1, "1", "A").edit("H1", fields{"name": "b"}).at(1, "2", "B").kill("H1", "r").edit("H1", fields{"name": "c"}).at(1, "3", "C").kill("H1", "s")
		},
		state: "H1†B name=a",
		log: lines("1.1 dropped H1", "2.1 applied H1", "2.2 dropped H1", "3.1 unchanged H1",
			"tie kill 1.1 3.1", "tie kill 2.2 3.1"),
	}, {
		name: "tied ADDs get ids by agent and message, tied unions show their order",
		base: func(s *script) {
			s.at(0, "0", "A").edit("RT", fields{"anchors": []any{"x"}, "labels": []any{"x"}, "score": fields{"a": 1.0}})
		},
		run: func(s *script) {
			s.at(1, "10", "B").add(h, fields{"name": "b"}).add(a, fields{"name": "same"}).edit("RT", fields{"anchors": []any{"x", "b"}, "labels": []any{"l"}, "score": fields{"b": 1.0}})
			s.at(1, "9", "B").add(h, fields{"name": "a"}).add(a, fields{"name": "same"}).edit("RT", fields{"anchors": []any{"a"}, "labels": []any{"l", "m"}, "score": fields{"c": 1.0}})
		},
		state: lines(`RT anchors=["x","a","b"] labels=["x","l","m"] score={"b":1}`, "H1 name=a", "H2 name=b", "A1 name=same", "A2 name=same"),
		log: lines("9.1 applied H1", "9.2 applied A1", "9.3 applied RT", "10.1 applied H2", "10.2 applied A2", "10.3 applied RT",
			"tie adds 9.1 10.1", "tie values 9.3 10.3 anchors", "tie values 9.3 10.3 score"),
	}, {
		name: "an item that is added at the same instant",
		run: func(s *script) {
			s.at(0, "1", "A").add(h, fields{"name": "a"}).at(0, "2", "B").edit("H1", fields{"name": "b"})
			s.at(1, "3", "A").kill("A1", "r").at(1, "4", "B").add(a, fields{})
		},
		state: lines("H1 name=b", "A1"),
		log: lines("1.1 applied H1", "2.1 applied H1",
			"3.1 rejected A1: no target, empty", "4.1 applied A1",
			"tie item 1.1 2.1", "tie item 3.1 4.1"),
	}, {
		name: "an ADD that only fits after a KILL of the same instant",
		base: func(s *script) {
			s.at(0, "0", "A")
			for range 6 {
				s.add(h, fields{})
			}
		},
		run: func(s *script) {
			s.at(1, "1", "A").kill("H1", "r").at(1, "2", "B").add(h, fields{"name": "b"})
			s.at(2, "3", "A").add(h, fields{"name": "c"}).at(2, "4", "B").kill("H2", "r")
		},
		state: lines("H1†A", "H2†B", "H3", "H4", "H5", "H6", "H7 name=b"),
		log: lines("1.1 applied H1", "2.1 applied H7",
			"3.1 rejected: section full, H1 to H7, 6 active", "4.1 applied H2",
			"tie limit 1.1 2.1", "tie limit 3.1 4.1"),
	}, {
		name: "priority decides only where both agents have one",
		base: func(s *script) { s.at(0, "0", "A").edit("RT", fields{"anchors": []any{"x"}}) },
		prio: map[string]int{"A": 2, "B": 1, "C": 1, "E": -1},
		run: func(s *script) {
			s.at(1, "1", "A").add(h, fields{"name": "a"}).at(1, "2", "B").add(h, fields{"name": "b"})
			s.at(2, "3", "B").add(h, fields{"name": "b"}).at(2, "4", "C").add(h, fields{"name": "c"})
			s.at(3, "5", "A").add(a, fields{"name": "a"}).at(3, "6", "D").add(a, fields{"name": "d"})
			s.at(4, "7", "D").add(a, fields{"name": "d"}).at(4, "8", "E").add(a, fields{"name": "e"})
			s.at(5, "9", "A").edit("RT", fields{"anchors": []any{"a"}}).at(5, "10", "B").edit("RT", fields{"anchors": []any{"b"}})
			s.at(6, "11", "B").edit("RT", fields{"labels": []any{"b"}}).at(6, "12", "C").edit("RT", fields{"labels": []any{"c"}})
			s.at(7, "13", "A").edit("P1", fields{"condition": "y"}).at(7, "14", "B").add(p, fields{"condition": "x"})
			s.at(8, "15", "B").add(p, fields{"condition": "x"}).at(8, "16", "C").edit("P2", fields{"condition": "y"})
		},
		state: lines(`RT anchors=["x","b","a"] labels=["b","c"]`, "H1 name=b", "H2 name=a", "H3 name=b", "H4 name=c",
			"P1 condition=y", "P2 condition=y", "A1 name=d", "A2 name=a", "A3 name=e", "A4 name=d"),
		log: lines("2.1 applied H1", "1.1 applied H2", "3.1 applied H3", "4.1 applied H4", "6.1 applied A1", "5.1 applied A2", "8.1 applied A3", "7.1 applied A4",
			"10.1 applied RT", "9.1 applied RT", "11.1 applied RT", "12.1 applied RT", "14.1 applied P1", "13.1 applied P1", "15.1 applied P2", "16.1 applied P2",
			"tie adds 3.1 4.1", "tie adds 6.1 5.1", "tie adds 8.1 7.1", "tie values 11.1 12.1 labels", "tie item 15.1 16.1"),
	}, {
		name: "an item of another section is no target, though it is there",
		base: func(s *script) { s.at(0, "0", "A").add(h, fields{"name": "a"}).add(a, fields{"name": "b"}) },
		run: func(s *script) {
			s.at(1, "1", "A").put(Delta{Operation: brenner.Edit, Section: h, Target: item("A1"), Payload: fields{"name": "x"}})
			s.put(Delta{Operation: brenner.Kill, Section: h, Target: item("A1")}).at(1, "2", "B").edit("A1", fields{"load": "l"})
			s.at(2, "3", "A").put(Delta{Operation: brenner.Kill, Section: rt, Target: item("RT")})
		},
		state: lines("H1 name=a", "A1 load=l name=b"),
		log: lines("1.1 rejected A1: no target, H1 to H1, 1 active",
			"1.2 rejected A1: no target, H1 to H1, 1 active", "2.1 applied A1",
			"3.1 rejected RT: no target, empty"),
	}, {
		name: "only outcomes of predictions are withdrawn",
		base: func(s *script) { s.at(0, "0", "A").add(h, fields{"name": "a"}).kill("H1", "r") },
		run: func(s *script) {
			s.at(1, "1", "A").add(p, fields{"predictions": fields{"H1": "x"}, "scores": fields{"H1": "x"}}).add(a, fields{"predictions": fields{"H1": "x"}})
		},
		state: lines("H1†A name=a", `P1 predictions={"H1":"N/A"} scores={"H1":"x"}`, `A1 predictions={"H1":"x"}`),
		log:   lines("1.1 applied P1", "1.2 applied A1"),
	}, {
		name: "whether what was rejected before an ADD would change the item",
		run: func(s *script) {
			s.at(1, "1", "A").edit("A1", fields{"name": "same"}).at(1, "2", "B").add(a, fields{"name": "same"})
			s.at(2, "3", "A").edit("A2", fields{"id": "x"}).at(2, "4", "B").add(a, fields{})
			s.at(3, "5", "A").edit("A3", fields{"load": "l"}).at(3, "6", "B").add(a, fields{})
			s.at(4, "7", "A").edit("A4", fields{"anchors": []any{"x"}}).at(4, "8", "B").add(a, fields{"anchors": []any{"x"}})
			s.at(5, "9", "A").kill("A5", "r").at(5, "10", "B").add(a, fields{}).at(5, "11", "C").kill("A5", "r")
			s.at(6, "12", "A").edit("A6", fields{"load": "l"}).add(a, fields{}).at(6, "13", "B").add(h, fields{})
			s.at(7, "14", "A").edit("A1", fields{"load": "l"}).at(7, "15", "B").add(a, fields{})
		},
		state: lines("H1", "A1 load=l name=same", "A2", "A3", `A4 anchors=["x"]`, "A5†C", "A6", "A7"),
		log: lines("1.1 rejected A1: no target, empty", "2.1 applied A1",
			"3.1 rejected A2: no target, A1 to A1, 1 active", "4.1 applied A2",
			"5.1 rejected A3: no target, A1 to A2, 2 active", "6.1 applied A3",
			"7.1 rejected A4: no target, A1 to A3, 3 active", "8.1 applied A4",
			"9.1 rejected A5: no target, A1 to A4, 4 active", "10.1 applied A5", "11.1 applied A5",
			"12.1 rejected A6: no target, A1 to A5, 4 active", "12.2 applied A6", "13.1 applied H1",
			"14.1 applied A1", "15.1 applied A7",
			"tie item 5.1 6.1", "tie item 9.1 10.1", "tie item 10.1 11.1"),
	}, {
		name: "which KILL of an instant makes room",
		base: func(s *script) {
			s.at(0, "0", "A").add(a, fields{}).add(a, fields{})
			for range 5 {
				s.add(h, fields{"name": "same"})
			}
		},
		run: func(s *script) {
			s.at(1, "1", "A").kill("H1", "r").at(1, "2", "B").add(h, fields{"name": "same"}).at(1, "3", "C").add(h, fields{"name": "same"})
			s.at(2, "4", "A").edit("H2", fields{"claim": "c"}).at(2, "5", "B").kill("A1", "r").at(2, "6", "C").add(h, fields{"name": "late"})
			s.at(3, "7", "A").kill("H2", "r").add(h, fields{"name": "same"}).at(3, "8", "B").edit("H3", fields{"claim": "c"})
			s.at(4, "9", "A").add(h, fields{"name": "same"}).at(4, "10", "B").kill("A2", "r")
		},
		state: lines("H1†A name=same", "H2†A claim=c name=same", "H3 claim=c name=same", "H4 name=same", "H5 name=same", "H6 name=same", "H7 name=same", "H8 name=same", "A1†B", "A2†B"),
		log: lines("1.1 applied H1", "2.1 applied H6", "3.1 applied H7", "4.1 applied H2", "5.1 applied A1",
			"6.1 rejected: section full, H1 to H7, 6 active",
			"7.1 applied H2", "7.2 applied H8", "8.1 applied H3",
			"9.1 rejected: section full, H1 to H8, 6 active", "10.1 applied A2",
			"tie limit 1.1 2.1"),
	}, {
		name: "a third message fits if two others are swapped",
		prio: map[string]int{"B": -1},
		base: func(s *script) {
			s.at(0, "0", "A").add(p, fields{})
			for range 6 {
				s.add(h, fields{"name": "old"})
			}
		},
		run: func(s *script) {
			s.at(1, "1", "B").kill("P1", "r").at(1, "2", "B").add(h, fields{"name": "b"})
			s.at(1, "3", "A").kill("H2", "r").add(h, fields{"name": "a"}).at(1, "4", "A").kill("H2", "r")
		},
		state: lines("H1 name=old", "H2†A name=old", "H3 name=old", "H4 name=old", "H5 name=old", "H6 name=old", "H7 name=a", "P1†B"),
		log: lines("1.1 applied P1", "2.1 rejected: section full, H1 to H6, 6 active",
			"3.1 applied H2", "3.2 applied H7", "4.1 unchanged H2", "tie limit 2.1 4.1", "tie limit 3.2 4.1"),
	}, {
		name: "two scalars are ordered beside an object",
		prio: map[string]int{"B": 1, "Z": 3},
		run: func(s *script) {
			s.at(1, "1", "C").edit("RT", fields{"name": "c"}).at(1, "2", "B").edit("RT", fields{"load": "b"})
			s.next.Agent = "A"
			s.edit("RT", fields{"name": fields{"cost": 1.0}}).at(1, "3", "Z").edit("RT", fields{"name": 1.0})
		},
		state: "RT load=b name=1",
		log:   lines("2.2 applied RT", "1.1 applied RT", "2.1 applied RT", "3.1 applied RT", "tie values 1.1 3.1 name"),
	}, {
		name: "an EDIT beside the KILL of an item that is added at the same instant",
		base: func(s *script) { s.at(0, "0", "A").add(h, fields{}) },
		run: func(s *script) {
			s.at(1, "1", "A").add(a, fields{"name": "a"}).edit("A1", fields{"name": "b"}).at(1, "2", "Z").kill("A1", "r")
			s.at(2, "3", "A").add(a, fields{"name": "a"}).kill("A2", "r").at(2, "4", "Z").edit("A2", fields{"name": "b"})
			s.at(3, "5", "A").edit("A3", fields{"name": "b"}).at(3, "6", "B").add(a, fields{"name": "a"}).at(3, "7", "C").kill("A3", "r")
		},
		state: lines("H1", "A1†Z name=a", "A2†A name=a", "A3†C name=a"),
		log: lines("1.1 applied A1", "1.2 dropped A1", "2.1 applied A1", "3.1 applied A2", "3.2 applied A2", "4.1 dropped A2",
			"5.1 dropped A3", "6.1 applied A3", "7.1 applied A3",
			"tie item 1.1 2.1", "tie kill 1.2 2.1", "tie kill 4.1 3.2", "tie kill 5.1 7.1", "tie item 6.1 7.1"),
	}, {
		name: "a tie with a message that another one passes",
		base: func(s *script) {
			for range 6 {
				s.at(0, "0", "A").add(h, fields{})
			}
		},
		run: func(s *script) {
			s.at(1, "7", "B").kill("H6", "r").at(1, "5", "A").add(h, fields{"name": "x"}).at(1, "8", "A").add(h, fields{"name": "x"})
		},
		prio:  map[string]int{"B": -1},
		state: lines("H1", "H2", "H3", "H4", "H5", "H6†B", "H7 name=x"),
		log:   lines("7.1 applied H6", "5.1 applied H7", "8.1 rejected: section full, H1 to H7, 6 active", "tie limit 7.1 5.1"),
	}, {
		name: "ties behind a lower priority",
		prio: map[string]int{"A": 1, "Z": 3},
		run: func(s *script) {
			s.at(0, "1", "A").add(h, fields{"name": "1"}).at(0, "2", "Z").add(h, fields{"name": "2"}).at(0, "3", "Z").add(h, fields{"name": "3"})
			s.at(1, "4", "A").edit("RT", fields{"anchors": []any{"a", "b"}}).at(1, "5", "Z").edit("RT", fields{"anchors": []any{"c"}}).at(1, "6", "Z").edit("RT", fields{"anchors": []any{"d"}})
			s.at(2, "7", "A").edit("RT", fields{"labels": "x"}).at(2, "8", "A").edit("RT", fields{"labels": []any{"y"}, "replace": true}).at(2, "9", "Z").edit("RT", fields{"labels": []any{"z"}})
		},
		state: lines(`RT anchors=["a","b","c","d"] labels=["y","z"]`, "H1 name=1", "H2 name=2", "H3 name=3"),
		log: lines("1.1 applied H1", "2.1 applied H2", "3.1 applied H3", "4.1 applied RT", "5.1 applied RT", "6.1 applied RT", "7.1 applied RT", "8.1 applied RT", "9.1 applied RT",
			"tie adds 2.1 3.1", "tie values 5.1 6.1 anchors", "tie values 7.1 8.1 labels"),
	}, {
		name: "an EDIT that sets what a message of the instant has set changes nothing",
		run: func(s *script) {
			s.at(0, "1", "A").edit("RT", fields{"context": "X"}).at(0, "2", "B").edit("RT", fields{"context": "g"}).at(0, "3", "C").edit("RT", fields{"context": "X"})
			s.at(1, "4", "A").edit("RT", fields{"statement": "X"}).at(1, "5", "B").edit("RT", fields{"statement": "g"}).at(1, "6", "C").edit("RT", fields{"statement": "g"}).at(1, "7", "D").edit("RT", fields{"statement": "h"})
		},
		state: `RT context=CONFLICT: \"X\" | \"g\" statement=CONFLICT: \"X\" | \"g\" | \"h\"`,
		log: lines("1.1 applied RT", "2.1 applied RT", "3.1 unchanged RT", "4.1 applied RT", "5.1 applied RT", "6.1 unchanged RT", "7.1 applied RT",
			`conflict RT context CONFLICT: "X" | "g"`, `conflict RT statement CONFLICT: "X" | "g" | "h"`),
	}, {
		name: "a tie counts if it shows at the end of the window",
		run: func(s *script) {
			s.at(0, "1", "A").add(a, fields{"name": "x"}).at(0, "2", "B").add(a, fields{"name": "y"}).at(0, "3", "C").edit("A1", fields{"name": "y"})
			s.at(1, "4", "A").add(h, fields{"name": "x"}).at(1, "5", "B").add(h, fields{"name": "y"})
			s.at(2, "6", "A").edit("H1", fields{"name": "z"}).edit("H2", fields{"name": "z"})
			s.at(3, "7", "A").add(p, fields{"name": "x"}).at(3, "8", "B").edit("P1", fields{"name": "y"})
			s.at(4, "9", "A").edit("P1", fields{"name": "z"})
		},
		state: lines("H1 name=z", "H2 name=z", "P1 name=z", "A1 name=y", "A2 name=y"),
		log: lines("1.1 applied A1", "2.1 applied A2", "3.1 applied A1", "4.1 applied H1", "5.1 applied H2", "6.1 applied H1", "6.2 applied H2", "7.1 applied P1", "8.1 applied P1", "9.1 applied P1",
			"tie adds 1.1 2.1", "tie item 1.1 3.1"),
	}, {
		name: "no replace flag of any field is stored",
		run: func(s *script) {
			s.at(0, "1", "A").add(h, fields{"name": "a", "claim_replace": true, "own_replace": "x", "_replace": 1.0}).edit("RT", fields{"statement_replace": true, "replace": true})
		},
		state: "H1 _replace=1 name=a",
		log:   lines("1.1 applied H1", "1.2 unchanged RT"),
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := Options{Priority: tt.prio}
			var base *brenner.State
			if tt.base != nil {
				var s script
				tt.base(&s)
				base = Merge(nil, s.out, Options{}).State
			}
			var s script
			tt.run(&s)
			got := Merge(base, s.out, opts)
			if diff := cmp.Diff(tt.state, show(got.State)); diff != "" {
				t.Errorf("state (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.log, showLog(got)); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}
