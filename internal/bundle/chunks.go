//go:build !js

package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// maxChunks is how many chunks a database may be cut into. At the exporter's
// 4 MiB each that is 256 GiB.
const maxChunks = 1 << 16

// joinChunks puts the chunks together; nil if they cannot all be read. What they hold is compared
// with the manifest, as any database is: chunks.sha256 is not needed.
func (o *opener) joinChunks(config *document) *spool {
	count, pattern := config.root.Get("chunk_count"), config.root.Get("pattern")
	total, name := chunkCount(count), chunkNames(pattern.StringOr(""))
	switch {
	case total == 0:
		o.faultAt(config, config.spanOf(count), fmt.Errorf("invalid chunk_count; expected a number from 1 to %d", maxChunks), "")
		return nil
	case name == nil:
		o.faultAt(config, config.spanOf(pattern), errors.New(`pattern does not give the names of the chunks; expected one such as "chunks/{index:05d}.bin"`), "")
		return nil
	}
	missing, first := 0, ""
	for i := range total {
		if _, err := o.tree.Stat(name(i)); errors.Is(err, fs.ErrNotExist) {
			missing++
			first = cmp.Or(first, name(i))
		}
	}
	if missing > 0 {
		verb := "are"
		if missing == 1 {
			verb = "is"
		}
		o.faultAt(config, count.Span(), fmt.Errorf("%d of the %d chunks %s missing: %s", missing, total, verb, first), hintCopy)
		return nil
	}
	whole := newSpool()
	for i := range total {
		if err := o.copy(name(i), whole); err != nil {
			o.readFault(name(i), err)
			_ = whole.remove() // why it is dropped has been reported
			return nil
		}
	}
	return whole
}

// chunkCount returns the number of chunks, 0 if the value is invalid.
func chunkCount(n *jsontree.Node) int {
	if !n.Is(jsontree.Number) {
		return 0
	}
	count, err := strconv.Atoi(n.Text)
	if err != nil || count < 1 || count > maxChunks {
		return 0
	}
	return count
}

// maxPattern is the maximum length of the pattern of the chunks' names, in bytes.
const maxPattern = 1024

// chunkNames makes the names of chunks from a pattern such as "chunks/{index:05d}.bin"; nil
// if the pattern is invalid, or leads out of the bundle.
func chunkNames(pattern string) func(i int) string {
	if len(pattern) > maxPattern {
		return nil
	}
	before, rest, ok := strings.Cut(pattern, "{index")
	format, after, closed := strings.Cut(rest, "}")
	width, padded := 0, strings.HasPrefix(format, ":0") && strings.HasSuffix(format, "d")
	if padded {
		var err error
		width, err = strconv.Atoi(format[2 : len(format)-1])
		padded = err == nil && width >= 0 && width < 20
	}
	if !ok || !closed || format != "" && !padded || !fs.ValidPath(before+"0"+after) {
		return nil
	}
	return func(i int) string { return fmt.Sprintf("%s%0*d%s", before, width, i, after) }
}
