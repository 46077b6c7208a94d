package state

import (
	"github.com/tidwall/btree"

	"github.com/brennerlint/brennerlint/brenner"
)

// predicting is an index of the predictions by the hypotheses for which they have, or
// once had, an outcome. States cloned from each other share it as they do their items.
type predicting struct {
	lists  btree.Map[uint64, *predictions] // by key of the hypothesis
	shared bool
}

// predictions is a list, the latest first; its rest never changes.
type predictions struct {
	id   brenner.ItemID
	rest *predictions
}

func (p *predicting) clone() *predicting {
	if p == nil {
		return nil
	}
	p.shared = true
	c := *p
	return &c
}

// VisitPredictions calls visit with the predictions that may have an outcome for a
// hypothesis, each at least once.
func (s *State) VisitPredictions(hypothesis brenner.ItemID, visit func(prediction brenner.ItemID)) {
	if s.predicting == nil {
		s.predicting = &predicting{}
		for _, it := range s.Items(brenner.PredictionsTable) {
			s.predicted(it, nil)
		}
	}
	list, _ := s.predicting.lists.Get(key(hypothesis))
	for ; list != nil; list = list.rest {
		if s.Find(list.id) != nil { // it may have been removed
			visit(list.id)
		}
	}
}

// indexed returns the outcomes of a prediction if the state has an index of them.
func (s *State) indexed(it *Item) map[string]any {
	if s.predicting == nil {
		return nil
	}
	return it.outcomes()
}

// predicted adds the outcomes of a prediction to the index that it did not have before.
func (s *State) predicted(it *Item, before map[string]any) {
	if s.predicting == nil {
		return
	}
	for name := range it.outcomes() {
		if _, known := before[name]; known {
			continue
		}
		h, ok := brenner.ParseItemID(name)
		if !ok || h.Section != brenner.HypothesisSlate {
			continue
		}
		if s.predicting.shared {
			s.predicting.lists, s.predicting.shared = *s.predicting.lists.Copy(), false
		}
		rest, _ := s.predicting.lists.Get(key(h))
		s.predicting.lists.Set(key(h), &predictions{it.ID, rest})
	}
}
