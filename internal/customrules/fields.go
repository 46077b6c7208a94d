package customrules

import (
	"math"
	"reflect"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/expression"
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

// outcome is what expressions see as an Outcome.
type outcome struct{ hypothesis, text string }

// fielded is what has Fields.
type fielded interface {
	text(key string) string
	flag(key string) bool
	list(key string) []any
	outcomes(key string) []any
	score(part string) int
}

// scoreKey is the field that holds the parts of a score.
const scoreKey = "score"

// readFields returns the readers of Fields.
func readFields() map[string]expression.Field {
	out := map[string]expression.Field{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Fields]()) {
		key := f.Tag.Get("expr")
		switch f.Type.Kind() {
		case reflect.String:
			out[key] = of(func(it fielded) any { return it.text(key) }, "")
		case reflect.Bool:
			out[key] = of(func(it fielded) any { return it.flag(key) }, false)
		case reflect.Int:
			out[key] = of(func(it fielded) any { return it.score(key) }, -1)
		default:
			out[key] = listOf(func(it fielded) []any { return it.outcomes(key) }, nil)
			if f.Type == reflect.TypeFor[[]string]() {
				out[key] = listOf(func(it fielded) []any { return it.list(key) }, nil)
			}
		}
	}
	return out
}

// of reads a field of an object that stands for one of the model; absent is its value
// if there is no object.
func of[T any](read func(T) any, absent any) expression.Field {
	return func(_ *expression.Frame, v any) any {
		it, ok := v.(T)
		if !ok {
			return absent
		}
		return read(it)
	}
}

// listOf reads a list of an object, which is made each time.
func listOf[T any](read func(T) []any, absent []any) expression.Field {
	return func(f *expression.Frame, v any) any {
		it, ok := v.(T)
		if !ok {
			return absent
		}
		list := read(it)
		f.ChargeList(len(list))
		return list
	}
}

// item is what expressions see as an Item of an artifact.
type item struct {
	*artifact.Item
	section *artifact.Section
}

func (it *item) text(key string) string {
	if key == "name" {
		return it.Name
	}
	return it.Text(key)
}

func (it *item) flag(key string) bool {
	f := it.Field(key)
	if f == nil {
		return false
	}
	if f.Node != nil {
		return f.Node.True()
	}
	return state.IsTrue(f.Text)
}

func (it *item) list(key string) []any {
	f := it.Field(key)
	if f == nil {
		return nil
	}
	out := make([]any, 0, len(f.Entries))
	for i := range f.Entries {
		out = append(out, f.Entries[i].Text)
	}
	return out
}

func (it *item) outcomes(key string) []any {
	f := it.Field(key)
	if f == nil {
		return nil
	}
	out := make([]any, 0, len(f.Entries))
	for i := range f.Entries {
		if e := &f.Entries[i]; e.Text != "" {
			out = append(out, &outcome{e.Key, e.Text})
		}
	}
	return out
}

func (it *item) score(part string) int {
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

// block is what expressions see as a Delta.
type block struct {
	*delta.Delta
	from string
}

func (d *block) text(key string) string    { return d.Payload.Get(key).StringOr("") }
func (d *block) flag(key string) bool      { return d.Payload.Get(key).True() }
func (d *block) score(part string) int     { return scoreOf(d.Payload.Get(scoreKey).Get(part)) }
func (d *block) outcomes(key string) []any { return outcomesOf(d.Payload.Get(key)) }

func (d *block) list(key string) []any {
	n := d.Payload.Get(key)
	if !n.Is(jsontree.Array) {
		return nil
	}
	var out []any
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

func outcomesOf(n *jsontree.Node) []any {
	if !n.Is(jsontree.Object) {
		return nil
	}
	var out []any
	members := n.Members()
	for i := range members {
		if m := &members[i]; m.Value.Is(jsontree.String) {
			out = append(out, &outcome{m.Name, m.Value.Text})
		}
	}
	return out
}

// stored is what expressions see as an Item of a merged state.
type stored struct {
	*state.Item
	fields map[string]any // set on first use
}

func (it *stored) value(key string) any {
	if it.fields == nil {
		it.fields = it.Fields()
	}
	return it.fields[key]
}

func (it *stored) text(key string) string {
	s, _ := it.value(key).(string)
	return s
}

func (it *stored) flag(key string) bool { return state.IsTrue(it.value(key)) }

func (it *stored) list(key string) []any {
	values, _ := it.value(key).([]any)
	var out []any
	for _, v := range values {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (it *stored) outcomes(key string) []any {
	values, _ := it.value(key).(map[string]any)
	var out []any
	for _, h := range sortedKeys(values) {
		if s, ok := values[h].(string); ok {
			out = append(out, &outcome{h, s})
		}
	}
	return out
}

func (it *stored) score(part string) int {
	parts, _ := it.value(scoreKey).(map[string]any)
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
