package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// predictions writes the predictions table. It has a column for every
// hypothesis, killed ones included, and for every other key of an outcome.
func (r *renderer) predictions() {
	rows := r.state.Items(protocol.PredictionsTable)
	columns := r.columns(rows)
	r.out.WriteString("\n| ID | Observation/Condition |")
	for _, c := range columns {
		r.printf(" %s |", escapeColumn(c))
	}
	r.out.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(columns)) + "\n")
	for _, it := range rows {
		id := it.ID.String()
		if it.Killed != nil {
			id = "~~" + id + "~~"
		}
		r.printf("| %s | %s |", id, escapeCell(state.Plain(it.Fields()["condition"])))
		outcomes, _ := it.Fields()["predictions"].(map[string]any)
		for _, c := range columns {
			text := escapeCell(state.Plain(outcomes[c]))
			if text == "" {
				text = absent
			}
			r.printf(" %s |", text)
		}
		r.out.WriteByte('\n')
	}
}

func (r *renderer) columns(rows []*state.Item) []string {
	var out []string
	keys := map[string]any{}
	for _, it := range rows {
		outcomes, _ := it.Fields()["predictions"].(map[string]any)
		for key, v := range outcomes {
			if tidy(key) != "" && state.Plain(v) != "" {
				keys[key] = true
			}
		}
	}
	for _, h := range r.state.Items(protocol.HypothesisSlate) {
		out = append(out, h.ID.String())
		delete(keys, h.ID.String())
	}
	return append(out, sortedKeys(keys)...)
}

// escapeColumn turns the key of outcomes into a header cell.
func escapeColumn(key string) string {
	cell := escapeCell(key)
	if read, _ := columnKey(cell); read != tidy(key) {
		cell = `\` + cell
	}
	return cell
}
