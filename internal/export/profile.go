package export

import (
	"bytes"
	"slices"
	"strings"

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
	value, _ := memberOf(data, "name")
	name := unquoted(value)
	if name == "" {
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
		facts.Roster = map[string][]string{}
	}
	if list := facts.Roster[slug]; !slices.Contains(list, name) {
		facts.Roster[slug] = append(list, name)
		slices.Sort(facts.Roster[slug])
	}
	return nil
}
