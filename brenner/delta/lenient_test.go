package delta

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
)

// TestLenient checks how deltas are read whose meaning is plain (decisions.md 49), and
// that others are not guessed.
func TestLenient(t *testing.T) {
	const item = `"payload":{"name":"n"}`
	for _, tt := range []struct{ json, want string }{
		{`{"operation":"ADD","section":"hypothesis_slate",` + item + `}`, `ADD hypothesis_slate {"name":"n"}`},
		{`{"operation":"add","section":"hypotheses",` + item + `,}`, `ADD hypothesis_slate {"name":"n"}`},
		{`{"operation":"ADD","section":"hypothesis_slate",// new` + "\n" + item + `}`, `ADD hypothesis_slate {"name":"n"}`},
		{`[{"operation":"ADD","section":"hypothesis_slate",` + item + `}]`, `ADD hypothesis_slate {"name":"n"}`},
		{`{"operation":"UPDATE","section":"hypothesis_slate","target_id":"h2",` + item + `}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"op":"edit","section":"hypothesis_slate","target":"H02",` + item + `}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":["H2"],` + item + `}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":{"id":2},` + item + `}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":["H2","H3"],` + item + `}`, `EDIT hypothesis_slate {"name":"n"}`},
		{`{"hypothesis_slate":{"operation":"EDIT","target_id":"H2",` + item + `}}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"operation":"EDIT","target_id":"A3",` + item + `}`, `EDIT assumption_ledger A3 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"A3",` + item + `}`, `EDIT assumption_ledger A3 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","data":{"name":"n"}}`, `EDIT hypothesis_slate H2 {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","claim":"c","own":1,"rationale":"r"}`, `EDIT hypothesis_slate H2 {"claim":"c","own":1}`},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A2","payload":{},"statement":"s","test":"t"}`, `EDIT assumption_ledger A2 {"statement":"s","test":"t"}`},
		{`{"operation":"DELETE","section":"hypothesis_slate","target_id":"H2","reason":"old"}`, `KILL hypothesis_slate H2 {"reason":"old"} because old`},
		{`{"operation":"ADD","section":"research_thread","payload":{"statement":"s"}}`, `EDIT research_thread {"statement":"s"}`},
		{`{"operation":"EDIT","section":"thread","target_id":"H1","payload":{"statement":"s"}}`, `EDIT research_thread {"statement":"s"}`},
		{`{"operation":"EDIT","section":"Research_Thread","target_id":"rt","payload":{"statement":"s"}}`, `EDIT research_thread {"statement":"s"}`},
		{`{"operation":"ADD","section":"discriminative","payload":{"name":"n"}}`, `ADD discriminative_tests {"name":"n"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","payload":{"target_id":"h2","claim":"c"}}`, `EDIT hypothesis_slate H2 {"claim":"c"}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","payload":{"target_id":"A2","claim":"c"}}`, `EDIT hypothesis_slate {"claim":"c","target_id":"A2"}`},
		{`{"operation":"ADD","section":"predictions_table","payload":{"conditions":"c","predictions":{"H1":"a"}}}`, `ADD predictions_table {"condition":"c","predictions":{"H1":"a"}}`},
		{`{"operation":"ADD","section":"assumption_ledger","payload":{"name":"n","test":" ","calculation":""}}`, `ADD assumption_ledger {"calculation":"","name":"n"}`},
		{`{"operation":"edit","section":"assumption_ledger","target_id":"A2","payload":{"test":""}}`, `EDIT assumption_ledger A2 {"test":""}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","payload":[{"claim":"c"}]}`, `EDIT hypothesis_slate H2 {"claim":"c"}`},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H2","payload":[{"reason":"old"}]}`, `KILL hypothesis_slate H2 {"reason":"old"} because old`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","payload":[{"claim":"c"},{"name":"n"}]}`, `EDIT hypothesis_slate H2 null`},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H2","payload":{"reasons":"old"}}`, `KILL hypothesis_slate H2 {"reasons":"old"} because old`},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H2","payload":"old"}`, `KILL hypothesis_slate H2 null because old`},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H2","payload":{},"rationale":"r"}`, `KILL hypothesis_slate H2 null`},
		{`{"operation":"MERGE","section":"somewhere",` + item + `}`, `ADD ? {"name":"n"}`}, // what DL-001 names (decisions.md 86)
		{`[{"operation":"ADD"},{"operation":"ADD"}]`, "ADD ? null; ADD ? null"},
		{`[{"operation":"ADD","section":"hypotheses",` + item + `},{"operation":"kill","section":"tests","target_id":"t2","reason":"old"}]`,
			`ADD hypothesis_slate {"name":"n"}; KILL discriminative_tests T2 {"reason":"old"} because old`},
		{`{"operation":"ADD","section":"hypothesis_slate",` + item + `,}` + "\n" + `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1",` + item + `}`,
			`ADD hypothesis_slate {"name":"n"}; EDIT hypothesis_slate H1 {"name":"n"}`},
		{`{"deltas":[{"operation":"ADD","section":"hypothesis_slate",` + item + `},{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1",` + item + `}]}`,
			`ADD hypothesis_slate {"name":"n"}; EDIT hypothesis_slate H1 {"name":"n"}`},
		{`{"operation":"ADD","section":"hypothesis_slate",` + item + "}\n\n```delta\n" + `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1",` + item + `}`,
			`ADD hypothesis_slate {"name":"n"}; EDIT hypothesis_slate H1 {"name":"n"}`},
		{`{"operation":"ADD","section":"hypothesis_slate",` + item + "}```\n\n```json\n" + `{"a":1}`, `ADD hypothesis_slate {"name":"n"}`},
		{`[{"operation":"ADD"},7]`, "nothing"},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":"{\"name\":\"n\"}"}`, `ADD hypothesis_slate {"name":"n"}`},
		{`{"delta":{"operation":"add","section":"hypothesis_slate",` + item + `}}`, `ADD hypothesis_slate {"name":"n"}`},
		{`[7]`, "nothing"},
		{`{"operation" ADD}`, "ADD ? null"},
		{`{"operation" }`, "nothing"},
	} {
		var got []string
		for _, d := range extract(block(tt.json))[0].Lenient() {
			got = append(got, showLenient(d))
		}
		if len(got) == 0 {
			got = []string{"nothing"}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.json, diff)
		}
	}
}

func showLenient(d *Delta) string {
	words := []string{"?", "?"}
	if d.Operation != "" {
		words[0] = string(d.Operation)
	}
	if d.Section != 0 {
		words[1] = d.Section.ID()
	}
	if d.Target.Section != 0 {
		words = append(words, d.Target.String())
	}
	words = append(words, brenner.Canonical(d.Payload.Value()))
	if d.Reason != "" {
		words = append(words, "because "+d.Reason)
	}
	return strings.Join(words, " ")
}
