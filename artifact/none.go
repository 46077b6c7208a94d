package artifact

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
)

// saysNone reports whether a sentence of a line states that there are no anomalies:
// `None registered`, `None.`, `No anomalies so far`, `There are no open anomalies.`
func saysNone(line string) bool {
	if protocol.ContainsFold(line, "none registered") {
		return true
	}
	for sentence := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(".;!?", r) }) {
		words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return strings.ContainsRune(" \t*_~`,()", r) })
		if len(words) == 1 && words[0] == "none" || deniesAnomalies(words) {
			return true
		}
	}
	return false
}

// deniesAnomalies reports whether a sentence begins with `no anomalies`, optionally after
// `there are` and with adjectives between.
func deniesAnomalies(words []string) bool {
	if len(words) > 1 && words[0] == "there" && (words[1] == "are" || words[1] == "is" || words[1] == "were") {
		words = words[2:]
	}
	if len(words) == 0 || words[0] != "no" {
		return false
	}
	for _, w := range words[1:] {
		switch {
		case w == "anomalies" || w == "anomaly":
			return true
		case !slices.Contains(adjectives, w):
			return false
		}
	}
	return false
}

// adjectives are those used for anomalies: `no open anomalies`.
var adjectives = []string{
	"active", "current", "deferred", "further", "known", "new", "open", "other", "outstanding",
	"recorded", "registered", "significant", "unexplained", "unresolved",
}
