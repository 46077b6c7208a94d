package report

// paint decorates text for a terminal, if true.
type paint bool

// style is the escape sequence that begins a style (Select Graphic Rendition).
type style string

const (
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	red    style = "\x1b[1;31m"
	yellow style = "\x1b[1;33m"
	blue   style = "\x1b[1;34m"
	green  style = "\x1b[32m"
	cyan   style = "\x1b[36m"
)

// unstyled ends any style.
const unstyled = "\x1b[0m"

// in wraps s in a style.
func (p paint) in(st style, s string) string {
	if !p || s == "" {
		return s
	}
	return string(st) + s + unstyled
}
