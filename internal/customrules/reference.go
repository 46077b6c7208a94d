package customrules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Reference returns the part of the documentation that lists every variable, field,
// function and place, in Markdown.
func Reference() string {
	var b strings.Builder
	writeScopes(&b)
	writeFunctions(&b)
	for _, t := range objects {
		writeObject(&b, t.Elem())
	}
	return b.String()
}

// scopeDocs say what rules of a scope look at, and when.
var scopeDocs = map[string]string{
	"message":   "each message, also a draft before it is sent",
	"delta":     "each delta block of each DELTA message",
	"thread":    "each thread that is there as a whole, after its messages; a draft with `presend --thread`",
	"artifact":  "each artifact: files, and those that COMPILED messages hold",
	"item":      "each item of each artifact",
	"workspace": "everything that is checked together, once",
}

func writeScopes(b *strings.Builder) {
	b.WriteString("### Scopes\n\n| Scope | The rule looks at | Variables | `at` |\n|---|---|---|---|\n")
	for _, name := range Scopes {
		s := scopes[name]
		vars := variables(s.vars)
		if s.each != nil {
			vars += "; in the report also " + variables(s.each)[len(vars)+2:] + " where `when` is a list of " + plural(s.element)
		}
		var at []string
		for _, word := range places[name] {
			at = append(at, "`"+word+"`")
		}
		more := ""
		switch name {
		case "delta":
			more = ", a field of the payload"
		case "item":
			more = ", a field of the item"
		case "artifact":
			more = ", a section's id"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s%s |\n", name, scopeDocs[name], vars, strings.Join(at, ", "), more)
	}
	b.WriteString("\nThe first place is where a finding is if the rule has no `at`, and where it is if what `at` names is not there.\n")
}

// variables returns the variables of a struct with their types.
func variables(t reflect.Type) string {
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("expr") != "" && f.Tag.Get("call") == "" {
			out = append(out, fmt.Sprintf("`%s` (%s)", f.Tag.Get("expr"), typeName(f.Type)))
		}
	}
	return strings.Join(out, ", ")
}

func writeFunctions(b *strings.Builder) {
	b.WriteString("\n### Functions\n\n| Function | Value | Scopes |\n|---|---|---|\n")
	for _, in := range []struct {
		t      reflect.Type
		scopes string
	}{
		{reflect.TypeFor[functions](), "all"}, {reflect.TypeFor[itemFunctions](), "artifact, item, thread"},
		{reflect.TypeFor[messageFunctions](), "message, delta"}, {reflect.TypeFor[artifactFunctions](), "artifact, item"},
		{reflect.TypeFor[threadFunctions](), "thread"},
	} {
		for _, f := range reflect.VisibleFields(in.t) {
			if call := f.Tag.Get("call"); call != "" {
				fmt.Fprintf(b, "| `%s` | %s | %s |\n", call, f.Tag.Get("doc"), in.scopes)
			}
		}
	}
	b.WriteString("\nThese look at each element of a list. In the condition `#` is the element, `.name` a field of it, and `#index` its place from 0:\n\n| Function | Value |\n|---|---|\n")
	for _, f := range loops {
		fmt.Fprintf(b, "| `%s` | %s |\n", f[0], f[1])
	}
}

// objectDocs introduce the types of objects.
var objectDocs = map[string]string{
	"Message":   "In the scopes message and delta.",
	"Envelope":  "A message in the scope thread. It has the fields of a message but `body`, `sections` and `artifact`, which are not kept.",
	"Section":   "A heading and what is under it.",
	"Delta":     "A delta block. The fields of its payload are those of items, below; so `delta.claim` is the claim that it adds or sets.",
	"Thread":    "A thread and what its merges made.",
	"Artifact":  "An artifact.",
	"Item":      "An item of an artifact; in the scope thread, of the merged state.",
	"Outcome":   "An outcome of a prediction or a test.",
	"Session":   "A thread or an artifact file, in the scope workspace.",
	"Workspace": "All sessions.",
}

func writeObject(b *strings.Builder, t reflect.Type) {
	name := strings.ToLower(t.Name())
	fmt.Fprintf(b, "\n### %s\n\n%s\n", strings.ToUpper(name[:1])+name[1:], objectDocs[t.Name()])
	if t.Name() == "Envelope" { // its introduction says which fields it has
		return
	}
	b.WriteString("\n| Field | Type | Meaning |\n|---|---|---|\n")
	var own, common []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Tag.Get("expr") == "":
		case len(f.Index) > 1 && t.Name() != "Message":
			common = append(common, f)
		default:
			own = append(own, f)
		}
	}
	if t.Name() != "Delta" { // its introduction says which they are
		own = slices.Concat(own, common)
	}
	for i := 0; i < len(own); i++ {
		f, names := own[i], "`"+own[i].Tag.Get("expr")+"`"
		for i+1 < len(own) && own[i+1].Type == f.Type && own[i+1].Tag.Get("doc") == f.Tag.Get("doc") {
			i++
			names += ", `" + own[i].Tag.Get("expr") + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", names, typeName(f.Type), f.Tag.Get("doc"))
	}
}

// typeName returns how the reference calls a type.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "list of " + strings.TrimSuffix(typeName(t.Elem()), "s") + "s"
	}
	return strings.ToLower(t.Elem().Name())
}
