// Package gitignore reads .gitignore files and says which paths they ignore, as git does
// (gitignore(5)), but compares characters where git compares bytes. It translates each pattern of
// git into one of doublestar. Globs reads patterns that are in the syntax of doublestar already.
//
// Anyone may have written the file. No pattern takes long to match: doublestar retries only
// the last `*` and the last `**`. The caller limits how many patterns are read.
package gitignore

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brennerlint/brennerlint/internal/steps"
)

// Patterns are the patterns of a .gitignore file and of those above it, in order.
type Patterns struct {
	list []pattern
	// Rest is the number of the first line of the last file that was not read because of the limit,
	// from 1. It is 0 if the whole file was read.
	Rest int
}

// pattern is one line of the file.
type pattern struct {
	glob   string // in the syntax of doublestar
	negate bool   // it began with !: what matches is not ignored
	folder bool   // it ended with /: it matches folders only
	name   bool   // it has no other /: it is compared with the last element of a path
	skip   int    // it is compared with the rest of a path, which begins in the folder of its file
}

// Add returns the patterns with those of a file in a folder below, but no more than limit: skip is the length
// of that folder's path with a slash, and they are compared with what follows. It leaves out empty lines,
// comments and lines that git does not understand.
func (ps *Patterns) Add(data []byte, skip, limit int) *Patterns {
	ps = &Patterns{list: slices.Clip(ps.list)}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		p, ok := parseLine(string(line))
		if ok && len(ps.list) >= limit {
			ps.Rest = number
			break
		}
		if ok {
			p.skip = skip
			ps.list = append(ps.list, p)
		}
	}
	return ps
}

// Globs reads patterns of doublestar, where `!` at the beginning and `/` at the end mean what they
// mean to git. Each stands for the globs that spell returns. takesBack says that a
// pattern begins with `!`: then `a/**` does not match a itself, so that a walk enters it.
func Globs(patterns []string, takesBack bool, spell func(glob string) []string) *Patterns {
	ps := &Patterns{}
	for _, text := range patterns {
		text, negate := strings.CutPrefix(text, "!")
		for _, glob := range spell(text) {
			p := pattern{negate: negate}
			p.glob, p.folder = strings.CutSuffix(glob, "/")
			if takesBack && !negate && strings.HasSuffix(p.glob, "/**") {
				p.glob += "/*"
			}
			ps.list = append(ps.list, p)
		}
	}
	return ps
}

// Len returns the number of patterns.
func (ps *Patterns) Len() int { return len(ps.list) }

func parseLine(line string) (p pattern, ok bool) {
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	text, negate := strings.CutPrefix(trimBlanks(line), "!")
	text, folder := strings.CutSuffix(text, "/")
	p = pattern{negate: negate, folder: folder, name: !strings.Contains(text, "/")}
	text = strings.TrimPrefix(text, "/")
	if text == "" || strings.HasSuffix(text, "/") || strings.Contains(text, "//") {
		return p, false // matches no path
	}
	p.glob, ok = translate(text)
	return p, ok
}

// trimBlanks removes the spaces at the end of a line. A space after a backslash stays.
func trimBlanks(s string) string {
	text := strings.TrimRight(s, " ")
	if slashes := len(text) - len(strings.TrimRight(text, `\`)); slashes%2 == 1 && text != s {
		text += " "
	}
	return text
}

// classes are the characters of named classes, such as [[:digit:]].
var classes = map[string]string{
	"alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "digit": "0-9", "lower": "a-z", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
	"blank": " \t", "space": " \t\n\v\f\r", "punct": `!-/:-@\[-` + "`{-~", "cntrl": "\x00-\x1f\x7f", "graph": "!-~", "print": " -~",
}

// translate turns a pattern of git into one of doublestar. There are three differences: in git
// braces are ordinary characters, brackets may hold named classes, and `a/**` does not match
// a itself.
func translate(text string) (glob string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i++; i == len(text) {
				return "", false // never matches
			}
			writeLiteral(&b, text[i])
		case '[':
			end := translateClass(&b, text[i:])
			if end < 0 {
				return "", false
			}
			i += end - 1
		case '*':
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], "*"))
			begins, ends := i == 0 || text[i-1] == '/', i+n == len(text) || text[i+n] == '/'
			b.WriteByte('*')
			if n > 1 && begins && ends { // within a name, several stars are like one
				b.WriteByte('*')
			}
			i += n - 1
		case '?':
			b.WriteByte(c)
		default:
			writeLiteral(&b, c)
		}
	}
	glob = b.String()
	if glob == "**" || strings.HasSuffix(glob, "/**") {
		glob += "/*"
	}
	return glob, doublestar.ValidatePattern(glob)
}

func writeLiteral(b *strings.Builder, c byte) {
	if strings.IndexByte(`*?[]{}\`, c) >= 0 {
		b.WriteByte('\\')
	}
	b.WriteByte(c)
}

// translateClass writes the bracket expression at the start of text, such as [a-z], and
// returns its length. It returns -1 if the brackets are not closed.
func translateClass(b *strings.Builder, text string) int {
	b.WriteByte('[')
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		b.WriteString("^/") // no class matches a slash
		i++
	}
	for first := true; i < len(text); first = false {
		switch c := text[i]; {
		case c == ']' && !first:
			b.WriteByte(']')
			return i + 1
		case c == '[' && strings.HasPrefix(text[i:], "[:"):
			name, _, ok := strings.Cut(text[i+2:], ":]")
			if !ok || classes[name] == "" {
				return -1
			}
			b.WriteString(classes[name])
			i += len(name) + 4
			continue
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte('\\')
			b.WriteByte(text[i])
		case c == '[' || c == ']':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
		i++
	}
	return -1
}

// Match reports whether a pattern matches a path (decided), and if so whether git ignores it:
// the last matching pattern decides. The path has slashes. It may have several spellings, which end
// alike.
func (ps *Patterns) Match(folder bool, spellings ...string) (ignored, decided bool) {
	for _, p := range slices.Backward(ps.list) {
		if (folder || !p.folder) && slices.ContainsFunc(spellings, p.matches) {
			return !p.negate, true
		}
	}
	return false, false
}

func (p *pattern) matches(file string) bool {
	steps.Add(1)
	text := file[p.skip:]
	if p.name {
		text = path.Base(file)
	}
	ok, err := doublestar.Match(p.glob, text)
	return err == nil && ok
}
