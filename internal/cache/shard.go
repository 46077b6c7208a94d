package cache

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"
)

// shards is the number of files with entries, one for each first byte of the keys: a run
// reads and writes only those that it needs.
const shards = 256

// shard is the entries of one file.
type shard struct {
	mu      sync.Mutex
	read    bool
	entries map[Key]*entry
	changed bool
}

// entry is one result.
type entry struct {
	data []byte
	used int64 // Unix time in seconds
}

// entryHeader is the size of an entry before its data: key, time, and length.
const entryHeader = len(Key{}) + 8 + 4

// refresh is how far the time of an entry may lag behind its use.
const refresh = 24 * time.Hour

func shardName(i int) string { return fmt.Sprintf("%s/entries/%02x", format, i) }

// room returns how many bytes a shard may have.
func (c *Cache) room() int64 { return c.limits.Entries / shards }

// load reads a shard once; the caller holds its lock.
func (c *Cache) load(i int) *shard {
	s := &c.shards[i]
	if !s.read {
		s.read = true
		s.entries = parse(c.readFile(shardName(i), c.room()+int64(len(fileHeader))+32), byte(i))
	}
	return s
}

// parse reads the entries of a file; none if the file is incomplete.
func parse(data []byte, first byte) map[Key]*entry {
	out := map[Key]*entry{}
	for rest := checked(data); len(rest) > 0; {
		if len(rest) < entryHeader || rest[0] != first {
			return map[Key]*entry{}
		}
		key := Key(rest)
		used := int64(binary.LittleEndian.Uint64(rest[len(key):]))
		size := int64(binary.LittleEndian.Uint32(rest[len(key)+8:]))
		if rest = rest[entryHeader:]; size > int64(len(rest)) {
			return map[Key]*entry{}
		}
		out[key] = &entry{rest[:size:size], used}
		rest = rest[size:]
	}
	return out
}

// Get returns what was put under a key; nil if the key is unknown.
func (c *Cache) Get(key Key) []byte {
	i := int(key[0])
	c.shards[i].mu.Lock()
	defer c.shards[i].mu.Unlock()
	s := c.load(i)
	e := s.entries[key]
	if e == nil {
		return nil
	}
	if now := c.now().Unix(); now-e.used > int64(refresh.Seconds()) {
		e.used, s.changed = now, true
	}
	return e.data
}

// Put stores a result, whose bytes must not change afterwards, unless it is too large.
func (c *Cache) Put(key Key, data []byte) {
	if int64(len(data)) > c.room()/4 {
		return
	}
	i := int(key[0])
	c.shards[i].mu.Lock()
	defer c.shards[i].mu.Unlock()
	s := c.load(i)
	s.entries[key], s.changed = &entry{data, c.now().Unix()}, true
}

// flush writes a shard that was changed, with the entries that other processes have added.
func (c *Cache) flush(i int) error {
	s := &c.shards[i]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed {
		return nil
	}
	s.changed = false
	for key, e := range parse(c.readFile(shardName(i), c.room()+int64(len(fileHeader))+32), byte(i)) {
		if s.entries[key] == nil {
			s.entries[key] = e
		}
	}
	body := s.bytes(c.room())
	return c.writeFile(shardName(i), head(body), body)
}

// bytes encodes the entries, most recently used first, as many as there is room for.
func (s *shard) bytes(room int64) []byte {
	keys := make([]Key, 0, len(s.entries))
	for key := range s.entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(s.entries[b].used, s.entries[a].used), bytes.Compare(a[:], b[:]))
	})
	var out []byte
	for _, key := range keys {
		e := s.entries[key]
		if int64(len(out)+entryHeader+len(e.data)) > room {
			break
		}
		out = append(out, key[:]...)
		out = binary.LittleEndian.AppendUint64(out, uint64(e.used))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(e.data)))
		out = append(out, e.data...)
	}
	return out
}
