//go:build !js

package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// maxChunks is how many chunks a database may be cut into. At the exporter's
// 4 MiB each that is 256 GiB.
const maxChunks = 1 << 16

// checkChunks checks that all chunks are there and have the hashes that chunks.sha256 lists.
// With keep it also puts them together, and returns the database; nil if a chunk could not be
// read.
func (o *opener) checkChunks(config *document, keep bool) *spool {
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
	list := o.checksums(total, name)
	whole := newSpool()
	var missing, unlisted, differing many
	for i := range total {
		chunk := name(i)
		var to io.Writer = whole
		if !keep {
			to = io.Discard
		}
		sum, err := o.copy(chunk, to)
		if errors.Is(err, o.tree.err) {
			o.readFault(chunk, err)
			_ = whole.remove() // why it is dropped has been reported
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			missing.add(chunk)
		} else if err != nil {
			o.readFault(chunk, err)
		}
		keep = keep && err == nil // the rest is only checked
		if want, ok := list.sums[chunk]; !ok {
			unlisted.add(chunk)
		} else if err == nil && want.sum != sum {
			differing.add(chunk)
		}
	}
	if missing.count > 0 {
		o.faultAt(config, count.Span(), missing.say(total, "missing"), hintCopy)
	}
	if list.text != nil && unlisted.count > 0 {
		o.faultAt(&list.document, source.Span{}, unlisted.say(total, "not listed"), hintCopy)
	}
	if differing.count > 0 {
		o.faultAt(&list.document, list.sums[differing.first].span, differing.say(total, "not what the SHA-256 says"), hintCopy)
	}
	if !keep {
		_ = whole.remove() // why it is dropped has been reported
		return nil
	}
	return whole
}

// many counts the chunks that have the same fault. It is reported once, for all of them.
type many struct {
	first string
	count int
}

func (m *many) add(name string) {
	if m.count++; m.count == 1 {
		m.first = name
	}
}

// say returns an error that says how many of total chunks have the fault, and the first.
func (m *many) say(total int, so string) error {
	verb := "are"
	if m.count == 1 {
		verb = "is"
	}
	return fmt.Errorf("%d of the %d chunks %s %s: %s", m.count, total, verb, so, m.first)
}

// checksumList is chunks.sha256.
type checksumList struct {
	document
	sums map[string]listedSum // by the chunk's name
}

type listedSum struct {
	sum  string
	span source.Span
}

// checksums reads chunks.sha256: lines of a hash, two spaces and a name. It returns those
// of the chunks.
func (o *opener) checksums(total int, chunk func(i int) string) checksumList {
	list := checksumList{document: o.text(checksumName), sums: map[string]listedSum{}}
	if list.text == nil {
		return list
	}
	wanted := make(map[string]bool, total)
	for i := range total {
		wanted[chunk(i)] = true
	}
	var first source.Span
	malformed := 0
	start := 0
	for raw := range bytes.Lines(list.text.Data) {
		line := bytes.TrimRight(raw, "\r\n")
		sum, name, ok := checksumLine(line)
		if ok && wanted[string(name)] {
			list.sums[string(name)] = listedSum{sum, source.Span{Start: start, End: start + 2*sha256.Size}}
		} else if !ok && len(line) > 0 {
			if malformed++; malformed == 1 {
				first = source.Span{Start: start, End: start + len(line)}
			}
		}
		start += len(raw)
	}
	if malformed > 0 {
		message := "the line is not a SHA-256, two spaces and a chunk's name"
		if malformed > 1 {
			message += "; nor are " + text.Count(malformed-1, "more line", "more lines")
		}
		o.faultAt(&list.document, first, errors.New(message), "")
	}
	return list
}

// checksumLine reads a line of chunks.sha256.
func checksumLine(line []byte) (sum string, name []byte, ok bool) {
	hash, name, _ := bytes.Cut(line, []byte{' '})
	if name = bytes.TrimLeft(name, " *"); len(hash) != 2*sha256.Size || len(name) == 0 {
		return "", nil, false
	}
	raw, err := hex.DecodeString(string(hash))
	return hex.EncodeToString(raw), name, err == nil
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

// inMemory is how large a database may be to be kept in memory. A larger one is written to a
// temporary file.
const inMemory = 16 << 20

// spool is a database that was unpacked from a zip or put together from chunks.
type spool struct {
	hash   hash.Hash
	memory bytes.Buffer
	file   *os.File // once it is too large for memory
	gone   bool     // the file has no name any more: the system removes it when we end
	size   int64
}

func newSpool() *spool { return &spool{hash: sha256.New()} }

func (s *spool) Write(p []byte) (int, error) {
	s.hash.Write(p)
	s.size += int64(len(p))
	if s.file == nil && s.size <= inMemory {
		return s.memory.Write(p)
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "brennerlint-*.sqlite3")
		if err != nil {
			return 0, err
		}
		s.file = f
		s.gone = os.Remove(f.Name()) == nil // not on Windows, while it is open
		if _, err := s.memory.WriteTo(f); err != nil {
			return 0, err
		}
		s.memory = bytes.Buffer{}
	}
	return s.file.Write(p)
}

// sum returns the SHA-256 of what was written, in the form of manifests.
func (s *spool) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// database opens what was written. Closing the bundle removes it.
func (s *spool) database(b *Bundle) (*database.Snapshot, error) {
	b.closers = append(b.closers, s.remove)
	if s.file == nil {
		return database.New(bytes.NewReader(s.memory.Bytes()), s.size)
	}
	return database.New(s.file, s.size)
}

func (s *spool) remove() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.gone {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
