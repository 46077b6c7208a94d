package report

import "strings"

// unlinked breaks a reference without being seen. Clean text has none of its own.
const unlinked = "\u200b"

// unlink breaks what code hosts make links, mentions or pictures of wherever it is
// in a rendered text, escaped or not: @someone, #1, GH-1, !1 and the like of GitLab,
// addresses, ids of commits, :emoji:.
func unlink(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		c := s[i]
		if word := s[i : i+alphanumeric(s[i:])]; word != "" {
			i += len(word)
			for isCommit(word) {
				b.WriteString(word[:commitPart] + unlinked)
				word = word[commitPart:]
			}
			b.WriteString(word)
			if breaksAfter(word, s[i:]) {
				b.WriteString(unlinked)
			}
			continue
		}
		b.WriteByte(c)
		i++
		if c == '@' || c == '#' || strings.IndexByte("!$%~^&", c) >= 0 && beginsName(s[i:]) || c == ':' && (strings.HasPrefix(s[i:], "//") || isShortcode(s[i:])) {
			b.WriteString(unlinked)
		}
	}
	return b.String()
}

// alphanumeric returns how many ASCII letters and digits a text begins with.
func alphanumeric(s string) int {
	n := 0
	for n < len(s) && isAlphanumeric(s[n]) {
		n++
	}
	return n
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// commitPart is how much of the id of a commit no code host takes for one.
const commitPart = 6

// isCommit reports whether a word may be the id of a commit. A number is none.
func isCommit(word string) bool {
	const longest = 40
	return commitPart < len(word) && len(word) <= longest && strings.Trim(word, "0123456789abcdefABCDEF") == "" &&
		strings.Trim(word, "0123456789") != ""
}

// breaksAfter reports whether a word and what follows it begin an address without
// a scheme, or the number of an issue.
func breaksAfter(word, rest string) bool {
	return strings.EqualFold(word, "www") && strings.HasPrefix(rest, ".") ||
		strings.EqualFold(word, "gh") && strings.HasPrefix(rest, "-") && alphanumeric(rest[1:]) > 0
}

// beginsName reports whether what follows a sign may be the number or name that the
// sign refers to.
func beginsName(s string) bool {
	return s != "" && (isAlphanumeric(s[0]) || s[0] == '_' || s[0] == '"')
}

// isShortcode reports whether a text goes on, after its colon, as :name: does. A
// number is none: it is a line.
func isShortcode(s string) bool {
	n := 0
	for n < len(s) && (isAlphanumeric(s[n]) || strings.IndexByte("_+-", s[n]) >= 0) {
		n++
	}
	return n < len(s) && s[n] == ':' && strings.Trim(s[:n], "0123456789") != ""
}

// markdownProse returns a foreign text as Markdown of one paragraph that people may read
// unrendered too, as in a terminal: no markup, HTML, link or mention can come of it,
// and it has no more escapes than that takes.
func markdownProse(s string) string {
	s = unlink(strings.TrimSpace(clean(s)))
	var b strings.Builder
	b.Grow(len(s) + 16)
	start := listMarker(s)
	for i := range len(s) {
		c := s[i]
		if i == start || strings.IndexByte("\\`*<[]~$|", c) >= 0 || c == '_' && !within(s, i) || c == '&' && beginsEntity(s[i+1:]) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// within reports whether the byte at i is between letters or digits: an underscore
// there is no markup.
func within(s string, i int) bool {
	return i > 0 && i+1 < len(s) && isAlphanumeric(s[i-1]) && isAlphanumeric(s[i+1])
}

// beginsEntity reports whether an & before s would begin an entity.
func beginsEntity(s string) bool {
	s = strings.TrimPrefix(s, unlinked)
	return s != "" && (s[0] == '#' || isAlphanumeric(s[0]))
}

// listMarker returns where the sign is that would make a text a list, quotation or
// heading; -1 if it has none.
func listMarker(s string) int {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits < len(s) && (digits > 0 && (s[digits] == '.' || s[digits] == ')') || digits == 0 && strings.IndexByte("-+>=", s[0]) >= 0) {
		return digits
	}
	return -1
}
