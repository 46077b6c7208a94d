package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// publish reads differences as `v1 field-differs H2 claim`.
func (s *sourceCase) publish() (any, any, error) {
	in, err := s.thread()
	if err != nil {
		return nil, nil, err
	}
	out := conformance.PublishResult{Differences: []conformance.Difference{}}
	for _, text := range s.Differences {
		words := strings.Fields(text)
		if len(words) < 2 || len(words) > 4 || !slices.Contains(conformance.DifferenceKinds, words[1]) {
			return nil, nil, fmt.Errorf("the difference %q is not `vN kind item field`", text)
		}
		version, err := strconv.Atoi(strings.TrimPrefix(words[0], "v"))
		if err != nil {
			return nil, nil, err
		}
		d := conformance.Difference{Version: &version, Kind: words[1]}
		if len(words) > 2 {
			d.Item = words[2]
		}
		if len(words) > 3 {
			d.Field = words[3]
		}
		out.Differences = append(out.Differences, d)
	}
	return in, out, nil
}

func (s *sourceCase) artifact() (any, any, error) {
	if s.Markdown == nil {
		return nil, nil, errMember
	}
	state, err := s.state()
	return conformance.ArtifactInput{Markdown: *s.Markdown}, conformance.ArtifactResult{State: state}, err
}

// render completes the state, so that a case fails for what it is about alone: it has
// a research thread, and its hypotheses have anchors, unless the source says otherwise.
func (s *sourceCase) render() (any, any, error) {
	if _, ok := s.State["research_thread"]; !ok {
		s.State["research_thread"] = map[string]any{"id": "RT", "statement": "How does a cell know its fate?", "context": "Embryos", "why_it_matters": "Regeneration", "anchors": []any{"§1"}}
	}
	hypotheses, _ := s.State["hypothesis_slate"].([]any)
	for _, h := range hypotheses {
		if item, ok := h.(map[string]any); ok && item["anchors"] == nil {
			item["anchors"] = []any{"§1"}
		}
	}
	state, err := s.state()
	return conformance.RenderInput{SessionID: defaultThread, State: state}, conformance.RenderExpected{State: state, Lines: s.Lines}, err
}

// state returns the state of a source with all sections.
func (s *sourceCase) state() ([]byte, error) {
	out := map[string]any{}
	for _, sec := range oracle.Sections {
		out[sec.ID] = []any{}
		if sec.Prefix == "RT" {
			out[sec.ID] = nil
		}
	}
	for name, v := range s.State {
		if _, ok := out[name]; !ok {
			return nil, fmt.Errorf("unknown section %q", name)
		}
		out[name] = v
	}
	return encoded(out), nil
}

// The random merges of the suite: how many, and of what seed.
const (
	randomCases = 60
	randomSeed  = 20260302
	randomSize  = 12 // the most deltas of one

	// notDerivable is the number of one that needs more than the texts say: the order of
	// times with and without an offset.
	notDerivable = 24
)

// randomMerges are threads in which deltas meet, drawn at random, with what the plain
// merge makes of them.
func randomMerges() []*conformance.Case {
	g := oracle.NewGenerator(randomSeed)
	var out []*conformance.Case
	n := 0
	for len(out) < randomCases {
		before := g.Deltas
		in := g.Thread()
		in.ThreadID = defaultThread
		if deltas := g.Deltas - before; deltas < 3 || deltas > randomSize {
			continue
		}
		n++
		if n == notDerivable {
			continue
		}
		out = append(out, &conformance.Case{
			ID: fmt.Sprintf("merge/random-%02d", n), Kind: conformance.MergeKind, Title: "Deltas that meet, drawn at random",
			Decisions: []int{19, 20, 21, 22, 28, 57}, Source: "internal/oracle/generate.go",
			Input: encoded(in), Expected: encoded(oracle.Answer(in)),
		})
	}
	return out
}
