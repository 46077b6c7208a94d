package customrules

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/brennerlint/brennerlint/source"
)

// Conditions and the expressions of messages are in the language of
// github.com/expr-lang/expr. They have no effects and read no clock. What they may cost is
// bounded here, before anything runs.
const (
	maxLength  = 4096 // bytes of an expression
	maxNodes   = 500  // what it is made of
	maxLoops   = 2    // loops over lists in each other
	maxPattern = 500  // instructions of a regular expression
)

// The memory that one run may take, so that no mail fills the machine.
const (
	maxElements = 4 << 20   // of lists that are made
	maxMade     = 256 << 20 // bytes of texts that are made
)

// invalid is why an expression cannot be used.
type invalid struct {
	Span    source.Span // in the expression
	Message string
}

// program is a compiled expression. It is safe for concurrent use.
type program struct {
	code *vm.Program
	// result is the type of the value. Of a list elem is that of its elements.
	result, elem reflect.Type
	// path is what the expression reads where it is nothing but a chain of names, such as
	// item.id; else "".
	path string
}

// compiling is the compilation of one expression.
type compiling struct {
	vars   reflect.Type // the struct whose fields are variables and functions
	src    string
	config *conf.Config
}

// compileExpression compiles an expression. The fields of the struct vars with a tag
// `expr` are what it may name.
func compileExpression(src string, vars reflect.Type) (*program, *invalid) {
	if len(src) > maxLength {
		return nil, &invalid{source.Span{Start: maxLength, End: maxLength + 1}, fmt.Sprintf("the expression is longer than %d bytes", maxLength)}
	}
	if at := source.ValidLen([]byte(src)); at < len(src) {
		return nil, &invalid{source.Span{Start: at, End: at + 1}, "not UTF-8"}
	}
	if strings.TrimSpace(src) == "" {
		return nil, &invalid{source.Span{End: len(src)}, "the expression is empty"}
	}
	c := &compiling{vars: vars, src: src, config: configOf(vars)}
	tree, err := parser.ParseWithConfig(src, c.config)
	if err != nil {
		return nil, c.checkError(err)
	}
	if bad := c.checkForm(tree.Node, 0, map[ast.Node]bool{}); bad != nil {
		return nil, bad
	}
	result, err := checker.Check(tree, c.config)
	if err != nil {
		return nil, c.checkError(err)
	}
	if bad := c.checkTypes(tree.Node); bad != nil {
		return nil, bad
	}
	p := &program{result: result, path: path(tree.Node)}
	if n := tree.Node.Nature(); n.IsArray() {
		elem := n.Elem(&c.config.NtCache)
		p.elem = elem.Type
	}
	ast.Walk(&tree.Node, absences{})
	if p.code, err = compiler.Compile(tree, c.config); err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		return nil, &invalid{source.Span{End: len(src)}, "the expression cannot be compiled: " + reason}
	}
	return p, nil
}

// configOf describes the language to the library: of its own functions only those on lists.
func configOf(vars reflect.Type) *conf.Config {
	c := conf.CreateNew()
	c.WithEnv(reflect.Zero(vars).Interface())
	c.Strict, c.Optimize, c.MaxNodes = true, false, maxNodes
	for name := range c.Builtins {
		if !isLoop(name) {
			c.Disabled[name] = true
			delete(c.Builtins, name)
		}
	}
	return c
}

// absences makes what is not in a list an empty value, and what is absent the same as nil.
// Nothing else can be nil: all objects of the model have all their fields.
type absences struct{}

// Visit replaces a node.
func (absences) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		if n.Node.Nature().IsArray() {
			*node = call(n, elementAt, n.Node, n.Property, constant(absent(n.Type())))
		}
	case *ast.BuiltinNode:
		if n.Name == "find" {
			*node = call(n, found, n, constant(absent(n.Type())))
		}
	case *ast.BinaryNode:
		switch {
		case n.Operator == "+" && n.Type() == reflect.TypeFor[string]():
			// The library's + makes texts of any size.
			*node = call(n, concat, &ast.IdentifierNode{Value: "$env"}, n.Left, n.Right)
		case isNil(n.Left) && isObject(n.Right.Type()):
			n.Left = constant(absent(n.Right.Type()))
		case isNil(n.Right) && isObject(n.Left.Type()):
			n.Right = constant(absent(n.Left.Type()))
		}
	}
}

// call returns the call of a function in place of a node.
func call(n ast.Node, do func(args ...any) any, args ...ast.Node) ast.Node {
	out := &ast.CallNode{Callee: constant(do), Arguments: args}
	out.SetLocation(n.Location())
	out.SetNature(*n.Nature())
	return out
}

func constant(v any) ast.Node {
	out := &ast.ConstantNode{Value: v}
	out.SetType(reflect.TypeOf(v))
	return out
}

// elementAt returns the element of a list at a place, from 0, or from the end if it is
// negative; outside the list it is the third argument.
func elementAt(args ...any) any {
	list, at := reflect.ValueOf(args[0]), args[1].(int)
	if at < 0 {
		at += list.Len()
	}
	if at < 0 || at >= list.Len() {
		return args[2]
	}
	return list.Index(at).Interface()
}

// found returns its first argument, or if there is none the second.
func found(args ...any) any {
	if args[0] == nil {
		return args[1]
	}
	return args[0]
}

// evaluate runs a program on a pointer to its variables.
func (t *task) evaluate(p *program, vars any) (any, error) {
	*t.functions.made = 0
	t.vm.MemoryBudget = maxElements
	v, err := t.vm.Run(p.code, vars)
	if err == nil {
		return v, nil
	}
	reason := err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		reason = e.Message
	}
	switch {
	case strings.Contains(reason, "memory budget exceeded"):
		reason = fmt.Sprintf("it makes lists of more than %d elements", maxElements)
	case strings.Contains(reason, "divide by zero"):
		reason = "it divides by zero"
	}
	return nil, errors.New("it cannot be evaluated: " + strings.TrimPrefix(reason, "runtime error: "))
}

// span returns a place of the library, which counts code points, in bytes.
func (c *compiling) span(at file.Location) source.Span {
	runes := []rune(c.src)
	from := min(at.From, len(runes))
	to := min(max(at.To, from+1), len(runes))
	start := len(string(runes[:from]))
	return source.Span{Start: start, End: start + len(string(runes[from:to]))}
}

// isObject reports whether a type is one of the model.
func isObject(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

func isNil(n ast.Node) bool {
	_, ok := n.(*ast.NilNode)
	return ok
}

// isUnknown reports whether the library does not know a type.
func isUnknown(n *nature.Nature) bool {
	return !n.Nil && (n.Type == nil || n.Type.Kind() == reflect.Interface)
}
