package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
)

var (
	tagLine = text.Pattern(`(?i)^(?:\s*(?:<summary>.*?</summary>|</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>))+\s*$`)
	tag     = text.Pattern(`</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?>`)
	// tagsBefore and tagsAfter match what is around the text of a heading in HTML.
	tagsBefore = text.Pattern(`^(?:<[^<>]*>\s*)+`)
	tagsAfter  = text.Pattern(`(?:\s*<[^<>]*>)+\s*$`)
	// voidTag matches the tags that show something, or are closed at once.
	voidTag = text.Pattern(`(?i)<(?:br|hr|img|input|wbr)\b[^<>]*>|/>`)
)

// IsTagLine reports whether a line is only tags of HTML and the label of a fold: it is no text of a
// value.
func IsTagLine(line string) bool {
	return strings.HasPrefix(line, "<") && tagLine().MatchString(line) && !voidTag().MatchString(line)
}

// OpenTags returns how many tags of HTML a text opens, less those that it closes.
func OpenTags(text string) (n int) {
	if !strings.Contains(text, "<") {
		return 0
	}
	for _, t := range tag().FindAllString(text, -1) {
		switch {
		case t[1] == '/':
			n--
		case !voidTag().MatchString(t):
			n++
		}
	}
	return n
}
