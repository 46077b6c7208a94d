package compile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// contributorKeys are what front matter tells of a contributor and no mail does: it is
// always kept.
var contributorKeys = []string{"program", "model", "contributed_at"}

// editedContributors are the entries of contributors in the front matter that no
// version has.
func (u *update) editedContributors() []UnknownText {
	list := u.old.Meta.Get("contributors")
	if list == nil {
		return nil
	}
	var out []UnknownText
	add := func(v *artifact.MetaValue, what string) {
		out = append(out, UnknownText{Line: u.lineOf(v.Span.Start), What: what})
	}
	if list.Kind != artifact.MetaList && list.Text != "" {
		add(list, "contributors that are not a list")
	}
	for i := range list.Items {
		v := &list.Items[i]
		name := v.Text
		for j := range v.Items {
			switch m := &v.Items[j]; {
			case m.Key == "agent":
				name = m.Text
			case !slices.Contains(contributorKeys, m.Key) || m.Kind != artifact.MetaString:
				add(m, "the contributor's "+text.Quote(m.Key))
			}
		}
		if !slices.Contains(u.agents, name) {
			add(v, "the contributor "+text.Quote(name))
		}
	}
	return out
}

// withContributors is the new version with what the old file tells of contributors.
func (u *update) withContributors() []byte {
	out := u.Artifact
	list := u.old.Meta.Get("contributors")
	if list == nil {
		return out
	}
	for _, v := range list.Items {
		values := map[string]string{}
		for _, m := range v.Items {
			values[m.Key] = m.Text
		}
		var more strings.Builder
		for _, key := range contributorKeys {
			if values[key] != "" {
				fmt.Fprintf(&more, "    %s: %s\n", key, strconv.Quote(values[key]))
			}
		}
		if more.Len() > 0 {
			name := strconv.Quote(values["agent"])
			out = bytes.Replace(out, []byte("\n  - "+name+"\n"), []byte("\n  - agent: "+name+"\n"+more.String()), 1)
		}
	}
	return out
}

// merge puts the pieces into the new version. It is an error if they would change what
// its readers find.
func (u *update) merge(base []byte) ([]byte, error) {
	a := artifact.ParseMarkdown(source.NewText(base), artifact.Limits{})
	type insertion struct {
		at   int
		text string
	}
	var list []insertion
	for i := range u.pieces {
		p := &u.pieces[i]
		list = append(list, insertion{p.offset(a), p.text()})
	}
	slices.SortStableFunc(list, func(x, y insertion) int { return cmp.Compare(x.at, y.at) })
	var out bytes.Buffer
	last := 0
	for _, in := range list {
		out.Write(base[last:in.at])
		out.WriteString(in.text)
		last = in.at
	}
	out.Write(base[last:])
	merged := artifact.ParseMarkdown(source.NewText(out.Bytes()), artifact.Limits{})
	if merged.State().Hash() != a.State().Hash() {
		return nil, &UnknownTextError{[]UnknownText{{Line: u.pieces[0].line, What: u.pieces[0].what}}, true}
	}
	return out.Bytes(), nil
}

// text is a piece as it is inserted: with an empty line before it, and after it.
func (p *piece) text() string {
	body := strings.TrimRight(strings.Join(p.lines, "\n"), "\n") + "\n"
	switch p.at {
	case inFrontMatter, beforeItem:
		return body
	case beforeSection:
		return body + "\n"
	}
	return "\n" + body
}

// offset is where a piece goes in the new version.
func (p *piece) offset(a *artifact.Artifact) int {
	data := a.Text.Data
	lineEnd := func(at int) int {
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			return at + n + 1
		}
		return len(data)
	}
	lineStart := func(at int) int { return bytes.LastIndexByte(data[:at], '\n') + 1 }
	switch p.at {
	case inFrontMatter:
		return lineStart(a.Meta.Span.End - 1)
	case beforeItem:
		return lineStart(a.Item(p.item).Heading.Start)
	case endOfItem:
		return lineEnd(a.Item(p.item).Span.End - 1)
	case afterHeading:
		return lineEnd(a.Section(p.sec).Heading.End)
	case endOfSection:
		return lineEnd(a.Section(p.sec).Span.End - 1)
	case beforeSection:
		return lineStart(a.Section(p.sec).Heading.Start)
	}
	return len(data)
}
