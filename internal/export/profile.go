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

// addProfile adds an agent to the roster of its archive.
func (s *Store) addProfile(in *input.Input) error {
	data, err := in.Bytes()
	if err != nil {
		s.report(in, source.UnreadableFault(in.Path(), err))
		return nil
	}
	data = bytes.TrimPrefix(data, []byte(source.BOM))
	if e := jsontree.Check(data); e != nil {
		f := source.NewFile(in.Path(), data)
		s.report(in, source.Fault{Kind: source.Malformed, Path: in.Path(), At: f.Text().Place(e.Span), Err: e, Hint: e.Hint})
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
	facts := s.folderOf(in).info
	s.mu.Lock()
	defer s.mu.Unlock()
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
