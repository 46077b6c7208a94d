package replay

import (
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// version returns the version that the front matter states; of several one that is right.
func version(a *artifact.Artifact, right func(n int) bool) (n int, at source.Span, ok bool) {
	isRight := func(v *artifact.MetaValue) bool { n, ok := versionNumber(v); return ok && right(n) }
	if v := a.Meta.Get("version", isRight); v != nil {
		n, ok = versionNumber(v)
		return n, v.Span, ok
	}
	return 0, source.Span{}, false
}

// versionNumber reads `2`, `-1`, `2.0`, "2" and `v2`; `v02` is no version (decisions.md 60).
func versionNumber(v *artifact.MetaValue) (int, bool) {
	text := strings.TrimSpace(v.Text)
	switch n, digits := brenner.ParseNumber(text); {
	case digits > 0 && (text[digits:] == "" || text[digits:] == ".0"):
		return n, true
	case v.Kind == artifact.MetaInt:
		n, err := strconv.Atoi(text)
		return n, err == nil
	case v.Kind == artifact.MetaString && strings.HasPrefix(strings.ToLower(text), "v"):
		n, digits := session.ParseVersion(text[1:])
		return n, digits > 0 && digits == len(text)-1
	}
	return 0, false
}

// checkFiles checks the persisted artifacts.
func (r *Thread) checkFiles() {
	latest := LatestVersion(r.Windows)
	for i := range r.opts.Files {
		f := &r.opts.Files[i]
		n, span, ok := version(f.Artifact, func(n int) bool { return n > 0 && r.Version(n) != nil })
		if !ok {
			continue // IM-002, AP-014
		}
		place := func(s source.Span) Site { return Site{At: f.Artifact.Text.Place(s), Path: f.Path} }
		at := place(span)
		var w *Window
		if n > 0 {
			w = r.Version(n)
		}
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
			if held := r.holds(f, w); held != nil && held.Compiled.Version.Number == n {
				items = nil // AP-002: two have this number
			} else if held != nil { // the differences all follow from the number
				if other, _, _ := version(f.Artifact, func(n int) bool { return n == held.Compiled.Version.Number }); other != n {
					continue // EM-001
				}
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
		published := func(id *artifact.MetaValue) bool {
			return slices.ContainsFunc(r.Windows, func(w *Window) bool { return w.Compiled.ID == id.Text && w.Compiled.Version.Number == n })
		}
		id := f.Artifact.Meta.Get("agent_mail_message_id", published)
		if id != nil && id.Text != "" && w.Compiled.ID != "" && !published(id) {
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
		isOther := false // it lacks an item: most do, and a file may have thousands
		for it := range f.Artifact.Items(0) {
			if isOther = it.ID.Section != 0 && w.Published.Find(it.ID) == nil && it.HasContent(); isOther {
				break
			}
		}
		if !isOther && len(diff.Items(w.Published, f.Artifact, true)) == 0 {
			return w
		}
	}
	return nil
}
