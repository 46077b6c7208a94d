// Package lazyregexp compiles regular expressions when they are first used. The
// program starts for every draft that an agent sends, and most of its expressions are
// not used then.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns an expression that must be valid, compiled by the first call.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
