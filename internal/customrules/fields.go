package customrules

import (
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// Fields are the fields of items and of the payloads of deltas, by their JSON keys.
// Not all sections have all of them: one that is not there is empty.
type Fields struct {
	Name                 string     `expr:"name" doc:"The title; of the research thread and predictions it is empty."`
	Statement            string     `expr:"statement" doc:"Research thread, assumptions."`
	Context              string     `expr:"context" doc:"Research thread."`
	WhyItMatters         string     `expr:"why_it_matters" doc:"Research thread."`
	Claim                string     `expr:"claim" doc:"Hypotheses."`
	Mechanism            string     `expr:"mechanism" doc:"Hypotheses."`
	HowThisCouldBeTrue   string     `expr:"how_this_could_be_true" doc:"Hypotheses (third alternatives)."`
	ThirdAlternative     bool       `expr:"third_alternative" doc:"Hypotheses."`
	Condition            string     `expr:"condition" doc:"Predictions."`
	Predictions          []*Outcome `expr:"predictions" doc:"Predictions: one for each hypothesis."`
	TestID               string     `expr:"test_id" doc:"Tests."`
	Procedure            string     `expr:"procedure" doc:"Tests."`
	Discriminates        string     `expr:"discriminates" doc:"Tests."`
	ExpectedOutcomes     []*Outcome `expr:"expected_outcomes" doc:"Tests."`
	ActualOutcomes       []*Outcome `expr:"actual_outcomes" doc:"Tests."`
	PotencyCheck         string     `expr:"potency_check" doc:"Tests."`
	Feasibility          string     `expr:"feasibility" doc:"Tests."`
	LastRun              string     `expr:"last_run" doc:"Tests; in an artifact in Markdown only."`
	LikelihoodRatio      int        `expr:"likelihood_ratio" doc:"Tests: a part of the score, 0 to 3; -1 if it is not there."`
	Cost                 int        `expr:"cost" doc:"Tests: a part of the score."`
	Speed                int        `expr:"speed" doc:"Tests: a part of the score."`
	Ambiguity            int        `expr:"ambiguity" doc:"Tests: a part of the score."`
	Status               string     `expr:"status" doc:"Tests, assumptions, anomalies."`
	Load                 string     `expr:"load" doc:"Assumptions."`
	Test                 string     `expr:"test" doc:"Assumptions."`
	ScaleCheck           bool       `expr:"scale_check" doc:"Assumptions."`
	Calculation          string     `expr:"calculation" doc:"Assumptions."`
	Implication          string     `expr:"implication" doc:"Assumptions."`
	Observation          string     `expr:"observation" doc:"Anomalies."`
	ConflictsWith        []string   `expr:"conflicts_with" doc:"Anomalies."`
	ResolutionPlan       string     `expr:"resolution_plan" doc:"Anomalies."`
	Attack               string     `expr:"attack" doc:"Critiques."`
	Evidence             string     `expr:"evidence" doc:"Critiques."`
	WhyItMightBeRight    string     `expr:"why_it_might_be_right" doc:"Critiques."`
	CurrentStatus        string     `expr:"current_status" doc:"Critiques."`
	RealThirdAlternative bool       `expr:"real_third_alternative" doc:"Critiques."`
	ProposedAlternative  string     `expr:"proposed_alternative" doc:"Critiques."`
	Anchors              []string   `expr:"anchors" doc:"The anchors, one a text, such as §57 [inference]."`
	Labels               []string   `expr:"labels" doc:"The labels."`
}

// fieldSource is what has Fields.
type fieldSource interface {
	text(key string) string
	flag(key string) bool
	list(key string) []string
	outcomes(key string) []*Outcome
	score(part string) int
}

// scoreKey is the field that holds the parts of a score.
const scoreKey = "score"

// fieldKeysOf are the keys of Fields, in the order of the struct.
var fieldKeysOf = sync.OnceValue(func() []string { return names(reflect.TypeFor[Fields]()) })

// readFields returns the fields of an item or a payload.
func readFields(from fieldSource) Fields {
	var out Fields
	v := reflect.ValueOf(&out).Elem()
	for i, key := range fieldKeysOf() {
		switch f := v.Field(i).Addr().Interface().(type) {
		case *string:
			*f = from.text(key)
		case *bool:
			*f = from.flag(key)
		case *int:
			*f = from.score(key)
		case *[]string:
			*f = from.list(key)
		case *[]*Outcome:
			*f = from.outcomes(key)
		}
	}
	return out
}

// written are the fields of an item of an artifact.
type written struct{ *artifact.Item }

func (it written) text(key string) string {
	if key == "name" {
		return it.Name
	}
	return it.Text(key)
}

func (it written) flag(key string) bool {
	f := it.Field(key)
	if f == nil {
		return false
	}
	if f.Node != nil {
		return f.Node.True()
	}
	return state.IsTrue(f.Text)
}

func (it written) list(key string) []string {
	f := it.Field(key)
	if f == nil {
		return nil
	}
	out := make([]string, 0, len(f.Entries))
	for i := range f.Entries {
		out = append(out, f.Entries[i].Text)
	}
	return out
}

func (it written) outcomes(key string) []*Outcome {
	f := it.Field(key)
	if f == nil {
		return nil
	}
	out := make([]*Outcome, 0, len(f.Entries))
	for i := range f.Entries {
		if e := &f.Entries[i]; e.Text != "" {
			out = append(out, &Outcome{e.Key, e.Text})
		}
	}
	return out
}

func (it written) score(part string) int {
	f := it.Field(scoreKey)
	if f == nil {
		return -1
	}
	for i := range f.Entries {
		if f.Entries[i].Key == part {
			return number(f.Entries[i].Text)
		}
	}
	return -1
}

// number returns a whole number of a score; -1 if it is none.
func number(text string) int {
	if n, ok := state.Number(strings.TrimSpace(text)).(float64); ok && n == math.Trunc(n) && math.Abs(n) < 1000 {
		return int(n)
	}
	return -1
}

// payload are the fields of a payload.
type payload struct{ *delta.Delta }

func (d payload) text(key string) string         { return d.Payload.Get(key).StringOr("") }
func (d payload) flag(key string) bool           { return d.Payload.Get(key).True() }
func (d payload) score(part string) int          { return scoreOf(d.Payload.Get(scoreKey).Get(part)) }
func (d payload) outcomes(key string) []*Outcome { return outcomesOf(d.Payload.Get(key)) }

func (d payload) list(key string) []string {
	n := d.Payload.Get(key)
	if !n.Is(jsontree.Array) {
		return nil
	}
	var out []string
	for _, e := range n.Items() {
		if e.Is(jsontree.String) {
			out = append(out, e.Text)
		}
	}
	return out
}

func scoreOf(n *jsontree.Node) int {
	if n.Is(jsontree.Number) {
		return number(n.Text)
	}
	return -1
}

func outcomesOf(n *jsontree.Node) []*Outcome {
	if !n.Is(jsontree.Object) {
		return nil
	}
	var out []*Outcome
	members := n.Members()
	for i := range members {
		if m := &members[i]; m.Value.Is(jsontree.String) {
			out = append(out, &Outcome{m.Name, m.Value.Text})
		}
	}
	return out
}

// stored are the fields of an item of a merged state.
type stored map[string]any

func (it stored) text(key string) string {
	s, _ := it[key].(string)
	return s
}

func (it stored) flag(key string) bool { return state.IsTrue(it[key]) }

func (it stored) list(key string) []string {
	values, _ := it[key].([]any)
	var out []string
	for _, v := range values {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (it stored) outcomes(key string) []*Outcome {
	values, _ := it[key].(map[string]any)
	var out []*Outcome
	for _, h := range sortedKeys(values) {
		if s, ok := values[h].(string); ok {
			out = append(out, &Outcome{h, s})
		}
	}
	return out
}

func (it stored) score(part string) int {
	parts, _ := it[scoreKey].(map[string]any)
	switch v := parts[part].(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1000 {
			return int(v)
		}
	case string:
		return number(v)
	}
	return -1
}
