package engine

import "github.com/brennerlint/brennerlint/internal/files"

// Origins is where the artifact files of a check were found: they are changed there
// or not at all, whatever their paths lead to by then. The zero Origins is ready for
// use.
type Origins struct{ refs map[string]files.Ref }

// Find returns where the artifact of a path was found, if it is a file.
func (o *Origins) Find(path string) (files.Ref, bool) {
	ref, ok := o.refs[path]
	return ref, ok
}

// add remembers artifact files. A nil Origins remembers none.
func (o *Origins) add(artifacts []*artifactFile) {
	if o == nil {
		return
	}
	o.refs = make(map[string]files.Ref, len(artifacts))
	for _, a := range artifacts {
		if !a.in.InMemory() {
			o.refs[a.in.Path()] = a.in.Ref()
		}
	}
}
