package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
	"reflect"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/protocol"
)

// unitKey is a hash of all that a unit depends on.
type unitKey [sha256.Size]byte

// keyWriter hashes values, each with its length.
type keyWriter struct{ hash.Hash }

func newKey(base []byte, kind string) *keyWriter {
	k := &keyWriter{sha256.New()}
	k.Write(base)
	k.texts(kind)
	return k
}

func (k *keyWriter) number(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	k.Write(b[:])
}

func (k *keyWriter) texts(list ...string) {
	for _, s := range list {
		k.number(int64(len(s)))
		k.Write([]byte(s))
	}
}

func (k *keyWriter) flag(b bool) {
	n := int64(0)
	if b {
		n = 1
	}
	k.number(n)
}

func (k *keyWriter) sum() unitKey { return unitKey(k.Sum(nil)) }

// ruleKey is what of a rule shows in results; what its check does is part of the
// program or the configuration, whose version the caller gives.
type ruleKey struct {
	ID, Name, Code          string
	Severity, DraftSeverity lint.Severity
	Scope                   lint.Scope
	Types                   []protocol.MessageType
	SkipGarbled             bool
}

// baseKey returns what the results of all units depend on: the version, the rules, and
// the options that change what is found.
func (c *check) baseKey(version string) []byte {
	o := &c.opts
	rules := make([]ruleKey, len(c.rules.all))
	for i, r := range c.rules.all {
		rules[i] = ruleKey{r.ID, r.Name, r.Code, r.Severity, r.DraftSeverity, r.Scope(), r.Types, r.SkipGarbled}
	}
	sups := make([]Suppression, len(o.Suppressions))
	for i, s := range o.Suppressions {
		s.At.Text = nil
		sups[i] = s
	}
	kept := c.newFindings()
	data, err := json.Marshal([]any{
		version, shapeOf(reflect.TypeFor[unit]()), rules, o.RuleConfig, o.Severities, o.Limits, o.Kind, o.Mail, o.ForBaseline, o.ForStatistics,
		kept.most, kept.all, o.Data.Threads, len(sups),
	})
	if err != nil {
		return nil
	}
	k := newKey(data, "suppressions")
	for _, s := range sups {
		k.texts(s.Path, s.Rule, s.Thread, s.Message, s.Item, s.Reason)
	}
	sum := k.sum()
	return sum[:]
}

// threadKey returns the key of a thread: its mail, and its artifact files among the inputs.
// False if it may not be reused.
func (c *check) threadKey(info export.ThreadInfo) (key unitKey, ok bool) {
	if c.results == nil {
		return key, false
	}
	var mail [sha256.Size]byte
	if c.opts.Kept != nil {
		mail, ok = c.opts.Kept.digest(c.in.store, info)
	} else {
		mail, ok = c.in.store.Digest(info)
	}
	k := newKey(c.base, "thread")
	k.Write(mail[:])
	if info.ID != "" {
		for _, f := range c.in.byThread[info.ID] {
			ok = ok && f.digest != [sha256.Size]byte{}
			k.texts(f.in.Path(), f.in.Kind.String())
			k.Write(f.digest[:])
			k.flag(c.in.sharesID(info.ID))
		}
	}
	return k.sum(), ok
}

// artifactKey returns the key of an artifact file.
func (c *check) artifactKey(f *artifactFile) unitKey {
	k := newKey(c.base, "artifact")
	k.texts(f.in.Path(), f.in.RealPath(), f.in.Kind.String())
	k.flag(f.in.Named)
	k.Write(f.digest[:])
	return k.sum()
}
