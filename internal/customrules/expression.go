package customrules

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Conditions and the expressions of messages are in the language of github.com/expr-lang/expr.
// They have no effects and read no clock. Their cost is bounded here, before anything runs.
const (
	maxLength  = 4096 // bytes of an expression
	maxNodes   = 500  // parts of an expression
	maxLoops   = 2    // depth of nested loops over lists
	maxPattern = 500  // instructions of a regular expression
)

// The memory that one run may take, so that no mail fills the machine.
const (
	maxElements = 4 << 20   // of lists that are made
	maxMade     = 256 << 20 // bytes of texts that are made
)

// program is a compiled expression. It is safe for concurrent use.
type program struct {
	code *vm.Program
	// result is the type of the value. If it is a list, elem is the type of its elements.
	result, elem reflect.Type
	// public: --redact shows the value, an id or a name of the protocol.
	public bool
}

// variable is a name, and an object of the type that it stands for.
type variable struct {
	name   string
	object any
}

// environment is what an expression may name.
type environment struct {
	functions, variables []string
	config               *conf.Config // with their types
}

// compiling is the compilation of one expression.
type compiling struct {
	environment
	src  string
	seen map[ast.Node]bool
}

// compileExpression compiles an expression.
func compileExpression(src string, in environment) (*program, *Fault) {
	if len(src) > maxLength {
		return nil, &Fault{Span: source.Span{Start: maxLength, End: maxLength + 1}, Message: fmt.Sprintf("the expression is longer than %d bytes", maxLength)}
	}
	if strings.TrimSpace(src) == "" {
		return nil, fault(src, "the expression is empty")
	}
	c := &compiling{in, src, map[ast.Node]bool{}}
	tree, err := parser.ParseWithConfig(src, c.config)
	if err != nil {
		return nil, c.checkError(err)
	}
	if bad := walk(tree.Node, 0, c.checkForm); bad != nil {
		return nil, bad
	}
	result, err := checker.Check(tree, c.config)
	if err != nil {
		return nil, c.checkError(err)
	}
	if bad := walk(tree.Node, 0, c.checkType); bad != nil {
		return nil, bad
	}
	p := &program{result: result, public: isPublic(tree.Node)}
	if n := tree.Node.Nature(); n.IsArray() {
		elem := n.Elem(&c.config.NtCache)
		p.elem = elem.Type
	}
	ast.Walk(&tree.Node, absences{})
	if p.code, err = compiler.Compile(tree, c.config); err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fault(src, "the expression cannot be compiled: "+reason)
	}
	return p, nil
}

// environment returns what the expressions of a scope may name, with more variables. Of the
// library's own functions it has only those on lists.
func (s *scope) environment(more ...variable) environment {
	in := environment{functions: namesIn(functions, s.name)}
	values := new(task).functions() // of the type of each name
	maps.DeleteFunc(values, func(name string, _ any) bool { return !slices.Contains(in.functions, name) })
	for _, v := range slices.Concat(s.vars, more) {
		in.variables = append(in.variables, v.name)
		values[v.name] = v.object
	}
	in.config = conf.New(values)
	in.config.Strict, in.config.Optimize, in.config.MaxNodes = true, false, maxNodes
	for name := range in.config.Builtins {
		if !slices.Contains(loopNames, name) {
			in.config.Disabled[name] = true
			delete(in.config.Builtins, name)
		}
	}
	return in
}

// absences makes what is not in a list an empty value, and what is absent the same as nil.
// Nothing else can be nil: all objects of the model have all their fields.
type absences struct{}

// Visit replaces a node.
func (absences) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		if n.Node.Nature().IsArray() { // get is nil outside of the list
			*node = orAbsent(n, &ast.BuiltinNode{Name: "get", Arguments: []ast.Node{n.Node, n.Property}})
		}
	case *ast.BuiltinNode:
		if n.Name == "find" {
			*node = orAbsent(n, n)
		}
	case *ast.BinaryNode:
		switch {
		case n.Operator == "+" && n.Type() == reflect.TypeFor[string]():
			join := &ast.IdentifierNode{Value: "+"}
			join.SetType(reflect.TypeFor[func(a, b string) string]())
			*node = call(n, join, n.Left, n.Right)
		case isNil(n.Left) && isObject(n.Right.Type()):
			n.Left = constant(absent(n.Right.Type()))
		case isNil(n.Right) && isObject(n.Left.Type()):
			n.Right = constant(absent(n.Left.Type()))
		}
	}
}

// orAbsent returns a value in place of a node, or what is absent where it is nil.
func orAbsent(n, value ast.Node) ast.Node {
	or := func(args ...any) any {
		if args[0] == nil {
			return args[1]
		}
		return args[0]
	}
	return call(n, constant(or), value, constant(absent(n.Type())))
}

// call returns the call of a function in place of a node.
func call(n, function ast.Node, args ...ast.Node) ast.Node {
	out := &ast.CallNode{Callee: function, Arguments: args}
	out.SetLocation(n.Location())
	out.SetNature(*n.Nature())
	return out
}

func constant(v any) ast.Node {
	out := &ast.ConstantNode{Value: v}
	out.SetType(reflect.TypeOf(v))
	return out
}

// evaluate runs a program, unless one before could not be evaluated.
func (t *task) evaluate(p *program) any {
	if t.err != nil {
		return nil
	}
	t.made, t.vm.MemoryBudget = 0, maxElements
	v, err := t.vm.Run(p.code, t.env)
	if err == nil {
		return v
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
	t.err = errors.New("it cannot be evaluated: " + strings.TrimPrefix(reason, "runtime error: "))
	return nil
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

// walk checks an expression and what is in it, from outside to inside. depth counts the loops
// that a node is in.
func walk(n ast.Node, depth int, check func(n ast.Node, depth int) *Fault) *Fault {
	if bad := check(n, depth); bad != nil {
		return bad
	}
	if _, ok := n.(*ast.PredicateNode); ok { // what a loop does with each element
		depth++
	}
	for _, part := range children(n) {
		if bad := walk(part, depth, check); bad != nil {
			return bad
		}
	}
	return nil
}

// checkForm rejects the forms that are not supported, before types are looked at, and
// more than maxLoops loops in each other. In a chained comparison the library puts what is in
// the middle into the tree twice, so that chains in chains would take forever to compile.
func (c *compiling) checkForm(n ast.Node, depth int) *Fault {
	if c.seen[n] {
		return c.fault(n, "write a < b and b < c instead of a < b < c")
	}
	c.seen[n] = true
	switch n := n.(type) {
	case *ast.ChainNode:
		return c.fault(n, "write . instead of ?.: the fields of what is absent are empty")
	case *ast.SliceNode:
		return c.fault(n, "slices are not supported")
	case *ast.SequenceNode:
		return c.fault(n, "expected one expression; got several")
	case *ast.CallNode:
		if name, ok := n.Callee.(*ast.IdentifierNode); !ok || name.Value == "$env" {
			return c.fault(n, "only functions can be called")
		}
		return c.checkCall(n)
	case *ast.BuiltinNode:
		switch {
		case !slices.Contains(loopNames, n.Name):
			return c.unknownName(n.Location(), n.Name)
		case len(n.Arguments) != 2:
			return c.fault(n, "%s expects a list and a condition", n.Name)
		case depth == maxLoops:
			return c.fault(n, "more than %d loops over lists in each other", maxLoops)
		}
	case *ast.PointerNode:
		if n.Name != "" && n.Name != "index" {
			return c.fault(n, "unknown name %q", "#"+n.Name)
		}
	case *ast.IdentifierNode:
		if n.Value == "$env" || slices.Contains(c.functions, n.Value) {
			return c.unknownName(n.Location(), n.Value)
		}
	case *ast.BinaryNode:
		return c.checkOperator(n)
	case *ast.ConditionalNode, *ast.ArrayNode, *ast.MemberNode, *ast.UnaryNode, *ast.VariableDeclaratorNode, *ast.PredicateNode,
		*ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode:
	default:
		return c.fault(n, "expected a condition or a value")
	}
	return nil
}

func (c *compiling) checkOperator(n *ast.BinaryNode) *Fault {
	switch n.Operator {
	case "and", "or", "&&", "||", "<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "contains", "startsWith", "endsWith", "in":
	case "/", "%":
		if isZero(n.Right) {
			return c.fault(n.Right, "this divides by zero")
		}
	case "matches":
		return c.checkPattern(n, n.Right, "expected a literal regular expression after matches")
	default:
		return c.fault(n, "unknown operator %q", n.Operator)
	}
	for _, side := range []ast.Node{n.Left, n.Right} {
		if isNil(side) && n.Operator != "==" && n.Operator != "!=" {
			return c.fault(side, "nil can only be compared with == and !=")
		}
	}
	return nil
}

// isZero reports whether an expression is the literal 0, with a sign or without.
func isZero(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return n.Value == 0
	case *ast.FloatNode:
		return n.Value == 0
	case *ast.UnaryNode:
		return isZero(n.Node)
	}
	return false
}

// checkCall checks the arguments that have to be literal.
func (c *compiling) checkCall(n *ast.CallNode) *Fault {
	switch name := n.Callee.(*ast.IdentifierNode).Value; {
	case name == "capture" && len(n.Arguments) == 2:
		return c.checkPattern(n.Arguments[1], n.Arguments[1], "expected a literal regular expression")
	case name == "section" && len(n.Arguments) == 1 && slices.Contains(c.functions, "meta"):
		if word, ok := n.Arguments[0].(*ast.StringNode); ok && sectionNamed(word.Value) == 0 { // of an artifact
			return c.fault(word, "unknown section %s%s", text.Quote(word.Value), suggestion(word.Value, delta.SectionIDs, delta.SectionIDs))
		}
	}
	return nil
}

// checkPattern checks a literal regular expression (RE2: it takes time in proportion to the text).
func (c *compiling) checkPattern(at, n ast.Node, otherwise string) *Fault {
	literal, ok := n.(*ast.StringNode)
	if !ok {
		return c.fault(n, "%s", otherwise)
	}
	tree, err := syntax.Parse(literal.Value, syntax.Perl)
	if err != nil {
		return c.fault(at, "%s", strings.Replace(err.Error(), "error parsing regexp", "invalid regular expression", 1))
	}
	compiled, _ := syntax.Compile(tree.Simplify()) // there is no error
	if size := len(compiled.Inst); size > maxPattern {
		return c.fault(n, "the regular expression is too large: it has %d instructions; expected at most %d", size, maxPattern)
	}
	return nil
}

// checkType rejects what the library would look at when the expression runs: all types are
// known before.
func (c *compiling) checkType(n ast.Node, _ int) *Fault {
	switch n := n.(type) {
	case *ast.BinaryNode:
		left, right := n.Left.Nature(), n.Right.Nature()
		switch {
		case (n.Operator == "==" || n.Operator == "!=") && (left.IsArray() || right.IsArray()):
			return c.fault(n, "lists cannot be compared; use in, any or all")
		case n.Operator == "in" && !right.IsArray():
			return c.fault(n.Right, "expected a list after in")
		case isUnknown(n.Nature()):
			return c.fault(n, "the operands of %s have the wrong types", n.Operator)
		}
		return nil
	case *ast.MemberNode:
		if _, ok := fieldOf(n); !ok && !n.Node.Nature().IsArray() {
			return c.fault(n, "this has no fields")
		}
		return nil
	case *ast.CallNode:
		arg := n.Arguments[0].Nature() // all functions have one
		switch name := n.Callee.(*ast.IdentifierNode).Value; {
		case name == "len" && !arg.IsArray() && arg.Kind != reflect.String:
			return c.fault(n, "len expects a text or a list")
		case name == "join" && !arg.IsArray():
			return c.fault(n, "join expects a list of texts and a text")
		}
	case *ast.BuiltinNode:
		p, _ := n.Arguments[1].(*ast.PredicateNode)
		switch {
		case !n.Arguments[0].Nature().IsArray():
			return c.fault(n.Arguments[0], "%s expects a list", n.Name)
		case isUnknown(n.Nature()):
			return c.fault(n, "the type of the result of %s is not known", n.Name)
		case p != nil && n.Name != "map" && !p.Node.Nature().IsBool():
			return c.fault(p.Node, "%s expects a condition", n.Name)
		}
		return nil
	case *ast.ConditionalNode:
		if isUnknown(n.Nature()) {
			return c.fault(n, "the values of a condition have different types")
		}
	case *ast.ArrayNode:
		for _, e := range n.Nodes {
			if !isValue(e.Type()) || e.Type() != n.Nodes[0].Type() {
				return c.fault(e, "the elements of a list are all texts or all numbers")
			}
		}
	case *ast.VariableDeclaratorNode, *ast.PredicateNode: // what is in them is checked
		return nil
	}
	if isUnknown(n.Nature()) {
		return c.fault(n, "the type of this is not known")
	}
	return nil
}

// isValue reports whether a type is that of a text, a number, or true and false.
func isValue(t reflect.Type) bool {
	return t != nil && (t.Kind() == reflect.String || t.Kind() == reflect.Int || t.Kind() == reflect.Float64 || t.Kind() == reflect.Bool)
}

func (c *compiling) fault(n ast.Node, format string, args ...any) *Fault {
	return &Fault{Span: c.span(n.Location()), Message: fmt.Sprintf(format, args...)}
}

// children returns the expressions in a node, without names of functions and fields.
func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.MemberNode:
		if _, name := n.Property.(*ast.StringNode); name {
			return []ast.Node{n.Node}
		}
		return []ast.Node{n.Node, n.Property}
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

// isPublic reports whether an expression is a chain of names that ends in a field that --redact
// shows.
func isPublic(n ast.Node) bool {
	m, ok := n.(*ast.MemberNode)
	if !ok || !isChain(n) {
		return false
	}
	f, _ := fieldOf(m)
	return f.Tag.Get("quoted") == "no" || f.Type.Kind() == reflect.Int || f.Type.Kind() == reflect.Bool
}

// isChain reports whether an expression is only a chain of names, such as item.id.
func isChain(n ast.Node) bool {
	if m, ok := n.(*ast.MemberNode); ok {
		_, named := m.Property.(*ast.StringNode)
		return named && isChain(m.Node)
	}
	_, ok := n.(*ast.IdentifierNode)
	return ok
}

var (
	unknownFieldError = text.Pattern(`^type (?:\S*\.)?(\S+) has no (?:field|method) (\S+)$`)
	badToken          = text.Pattern(`unexpected token [A-Z][a-z]+\((".*")\)`)
	goTypeName        = text.Pattern(`\*?(?:\[\])?\*?[a-z]+\.([A-Z][a-zA-Z]*)`)
)

// checkError words an error of the library.
func (c *compiling) checkError(err error) *Fault {
	e, ok := errors.AsType[*file.Error](err)
	if !ok {
		return fault(c.src, err.Error())
	}
	if name, ok := strings.CutPrefix(e.Message, "unknown name "); ok {
		return c.unknownName(e.Location, name)
	}
	if m := unknownFieldError().FindStringSubmatch(e.Message); m != nil {
		return c.unknownField(e.Location, m[1], m[2])
	}
	message := goTypeName().ReplaceAllStringFunc(e.Message, func(s string) string {
		return strings.ToLower(goTypeName().FindStringSubmatch(s)[1])
	})
	message = badToken().ReplaceAllString(message, "unexpected $1")
	if number, why, ok := strings.Cut(message, " literal: "); ok && strings.HasPrefix(number, "invalid ") {
		message = "invalid number"
		if strings.Contains(why, "out of range") {
			message = "the number is too large"
		}
	}
	return &Fault{Span: c.span(e.Location), Message: strings.TrimSpace(typeWords.Replace(message))}
}

// typeWords are what users read instead of what the library says.
var typeWords = strings.NewReplacer(
	"[]interface {}", "list", "[]string", "list of texts", "interface {}", "any value", "string and int)", "text and number)",
	"string", "text", "float64", "number", "(type int)", "(type number)", "use int as", "use number as", "types int and", "types number and",
	"unexpected token EOF", "unexpected end of the expression", "error parsing regexp", "invalid regular expression",
	"integer literal is too large", "the number is too large", "float literal is too large", "the number is too large",
	"predicate should return boolean", "expected a condition",
	"compilation failed: expression exceeds maximum allowed nodes", "the expression is too long",
)

// unknownName returns the error for a name that is neither a variable nor a function.
func (c *compiling) unknownName(at file.Location, name string) *Fault {
	functions := slices.Concat(loopNames, c.functions)
	if slices.Contains(functions, name) {
		return &Fault{Span: c.span(at), Message: name + " is a function; write " + name + "(…)"}
	}
	known := slices.Concat([]string{"let", "true", "false", "nil"}, functions, c.variables)
	expected := slices.Concat(c.variables, []string{"a function"})
	return &Fault{Span: c.span(at), Message: "unknown name " + text.Quote(name) + suggestion(name, known, expected)}
}

// unknownField returns the error for a field that an object does not have. The library
// places it at the object or at the dot; the field's name comes after it.
func (c *compiling) unknownField(at file.Location, object, field string) *Fault {
	span := c.span(at)
	if i := strings.Index(c.src[span.Start:], field); i >= 0 {
		span = source.Span{Start: span.Start + i, End: span.Start + i + len(field)}
	}
	for _, o := range objects {
		if t := reflect.TypeOf(o).Elem(); t.Name() == object {
			names, _ := FieldsOf(t, "expr")
			return &Fault{Span: span, Message: "the " + strings.ToLower(object) + " has no field " + text.Quote(field) + suggestion(field, names, names)}
		}
	}
	return &Fault{Span: span, Message: "unknown field " + text.Quote(field)}
}

// fieldOf returns the field of an object that an expression is; false if it is none.
func fieldOf(n *ast.MemberNode) (f reflect.StructField, ok bool) {
	if name, named := n.Property.(*ast.StringNode); named && isObject(n.Node.Type()) {
		_, fields := FieldsOf(n.Node.Type().Elem(), "expr")
		f, ok = fields[name.Value]
	}
	return f, ok
}

// FieldsOf returns the fields of a struct by the names that a tag gives them, and the names in
// order.
func FieldsOf(t reflect.Type, tag string) (names []string, fields map[string]reflect.StructField) {
	fields = map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			names = append(names, name)
			fields[name] = f
		}
	}
	return names, fields
}

// maxExpected is how many names a message lists.
const maxExpected = 14

func suggestion(name string, known, expected []string) string {
	if best := text.Nearest(name, known); best != "" {
		return "; did you mean " + text.Quote(best) + "?"
	}
	if len(expected) > maxExpected {
		return "; expected " + strings.Join(expected[:3], ", ") + " or another that docs/custom-rules.md lists"
	}
	if len(expected) > 0 {
		return "; expected " + text.Or(expected)
	}
	return ""
}
