package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// normal returns a state as far as a rendering in Markdown shows it, its values in
// normal form. Left out are what is never rendered: references, unknown fields,
// who killed a prediction, and the N/A of killed hypotheses.
func normal(s *state.State) *state.State {
	out := &state.State{}
	for _, sec := range protocol.Sections {
		for _, it := range s.Items(sec) {
			n := state.NewItem(it.ID, make(map[string]any, len(it.Fields())))
			for key, v := range it.Fields() {
				f := sec.Field(key)
				if f == nil {
					continue
				}
				if v = state.NormalValue(sec, f, v); v != nil {
					n.Fields()[key] = v
				}
			}
			if it.Killed != nil {
				n.Killed = normalKill(sec, it.Killed)
			}
			if sec == protocol.PredictionsTable {
				dropKilled(s, n)
			}
			if sec != protocol.ResearchThread || len(n.Fields()) > 0 || n.Killed != nil {
				out.Add(n)
			}
		}
	}
	return out
}

func normalKill(sec protocol.Section, k *state.Kill) *state.Kill {
	if sec == protocol.PredictionsTable {
		return &state.Kill{} // a row shows only that it is killed
	}
	return &state.Kill{By: state.Fold(k.By), At: k.At.UTC(), Reason: state.Fold(k.Reason)}
}

// dropKilled removes the outcomes N/A of killed hypotheses from a prediction.
func dropKilled(s *state.State, prediction *state.Item) {
	outcomes, _ := prediction.Fields()["predictions"].(map[string]any)
	for key, v := range outcomes {
		id, ok := protocol.ParseItemID(key)
		text, _ := v.(string)
		if !ok || !strings.EqualFold(text, "N/A") || id.Section != protocol.HypothesisSlate {
			continue
		}
		if h := s.Find(id); h != nil && h.Killed != nil {
			delete(outcomes, key)
		}
	}
	if len(outcomes) == 0 {
		delete(prediction.Fields(), "predictions")
	}
}
