package brenner

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// AnchorKind is what an anchor cites (artifact_format.md, Anchors).
type AnchorKind uint8

// The kinds of anchors.
const (
	SectionAnchor   AnchorKind = iota + 1 // §161, a section of the transcript
	RangeAnchor                           // §127-§129, §42-45
	EvidenceAnchor                        // EV-001, EV-001#E1
	InferenceAnchor                       // inference, [inference]
	AxiomaticAnchor                       // [axiomatic]
	ExternalAnchor                        // [external: source]
	MojibakeAnchor                        // ¬ß161, Â§161: a section or range with a mis-decoded sign
	UnknownAnchor                         // a list entry that does not begin with any of these
)

// Anchor is one citation. All spans are of the text that was parsed.
type Anchor struct {
	Kind AnchorKind
	// Doubled reports that it begins with two section signs, `§§161`: prose cites
	// sections like this, but it is not an anchor (decisions.md 56: anchors).
	Doubled bool
	// Span is the anchor itself, without the remark after it; for an unknown one the
	// whole list entry.
	Span source.Span
	// First and Last are the section numbers of a section, a range or a mis-decoded
	// anchor. They are equal if only one number is given.
	First, Last int
}

// IsSection reports whether the anchor cites sections of the transcript.
func (a Anchor) IsSection() bool {
	return a.Kind == SectionAnchor || a.Kind == RangeAnchor || a.Kind == MojibakeAnchor
}

// ParseAnchors reads a list of anchors, the value of an Anchors field or one entry of a
// JSON array. An entry may contain several (`[inference] from §42`); one that does not
// begin with an anchor is a single UnknownAnchor.
func ParseAnchors(s string) []Anchor {
	if a, ok := anchorAt(s, 0); ok && a.Span.End == len(s) && s[0] != '[' { // the usual case; in brackets a comma may follow
		return []Anchor{a}
	}
	var out []Anchor
	for _, e := range entries(s, true) {
		out = appendEntry(out, s, e)
	}
	return out
}

// appendEntry adds the anchors of one list entry: the one that it must begin with, and
// those in the remark after it that are not in quotations or parentheses.
func appendEntry(out []Anchor, s string, entry source.Span) []Anchor {
	text := s[:entry.End]
	a, ok := anchorAt(text, entry.Start)
	if !ok {
		return append(out, Anchor{Kind: UnknownAnchor, Span: entry})
	}
	out = append(out, a)
	g := groups{s: text}
	for i := a.Span.End; i < len(text); {
		if a, ok := anchorAt(text, i); ok {
			out = append(out, a)
			i = a.Span.End
			continue
		}
		i = g.next(i)
	}
	return out
}

// Citations finds every citation of sections and evidence records in prose, in
// order, including mis-decoded ones. A sign without a number cites nothing, and one in an
// [external: source] or in a web address cites no section of the transcript.
func Citations(s string) iter.Seq[Anchor] {
	return func(yield func(Anchor) bool) {
		for i := 0; ; {
			for i < len(s) && s[i] < utf8.RuneSelf && s[i] != 'E' {
				i++
			}
			if i == len(s) {
				return
			}
			read := sectionAt
			if s[i] == 'E' {
				read = evidenceAt
			}
			a, ok := read(s, i)
			if !ok {
				i += runeWidth(s, i)
				continue
			}
			isOther := a.IsSection() && a.Kind != MojibakeAnchor && (inExternal(s, i) || inAddress(s, i))
			if !isOther && !yield(a) {
				return
			}
			i = a.Span.End
		}
	}
}

// anchorAt reads the anchor that begins at i.
func anchorAt(s string, i int) (Anchor, bool) {
	if i >= len(s) {
		return Anchor{}, false
	}
	switch c := s[i]; {
	case c >= utf8.RuneSelf:
		return sectionAt(s, i)
	case c == 'E':
		return evidenceAt(s, i)
	case c == '[':
		return labelAt(s, i)
	case (c == 'i' || c == 'I') && HasPrefixFold(s[i:], inference) && !wordBefore(s, i) && !wordAt(s, i+len(inference)):
		return Anchor{Kind: InferenceAnchor, Span: source.Span{Start: i, End: i + len(inference)}}, true
	}
	return Anchor{}, false
}

const inference = "inference"

// labelAt reads [inference], [axiomatic] or [external: source].
func labelAt(s string, i int) (Anchor, bool) {
	n := strings.IndexByte(s[i:min(len(s), i+maxLabel)], ']')
	if n < 0 {
		return Anchor{}, false
	}
	a := Anchor{Span: source.Span{Start: i, End: i + n + 1}}
	name, rest, _ := strings.Cut(s[i+1:i+n], ":")
	switch name, rest = strings.TrimSpace(name), strings.TrimSpace(rest); {
	case strings.EqualFold(name, inference):
		a.Kind = InferenceAnchor
	case strings.EqualFold(name, "axiomatic"):
		a.Kind = AxiomaticAnchor
	case strings.EqualFold(name, "external") && rest != "":
		a.Kind = ExternalAnchor
	default:
		return Anchor{}, false
	}
	return a, true
}

// maxLabel bounds the bytes searched for the end of a label.
const maxLabel = 1024

// inExternal reports whether i is in an [external: source].
func inExternal(s string, i int) bool {
	from := max(0, i-maxLabel)
	if !strings.Contains(s[from:i], "[") {
		return false
	}
	label, ok := anchorAt(s, from+max(0, strings.LastIndexByte(s[from:i], '[')))
	return ok && label.Kind == ExternalAnchor && label.Span.End > i
}

// inAddress reports whether i is in the address of a web page.
func inAddress(s string, i int) bool { return strings.Contains(pathBefore(s, i), "://") }

// pathBefore returns what is before i in the same word: of an address, or of a path.
func pathBefore(s string, i int) string {
	from := max(0, i-maxLabel)
	return s[from+strings.LastIndexAny(s[from:i], " \t\r\n()<>\"")+1 : i]
}

// evidenceAt reads EV-001 or EV-001#E1.
func evidenceAt(s string, i int) (Anchor, bool) {
	if !strings.HasPrefix(s[i:], "EV-") || wordBefore(s, i) {
		return Anchor{}, false
	}
	_, end := number(s, i+3)
	if end < i+6 {
		return Anchor{}, false
	}
	if strings.HasPrefix(s[end:], "#E") {
		if _, after := number(s, end+2); after > end+2 {
			end = after
		}
	}
	if wordAt(s, end) || end < len(s) && s[end] == '#' {
		return Anchor{}, false
	}
	return Anchor{Kind: EvidenceAnchor, Span: source.Span{Start: i, End: end}}, true
}

// sectionAt reads §n or a range. Its section signs may be mis-decoded.
func sectionAt(s string, i int) (Anchor, bool) {
	width, broken := signs.at(s, i)
	if width == 0 {
		return Anchor{}, false
	}
	j := skipBlanks(s, i+width)
	n, end := number(s, j)
	if end == j || wordAt(s, end) {
		return Anchor{}, false
	}
	a := Anchor{Kind: SectionAnchor, First: n, Last: n, Doubled: strings.HasPrefix(s[i:], "§§")}
	if last, after, brokenToo := rangeEnd(s, end); after > 0 {
		a.Kind, a.Last = RangeAnchor, last
		broken, end = broken || brokenToo, after
	}
	if broken {
		a.Kind = MojibakeAnchor
	}
	a.Span = source.Span{Start: i, End: end}
	return a, true
}

// Restored returns the correct form of a mis-decoded anchor: `§161` of `Â§161`.
func Restored(written string) string { return restorer.Replace(written) }

// restorer writes signs and dashes as they should be, without white space between.
var restorer = func() *strings.Replacer {
	pairs := []string{"§§", "§", "§", "§", " ", "", "\t", "", "\u00a0", ""}
	for _, sign := range signs.broken {
		pairs = append(pairs, sign, "§")
	}
	for _, dash := range dashes.broken {
		pairs = append(pairs, dash, "–")
	}
	return strings.NewReplacer(pairs...)
}()

// rangeEnd reads the second half of a range at i: a dash, perhaps a sign, and digits. Dash and
// sign may be mis-decoded. It returns the number and where it ends, 0 if there is no range. White
// space around the dash makes it a range only if a sign follows it or nothing follows the
// number: in `§161 - 3 reasons` the dash begins a remark.
func rangeEnd(s string, i int) (last, end int, broken bool) {
	at := skipBlanks(s, i)
	width, broken := dashes.at(s, at)
	if width == 0 {
		return 0, 0, false
	}
	after := skipBlanks(s, at+width)
	sign, brokenSign := signs.at(s, after)
	digits := skipBlanks(s, after+sign)
	last, end = number(s, digits)
	if end == digits || wordAt(s, end) {
		return 0, 0, false
	}
	tight := at == i && after == at+width
	if rest := skipBlanks(s, end); !tight && sign == 0 &&
		(s[at:at+width] == "—" || rest < len(s) && strings.IndexByte(",;)\r\n", s[rest]) < 0) {
		return 0, 0, false
	}
	return last, end, broken || brokenSign
}

// forms are how a sign is written, and what it becomes if it is mis-decoded.
type forms struct{ proper, broken []string }

// A § is mis-decoded if its UTF-8 bytes (C2 A7) are read as Mac Roman, Windows-1252, Windows-1251
// or CP437, once or twice, if they are replaced, or if it is written as Latin-1; a dash of a range if
// it is an en dash.
var (
	signs  = forms{[]string{"§§", "§"}, []string{"¬ß", "Â§", "В§", "┬º", "√Ç¬ß", "Ã‚Â§", "\uFFFD\uFFFD", "\uFFFD", "\xA7"}}
	dashes = forms{[]string{"-", "–", "—", "‑", "‒", "−"}, []string{"‚Äì", "â€“"}}
)

// at returns the width in bytes of the sign at i, 0 if there is none, and whether it is mis-decoded.
func (f *forms) at(s string, i int) (width int, broken bool) {
	if i == len(s) || s[i] < utf8.RuneSelf && s[i] != '-' {
		return 0, false // as most characters
	}
	for _, sign := range f.proper {
		if s[i] == sign[0] && strings.HasPrefix(s[i:], sign) {
			return len(sign), false
		}
	}
	for _, sign := range f.broken {
		if s[i] == sign[0] && strings.HasPrefix(s[i:], sign) {
			return len(sign), true
		}
	}
	return 0, false
}

// HasNonASCII reports whether a text may cite a section: signs, also mis-decoded ones, are not ASCII. To look
// for such bytes first saves 6 % of the time of artifacts.
func HasNonASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// number returns the value of the digits at i, and where they end.
func number(s string, i int) (n, end int) {
	n, digits := ParseNumber(s[i:])
	return n, i + digits
}

// skipBlanks skips spaces, tabs and no-break spaces.
func skipBlanks(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
		case strings.HasPrefix(s[i:], "\u00a0"):
			i += len("\u00a0")
		default:
			return i
		}
	}
	return i
}

// wordAt reports whether a word goes on at i. Underscores at the end of a word are emphasis.
func wordAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[min(i, len(s)):], "_"))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordBefore reports whether a word goes on before i.
func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:i], "_"))
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
