package brenner

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/text"
)

// Normal form: values as a rendering shows them, so that a state and an artifact can be compared
// (decisions.md 26). Texts are folded, values are of the type of the field or texts, and what is absent,
// false or never rendered is nil.

// NormalValue returns the value of a known field in normal form, nil if it is absent.
func NormalValue(sec Section, f *Field, v any) any {
	if sec == PredictionsTable && f.Key != "condition" && f.Key != "predictions" {
		return nil // the table has no column for it
	}
	switch f.Kind {
	case TextField:
		return orNil(NormalText(sec, f, v))
	case FlagField:
		if IsTrue(v) {
			return true
		}
		if text, _ := v.(string); IsConflict(text) {
			return Fold(text)
		}
		return nil
	case ListField:
		return normalList(f, v)
	case OutcomesField:
		return normalObject(v, Fold, func(_ string, v any) any { return orNil(Fold(Plain(v))) })
	case ScoreField:
		return normalObject(v, asIs, func(part string, v any) any {
			if !slices.Contains(ScoreParts[:], part) {
				return nil
			}
			return Number(ScoreWord(Fold(Plain(v))))
		})
	case RecordField:
		return normalObject(v, asIs, normalRecord)
	}
	return nil
}

// NormalText returns the value of a text field in normal form, "" if it is absent.
func NormalText(sec Section, f *Field, v any) string {
	text := Fold(Plain(v))
	switch {
	case sec == HypothesisSlate && f.Key == "name":
		return withoutThirdAlternative(text)
	case f.Key == "discriminates":
		return unmarkIDs(text)
	}
	return text
}

// unmarkIDs returns a text of ids without emphasis and backticks around each: `H1` vs **H2**
// (decisions.md 62: values in artifacts).
func unmarkIDs(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		id, _ := Unmark(w)
		if _, ok := ParseItemID(id); ok {
			words[i] = id
		}
	}
	return strings.Join(words, " ")
}

// orNil returns a text, nil if it is empty.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// withoutThirdAlternative returns the name of a hypothesis without the suffix that
// some compilers add in the heading.
func withoutThirdAlternative(name string) string {
	const suffix = "(Third Alternative)"
	if n := len(name) - len(suffix); n > 0 && strings.EqualFold(name[n:], suffix) {
		return Fold(strings.TrimRight(name[:n], " "))
	}
	return name
}

// normalList returns the entries of a list as a reader of the rendering splits them.
func normalList(f *Field, v any) any {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	var texts []string
	for _, entry := range list {
		if text := Fold(Plain(entry)); text != "" {
			texts = append(texts, text)
		}
	}
	joined, _ := Unmark(strings.Join(texts, ", "))
	var out []any
	for _, s := range f.Split(joined) {
		entry, _ := Unmark(joined[s.Start:s.End])
		out = append(out, entry)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func asIs(key string) string { return key }

// normalObject returns an object with its keys and values in normal form, nil if it is
// then empty. Another value is shown as a text.
func normalObject(v any, name func(key string) string, normal func(key string, v any) any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return orNil(Fold(Plain(v)))
	}
	out := make(map[string]any, len(object))
	for _, written := range slices.SortedFunc(maps.Keys(object), CompareKeys) {
		key := name(written)
		if _, twice := out[key]; twice || key == "" {
			continue
		}
		if v := normal(key, object[written]); v != nil {
			out[key] = v
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// CompareKeys orders the keys of an object: keys in normal form come first. If two keys are
// equivalent, the first counts.
func CompareKeys(a, b string) int {
	rank := func(key string) int {
		if Fold(key) == key {
			return 0
		}
		return 1
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
}

// ScoreWord returns the number or word that a part of a score begins with. A remark may follow:
// `3 (>100:1)`, `2/3`.
func ScoreWord(s string) string {
	n := strings.IndexFunc(s, func(r rune) bool {
		return !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune(".-+", r))
	})
	if n < 0 {
		return s
	}
	return s[:n]
}

// Number returns a text as a number; the text itself if it is not a number, nil if it is empty.
func Number(text string) any {
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
		return n
	}
	return orNil(text)
}

// normalRecord returns a value of last_run; durations are shown to a hundredth of a
// second.
func normalRecord(key string, v any) any {
	switch key {
	case "result_id", "run_at", "summary", "result_path":
		return orNil(Fold(Plain(v)))
	case "timed_out":
		if IsTrue(v) {
			return true
		}
	case "exit_code", "duration_ms":
		n := Number(Fold(Plain(v)))
		if ms, ok := n.(float64); ok && key == "duration_ms" {
			return Number(strconv.FormatFloat(math.Round(ms/10), 'g', 12, 64))
		}
		return n
	}
	return nil
}

// Plain returns a value as text, as a rendering shows it.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Canonical(v)
}

// OneLine returns a value on one line, as people write it.
func OneLine(v any) string {
	var texts []string
	separator := ", "
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			texts = append(texts, Plain(e))
		}
	case map[string]any:
		separator = "; "
		for _, key := range slices.Sorted(maps.Keys(v)) {
			texts = append(texts, key+": "+Plain(v[key]))
		}
	default:
		return Plain(v)
	}
	return strings.Join(texts, separator)
}

// IsConflict reports whether a text is an unresolved conflict, CONFLICT: "a" | "b"
// (artifact_delta_spec, Resolution Hierarchy; decisions.md 21), emphasised or not: perhaps after a
// sign, in brackets, or without the colon before two values.
func IsConflict(text string) bool {
	return strings.Contains(text, "CONFLICT") && conflict().MatchString(text)
}

var conflict = text.Pattern(`^[\pS\pM\s*_[]*CONFLICT[*_]*([]:]|$|\s+".*"\s*\|)`)

// IsTrue reports whether a flag is set: it is true, or a text that means true.
func IsTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		word, _, _ := strings.Cut(FoldSpace(v), " ")
		return strings.EqualFold(word, "true") || strings.EqualFold(word, "yes")
	}
	return false
}

// Fold returns a text in the form in which texts are compared (decisions.md 26). <br/>, or a
// backslash at the end of a line, is a line break. Line breaks, with white space around them,
// become one space, so that wrapping does not matter. Backslashes before punctuation,
// strike-through, comments, and emphasis and backticks around the whole are dropped
// (decisions.md 62 to 64). `—` becomes the empty text.
func Fold(s string) string {
	const most = 16 // times that dropping something joins more to drop
	for range most {
		if isFolded(s) {
			break
		}
		before := s
		s = foldLines(WithoutComments(escapes().ReplaceAllString(strings.ReplaceAll(s, "~~", ""), "$1")))
		s, _ = Unmark(s)
		if s == before {
			break
		}
	}
	if s == "—" {
		return ""
	}
	return s
}

// isFolded reports whether Fold leaves a text unchanged, unless it is `—`; this is true
// of most texts.
func isFolded(s string) bool {
	return !strings.ContainsAny(s, "\\<~\r\n\t") && strings.TrimSpace(s) == s && (s == "" || strings.IndexByte("*_`", s[0]) < 0)
}

// escapes are backslashes before ASCII punctuation.
var escapes = text.Pattern(`\\([[:punct:]])`)

var lineBreaks = strings.NewReplacer("<br/>", "\n", "<br />", "\n", "<br>", "\n", "\r", "\n")

// TrimBreak returns a line without white space, and line breaks (decisions.md 26), at its end.
func TrimBreak(line string) string {
	for {
		was := line
		line = strings.TrimRightFunc(line, func(r rune) bool { return r == '\\' || unicode.IsSpace(r) })
		for _, mark := range [...]string{"<br>", "<br/>", "<br />"} {
			if before, ok := strings.CutSuffix(line, mark); ok && !strings.HasSuffix(before, `\`) { // else it is text
				line = before
			}
		}
		if line == was {
			return line
		}
	}
}

func foldLines(s string) string {
	s = lineBreaks.Replace(s)
	var out strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(strings.TrimSpace(line), `\ `) // a backslash is a line break, too
		switch {
		case line == "" || out.Len() == 0:
		case strings.HasSuffix(out.String(), "<br"):
			out.WriteByte('\n') // no new <br /> may arise
		default:
			out.WriteByte(' ')
		}
		out.WriteString(line)
	}
	return out.String()
}
