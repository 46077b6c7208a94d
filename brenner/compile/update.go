package compile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/rewrite"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// UnknownTextError reports an artifact file with text that would be lost.
type UnknownTextError struct {
	Pieces []UnknownText // in the order of the file
	// Kept reports that --keep-unknown was set: what is listed has no place in the new
	// version.
	Kept bool
}

// UnknownText is a piece of an artifact file that no version of the thread has.
type UnknownText struct {
	Line int // from 1
	What string
	// Keepable reports that it can be kept; an item or a value written by hand cannot.
	Keepable bool
}

func (e *UnknownTextError) Error() string {
	if e.Kept {
		return e.Lost()
	}
	hint := "undo these changes, or move the file away"
	if slices.ContainsFunc(e.Pieces, func(p UnknownText) bool { return p.Keepable }) {
		hint = "keep comments, remarks, sections and fields with --keep-unknown"
	}
	return e.Lost() + "; " + hint
}

// Lost describes the text that would be lost, without advice.
func (e *UnknownTextError) Lost() string {
	const most = 5
	var names []string
	for _, p := range e.Pieces[:min(len(e.Pieces), most)] {
		names = append(names, fmt.Sprintf("%s (line %d)", p.What, p.Line))
	}
	if n := len(e.Pieces) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	if e.Kept {
		return "text of it has no place in the new version: " + text.And(names)
	}
	return "it has text that no version of the thread has: " + text.And(names)
}

// Update returns the new content of an existing artifact file for the new version. Text
// that no version of the thread has is an [*UnknownTextError]; with keep, comments,
// sections, fields and front matter of that kind stay in place.
func (c *Result) Update(old []byte, keep bool) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 || bytes.Equal(old, c.Artifact) {
		return c.Artifact, nil
	}
	if bytes.HasPrefix(bytes.TrimSpace(old), []byte("{")) {
		return nil, errors.New("it is a JSON file; write the artifact to a file whose name ends in .md")
	}
	u := &update{Result: c, old: artifact.ParseMarkdown(source.NewText(old), artifact.Limits{})}
	if id := u.old.Meta.Get("session_id"); id != nil && id.Text != c.Thread {
		return nil, fmt.Errorf("it is the artifact of another session, %s", text.Quote(id.Text))
	}
	switch {
	case len(u.old.Conflicts) > 0:
		return nil, fmt.Errorf("it has conflict markers (line %d)", u.lineOf(u.old.Conflicts[0].Marker.Start))
	case len(u.old.Sections) == 0:
		return nil, errors.New("it is not an artifact")
	case u.old.MetaFault != nil && bytes.HasPrefix(old, []byte("---")):
		return nil, fmt.Errorf("its front matter cannot be read: %s", u.old.MetaFault.Message)
	}
	base := u.withContributors()
	file := rewrite.New(u.old, base, metaKeys...)
	pieces := file.Pieces()
	lost := u.edited()
	for _, p := range pieces {
		if !keep || !p.Placed {
			lost = append(lost, UnknownText{p.Line, p.What, p.Placed})
		}
	}
	if len(lost) > 0 {
		sortByLine(lost)
		return nil, &UnknownTextError{lost, keep}
	}
	if len(pieces) == 0 {
		return base, nil
	}
	data, ok := file.Merge()
	if !ok {
		return nil, &UnknownTextError{[]UnknownText{{Line: pieces[0].Line, What: pieces[0].What}}, true}
	}
	return data, nil
}
