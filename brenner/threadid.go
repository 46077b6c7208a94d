package brenner

import "strings"

// ThreadKind is the kind that the beginning of a thread id indicates.
type ThreadKind uint8

// The kinds of thread ids.
const (
	EngineeringThread ThreadKind = iota + 1
	ResearchSession
	CoordinationThread
)

// ClassifyThreadID returns the kind that an id indicates, and whether it matches the
// pattern of that kind (thread_subject_conventions, Thread ID Validation). A prefix in
// another case is RS- only before eight digits and a hyphen, and COORD- only before letters
// and hyphens alone: otherwise it is part of the id of a bead (decisions.md 66).
func ClassifyThreadID(id string) (kind ThreadKind, ok bool) {
	if _, _, dated := SplitResearchID(id); dated || strings.HasPrefix(id, "RS-") {
		return ResearchSession, isResearchID(id)
	}
	if topic, upper := strings.CutPrefix(id, "COORD-"); upper || HasPrefixFold(id, "COORD-") && isTopic(id[len("COORD-"):]) {
		return CoordinationThread, upper && isSlug(topic, 2, 30)
	}
	return EngineeringThread, isBeadID(id)
}

// isTopic reports whether a text has only letters (of ASCII) and hyphens.
func isTopic(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// isResearchID reports whether an id matches `^RS-\d{8}-[a-z0-9-]{2,40}$`.
func isResearchID(id string) bool {
	_, slug, ok := SplitResearchID(id)
	return ok && strings.HasPrefix(id, "RS-") && isSlug(slug, 2, 40)
}

// SplitResearchID splits an id that begins with RS- (in any case), eight digits and a
// hyphen into the digits and what follows.
func SplitResearchID(id string) (date, slug string, ok bool) {
	const start, end = len("RS-"), len("RS-YYYYMMDD")
	if !HasPrefixFold(id, "RS-") || len(id) <= end || id[end] != '-' || !IsNumber(id[start:end]) {
		return "", "", false
	}
	return id[start:end], id[end+1:], true
}

// isSlug reports whether a text matches `^[a-z0-9-]{least,most}$`.
func isSlug(s string, least, most int) bool {
	for i := range len(s) {
		if c := s[i]; !isLowerAlnum(c) && c != '-' {
			return false
		}
	}
	return least <= len(s) && len(s) <= most
}

// isBeadID reports whether an id matches `^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$`.
func isBeadID(id string) bool {
	dot := true // no character yet since the start or the last dot
	for i := range len(id) {
		switch c := id[i]; {
		case isLowerAlnum(c), c == '_', c == '-':
			dot = false
		case c == '.' && !dot:
			dot = true
		default:
			return false
		}
	}
	return !dot
}

func isLowerAlnum(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
