package export

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// readProfile adds an agent to the roster of its archive.
func readProfile(in *input.Input, r *reading) error {
	data, err := in.Bytes()
	if err != nil {
		r.report(source.UnreadableFault(in.Path(), err))
		return nil
	}
	data = bytes.TrimPrefix(data, []byte(source.BOM))
	if e := jsontree.Check(data); e != nil {
		f := source.NewFile(in.Path(), data)
		r.report(source.Fault{Kind: source.Malformed, Path: in.Path(), At: f.Text().Place(e.Span), Err: e, Hint: e.Hint})
		return nil
	}
	text := func(key string) string {
		value, _ := memberOf(data, key)
		return unquoted(value)
	}
	agent := mail.Agent{Name: text("name"), Program: text("program"), Model: text("model")}
	if agent.Name == "" {
		return ErrNoMail
	}
	slug := ""
	if parts := strings.Split(in.Abs(), "/"); len(parts) > 5 && parts[len(parts)-5] == "projects" {
		slug = parts[len(parts)-4]
	}
	facts := r.folderOf(in).info
	r.archives.mu.Lock()
	defer r.archives.mu.Unlock()
	if facts.Roster == nil {
		facts.Roster = map[string][]mail.Agent{}
	}
	if list := facts.Roster[slug]; !slices.Contains(list, agent) {
		facts.Roster[slug] = append(list, agent)
		slices.SortFunc(facts.Roster[slug], compareAgents)
	}
	return nil
}

func compareAgents(a, b mail.Agent) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Program, b.Program), strings.Compare(a.Model, b.Model))
}
