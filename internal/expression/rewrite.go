package expression

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
)

// The library's machine has no limit on steps, and reads fields by reflection. So what
// could take long, and every field, becomes the call of a function that charges the
// frame for it.

// rewrite replaces a checked node by what is run.
func (c *compiling) rewrite(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.MemberNode:
		return c.rewriteMember(n)
	case *ast.CallNode:
		return c.rewriteCall(n)
	case *ast.BinaryNode:
		return c.rewriteBinary(n)
	case *ast.UnaryNode:
		n.Node = c.rewrite(n.Node)
	case *ast.BuiltinNode:
		for i := range n.Arguments {
			n.Arguments[i] = c.rewrite(n.Arguments[i])
		}
		if t := n.Type(); n.Name == "find" && !isObject(t) {
			none := reflect.Zero(t).Interface()
			return c.call(n, "found "+t.String(), func(_ *Frame, args []any) any { return cmp.Or(args[0], none) }, n)
		}
	case *ast.PredicateNode:
		return c.rewritePredicate(n)
	case *ast.ConditionalNode:
		n.Cond, n.Exp1, n.Exp2 = c.rewrite(n.Cond), c.rewrite(n.Exp1), c.rewrite(n.Exp2)
	case *ast.VariableDeclaratorNode:
		n.Value, n.Expr = c.rewrite(n.Value), c.rewrite(n.Expr)
	case *ast.ArrayNode:
		for i := range n.Nodes {
			n.Nodes[i] = c.rewrite(n.Nodes[i])
		}
	}
	return n
}

// call returns the call of a function of ours in place of a node, whose type it has.
func (c *compiling) call(n ast.Node, name string, do func(f *Frame, args []any) any, args ...ast.Node) *ast.CallNode {
	if len(args) == 1 {
		return c.callOne(n, func(f *Frame, arg any) any { return do(f, []any{arg}) }, args[0])
	}
	c.config.Functions[name] = &builtin.Function{Name: name, Func: func(args ...any) (any, error) {
		return do(args[0].(*Frame), args[1:]), nil
	}}
	return place(n, &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: append([]ast.Node{frame()}, args...)})
}

// callOne is call for one argument. Functions of these types the machine calls without
// a slice of arguments, and so without allocating.
func (c *compiling) callOne(n ast.Node, do func(f *Frame, arg any) any, arg ast.Node) *ast.CallNode {
	callee := &ast.ConstantNode{Value: func(f, arg any) any { return do(f.(*Frame), arg) }}
	callee.SetType(reflect.TypeOf(callee.Value))
	return place(n, &ast.CallNode{Callee: callee, Arguments: []ast.Node{frame(), arg}})
}

// frame returns the frame as an argument.
func frame() ast.Node { return &ast.IdentifierNode{Value: "$env"} }

// place gives a node the place and the type of another.
func place(n ast.Node, out *ast.CallNode) *ast.CallNode {
	out.SetLocation(n.Location())
	out.SetNature(*n.Nature())
	return out
}

func (c *compiling) rewriteMember(n *ast.MemberNode) ast.Node {
	object := c.rewrite(n.Node)
	if n.Node.Nature().IsArray() {
		return c.call(n, "at "+n.Type().String(), elementAt(n.Type()), object, c.rewrite(n.Property))
	}
	t, name := n.Node.Type(), n.Property.(*ast.StringNode).Value
	field := c.language.Fields[t][name]
	return c.callOne(n, field, object)
}

// elementAt returns the element of a list at a place, from 0, or from the end if it is
// negative; outside the list it is empty.
func elementAt(t reflect.Type) func(*Frame, []any) any {
	var none any
	if !isObject(t) {
		none = reflect.Zero(t).Interface()
	}
	return func(_ *Frame, args []any) any {
		list, at := List(args[0]), args[1].(int)
		if at < 0 {
			at += len(list)
		}
		if at < 0 || at >= len(list) {
			return none
		}
		return list[at]
	}
}

// List returns a list of a running expression.
func List(v any) []any {
	list, _ := v.([]any)
	return list
}

func (c *compiling) rewriteCall(n *ast.CallNode) ast.Node {
	name := n.Callee.(*ast.IdentifierNode).Value
	f := c.language.Functions[name]
	args := make([]ast.Node, len(n.Arguments))
	for i, a := range n.Arguments {
		if i+1 == f.Pattern {
			name = fmt.Sprintf("%s/%p", name, a) // a function for each pattern
			args[i] = c.pattern(a)
			continue
		}
		if literal, ok := a.(*ast.StringNode); ok && f.Literal != nil {
			if err := f.Literal(literal.Value); err != nil {
				c.fail(a, err.Error())
			}
		}
		args[i] = c.rewrite(a)
	}
	return c.call(n, "call "+name, f.Call, args...)
}

// rewriteMatches compiles the regular expression, once.
func (c *compiling) rewriteMatches(n *ast.BinaryNode) ast.Node {
	pattern, ok := c.pattern(n.Right).(*ast.ConstantNode)
	if !ok {
		return n
	}
	p := pattern.Value.(*Pattern)
	return c.callOne(n, func(f *Frame, s any) any {
		p.Charge(f, s.(string))
		return p.MatchString(s.(string))
	}, c.rewrite(n.Left))
}

// pattern returns a literal regular expression as a constant.
func (c *compiling) pattern(n ast.Node) ast.Node {
	literal, ok := n.(*ast.StringNode)
	if !ok {
		c.fail(n, "expected a literal regular expression")
		return n
	}
	p, err := compilePattern(literal.Value)
	if err != nil {
		c.fail(n, err.Error())
		return n
	}
	out := &ast.ConstantNode{Value: p}
	out.SetType(reflect.TypeFor[*Pattern]())
	return out
}

func (c *compiling) fail(n ast.Node, message string) {
	if c.err == nil {
		c.err = &Error{c.span(n.Location()), message}
	}
}

// rewritePredicate charges for each element that a loop looks at: as many steps as the
// condition has nodes.
func (c *compiling) rewritePredicate(n *ast.PredicateNode) ast.Node {
	steps := 1 + size(n.Node)
	n.Node = c.rewrite(n.Node)
	charge := c.callOne(n.Node, func(f *Frame, _ any) any { f.Charge(steps); return nil }, &ast.NilNode{})
	body := &ast.SequenceNode{Nodes: []ast.Node{charge, n.Node}}
	body.SetNature(*n.Node.Nature())
	n.Node = body
	return n
}

// size returns the number of nodes of an expression. A loop in it counts more: the machine
// keeps something for each that it begins.
func size(n ast.Node) int {
	out := 1
	if _, loop := n.(*ast.BuiltinNode); loop {
		out += 20
	}
	for _, child := range children(n) {
		out += size(child)
	}
	return out
}

func (c *compiling) rewriteBinary(n *ast.BinaryNode) ast.Node {
	l, r := n.Left, n.Right
	texts := isText(l) && isText(r)
	switch n.Operator {
	case "matches":
		return c.rewriteMatches(n)
	case "in":
		return c.rewriteIn(n)
	case "contains":
		if literal, ok := r.(*ast.StringNode); ok {
			return c.callOne(n, func(f *Frame, s any) any { return containsText(f, s.(string), literal.Value) }, c.rewrite(l))
		}
		return c.call(n, "contains", contains, c.rewrite(l), c.rewrite(r))
	case "startsWith":
		return c.call(n, "startsWith", startsWith, c.rewrite(l), c.rewrite(r))
	case "endsWith":
		return c.call(n, "endsWith", endsWith, c.rewrite(l), c.rewrite(r))
	case "+":
		if texts {
			return c.call(n, "join", concat, c.rewrite(l), c.rewrite(r))
		}
	case "==", "!=":
		if isObject(l.Type()) || isObject(r.Type()) || isNil(l) || isNil(r) {
			return c.rewriteSame(n)
		}
	}
	if _, literal := r.(*ast.StringNode); texts && !literal {
		zero := &ast.IntegerNode{}
		zero.SetType(reflect.TypeFor[int]())
		compared := c.call(zero, "compare", compareTexts, c.rewrite(l), c.rewrite(r))
		if n.Operator == "==" || n.Operator == "!=" || n.Operator == "<" || n.Operator == ">" || n.Operator == "<=" || n.Operator == ">=" {
			n.Left, n.Right = compared, zero
			return n
		}
	}
	n.Left, n.Right = c.rewrite(l), c.rewrite(r)
	return n
}

// rewriteSame compares objects: an object is the same as itself, and an absent one as
// nil.
func (c *compiling) rewriteSame(n *ast.BinaryNode) ast.Node {
	equal := n.Operator == "=="
	return c.call(n, "same "+n.Operator, func(_ *Frame, args []any) any { return (args[0] == args[1]) == equal },
		c.rewrite(n.Left), c.rewrite(n.Right))
}

// rewriteIn looks a value up: among literals in one step, else in as many as there are
// elements.
func (c *compiling) rewriteIn(n *ast.BinaryNode) ast.Node {
	if list, ok := n.Right.(*ast.ArrayNode); ok {
		if set := literals(list); set != nil {
			return c.callOne(n, func(_ *Frame, v any) any { return set[v] }, c.rewrite(n.Left))
		}
	}
	return c.call(n, "in", func(f *Frame, args []any) any {
		list := List(args[1])
		f.Charge(1 + len(list))
		for _, v := range list {
			if s, ok := v.(string); ok {
				f.Charge(len(s) / bytesPerStep)
			}
			if v == args[0] {
				return true
			}
		}
		return false
	}, c.rewrite(n.Left), c.rewrite(n.Right))
}

// literals returns the elements of a list of literals; nil if some are none.
func literals(list *ast.ArrayNode) map[any]bool {
	out := map[any]bool{}
	for _, e := range list.Nodes {
		switch e := e.(type) {
		case *ast.StringNode:
			out[e.Value] = true
		case *ast.IntegerNode:
			out[e.Value], out[float64(e.Value)] = true, true
		default:
			return nil
		}
	}
	return out
}

func isText(n ast.Node) bool { return n.Type() != nil && n.Type().Kind() == reflect.String }

func isNil(n ast.Node) bool {
	_, ok := n.(*ast.NilNode)
	return ok
}
