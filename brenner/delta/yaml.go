package delta

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
)

const (
	// maxYAML bounds the blocks that are read as YAML, or as lines with labels.
	maxYAML = 64 << 10
	// maxYAMLDepth bounds how deep values of YAML are in others: each is written again for all that it is in.
	maxYAMLDepth = 32
)

// Translated returns as JSON a block that gives the members of a delta in another language, or of several,
// and the name of that: YAML, or lines with labels. It is nil if the block does not.
func (d *Delta) Translated() (objects [][]byte, language string) {
	if objects = d.yaml(); objects != nil {
		return objects, "YAML"
	}
	if json := d.labels(); json != nil {
		return [][]byte{json}, "lines with labels"
	}
	return nil, ""
}

// label is a line of Markdown with a name and a value: an item of a list, bold, or a row of a table. tableHead
// is a line of TOML above values.
var (
	label     = text.Pattern("^[ \t]*(?:[-*+][ \t]+|\\|[ \t]*)?([*_`]*)([A-Za-z][A-Za-z_ ]*?)[ \t]*([*_`]*)[ \t]*([:|=])[ \t]*(.*?)[ \t]*$")
	tableHead = text.Pattern(`^[ \t]*\[(?:delta\.)?(?:payload|delta)\][ \t]*$`)
)

// labels returns as JSON a block whose lines all have labels, one of them for an operation.
func (d *Delta) labels() []byte {
	if len(d.Text.Data) > maxYAML {
		return nil
	}
	var members []written
	hasOperation := false
	for line := range strings.Lines(string(d.Text.Data)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.Trim(line, "|-: \t") == "" || tableHead().MatchString(line) {
			continue
		}
		m := label().FindStringSubmatch(line)
		if m == nil || len(members) == maxMembers {
			return nil
		}
		name, said := strings.ReplaceAll(strings.ToLower(m[2]), " ", "_"), m[5]
		if m[4] == "|" {
			said = strings.ReplaceAll(strings.TrimSpace(strings.TrimSuffix(said, "|")), `\|`, "|")
		}
		said, _ = brenner.Unmark(brenner.Unlabel(m[1], m[3], said))
		if op, sure := SuggestOperation(unquote(said)); op != "" && sure && (name == "operation" || memberAliases[name] == "operation") {
			hasOperation = true
		}
		if len(members) == 0 && strings.EqualFold(said, "value") || name == "payload" && said == "" { // above others
			continue
		}
		// Members of an object without its braces, or an object of another language, have no labels.
		if indexOf(members, name) >= 0 || strings.HasSuffix(said, ",") || strings.HasPrefix(said, "{") && !isJSON([]byte(said)) {
			return nil
		}
		members = append(members, written{name, labelled(said)})
	}
	if !hasOperation {
		return nil
	}
	return []byte(writeMembers(members, "\n  "))
}

// labelled returns the value of a label as JSON.
func labelled(said string) string {
	switch {
	case said == "" || strings.EqualFold(said, "none") || strings.EqualFold(said, "null"):
		return "null"
	case isJSON([]byte(said)):
		return said
	}
	return jsontree.Quote(unquote(said))
}

// unquote returns a text without the quotation marks around the whole of it.
func unquote(said string) string {
	for _, mark := range [...]string{`"`, "'"} {
		in, opens := strings.CutPrefix(said, mark)
		if in, closes := strings.CutSuffix(in, mark); opens && closes && !strings.Contains(in, mark) {
			return in
		}
	}
	return said
}

func isJSON(text []byte) bool {
	_, fault := jsontree.Parse(text, jsontree.Options{})
	return fault == nil
}

// yaml returns as JSON a block of YAML mappings with the members of a delta, in documents, a list or a wrapper; nil
// if it is something else.
func (d *Delta) yaml() (objects [][]byte) {
	data := d.Text.Data
	text := bytes.TrimLeft(data, " \t\r\n")
	if d.Syntax == nil || len(text) == 0 || text[0] == '{' || text[0] == '[' { // with faults of JSON
		return nil
	}
	if len(data) > maxYAML || !bytes.Contains(data, []byte("operation:")) || bytes.IndexByte(data, '&') >= 0 {
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return objects
		case err != nil || len(document.Content) != 1:
			return nil
		}
		item := document.Content[0]
		if in := item.Content; item.Kind == yaml.MappingNode && len(in) == 2 && in[0].Value != "operation" && slices.Contains(wrappers, strings.TrimSuffix(in[0].Value, "s")) {
			item = in[1]
		}
		items := []*yaml.Node{item}
		if item.Kind == yaml.SequenceNode {
			items = item.Content
		}
		if len(objects)+len(items) > maxSeveral {
			return nil
		}
		for _, item := range items {
			json := []byte(asJSON(item, "\n"))
			if root, _ := jsontree.Parse(json, *d.json); root.Get("operation") == nil {
				return nil
			}
			objects = append(objects, json)
		}
	}
}

// asJSON writes a value of YAML without aliases as JSON, a mapping in lines; indent is what is before its end.
// For keys that are no texts and what is too deep it writes what is not JSON.
func asJSON(n *yaml.Node, indent string) string {
	var items []string
	var members []written
	if len(indent) > len("\n")+len("  ")*maxYAMLDepth {
		return notJSON
	}
	switch n.Kind {
	case yaml.ScalarNode:
		switch {
		case n.Tag == "!!null":
			return "null"
		case slices.Contains([]string{"!!int", "!!float", "!!bool"}, n.Tag) && isJSON([]byte(n.Value)):
			return n.Value
		case strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"): // of a text that begins with it
			return notJSON
		}
		return jsontree.Quote(n.Value)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			items = append(items, asJSON(item, indent+"  "))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind != yaml.ScalarNode {
			return notJSON
		}
		members = append(members, written{n.Content[i].Value, asJSON(n.Content[i+1], indent+"  ")})
	}
	return writeMembers(members, indent+"  ")
}

const notJSON = "*"
