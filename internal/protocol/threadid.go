package protocol

import (
	"regexp"
	"strings"
)

// The patterns of thread_subject_conventions, Thread ID Validation.
var (
	engineeringThread  = regexp.MustCompile(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$`)
	researchThread     = regexp.MustCompile(`^RS-\d{8}-[a-z0-9-]{2,40}$`)
	coordinationThread = regexp.MustCompile(`^COORD-[a-z0-9-]{2,30}$`)
)

// ThreadKind is what the beginning of a thread id announces.
type ThreadKind uint8

// The kinds of thread ids.
const (
	EngineeringThread ThreadKind = iota + 1
	ResearchSession
	CoordinationThread
)

// ClassifyThreadID tells which kind an id announces (RS- and COORD- in any
// case, else engineering work) and whether it matches the pattern of that kind.
func ClassifyThreadID(id string) (kind ThreadKind, ok bool) {
	switch {
	case hasPrefixFold(id, "RS-"):
		return ResearchSession, researchThread.MatchString(id)
	case hasPrefixFold(id, "COORD-"):
		return CoordinationThread, coordinationThread.MatchString(id)
	default:
		return EngineeringThread, engineeringThread.MatchString(id)
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
