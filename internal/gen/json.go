package gen

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/brennerlint/brennerlint/conformance"
)

// encoded returns a value as JSON on one line, with texts as they are.
func encoded(v any) string {
	out, err := conformance.ToJSON(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

var shortArray = regexp.MustCompile(`\[\s+("(?:[^"\\]|\\.)*"(?:,\s+"(?:[^"\\]|\\.)*")*)\s+\]`)

var lineBreak = regexp.MustCompile(`\n\s*`)

// pretty writes a value as agents do: two spaces a level, raw UTF-8, arrays of texts
// on one line.
func pretty(v any) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(encoded(v)), "", "  ") // it is JSON
	return shortArray.ReplaceAllStringFunc(b.String(), func(array string) string {
		return "[" + lineBreak.ReplaceAllString(shortArray.FindStringSubmatch(array)[1], " ") + "]"
	})
}
