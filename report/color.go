package report

// paint decorates text for a terminal, if true.
type paint bool

// style is a Select Graphic Rendition sequence.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "1;33"
	blue   style = "1;34"
	green  style = "32"
	cyan   style = "36"
)

// in wraps s in a style.
func (p paint) in(st style, s string) string {
	if !p || s == "" {
		return s
	}
	on, off := p.around(st)
	return on + s + off
}

// appendIn appends s in a style.
func (p paint) appendIn(dst []byte, st style, s string) []byte {
	on, off := p.around(st)
	return append(append(append(dst, on...), s...), off...)
}

// around returns what is written before and after a text of a style.
func (p paint) around(st style) (on, off string) {
	if !p {
		return "", ""
	}
	return "\x1b[" + string(st) + "m", "\x1b[0m"
}
