package customrules

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// The limits on what a rule says.
const (
	maxTemplate = 1000 // bytes
	maxHoles    = 20
	// maxShown is how much of a value a message repeats, in code points.
	maxShown = 200
)

// template is a text with expressions in braces: `{item.id} has no budget`. A brace
// is written twice.
type template []templatePart

// templatePart is a text and the expression after it; nil at the end.
type templatePart struct {
	text    string
	program *program
}

// parseTemplate reads a template. The error's span is in it.
func parseTemplate(src string, in environment) (template, *Fault) {
	wrong := func(at int, format string, args ...any) (template, *Fault) {
		return nil, &Fault{Span: source.Span{Start: at, End: at + 1}, Message: fmt.Sprintf(format, args...)}
	}
	if len(src) > maxTemplate {
		return wrong(maxTemplate, "longer than %d bytes", maxTemplate)
	}
	var t template
	plain := ""
	for at := 0; at < len(src); at++ {
		c := src[at]
		switch {
		case c != '{' && c != '}':
			plain += src[at : at+1]
		case at+1 < len(src) && src[at+1] == c:
			plain += src[at : at+1]
			at++
		case c == '}':
			return wrong(at, "} without {; write }} for a brace")
		default:
			end := closing(src, at+1)
			if end < 0 {
				return wrong(at, "{ without }; write {{ for a brace")
			}
			if len(t) == maxHoles {
				return wrong(at, "more than %d expressions", maxHoles)
			}
			p, err := placeholder(src[at+1:end], in)
			if err != nil {
				err.Span = err.Span.Shift(at + 1)
				return nil, err
			}
			t = append(t, templatePart{plain, p})
			plain, at = "", end
		}
	}
	return append(t, templatePart{text: plain}), nil
}

// closing returns where the expression that begins at a place ends: at the brace that
// closes it, outside literal texts.
func closing(src string, at int) int {
	depth := 0
	var quote byte
	for ; at < len(src); at++ {
		c := src[at]
		switch {
		case quote != 0:
			if c == '\\' && quote != '`' {
				at++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}' && depth == 0:
			return at
		case c == '}':
			depth--
		}
	}
	return -1
}

// placeholder compiles an expression whose value is shown.
func placeholder(src string, in environment) (*program, *Fault) {
	p, err := compileExpression(src, in)
	if err == nil && !isValue(p.result) && (p.elem == nil || p.elem.Kind() != reflect.String) {
		err = fault(src, "expected a text, a number, true or false, or a list of texts")
	}
	return p, err
}

// outline returns the text of a template with … for each expression.
func (t template) outline() string {
	return strings.Join(texts(t, func(part templatePart) string { return part.text }), "…")
}

// render returns the text of a template, and adds the texts of the input in it to quoted.
func (t *task) render(of template, quoted *[]string) string {
	var b strings.Builder
	for _, part := range of {
		b.WriteString(part.text)
		if part.program == nil {
			break
		}
		shown := text.Shorten(text.OneLine(text.Shorten(format(t.evaluate(part.program)), 4*maxShown)), maxShown)
		b.WriteString(shown)
		if !part.program.public && shown != "" {
			*quoted = append(*quoted, shown)
		}
	}
	return b.String()
}

// format returns a value as messages show it.
func format(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	case []any, []string:
		return strings.Join(elements[string](v), ", ")
	}
	return fmt.Sprint(v)
}
