package replay_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner/replay"
)

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
