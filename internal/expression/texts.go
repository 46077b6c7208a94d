package expression

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Pattern is a compiled regular expression (RE2: it takes time in proportion to the
// text) with what it costs.
type Pattern struct {
	*regexp.Regexp
	size int // instructions
}

// compilePattern compiles a regular expression that is not too large.
func compilePattern(s string) (*Pattern, error) {
	tree, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		if e, ok := errors.AsType[*syntax.Error](err); ok {
			return nil, fmt.Errorf("invalid regular expression: %s: `%s`", e.Code, e.Expr)
		}
		return nil, err
	}
	if n := expanded(tree); n > maxPattern {
		return nil, fmt.Errorf("the regular expression is too large: it repeats too much")
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxPattern {
		return nil, fmt.Errorf("the regular expression is too large: it has %d instructions; expected at most %d", len(prog.Inst), maxPattern)
	}
	re, err := regexp.Compile(s)
	return &Pattern{re, len(prog.Inst)}, err
}

// expanded is about how many instructions a regular expression becomes, counted
// before it is expanded.
func expanded(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n = min(n+expanded(sub), 1<<20)
	}
	if re.Op == syntax.OpRepeat {
		n = min(n*max(1, re.Min, re.Max), 1<<20)
	}
	return n
}

// Charge charges for a search in a text.
func (p *Pattern) Charge(f *Frame, s string) { f.Charge(1 + len(s)*p.size/16) }

func contains(f *Frame, args []any) any { return containsText(f, args[0].(string), args[1].(string)) }

func containsText(f *Frame, s, part string) bool {
	f.ChargeText(len(s) + len(part))
	return strings.Contains(s, part)
}

func startsWith(f *Frame, args []any) any {
	f.ChargeText(len(args[1].(string)))
	return strings.HasPrefix(args[0].(string), args[1].(string))
}

func endsWith(f *Frame, args []any) any {
	f.ChargeText(len(args[1].(string)))
	return strings.HasSuffix(args[0].(string), args[1].(string))
}

func concat(f *Frame, args []any) any {
	a, b := args[0].(string), args[1].(string)
	f.ChargeMade(len(a) + len(b))
	return a + b
}

func compareTexts(f *Frame, args []any) any {
	a, b := args[0].(string), args[1].(string)
	f.ChargeText(min(len(a), len(b)))
	return strings.Compare(a, b)
}
