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

// ClassifyThreadID returns the kind that an id indicates, and whether it matches the pattern of
// that kind (thread_subject_conventions, Thread ID Validation). A prefix in another case, such
// as rs-, counts only if eight digits and a hyphen follow, and coord- only if the rest is
// letters and hyphens. Otherwise the id is that of a bead (decisions.md 66).
func ClassifyThreadID(id string) (kind ThreadKind, ok bool) {
	_, slug, dated := SplitResearchID(id)
	isResearch := strings.HasPrefix(id, "RS-")
	if isResearch || dated { // ^RS-\d{8}-[a-z0-9-]{2,40}$
		return ResearchSession, isResearch && dated && isSlug(slug, 2, 40)
	}
	topic, isCoord := strings.CutPrefix(id, "COORD-")
	if isCoord || HasPrefixFold(id, "COORD-") && len(id) > len("COORD-") && strings.Trim(id, letters+"-") == "" { // ^COORD-[a-z0-9-]{2,30}$
		return CoordinationThread, isCoord && isSlug(topic, 2, 30)
	}
	// ^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$
	return EngineeringThread, id != "" && strings.Trim(id, lowerAlnum+"._-") == "" && !strings.Contains("."+id+".", "..")
}

const (
	lowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"
	letters    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// isSlug reports whether a text matches `^[a-z0-9-]{least,most}$`.
func isSlug(s string, least, most int) bool {
	return least <= len(s) && len(s) <= most && strings.Trim(s, lowerAlnum+"-") == ""
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
