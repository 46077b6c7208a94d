//go:build !js

package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"os"

	"github.com/brennerlint/brennerlint/internal/database"
)

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
