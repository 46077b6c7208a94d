package customrules

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
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

// scoreKey is the field that holds the parts of a score.
const scoreKey = "score"

// noFields are those of an item that has none.
var noFields = Fields{LikelihoodRatio: -1, Cost: -1, Speed: -1, Ambiguity: -1}

// fieldPlaces are the places of Fields in the struct, by their keys.
var fieldPlaces = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for i, key := range names(reflect.TypeFor[Fields]()) {
		out[key] = i
	}
	return out
})

// at returns a pointer to the field with a key, by which it is set: *string, *bool,
// *[]string, *[]*Outcome, or *int for a part of a score. It is nil if there is none.
func (f *Fields) at(key string) any {
	i, ok := fieldPlaces()[key]
	if !ok {
		return nil
	}
	return reflect.ValueOf(f).Elem().Field(i).Addr().Interface()
}

// setScore sets the parts of a score.
func (f *Fields) setScore(part func(name string) int) {
	for _, name := range brenner.ScoreParts {
		*f.at(name).(*int) = part(name)
	}
}

// readItem reads the fields of an item of an artifact. Of a field that is given
// several times the first counts.
func (f *Fields) readItem(it *artifact.Item) {
	for _, written := range slices.Backward(it.Fields) {
		switch to := f.at(written.Key).(type) {
		case *string:
			*to = written.Text
		case *bool:
			*to = written.Node == nil && state.IsTrue(written.Text) || written.Node.True()
		case *[]string:
			*to = texts(written.Entries, func(e artifact.Entry) string { return e.Text })
		case *[]*Outcome:
			*to = nil
			for _, e := range written.Entries {
				if e.Text != "" {
					*to = append(*to, &Outcome{e.Key, e.Text})
				}
			}
		}
		if written.Key == scoreKey {
			f.setScore(func(part string) int {
				i := slices.IndexFunc(written.Entries, func(e artifact.Entry) bool { return e.Key == part })
				if i < 0 {
					return -1
				}
				return number(written.Entries[i].Text)
			})
		}
	}
	f.Name = it.Name
}

// readStored reads the fields of an item of a merged state, or of the payload of a delta.
func (f *Fields) readStored(fields map[string]any) {
	for key, v := range fields {
		switch to := f.at(key).(type) {
		case *string:
			*to, _ = v.(string)
		case *bool:
			*to = state.IsTrue(v)
		case *[]string:
			list, _ := v.([]any)
			*to = elements[string](list)
		case *[]*Outcome:
			of, _ := v.(map[string]any)
			for _, hypothesis := range slices.SortedFunc(maps.Keys(of), byID) {
				if s, ok := of[hypothesis].(string); ok {
					*to = append(*to, &Outcome{hypothesis, s})
				}
			}
		}
		if key == scoreKey {
			parts, _ := v.(map[string]any)
			f.setScore(func(part string) int { return number(state.Plain(parts[part])) })
		}
	}
}

// byID orders the ids of hypotheses by their numbers.
func byID(a, b string) int {
	x, _ := brenner.ParseItemID(a)
	y, _ := brenner.ParseItemID(b)
	return cmp.Or(x.Compare(y), strings.Compare(a, b))
}

// number returns a whole number of a score; -1 if it is none.
func number(text string) int {
	if n, ok := state.ParseNumber(strings.TrimSpace(text)); ok && n == math.Trunc(n) && math.Abs(n) < 1000 {
		return int(n)
	}
	return -1
}
