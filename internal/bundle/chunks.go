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
	total, name := 0, chunkNames(pattern.StringOr(""))
	if count.Is(jsontree.Number) {
		total, _ = strconv.Atoi(count.Text)
	}
	switch {
	case total < 1 || total > maxChunks:
		o.faultAt(config, config.spanOf(count), fmt.Errorf("invalid chunk_count; expected a number from 1 to %d", maxChunks), "")
		return nil
	case name == nil:
		o.faultAt(config, config.spanOf(pattern), errors.New(`pattern does not give the names of the chunks; expected one such as "chunks/{index:05d}.bin"`), "")
		return nil
	}
	list, sums := o.checksums(total, name)
	whole := newSpool()
	var missing, unlisted, differing []string
	for i := range total {
		chunk := name(i)
		var to io.Writer = whole
		if !keep {
			to = io.Discard
		}
		sum, err := o.copy(chunk, to)
		if errors.Is(err, o.files.err) {
			o.readFault(chunk, err)
			_ = whole.remove() // why it is dropped has been reported
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, chunk)
		} else if err != nil {
			o.readFault(chunk, err)
		}
		keep = keep && err == nil // the rest is only checked
		if want, ok := sums[chunk]; !ok {
			unlisted = append(unlisted, chunk)
		} else if err == nil && !strings.EqualFold(list.text.Slice(want), sum) {
			differing = append(differing, chunk)
		}
	}
	// fault reports the chunks that have the same fault once, for all of them.
	fault := func(d *document, at source.Span, chunks []string, so string) {
		verb := "are"
		if len(chunks) == 1 {
			verb = "is"
		}
		if len(chunks) > 0 && d.text != nil {
			o.faultAt(d, at, fmt.Errorf("%d of the %d chunks %s %s: %s", len(chunks), total, verb, so, chunks[0]), hintCopy)
		}
	}
	fault(config, count.Span(), missing, "missing")
	fault(&list, source.Span{}, unlisted, "not listed")
	if len(differing) > 0 {
		fault(&list, sums[differing[0]], differing, "not what the SHA-256 says")
		whole.differs = true
	}
	if !keep {
		_ = whole.remove() // why it is dropped has been reported
		return nil
	}
	return whole
}

// checksums reads chunks.sha256: lines of a hash, two spaces and a name. It returns where the
// hashes of the chunks are.
func (o *opener) checksums(total int, chunk func(i int) string) (list document, sums map[string]source.Span) {
	list = o.text(checksumName)
	if list.text == nil {
		return list, nil
	}
	sums = make(map[string]source.Span, total)
	wanted := make(map[string]bool, total)
	for i := range total {
		wanted[chunk(i)] = true
	}
	var first source.Span // malformed line
	malformed, start := 0, 0
	for raw := range bytes.Lines(list.text.Data) {
		line := bytes.TrimRight(raw, "\r\n")
		switch {
		case checksum().Match(line):
			if name := string(bytes.TrimLeft(line[2*sha256.Size:], " *")); wanted[name] {
				sums[name] = source.Span{Start: start, End: start + 2*sha256.Size}
			}
		case len(line) > 0:
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
		o.faultAt(&list, first, errors.New(message), "")
	}
	return list, sums
}

// checksum matches a line of a hash and a name.
var checksum = text.Pattern(`^[0-9A-Fa-f]{64} [ *]*[^ *]`)

// chunkPattern matches the pattern of the chunks' names, such as "chunks/{index:05d}.bin".
var chunkPattern = text.Pattern(`(?s)^(.*?)\{index(?::0(\d+)d)?\}(.*)$`)

// maxPattern is the maximum length of the pattern of the chunks' names, in bytes.
const maxPattern = 1024

// chunkNames makes the names of chunks from a pattern; nil if the pattern is invalid, or leads out of
// the bundle.
func chunkNames(pattern string) func(i int) string {
	if len(pattern) > maxPattern {
		return nil
	}
	parts := chunkPattern().FindStringSubmatch(pattern)
	if parts == nil {
		return nil
	}
	before, after := parts[1], parts[3]
	width, _ := strconv.Atoi(parts[2])
	if width >= 20 || !fs.ValidPath(before+"0"+after) {
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
	// differs is whether a chunk has another hash than it should: so then has the database.
	differs bool
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
