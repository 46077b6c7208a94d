package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// BaselineSchema names the format of baseline files.
const BaselineSchema = "brennerlint/baseline/v1"

// Baseline is a set of findings that a repository has accepted. They are not reported again, so
// a repository with many findings fails on new ones only.
type Baseline struct {
	Schema   string               `json:"schema"`
	Findings []lint.BaselineEntry `json:"findings"`

	// Path is the path of the file, to which findings of expired entries refer.
	Path string `json:"-"`
	// Today is the day of the check: entries with an earlier Until are expired. If it is zero,
	// none is.
	Today time.Time `json:"-"`
	// Prune says that the caller removes the entries that no longer match: the report does
	// not ask for it.
	Prune bool `json:"-"`
}

// NewBaseline returns a baseline with the given entries, and entries for the findings.
func NewBaseline(findings []*lint.Finding, entries ...lint.BaselineEntry) *Baseline {
	b := &Baseline{Schema: BaselineSchema, Findings: make([]lint.BaselineEntry, 0, len(findings)+len(entries))}
	b.Findings = append(b.Findings, entries...)
	for _, f := range findings {
		b.Findings = append(b.Findings, lint.BaselineEntry{Fingerprint: f.Fingerprint, Rule: f.Rule, Path: f.Path, Message: f.Message})
	}
	slices.SortStableFunc(b.Findings, func(x, y lint.BaselineEntry) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(x.Rule, y.Rule), strings.Compare(x.Fingerprint, y.Fingerprint))
	})
	return b
}

// ReadBaseline reads a baseline file.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	var b Baseline
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte(source.BOM))))
	d.DisallowUnknownFields()
	err = d.Decode(&b)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("read baseline: it is empty")
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("read baseline: %s has the wrong type: %s", cmp.Or(wrong.Field, "it"), wrong.Value)
	case err != nil:
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("read baseline: it goes on after its end, perhaps an unfinished merge of two versions")
	}
	if b.Schema != BaselineSchema {
		return nil, fmt.Errorf("read baseline: schema is %q; expected %q", b.Schema, BaselineSchema)
	}
	for i := range b.Findings {
		e := &b.Findings[i]
		if e.Fingerprint == "" {
			return nil, fmt.Errorf("read baseline: entry %d (%s, %s) has no fingerprint", i+1, e.Rule, e.Path)
		}
		if _, err := time.Parse(time.DateOnly, e.Until); e.Until != "" && err != nil {
			return nil, fmt.Errorf("read baseline: until of entry %d (%s, %s) is %q; expected a day such as 2026-12-31", i+1, e.Rule, e.Path, e.Until)
		}
	}
	return &b, nil
}

// Write writes the baseline file.
func (b *Baseline) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// applyBaseline drops the findings that the baseline accepts. An entry accepts one finding. An
// expired entry accepts none, and the finding it would accept says so. Other entries are stale,
// if this check would have found what they accept.
func (c *check) applyBaseline(rep *lint.Report, findings []*lint.Finding) (kept []*lint.Finding) {
	b := c.opts.Baseline
	if b == nil {
		return findings
	}
	left := map[string][]*lint.BaselineEntry{} // by fingerprint, the longest valid first
	for i := range b.Findings {
		e := &b.Findings[i]
		left[e.Fingerprint] = append(left[e.Fingerprint], e)
	}
	for _, list := range left {
		slices.SortStableFunc(list, func(x, y *lint.BaselineEntry) int {
			return strings.Compare(cmp.Or(y.Until, "forever"), cmp.Or(x.Until, "forever"))
		})
	}
	use, used := &lint.BaselineUse{}, map[*lint.BaselineEntry]bool{}
	for _, f := range findings {
		list := left[f.Fingerprint]
		if len(list) == 0 {
			kept = append(kept, f)
			continue
		}
		e := list[0]
		left[f.Fingerprint], used[e] = list[1:], true
		if e.Until == "" || b.Today.IsZero() || b.Today.Format(time.DateOnly) <= e.Until {
			rep.Accepted, use.Matched = append(rep.Accepted, f), append(use.Matched, *e)
			continue
		}
		use.Expired = append(use.Expired, *e)
		why := "accepted in the baseline until " + e.Until
		if e.Reason != "" {
			why += ": " + e.Reason
		}
		f.Related = append(slices.Clip(f.Related), lint.Related{Path: b.Path, Message: why})
		kept = append(kept, f)
	}
	named := map[string]bool{} // paths, by findings
	for _, f := range findings {
		named[f.Path] = true
	}
	for i := range b.Findings {
		switch e := &b.Findings[i]; {
		case used[e]:
		case c.isChecked(e, named):
			use.Stale = append(use.Stale, *e)
		default:
			use.Unchecked = append(use.Unchecked, *e)
		}
	}
	rep.Summary.Baselined, rep.Baseline = len(rep.Accepted), use
	if n := len(use.Stale); n > 0 && !b.Prune {
		rep.Notices = append(rep.Notices, text.Count(n, "baseline entry no longer matches; remove it", "baseline entries no longer match; remove them")+" with --prune-baseline")
	}
	return kept
}

// isChecked reports whether a finding like that of an entry would be found again if it
// were there: its rule ran, and its file was checked, or would have been if it were not
// gone.
func (c *check) isChecked(e *lint.BaselineEntry, named map[string]bool) bool {
	isOf := func(r *lint.Rule) bool { return r.ID == e.Rule }
	if !slices.ContainsFunc(c.plan.rules, isOf) {
		// There is no such rule any more, unless all of its family are in a configuration that was not read.
		family, _, _ := strings.Cut(e.Rule, "-")
		return !slices.ContainsFunc(c.rules, isOf) && len(c.rules.Match(family)) > 0
	}
	for _, p := range [...]string{e.Path, path.Dir(e.Path)} {
		if named[p] || c.byPath[p] != nil {
			return true
		}
	}
	return e.Path != "-" && c.roots().Cover(e.Path) && isGone(e.Path)
}

// isGone reports whether the file of an entry is nowhere. The baseline may have been
// written in a folder above the working folder, and its paths start there.
func isGone(name string) bool {
	absent := func(name string) bool {
		_, err := files.Named(name).Stat()
		return errors.Is(err, fs.ErrNotExist)
	}
	if filepath.IsAbs(name) {
		return absent(name)
	}
	dir, err := filepath.Abs(".")
	for err == nil && absent(filepath.Join(dir, name)) {
		if dir == filepath.Dir(dir) {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}
