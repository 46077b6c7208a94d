package compile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
)

// contributorKeys are what front matter says about a contributor and mail does not: it is
// always kept.
var contributorKeys = []string{"program", "model", "contributed_at"}

// editedContributors returns the entries of contributors in the front matter that no
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

// withContributors returns the new version with what the old file says about
// contributors.
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
