package replay

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// version returns the version that the front matter states, 0 if it states none.
func version(a *artifact.Artifact) (int, source.Span) {
	v := a.Meta.Get("version")
	if v == nil || v.Kind != artifact.MetaInt && v.Kind != artifact.MetaString {
		return 0, source.Span{}
	}
	n, digits := session.ParseNumber(v.Text)
	if digits != len(v.Text) {
		return 0, source.Span{}
	}
	return n, v.Span
}

// checkVersion compares the version in the front matter of an inline artifact with the
// subject of its COMPILED, and keeps the artifact if a file is to be compared with it.
func (r *Thread) checkVersion(w *Window) {
	a, published := w.Compiled.Artifact, w.Compiled.Version.Number
	if a == nil || published == 0 {
		return
	}
	if n, at := version(a); n > 0 && n != published {
		r.Facts.VersionDiffs = append(r.Facts.VersionDiffs, VersionDiff{In: w.Compiled, At: a.Text.Place(at), Stated: n, Published: published})
	}
	for i := range r.opts.Files {
		if n, _ := version(r.opts.Files[i].Artifact); n == published {
			put(&r.inline, w, a)
		}
	}
}

// at returns a place in a file.
func (f *File) at(span source.Span) Site {
	return Site{At: f.Artifact.Text.Place(span), Path: f.Path}
}

// checkFile checks one persisted artifact.
func (r *Thread) checkFile(f *File, p *publications) {
	n, span := version(f.Artifact)
	if n == 0 {
		return // IM-002, AP-014
	}
	at := f.at(span)
	w := p.last[n]
	if w == nil {
		if p.last[0] == nil { // else AP-001: it may be the one whose subject gives no version
			r.Facts.UnpublishedFiles = append(r.Facts.UnpublishedFiles, UnpublishedFile{Site: at, Version: n, Latest: p.latest, None: len(r.Windows) == 0})
		}
		return
	}
	var items []diff.Item
	if inline := r.inline[w]; inline != nil {
		has := func(sec brenner.Section) bool { return inline.Section(sec) != nil } // else ES-001
		items = diff.Items(f.Artifact, inline.State(), has)
	}
	if len(items) > 0 {
		if held := r.holds(f, w); held != nil { // the differences all follow from the number
			r.Facts.MisnumberedFiles = append(r.Facts.MisnumberedFiles, MisnumberedFile{Site: at, Version: n, Holds: held.Compiled})
			return
		}
	}
	for _, d := range items {
		r.Facts.FileDiffs = append(r.Facts.FileDiffs, FileDiff{Site: f.at(d.At), Diff: d, Compiled: w.Compiled})
	}
	if n < p.latest {
		r.Facts.StaleFiles = append(r.Facts.StaleFiles, StaleFile{Site: at, Version: n, Latest: p.latest})
	}
	if id := f.Artifact.Meta.Get("agent_mail_message_id"); id != nil && id.Text != "" && w.Compiled.ID != "" && !p.ids[messageVersion{id.Text, n}] {
		r.Facts.FileMessages = append(r.Facts.FileMessages, FileMessage{Site: f.at(id.Span), Named: id.Text, Version: n, Compiled: w.Compiled})
	}
}

// holds returns the window of another version than that of a file, whose artifact the
// file contains; nil if there is none.
func (r *Thread) holds(f *File, not *Window) *Window {
	for _, w := range r.Windows {
		if w == not || w.Published == nil || w.inFile || w.Compiled.Version.Number == 0 {
			continue
		}
		if len(diff.Items(f.Artifact, w.Published, func(brenner.Section) bool { return true })) == 0 {
			return w
		}
	}
	return nil
}

// publications are the windows of a thread by the versions that they published.
type publications struct {
	last   map[int]*Window // the last, of a version published twice (AP-002)
	ids    map[messageVersion]bool
	latest int
}

type messageVersion struct {
	message string
	version int
}

func (r *Thread) publications() *publications {
	p := &publications{last: map[int]*Window{}, ids: map[messageVersion]bool{}}
	for _, w := range r.Windows {
		v := w.Compiled.Version.Number
		p.last[v] = w
		p.ids[messageVersion{w.Compiled.ID, v}] = true
		p.latest = max(p.latest, v)
	}
	return p
}
