// Package expression compiles and runs the expressions of house rules: a small,
// typed and bounded part of the language of github.com/expr-lang/expr.
//
// What an expression may name (objects with their fields, functions) is a Language.
// Everything is checked when an expression is compiled, with places. Running one
// has no effects, reads no clock, and is bounded by a number of steps that depends
// on nothing but the expression and what it is run on: what could take long is
// charged for, by the size of what it looks at.
package expression

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/brennerlint/brennerlint/source"
)

// The limits on an expression.
const (
	MaxLength = 4096 // bytes
	MaxNodes  = 500
	// maxPattern is how many instructions a regular expression may become.
	maxPattern = 500
)

// Language is what expressions may name.
type Language struct {
	// Fields reads the fields of objects. An object is described by a struct: its
	// fields with a tag `expr` are those that expressions see. What stands for an
	// object when an expression runs is up to the language; nil is an absent one.
	Fields map[reflect.Type]map[string]Field
	// Functions are those that expressions may call, by name.
	Functions map[string]*Function
}

// Field reads a field of an object, which may be absent (nil). A list is a []any.
type Field func(f *Frame, of any) any

// Function is a function of a language.
type Function struct {
	// Type is a nil Go function with the types of arguments and result.
	Type any
	// Result, if given, checks the arguments instead, and returns the type of the result.
	Result func(args []reflect.Type) (reflect.Type, error)
	// Literal, if given, says what is wrong with a literal text as an argument.
	Literal func(text string) error
	// Call computes it. It charges the frame for more than a few steps.
	Call func(f *Frame, args []any) any
	// Pattern is the place of an argument that is a regular expression, from 1; 0 if
	// none is. It must be literal, and is given to Call as a *Pattern.
	Pattern int
}

// Error is why an expression cannot be used.
type Error struct {
	Span    source.Span // in the expression
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Program is a compiled expression. It is safe for concurrent use, each
// with a frame of its own.
type Program struct {
	program *vm.Program
	// Type is the type of the result. Of a list Elem is that of its elements.
	Type, Elem reflect.Type
	// Path is what the expression reads where it is nothing but a chain of names, such
	// as item.id; else "".
	Path string
}

// Compile compiles an expression. The fields of the struct vars with a tag `expr` are
// the variables; a Frame has their values in the same order.
func (l *Language) Compile(src string, vars reflect.Type) (*Program, *Error) {
	if len(src) > MaxLength {
		return nil, &Error{source.Span{Start: MaxLength, End: MaxLength + 1}, fmt.Sprintf("the expression is longer than %d bytes", MaxLength)}
	}
	if at := source.ValidLen([]byte(src)); at < len(src) {
		return nil, &Error{source.Span{Start: at, End: at + 1}, "not UTF-8"}
	}
	c := &compiling{language: l, vars: vars, src: src, config: l.config(vars)}
	tree, err := c.parse()
	if err != nil {
		return nil, err
	}
	if err := c.checkForm(tree.Node, map[ast.Node]bool{}); err != nil {
		return nil, err
	}
	typ, checkErr := checker.Check(tree, c.config)
	if checkErr != nil {
		return nil, c.checkError(checkErr)
	}
	if err := c.check(tree.Node); err != nil {
		return nil, err
	}
	p := &Program{Type: typ, Path: path(tree.Node)}
	if n := tree.Node.Nature(); n.IsArray() {
		elem := n.Elem(&c.config.NtCache)
		p.Elem = elem.Type
	}
	tree.Node = c.rewrite(tree.Node)
	if c.err != nil {
		return nil, c.err
	}
	program, compileErr := compiler.Compile(tree, c.config)
	if compileErr != nil {
		reason, _, _ := strings.Cut(compileErr.Error(), "\n")
		return nil, &Error{source.Span{End: len(src)}, "the expression cannot be compiled: " + reason}
	}
	p.program = program
	return p, nil
}

// config describes the language to the library.
func (l *Language) config(vars reflect.Type) *conf.Config {
	c := conf.CreateNew()
	c.WithEnv(reflect.Zero(vars).Interface()) // not a pointer: then variables are found by their places
	c.Strict, c.Optimize, c.MaxNodes = true, false, MaxNodes
	for name := range c.Builtins {
		if !slices.Contains(LoopNames, name) {
			c.Disabled[name] = true
			delete(c.Builtins, name)
		}
	}
	for name, f := range l.Functions {
		declared := &builtin.Function{Name: name, Validate: f.Result}
		if f.Result == nil {
			declared.Types = []reflect.Type{reflect.TypeOf(f.Type)}
		}
		c.Functions[name] = declared
	}
	return c
}

// LoopNames are the functions of the library that expressions may use: those that look at
// each element of a list.
var LoopNames = []string{"all", "any", "none", "one", "filter", "map", "count", "find"}

// compiling is the compilation of one expression.
type compiling struct {
	language *Language
	vars     reflect.Type
	src      string
	config   *conf.Config
	err      *Error
}

// parse parses the expression. The library's parser panics on nothing known; if it
// still does, the expression is invalid.
func (c *compiling) parse() (tree *parser.Tree, err *Error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, &Error{source.Span{End: len(c.src)}, "the expression cannot be parsed"}
		}
	}()
	if strings.TrimSpace(c.src) == "" {
		return nil, &Error{source.Span{End: len(c.src)}, "the expression is empty"}
	}
	tree, parseErr := parser.ParseWithConfig(c.src, c.config)
	if parseErr != nil {
		return nil, c.checkError(parseErr)
	}
	return tree, nil
}

// span returns a place of the library, which counts code points, in bytes.
func (c *compiling) span(at file.Location) source.Span {
	start := c.offset(at.From)
	end := c.offset(at.To)
	if end <= start {
		_, size := utf8.DecodeRuneInString(c.src[start:])
		end = start + size
	}
	return source.Span{Start: start, End: end}
}

func (c *compiling) offset(runes int) int {
	n := 0
	for i := range c.src {
		if n == runes {
			return i
		}
		n++
	}
	return len(c.src)
}

// isObject reports whether a type describes an object.
func isObject(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// isUnknown reports whether the library does not know a type.
func isUnknown(n *nature.Nature) bool {
	return !n.Nil && (n.Type == nil || n.Type.Kind() == reflect.Interface)
}
