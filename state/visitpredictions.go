package state

import (
	"github.com/tidwall/btree"

	"github.com/brennerlint/brennerlint/protocol"
)

// predicting is an index of the predictions by the hypotheses for which they have, or
// once had, an outcome. States cloned from each other share it as they do their items.
type predicting struct {
	lists  btree.Map[uint64, *predictions] // by key of the hypothesis
	shared bool
	names  []string // those that are being added
}

// predictions is a list, the latest first; its rest never changes.
type predictions struct {
	id   protocol.ItemID
	rest *predictions
}

func (p *predicting) clone() *predicting {
	if p == nil {
		return nil
	}
	p.shared = true
	c := *p
	c.names = nil
	return &c
}

// VisitPredictions calls visit with the predictions that may have an outcome for a
// hypothesis, each at least once.
func (s *State) VisitPredictions(hypothesis protocol.ItemID, visit func(prediction protocol.ItemID)) {
	if s.predicting == nil {
		s.predicting = &predicting{}
		for _, it := range s.Items(protocol.PredictionsTable) {
			s.predicted(it, Values{})
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
func (s *State) indexed(it *Item) Values {
	if s.predicting == nil {
		return Values{}
	}
	return it.outcomes()
}

// predicted adds the outcomes of a prediction to the index that it did not have before.
func (s *State) predicted(it *Item, before Values) {
	if s.predicting == nil {
		return
	}
	s.predicting.names = it.outcomes().AppendKeys(s.predicting.names[:0])
	for _, name := range s.predicting.names {
		if _, known := before.Lookup(name); known {
			continue
		}
		h, ok := protocol.ParseItemID(name)
		if !ok || h.Section != protocol.HypothesisSlate {
			continue
		}
		if s.predicting.shared {
			s.predicting.lists, s.predicting.shared = *s.predicting.lists.Copy(), false
		}
		rest, _ := s.predicting.lists.Get(key(h))
		s.predicting.lists.Set(key(h), &predictions{it.ID, rest})
	}
	clear(s.predicting.names) // they keep texts in memory
}
