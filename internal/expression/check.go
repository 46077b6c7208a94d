package expression

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// checkForm rejects the forms of expressions that are not supported, before their types are
// looked at. Among them are chained comparisons: the library puts what is in the middle
// into the tree twice, so that what looks at each node takes twice as long for each
// chain in a chain.
func (c *compiling) checkForm(n ast.Node, seen map[ast.Node]bool) *Error {
	if seen[n] {
		return c.fault(n, "write a < b and b < c instead of a < b < c")
	}
	seen[n] = true
	parts := children(n)
	switch n := n.(type) {
	case *ast.MemberNode:
		parts = []ast.Node{n.Node, n.Property}
	case *ast.CallNode:
		parts = append([]ast.Node{n.Callee}, n.Arguments...)
	case *ast.ChainNode:
		return c.fault(n, "write . instead of ?.: the fields of what is absent are empty")
	case *ast.SliceNode:
		return c.fault(n, "slices are not supported")
	case *ast.SequenceNode:
		return c.fault(n, "expected one expression; got several")
	case *ast.BinaryNode, *ast.BuiltinNode, *ast.ConditionalNode, *ast.ArrayNode, *ast.PointerNode, *ast.IdentifierNode, *ast.UnaryNode, *ast.VariableDeclaratorNode,
		*ast.PredicateNode, *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode:
	default:
		return c.fault(n, "expected a condition or a value")
	}
	for _, part := range parts {
		if err := c.checkForm(part, seen); err != nil {
			return err
		}
	}
	return nil
}

// check rejects what the library can do and expressions may not: everything whose
// result or cost is not known from its types.
func (c *compiling) check(n ast.Node) *Error {
	if n == nil {
		return nil
	}
	if err := c.checkNode(n); err != nil {
		return err
	}
	for _, child := range children(n) {
		if err := c.check(child); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiling) checkNode(n ast.Node) *Error {
	switch n := n.(type) {
	case *ast.BinaryNode:
		return c.checkBinary(n)
	case *ast.MemberNode:
		return c.checkMember(n)
	case *ast.CallNode:
		if _, ok := n.Callee.(*ast.IdentifierNode); !ok {
			return c.fault(n, "only functions can be called")
		}
	case *ast.BuiltinNode:
		return c.checkLoop(n)
	case *ast.ConditionalNode:
		if isUnknown(n.Nature()) {
			return c.fault(n, "the values of a condition have different types")
		}
	case *ast.ArrayNode:
		return c.checkList(n)
	case *ast.PointerNode:
		if n.Name != "" && n.Name != "index" {
			return c.fault(n, "unknown name %q", "#"+n.Name)
		}
	case *ast.IdentifierNode:
		if n.Value == "$env" || n.Nature().Type != nil && n.Nature().Kind == reflect.Func {
			return c.unknownName(n.Location(), n.Value)
		}
	case *ast.UnaryNode, *ast.VariableDeclaratorNode, *ast.PredicateNode, *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode:
		return nil
	}
	if isUnknown(n.Nature()) {
		return c.fault(n, "the type of this is not known")
	}
	return nil
}

func (c *compiling) checkBinary(n *ast.BinaryNode) *Error {
	switch n.Operator {
	case "and", "or", "&&", "||", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "contains", "startsWith", "endsWith":
	case "==", "!=":
		if n.Left.Nature().IsArray() || n.Right.Nature().IsArray() {
			return c.fault(n, "lists cannot be compared; use in, any or all")
		}
	case "matches":
		if _, ok := n.Right.(*ast.StringNode); !ok {
			return c.fault(n.Right, "expected a literal regular expression after matches")
		}
	case "in":
		if !n.Right.Nature().IsArray() {
			return c.fault(n.Right, "expected a list after in")
		}
	default:
		return c.fault(n, "unknown operator %q", n.Operator)
	}
	if isUnknown(n.Nature()) {
		return c.fault(n, "the operands of %s have the wrong types", n.Operator)
	}
	for _, side := range []ast.Node{n.Left, n.Right} {
		if _, isNil := side.(*ast.NilNode); isNil && n.Operator != "==" && n.Operator != "!=" {
			return c.fault(side, "nil can only be compared with == and !=")
		}
	}
	return nil
}

func (c *compiling) checkMember(n *ast.MemberNode) *Error {
	switch {
	case n.Optional:
		return c.fault(n, "write . instead of ?.: the fields of what is absent are empty")
	case n.Method:
		return c.fault(n, "only functions can be called")
	case n.Node.Nature().IsArray():
		return nil
	}
	name, ok := n.Property.(*ast.StringNode)
	if !ok || !isObject(n.Node.Type()) || c.language.Fields[n.Node.Type()][name.Value] == nil {
		return c.fault(n, "this has no fields")
	}
	return nil
}

func (c *compiling) checkLoop(n *ast.BuiltinNode) *Error {
	switch {
	case !slices.Contains(LoopNames, n.Name):
		return c.unknownName(n.Location(), n.Name)
	case len(n.Arguments) != 2:
		return c.fault(n, "%s expects a list and a condition", n.Name)
	case !n.Arguments[0].Nature().IsArray():
		return c.fault(n.Arguments[0], "%s expects a list", n.Name)
	case isUnknown(n.Nature()):
		return c.fault(n, "the type of the result of %s is not known", n.Name)
	}
	if p, ok := n.Arguments[1].(*ast.PredicateNode); ok && n.Name != "map" && !p.Node.Nature().IsBool() {
		return c.fault(p.Node, "%s expects a condition", n.Name)
	}
	return nil
}

// checkList: the elements of a literal list are of one type.
func (c *compiling) checkList(n *ast.ArrayNode) *Error {
	for _, e := range n.Nodes {
		t := e.Type()
		if t == nil || t != n.Nodes[0].Type() || t.Kind() != reflect.String && t.Kind() != reflect.Int && t.Kind() != reflect.Float64 && t.Kind() != reflect.Bool {
			return c.fault(e, "the elements of a list are all texts or all numbers")
		}
	}
	return nil
}

func (c *compiling) fault(n ast.Node, format string, args ...any) *Error {
	return &Error{c.span(n.Location()), fmt.Sprintf(format, args...)}
}

// children returns the expressions that a node is made of, but for names of functions and
// fields.
func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.MemberNode:
		if n.Node.Nature().IsArray() {
			return []ast.Node{n.Node, n.Property}
		}
		return []ast.Node{n.Node}
	case *ast.CallNode:
		return n.Arguments
	case *ast.BuiltinNode:
		return n.Arguments
	case *ast.PredicateNode:
		return []ast.Node{n.Node}
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.VariableDeclaratorNode:
		return []ast.Node{n.Value, n.Expr}
	case *ast.ArrayNode:
		return n.Nodes
	}
	return nil
}

// path returns the chain of names that an expression is, such as item.id; else "".
func path(n ast.Node) string {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n.Value
	case *ast.MemberNode:
		name, ok := n.Property.(*ast.StringNode)
		if before := path(n.Node); ok && before != "" {
			return before + "." + name.Value
		}
	}
	return ""
}

var (
	unknownNameError  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^unknown name (\S+)$`) })
	unknownFieldError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^type (\S+) has no (?:field|method) (\S+)$`) })
	goTypeName        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*?(?:\[\])?\*?[a-z]+\.([A-Z][a-zA-Z]*)`) })
)

// checkError words an error of the library.
func (c *compiling) checkError(err error) *Error {
	e, ok := errors.AsType[*file.Error](err)
	if !ok {
		return &Error{source.Span{End: len(c.src)}, err.Error()}
	}
	if m := unknownNameError().FindStringSubmatch(e.Message); m != nil {
		return c.unknownName(e.Location, m[1])
	}
	if m := unknownFieldError().FindStringSubmatch(e.Message); m != nil {
		return c.unknownField(e.Location, m[1], m[2])
	}
	message := goTypeName().ReplaceAllStringFunc(e.Message, func(s string) string {
		return strings.ToLower(goTypeName().FindStringSubmatch(s)[1])
	})
	for _, w := range typeWords {
		message = strings.ReplaceAll(message, w[0], w[1])
	}
	return &Error{c.span(e.Location), strings.TrimSpace(message)}
}

var typeWords = [][2]string{{"[]interface {}", "list"}, {"[]string", "list of texts"}, {"interface {}", "any value"}, {"string", "text"}, {"float64", "number"}, {"(type int)", "(type number)"}, {"use int as", "use number as"}, {"text and int)", "text and number)"}, {"types int and", "types number and"},
	{"unexpected token EOF", "unexpected end of the expression"}, {"error parsing regexp", "invalid regular expression"}, {"predicate should return boolean", "expected a condition"},
	{"compilation failed: expression exceeds maximum allowed nodes", "the expression is too long"},
}

// unknownName returns the error for a name that is neither a variable nor a function.
func (c *compiling) unknownName(at file.Location, name string) *Error {
	known := append([]string{"let", "true", "false", "nil"}, LoopNames...)
	known = append(known, slices.Sorted(maps.Keys(c.language.Functions))...)
	known = append(known, names(c.vars)...)
	if c.language.Functions[name] != nil || slices.Contains(LoopNames, name) {
		return &Error{c.span(at), name + " is a function; write " + name + "(…)"}
	}
	return &Error{c.span(at), unknown("name", name, known, append(names(c.vars), "a function"))}
}

// unknownField returns the error for a field that an object does not have. The library
// places it at the object or at the dot; the field's name comes after it.
func (c *compiling) unknownField(at file.Location, object, field string) *Error {
	span := c.span(at)
	if i := strings.Index(c.src[span.Start:], field); i >= 0 {
		span = source.Span{Start: span.Start + i, End: span.Start + i + len(field)}
	}
	object = object[strings.LastIndexByte(object, '.')+1:]
	for t := range c.language.Fields {
		if t.Elem().Name() == object {
			return &Error{span, "the " + strings.ToLower(object) + " has no field " + text.Quote(field) + suggestion(field, names(t.Elem()), names(t.Elem()))}
		}
	}
	return &Error{span, unknown("field", field, nil, nil)}
}

// names returns the names that expressions use for the fields of a struct.
func names(t reflect.Type) []string {
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		if name := f.Tag.Get("expr"); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func unknown(what, name string, known, expected []string) string {
	return "unknown " + what + " " + text.Quote(name) + suggestion(name, known, expected)
}

// maxExpected is how many names a message lists.
const maxExpected = 14

func suggestion(name string, known, expected []string) string {
	if best := text.Nearest(name, known); best != "" {
		return "; did you mean " + text.Quote(best) + "?"
	}
	if len(expected) > maxExpected {
		return "; expected " + strings.Join(expected[:3], ", ") + " or another that its reference lists"
	}
	if len(expected) > 0 {
		return "; expected " + text.Or(expected)
	}
	return ""
}
