package cli

import (
	"fmt"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/text"
)

// The measures of a terminal's picture, in pixels.
const (
	charWidth  = 8.43 // of the fonts below at 14 px
	lineHeight = 19
	margin     = 16
)

// terminalColors are the styles of Select Graphic Rendition, as attributes.
var terminalColors = map[string]string{
	"0": "", "1": `font-weight="bold"`, "2": `fill="#8b949e"`, "32": `fill="#7ee787"`, "36": `fill="#76e3ea"`,
	"1;31": `fill="#ff7b72" font-weight="bold"`, "1;33": `fill="#e3b341" font-weight="bold"`, "1;34": `fill="#79c0ff" font-weight="bold"`,
}

var (
	hyperlink = text.Pattern("\x1b\\]8;[^\x1b\a]*(?:\x1b\\\\|\a)")
	rendition = text.Pattern("\x1b\\[([0-9;]*)m")
)

// terminalColumns is the width at which lines are folded, as a terminal folds them.
const terminalColumns = 112

// terminalSVG draws what a command prints to a terminal, colours included.
func terminalSVG(command, output string) string {
	output = strings.TrimRight(hyperlink().ReplaceAllString(output, ""), "\n")
	var rows []string
	columns := 0
	for _, line := range strings.Split("$ "+command+"\n"+output, "\n") {
		columns = max(columns, min(terminalColumns, utf8.RuneCountInString(rendition().ReplaceAllString(line, ""))))
		rows = append(rows, terminalRows(line)...)
	}
	width, height := int(float64(columns)*charWidth)+2*margin, len(rows)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s">
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
`, width, height, html.EscapeString("What the terminal shows of "+command))
	for i, row := range rows {
		if row != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+(i+1)*lineHeight-5, row)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// terminalRows returns the rows of a line, with its styles.
func terminalRows(line string) []string {
	rows := []string{""}
	attributes, at, used := "", 0, 0
	write := func(text string) {
		for text != "" {
			if used == terminalColumns {
				rows, used = append(rows, ""), 0
			}
			end := 0 // of the text that fits
			for end < len(text) && used < terminalColumns {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
				used++
			}
			part := html.EscapeString(strings.ReplaceAll(text[:end], " ", "\u00a0")) // viewers fold blanks
			if attributes != "" {
				part = "<tspan " + attributes + ">" + part + "</tspan>"
			}
			rows[len(rows)-1] += part
			text = text[end:]
		}
	}
	for _, m := range rendition().FindAllStringSubmatchIndex(line, -1) {
		write(line[at:m[0]])
		attributes, at = terminalColors[line[m[2]:m[3]]], m[1]
	}
	write(line[at:])
	return rows
}

// TestPicture draws styles, folds long lines and escapes what is markup.
func TestPicture(t *testing.T) {
	svg := terminalSVG("x <y>", "\x1b[1;31merror\x1b[0m a  b\n\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\\n"+strings.Repeat("é", 113)+"\n")
	for _, want := range []string{
		">$\u00a0x\u00a0&lt;y&gt;</text>", `<tspan fill="#ff7b72" font-weight="bold">error</tspan>` + "\u00a0a\u00a0\u00a0b</text>", ">link</text>",
		">" + strings.Repeat("é", 112) + "</text>\n", ">é</text>", `height="127"`, `width="976"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q:\n%s", want, svg)
		}
	}
}
