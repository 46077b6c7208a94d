package report

import (
	"fmt"
	"path"
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
	if isPlain(s) && !(isName && strings.Contains(s, "<")) {
		return s
	}
	var b strings.Builder
	last := rune(0)
	for i := 0; i < len(s); {
		shown, r, size := shownRune(s, i, last)
		if !isName {
			last = r
		} else if strings.HasPrefix(s[i:], "<U+") || strings.HasPrefix(s[i:], "<0x") {
			shown = "<U+003C>"
		}
		b.WriteString(shown)
		i += size
	}
	return b.String()
}

// cleanLines is clean for a text of several lines; tabs stay.
func cleanLines(s string) string {
	return eachLine(s, func(line string) string {
		parts := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for i, part := range parts {
			parts[i] = clean(part)
		}
		return strings.Join(parts, "\t")
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

// isPlain reports whether a text is shown as it is, each rune in a column. Nearly all are,
// which makes a report of many findings twice as fast.
func isPlain(s string) bool {
	for i, r := range s {
		isLetter := ' ' <= r && r < 0x7f && r != '['
		if !isLetter && (!isSimple(r) || isHidden(r) || r == '[' && opensCommand(s[:i])) {
			return false
		}
	}
	return true
}

// shownRune returns how the rune at s[i] is shown after the rune last, the rune and its length.
func shownRune(s string, i int, last rune) (shown string, r rune, size int) {
	r, size = utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("<0x%02X>", s[i]), r, size
	case choosesLook(r, last):
		return "", r, size
	case isHidden(r), r == '[' && opensCommand(s[:i]):
		return fmt.Sprintf("<U+%04X>", r), r, size
	}
	return s[i : i+size], r, size
}

// isHidden reports whether a rune is invisible or changes how others are shown.
func isHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// choosesLook reports whether r only chooses between the coloured and the plain
// look of the visible character before it. People mean nothing by it, and
// terminals disagree on its width: it is left out.
func choosesLook(r, last rune) bool {
	return (r == 0xfe0e || r == 0xfe0f) && !isHidden(last) && !unicode.IsSpace(last)
}

// opensCommand reports whether a [ after s would begin a logging command
// (##[error], ##vso[…], ##teamcity[…]).
func opensCommand[T string | []byte](s T) bool {
	end := len(s)
	for end > 0 && ('a' <= s[end-1] && s[end-1] <= 'z' || 'A' <= s[end-1] && s[end-1] <= 'Z') {
		end--
	}
	return end > 1 && s[end-1] == '#' && s[end-2] == '#'
}

// guard keeps a line that is about to be printed from being a workflow command
// (::error::…), which may be after white space.
func guard(line string) string {
	if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }); i >= 0 && strings.HasPrefix(line[i:], "::") {
		return line[:i] + "<U+003A>" + line[i+1:]
	}
	return line
}

// cleanPath returns a path without needless parts; "" stays "".
func cleanPath(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

// isAbs reports whether a path with forward slashes is absolute, on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
