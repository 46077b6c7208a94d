package engine

import (
	"crypto/sha256"
	"sync/atomic"
)

// CacheKey is the name of a result: a hash of all that it depends on.
type CacheKey = [sha256.Size]byte

// CacheStore keeps results by their keys. It may forget any of them, and returns only
// what was put under a key. It is safe for concurrent use.
type CacheStore interface {
	// Get returns what was put under a key, nil if it is not known.
	Get(key CacheKey) []byte
	Put(key CacheKey, data []byte)
	// GetRun and PutRun do the same for whole runs: few results, perhaps large.
	GetRun(key CacheKey) []byte
	PutRun(key CacheKey, data []byte)
}

// CacheUse counts what a check took from its cache.
type CacheUse struct {
	Known, Checked int  // threads and artifact files
	Whole          bool // no input has changed: none was read
}

// Cache makes a check take over the results of threads and artifact files, as long as
// nothing changed that they depend on.
type Cache struct {
	store   CacheStore
	version string

	known, checked atomic.Int64
	whole          atomic.Bool
}

// NewCache makes a cache. The version identifies the program, and all that its rules
// depend on in addition to Options: their own configuration.
func NewCache(store CacheStore, version string) *Cache { return &Cache{store: store, version: version} }

// Use counts what was taken from the cache.
func (c *Cache) Use() CacheUse {
	return CacheUse{int(c.known.Load()), int(c.checked.Load()), c.whole.Load()}
}

// get implements results.
func (c *Cache) get(key unitKey) *unit {
	u := &unit{}
	if data := c.store.Get(key); data == nil || decode(data, u) != nil {
		c.checked.Add(1)
		return nil
	}
	c.known.Add(1)
	return u
}

// put implements results.
func (c *Cache) put(key unitKey, u *unit) { c.store.Put(key, encode(u)) }

// run returns what a run gathered; nil if it is not kept.
func (c *Cache) run(key unitKey) *gathered {
	g := &gathered{}
	data := c.store.GetRun(key)
	if data == nil || decode(data, g) != nil {
		return nil
	}
	c.whole.Store(true)
	return g
}

func (c *Cache) putRun(key unitKey, g *gathered) { c.store.PutRun(key, encode(g)) }
