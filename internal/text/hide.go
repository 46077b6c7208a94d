package text

import (
	"slices"
	"strings"
)

// minHidden is the length of the shortest text that Hide looks for. A shorter one is a
// sign such as a comma, and reveals nothing.
const minHidden = 3

// Hide replaces texts wherever a message repeats them. It begins with the longest, because
// one may be a part of another.
func Hide(message string, texts []string, by string) string {
	longest := slices.SortedStableFunc(slices.Values(texts), func(a, b string) int { return len(b) - len(a) })
	for _, t := range longest {
		if len(t) >= minHidden {
			message = strings.ReplaceAll(message, t, by)
		}
	}
	return message
}
