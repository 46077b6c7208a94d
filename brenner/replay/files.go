package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/source"
)

// version returns the version that the front matter states, 0 if it states none.
func version(a *artifact.Artifact) (int, source.Span) {
	if v := a.Meta.Get("version"); v != nil && (v.Kind == artifact.MetaInt || v.Kind == artifact.MetaString) {
		if n, digits := brenner.ParseNumber(v.Text); digits == len(v.Text) {
			return n, v.Span
		}
	}
	return 0, source.Span{}
}

// checkFiles checks the persisted artifacts.
func (r *Thread) checkFiles() {
	latest := LatestVersion(r.Windows)
	for i := range r.opts.Files {
		f := &r.opts.Files[i]
		n, span := version(f.Artifact)
		if n == 0 {
			continue // IM-002, AP-014
		}
		place := func(s source.Span) Site { return Site{At: f.Artifact.Text.Place(s), Path: f.Path} }
		at, w := place(span), r.Version(n)
		if w == nil {
			if r.Version(0) == nil { // else AP-001: it may be the one whose subject gives no version
				r.found(UnpublishedFile{Site: at, Thread: r.Thread.ID, Version: n, Latest: latest, None: len(r.Windows) == 0})
			}
			continue
		}
		var items []diff.Change
		if inline := w.Compiled.Artifact; inline != nil && !w.foreign {
			isMissing := func(d diff.Change) bool { return inline.Section(d.ID.Section) == nil } // ES-001
			items = slices.DeleteFunc(diff.Items(inline.State(), f.Artifact, true), isMissing)
		}
		if len(items) > 0 {
			if held := r.holds(f, w); held != nil { // the differences all follow from the number
				r.found(MisnumberedFile{Site: at, Version: n, Holds: held.Compiled})
				continue
			}
		}
		for _, d := range items {
			r.found(FileDiff{Site: place(d.At), Diff: d, Compiled: w.Compiled})
		}
		if n < latest {
			r.found(StaleFile{Site: at, Version: n, Latest: latest})
		}
		id := f.Artifact.Meta.Get("agent_mail_message_id")
		published := func(w *Window) bool { return w.Compiled.ID == id.Text && w.Compiled.Version.Number == n }
		if id != nil && id.Text != "" && w.Compiled.ID != "" && !slices.ContainsFunc(r.Windows, published) {
			r.found(FileMessage{Site: place(id.Span), Named: id.Text, Version: n, Compiled: w.Compiled})
		}
	}
}

// holds returns the window whose artifact a file contains, if it is not the window of the file's
// version; else nil.
func (r *Thread) holds(f *File, not *Window) *Window {
	for _, w := range r.Windows {
		if w == not || w.Published == nil || w.inFile || w.Compiled.Version.Number == 0 {
			continue
		}
		if len(diff.Items(w.Published, f.Artifact, true)) == 0 {
			return w
		}
	}
	return nil
}
