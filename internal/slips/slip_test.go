// Package slips checks the linter against typical mistakes of writers and publishers: a
// slip breaks one thing in conforming input, and only its rule must report it, at its
// place.
package slips

import (
	"regexp"
	"strings"
)

// slip is one thing that a writer or a publisher gets wrong.
type slip struct {
	name string // the mistake
	rule string // the rule that reports it

	// In the texts that in names, one match of find is replaced by with, in which $1 is
	// the first group, and ‸ marks where the finding is expected: by default at the
	// match.
	in   target
	find string
	with string
	// do is used instead if a replacement is not enough. It reports whether there was
	// something to change, and sets the place.
	do func(*scene) bool
	// stage is what a slip made by do needs; others have that of their target.
	stage stage

	at   func(text string, offset int) int // moves the place, for those not expected at the mark
	on   part                              // the text in which the finding is, if not the one that was changed
	also []follow                          // the additional findings that the law requires
	says string                            // a pattern of the finding's message

	fix   repair
	fixed string // the result of the fix; by default the original

	// alone keeps the slip out of drafts: its rule checks more than one message.
	alone bool
	// rejects says that no merge may apply the delta: if published anyway, it is also
	// MR-022.
	rejects bool
}

// follow is a finding in addition to the slip's own.
type follow struct {
	rule string
	law  string // the decision that requires it
	many bool   // one or more, depending on what was drawn
}

// repair says what --fix does about a slip.
type repair int

const (
	noFix     repair = iota
	safeFix          // by --fix
	unsafeFix        // only by --unsafe-fixes
)

// target is the texts in which a slip can happen.
type target struct {
	stage stage
	texts func(*scene) []window
}

// window is a part of a text.
type window struct {
	place
	end int
}

// whole returns the windows of whole texts.
func (s *scene) whole(p part, messages ...int) []window {
	var out []window
	for _, m := range messages {
		w := window{place: place{part: p, message: m}}
		w.end = len(*s.text(w.place))
		out = append(out, w)
	}
	return out
}

// messagesOf returns the messages of a type.
func (s *scene) messagesOf(kind string) []int {
	var out []int
	for i, m := range s.thread.Messages {
		if strings.HasPrefix(m.Subject, kind) {
			out = append(out, i)
		}
	}
	return out
}

// stageOf returns where messages of a type are.
func stageOf(kind string) stage {
	switch kind {
	case "CLAIM", "HANDOFF", "BLOCKED", "QUESTION":
		return work
	}
	return research
}

// bodyOf and subjectOf are the texts of the messages of a type.
func bodyOf(kind string) target {
	return target{stageOf(kind), func(s *scene) []window { return s.whole(body, s.messagesOf(kind)...) }}
}

func subjectOf(kind string) target {
	return target{stageOf(kind), func(s *scene) []window { return s.whole(subject, s.messagesOf(kind)...) }}
}

// pendingDeltas are the bodies of DELTAs that are in no version yet.
var pendingDeltas = target{research, func(s *scene) []window {
	all := s.messagesOf("DELTA")
	return s.whole(body, all[len(all)-2:]...)
}}

// publishedDeltas are the bodies of DELTAs that are in a version, publishedSubjects their
// subjects.
var publishedDeltas, publishedSubjects = textsOfPublished(body), textsOfPublished(subject)

func textsOfPublished(p part) target {
	return target{research, func(s *scene) []window {
		all := s.messagesOf("DELTA")
		return s.whole(p, all[:len(all)-2]...)
	}}
}

// laterDeltas are the DELTAs of the second of two sessions.
var laterDeltas = target{pair, func(s *scene) []window { return s.whole(body, s.messagesOf("DELTA")...) }}

// theFile is the artifact file alone, theJSON as JSON; fileOfThread is the file with its
// thread.
var (
	fileOfThread = target{published, func(s *scene) []window { return s.whole(artifact, 0) }}

	theFile = target{file, func(s *scene) []window { return s.whole(artifact, 0) }}
	theJSON = target{jsonFile, func(s *scene) []window { return s.whole(artifact, 0) }}
)

// inline is the artifact inside the last COMPILED, without its front matter; inlineBefore
// that of the previous version.
var (
	inline       = target{research, func(s *scene) []window { return s.inline(s.last()) }}
	inlineBefore = target{research, func(s *scene) []window {
		all := s.messagesOf("COMPILED")
		return s.inline(all[:len(all)-1]...)
	}}
)

func (s *scene) inline(messages ...int) []window {
	out := s.whole(body, messages...)
	for i := range out {
		out[i].offset = strings.Index(*s.text(out[i].place), "# Brenner Protocol Artifact")
	}
	return out
}

const mark = "‸"

// apply makes the slip in a scene; it reports whether it could. It returns the original
// text for comparison with the fix.
func (sl *slip) apply(s *scene) (before *string, ok bool) {
	if sl.do != nil {
		ok = sl.do(s)
		if ok && sl.at != nil {
			s.at.offset = sl.at(*s.text(s.at), s.at.offset)
		}
		s.changed = s.at
		if s.fixed != "" {
			before = &s.fixed
		}
		return before, ok
	}
	re := regexp.MustCompile("(?m)" + sl.find)
	type match struct {
		window
		loc []int
	}
	var found []match
	for _, w := range sl.in.texts(s) {
		text := *s.text(w.place)
		for _, loc := range re.FindAllStringSubmatchIndex(text, -1) {
			if loc[0] >= w.offset && loc[1] <= w.end {
				found = append(found, match{w, loc})
			}
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	m := found[s.IntN(len(found))]
	text := s.text(m.place)
	old := *text
	with := string(re.ExpandString(nil, sl.with, old, m.loc))
	where := max(strings.Index(with, mark), 0)
	with = strings.Replace(with, mark, "", 1)
	*text = old[:m.loc[0]] + with + old[m.loc[1]:]
	s.at = place{m.part, m.message, m.loc[0] + where}
	if sl.at != nil {
		s.at.offset = sl.at(*text, s.at.offset)
	}
	s.changed = s.at
	if sl.on != body {
		s.at.part, s.at.offset = sl.on, 0
	}
	if sl.fixed != "" {
		old = old[:m.loc[0]] + string(re.ExpandString(nil, sl.fixed, old, m.loc)) + old[m.loc[1]:]
	}
	return &old, *text != old || sl.fixed != ""
}

// above returns the last place before the mark that matches.
func above(pattern string) func(string, int) int {
	re := regexp.MustCompile("(?m)" + pattern)
	return func(text string, offset int) int {
		at := 0
		for _, loc := range re.FindAllStringIndex(text, -1) {
			if loc[0] < offset {
				at = loc[0]
			}
		}
		return at
	}
}

// below returns the first place from the mark on that matches.
func below(pattern string) func(string, int) int {
	re := regexp.MustCompile("(?m)" + pattern)
	return func(text string, offset int) int {
		if loc := re.FindStringIndex(text[offset:]); loc != nil {
			return offset + loc[0]
		}
		return len(text)
	}
}

// top returns the beginning of the text.
func top(string, int) int { return 0 }
