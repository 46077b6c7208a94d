package artifact

import (
	"cmp"

	"github.com/brennerlint/brennerlint/jsontree"
)

// Limits bound what is read of an artifact. A limit of 0 is that of DefaultLimits.
type Limits struct {
	JSONDepth   int // how deep arrays and objects nest
	YAMLDepth   int // how deep lists and mappings nest in front matter
	YAMLAliases int // how many aliases are in front matter
}

// DefaultLimits are far above what artifacts need.
var DefaultLimits = Limits{JSONDepth: jsontree.MaxDepth, YAMLDepth: 32, YAMLAliases: 1000}

func (l *Limits) setDefaults() {
	l.JSONDepth = cmp.Or(l.JSONDepth, DefaultLimits.JSONDepth)
	l.YAMLDepth = cmp.Or(l.YAMLDepth, DefaultLimits.YAMLDepth)
	l.YAMLAliases = cmp.Or(l.YAMLAliases, DefaultLimits.YAMLAliases)
}

// JSON returns the limits on JSON.
func (l Limits) JSON() jsontree.Options { return jsontree.Options{MaxDepth: l.JSONDepth} }
