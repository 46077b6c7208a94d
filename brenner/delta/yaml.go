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

// maxYAML bounds the blocks that are read as YAML, or as lines with labels.
const maxYAML = 64 << 10

// Translated returns as JSON a block that gives the members of a delta in another language, and the
// name of that: YAML, or lines with labels. It is nil if the block does not.
func (d *Delta) Translated() (json []byte, language string) {
	if json = d.yaml(); json != nil {
		return json, "YAML"
	}
	return d.labels(), "lines with labels"
}

// label is a line of Markdown with a name and a value: an item of a list, bold, or a row of a table.
var label = text.Pattern("^[ \t]*(?:[-*+][ \t]+|\\|)?[ \t*_`]*([A-Za-z][A-Za-z_ ]*?)[ \t*_`]*[:|=][ \t*_]*(.*?)[ \t|]*$")

// labels returns as JSON a block whose lines all have labels, one of them for an operation.
func (d *Delta) labels() []byte {
	if d.Syntax == nil || len(d.Text.Data) > maxYAML {
		return nil
	}
	var members []written
	hasOperation := false
	for line := range strings.Lines(string(d.Text.Data)) {
		if strings.Trim(line, "|-: \t\r\n") == "" {
			continue
		}
		m := label().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || len(members) == maxMembers {
			return nil
		}
		name := strings.ReplaceAll(strings.ToLower(m[1]), " ", "_")
		said, _ := brenner.Unmark(strings.Trim(m[2], "\""))
		if op, sure := SuggestOperation(said); op != "" && sure && (name == "operation" || memberAliases[name] == "operation") {
			hasOperation = true
		}
		isHead := len(members) == 0 && strings.EqualFold(said, "value") || name == "payload" && said == ""
		if isHead {
			continue
		}
		if indexOf(members, name) >= 0 {
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
	return jsontree.Quote(said)
}

func isJSON(text []byte) bool {
	_, fault := jsontree.Parse(text, jsontree.Options{})
	return fault == nil
}

// yaml returns as JSON a block that is a YAML mapping with the members of a delta; nil if it is
// not one.
func (d *Delta) yaml() []byte {
	data := d.Text.Data
	text := bytes.TrimLeft(data, " \t\r\n")
	if d.Syntax == nil || len(text) == 0 || text[0] == '{' || text[0] == '[' { // with faults of JSON
		return nil
	}
	if len(data) > maxYAML || !bytes.Contains(data, []byte("operation:")) || bytes.IndexByte(data, '&') >= 0 {
		return nil
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if decoder.Decode(&document) != nil || !errors.Is(decoder.Decode(new(yaml.Node)), io.EOF) || len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	json := []byte(asJSON(document.Content[0], "\n"))
	if root, _ := jsontree.Parse(json, *d.json); root.Get("operation") == nil {
		return nil
	}
	return json
}

// asJSON writes a value of YAML as JSON, a mapping in lines; indent is what is before its end. For
// aliases and keys that are no texts it writes what is not JSON.
func asJSON(n *yaml.Node, indent string) string {
	var items []string
	var members []written
	switch n.Kind {
	case yaml.ScalarNode:
		switch {
		case n.Tag == "!!null":
			return "null"
		case slices.Contains([]string{"!!int", "!!float", "!!bool"}, n.Tag) && isJSON([]byte(n.Value)):
			return n.Value
		}
		return jsontree.Quote(n.Value)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			items = append(items, asJSON(item, indent+"  "))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode {
				return notJSON
			}
			members = append(members, written{n.Content[i].Value, asJSON(n.Content[i+1], indent+"  ")})
		}
		return writeMembers(members, indent+"  ")
	}
	return notJSON
}

const notJSON = "*"
