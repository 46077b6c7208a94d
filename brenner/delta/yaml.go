package delta

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// maxYAML bounds the blocks that are read as YAML.
const maxYAML = 64 << 10

// YAML returns as JSON a block that is a YAML mapping with the members of a delta; nil if it is
// not one.
func (d *Delta) YAML() []byte {
	data := d.Text.Data
	text := bytes.TrimLeft(data, " \t\r\n")
	if d.Syntax == nil || len(text) == 0 || text[0] == '{' || text[0] == '[' { // with faults of JSON
		return nil
	}
	if len(data) > maxYAML || !bytes.Contains(data, []byte("operation:")) || bytes.IndexByte(data, '&') >= 0 {
		return nil
	}
	var document yaml.Node
	if yaml.Unmarshal(data, &document) != nil || len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	json, ok := asJSON(document.Content[0], "\n")
	if root, _ := jsontree.Parse(json, *d.json); !ok || root.Get("operation") == nil {
		return nil
	}
	return json
}

// asJSON writes a value of YAML as JSON, a mapping in lines; indent is what is before its end. Aliases and keys that are no texts
// are not read.
func asJSON(n *yaml.Node, indent string) (json []byte, ok bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return []byte("null"), true
		}
		if slices.Contains([]string{"!!int", "!!float", "!!bool"}, n.Tag) && jsontree.Check([]byte(n.Value)) == nil {
			return []byte(n.Value), true
		}
		return []byte(jsontree.Quote(n.Value)), true
	case yaml.SequenceNode:
		var items [][]byte
		for _, item := range n.Content {
			value, ok := asJSON(item, indent+"  ")
			if !ok {
				return nil, false
			}
			items = append(items, value)
		}
		return slices.Concat([]byte("["), bytes.Join(items, []byte(", ")), []byte("]")), true
	case yaml.MappingNode:
		var members []written
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, ok := asJSON(n.Content[i+1], indent+"  ")
			if !ok || n.Content[i].Kind != yaml.ScalarNode {
				return nil, false
			}
			members = append(members, written{n.Content[i].Value, string(value)})
		}
		return []byte(writeMembers(members, indent+"  ")), true
	}
	return nil, false
}
