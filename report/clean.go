package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes a foreign text safe to show on one line: what cannot be seen, or
// would move the cursor or reorder what follows, is shown as <U+202E>, a byte
// that is no UTF-8 as <0xFF>. It also breaks `##[command]`, which CI systems obey
// wherever it is in a line.
func clean(s string) string { return escaped(s, false) }

// cleanName is clean for the name of a file: two names never look the same for
// what was left out of one of them, or because one spells what the other holds.
func cleanName(s string) string { return escaped(s, true) }

func escaped(s string, isName bool) string {
	return escapeEach(s, func(at int, r rune, part string) string {
		switch {
		case isNoUTF8(r, part):
			return fmt.Sprintf("<0x%02X>", s[at])
		case !isName && choosesLook(s, at):
			return ""
		case isHidden(r), opensCommand(s, at), isName && (strings.HasPrefix(s[at:], "<U+") || strings.HasPrefix(s[at:], "<0x")):
			return fmt.Sprintf("<U+%04X>", r)
		}
		return part
	})
}

// escapeEach replaces the characters of a text that must not be shown as they are. It asks about
// a byte that is no UTF-8, too, and not about ASCII that is always safe.
func escapeEach(s string, escape func(at int, r rune, part string) string) string {
	var b strings.Builder
	done := 0 // what is before is in b
	for i, r := range s {
		if ' ' <= r && r <= '~' && r != '[' && r != '<' {
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		part := s[i : i+size]
		if shown := escape(i, r, part); shown != part {
			b.WriteString(s[done:i] + shown)
			done = i + size
		}
	}
	return b.String() + s[done:]
}

// cleanLines is clean for a text of several lines; tabs stay.
func cleanLines(s string) string {
	return eachLine(s, func(line string) string {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		return strings.Join(each(parts, func(part *string) { *part = clean(*part) }), "\t")
	})
}

// Message makes a text of a program's own that may quote inputs, such as an error
// with a file's name, safe to show on standard error: line by line, as reports
// are.
func Message(text string) string {
	return eachLine(text, func(line string) string { return guard(clean(line)) })
}

// eachLine changes each line of a text.
func eachLine(text string, change func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = change(line)
	}
	return strings.Join(lines, "\n")
}

// isNoUTF8 reports whether a part of a text that is read as r is a byte that is no UTF-8.
func isNoUTF8(r rune, part string) bool { return r == utf8.RuneError && len(part) == 1 }

// isHidden reports whether a rune is invisible or changes how others are shown.
func isHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// choosesLook reports whether the rune at i only chooses between the coloured and the plain
// look of the visible character before it. People mean nothing by it, and terminals disagree on
// its width: it is left out.
func choosesLook(s string, i int) bool {
	if !strings.HasPrefix(s[i:], "\ufe0e") && !strings.HasPrefix(s[i:], "\ufe0f") {
		return false
	}
	last, size := utf8.DecodeLastRuneInString(s[:i])
	return size > 0 && !isHidden(last) && !unicode.IsSpace(last)
}

// opensCommand reports whether the character at i is a [ that would begin a logging command
// (##[error], ##vso[…], ##teamcity[…]).
func opensCommand(s string, i int) bool {
	isLetter := func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
	return s[i] == '[' && strings.HasSuffix(strings.TrimRightFunc(s[:i], isLetter), "##")
}

// guard keeps a line that is about to be printed from being a workflow command
// (::error::…), which may be after white space.
func guard(line string) string {
	if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }); i >= 0 && strings.HasPrefix(line[i:], "::") {
		return line[:i] + "<U+003A>" + line[i+1:]
	}
	return line
}

// isAbs reports whether a path with forward slashes is absolute, on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
