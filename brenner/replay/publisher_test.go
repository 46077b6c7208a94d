package replay_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/oracle"
)

// publishing is a thread under construction of which the oracle and the replay are asked what
// they find in its versions.
type publishing struct {
	messages []oracle.Message
	last     *oracle.Artifact
}

const publishedThread = "RS-20260302-plain-merge"

func (p *publishing) send(subject, body string, a *oracle.Artifact) *publishing {
	n := len(p.messages)
	p.messages = append(p.messages, oracle.Message{
		ID: fmt.Sprint(n + 1), Subject: subject, From: "Ada", Created: fmt.Sprintf("2026-03-02T09:%02d:00Z", n), Body: body, Artifact: a,
	})
	return p
}

func (p *publishing) deltas(subject string, deltas ...object) *publishing {
	body := ""
	for _, d := range deltas {
		data, err := json.Marshal(d)
		if err != nil {
			panic(err)
		}
		body += "```delta\n" + string(data) + "\n```\n"
	}
	return p.send(subject, body, nil)
}

func (p *publishing) delta(deltas ...object) *publishing {
	return p.deltas("DELTA[opus]: x", deltas...)
}

// compiled publishes what is merged, as changed; again publishes the same bytes.
func (p *publishing) compiled(change func(a *oracle.Artifact)) *publishing {
	windows := oracle.Replay(p.messages, oracle.Options{})
	p.last = windows[len(windows)-1].Publish()
	if change != nil {
		change(p.last)
	}
	return p.again()
}

func (p *publishing) again() *publishing {
	n := len(oracle.Replay(p.messages, oracle.Options{}))
	return p.send(fmt.Sprintf("COMPILED: v%d artifact", n), "# Compiled Artifact\n\n## Full Artifact\n\n"+p.last.Markdown(publishedThread), p.last)
}

// showVersion describes a version of a thread: hashes, counts and what is found.
func showVersion(number, hash string, applied, rejected int, matches *bool, published string, found []string) string {
	out := fmt.Sprintf("%s: %s applied %d rejected %d", number, hash, applied, rejected)
	if matches != nil {
		out += fmt.Sprintf(" matches %t published %s", *matches, published)
	}
	return out + ": " + strings.Join(found, "; ") + "\n"
}

// replayed has the replay tell what showVersion shows of its windows, and the findings alone.
func (p *publishing) replayed(t *testing.T) (out string, found []string) {
	file := filepath.Join(t.TempDir(), "thread.json")
	if err := os.WriteFile(file, plainExport(p.messages), 0o644); err != nil {
		t.Fatal(err)
	}
	r := replay.New(threads(t, file)[0], replay.Options{})
	by := map[int][]string{}
	for _, f := range findings(r) {
		if f.Rule == "MR-022" || "MR-011" <= f.Rule && f.Rule <= "MR-016" {
			line := f.Rule + " " + f.Item
			if f.Rule == "MR-013" {
				line += " " + f.Field
			}
			by[f.In.Index] = append(by[f.In.Index], strings.TrimSpace(line))
		}
	}
	for i, w := range append(slices.Clone(r.Windows), r.Pending) {
		var own []string
		if w.Compiled != nil {
			own = by[w.Compiled.Index]
			slices.Sort(own)
			own = slices.Compact(own)
		}
		out += showVersion(fmt.Sprint("v", i+1), w.Hash(), w.Applied, len(w.Rejected), w.Matches, w.PublishedHash(), own)
		found = append(found, strings.Join(own, "; "))
	}
	return out, found[:len(r.Windows)]
}

// TestPublishers checks what is found in versions whose publisher erred (decisions.md 82 to
// 91), each beside one that did not: the decisions, the oracle and the replay say the same.
func TestPublishers(t *testing.T) {
	third := hypothesis(3)
	third["payload"].(object)["name"], third["payload"].(object)["third_alternative"] = "Third alternative", true
	begin := func() *publishing {
		return new(publishing).delta(hypothesis(1), hypothesis(2), third, prediction(1, object{"H1": "up", "H2": "down", "H3": "none"}), assumption(1), assumption(2))
	}
	killed := func() *publishing { return begin().compiled(nil).delta(kill("H2")) }
	put := func(id, key string, v any) func(*oracle.Artifact) {
		return func(a *oracle.Artifact) { a.Item(id)[key] = v }
	}
	outcome := func(h string, v any) func(*oracle.Artifact) {
		return func(a *oracle.Artifact) { a.Item("P1")["predictions"].(map[string]any)[h] = v }
	}
	revived := func(a *oracle.Artifact) {
		for _, key := range []string{"killed", "killed_by", "killed_at", "kill_reason"} {
			delete(a.Item("H2"), key)
		}
		outcome("H2", "down")(a)
	}
	dropped := func(ids ...string) func(*oracle.Artifact) {
		return func(a *oracle.Artifact) {
			for sec := range a.Items {
				a.Items[sec] = slices.DeleteFunc(a.Items[sec], func(it map[string]any) bool { return slices.Contains(ids, it["id"].(string)) })
			}
		}
	}
	renumbered := func(a *oracle.Artifact) { a.Item("A2")["id"] = "A4" }
	without := func(columns ...string) func(*oracle.Artifact) {
		return func(a *oracle.Artifact) {
			a.Columns = slices.DeleteFunc(a.Columns, func(h string) bool { return slices.Contains(columns, h) })
		}
	}
	invented := func(sec, id string, fields object) func(*oracle.Artifact) {
		return func(a *oracle.Artifact) {
			fields["id"] = id
			a.Items[sec] = append(a.Items[sec], fields)
		}
	}
	claim := func(h string) object { return edit(h, object{"claim": "better"}) }
	lacking := func(n int, load string) object { // rejected by DL-006
		return add("assumption_ledger", object{"name": fmt.Sprint("Lacking ", n), "statement": fmt.Sprint("lacks ", n), "load": load, "test": "t"})
	}
	shown := func(n int, load string) object {
		return object{"name": fmt.Sprint("Lacking ", n), "statement": fmt.Sprint("lacks ", n), "load": load, "test": "t"}
	}
	for _, e := range []struct {
		name   string
		thread *publishing
		want   []string // the findings of each version
	}{
		{"as merged", begin().compiled(nil).delta(claim("H1")).compiled(nil), []string{"", ""}},

		{"82: an item left out twice, then shown", begin().compiled(dropped("A1")).again().compiled(nil), []string{"MR-011 A1", "MR-011", ""}},
		{"82: left out and named", begin().compiled(dropped("A1")).delta(edit("A1", object{"load": "l"})).compiled(nil), []string{"MR-011 A1", ""}},
		{"82: an N/A forgotten, then written", killed().compiled(outcome("H2", "down")).compiled(outcome("H2", "N/A")), []string{"", "MR-016 P1", ""}},
		{"82: forgotten, then forgotten again", killed().compiled(outcome("H2", "down")).again(), []string{"", "MR-016 P1", ""}},
		{"91: forgotten, then another", killed().compiled(outcome("H2", "down")).compiled(outcome("H2", "else")), []string{"", "MR-016 P1", "MR-013 P1 predictions"}},

		{"83: a KILL skipped, the same bytes again, an EDIT of it", killed().compiled(revived).again().delta(claim("H2")).compiled(nil), []string{"", "MR-014 H2", "", ""}},
		{"83: a KILL published, an EDIT of it", killed().compiled(nil).again().delta(claim("H2")).compiled(nil), []string{"", "", "", ""}},
		{"83: killed, shown with less", killed().compiled(put("H2", "mechanism", nil)), []string{"", ""}},
		{"83: killed, shown with another value", killed().compiled(put("H2", "mechanism", "other")), []string{"", "MR-013 H2 mechanism"}},

		{"85: a column left out", begin().compiled(without("H2")).delta(claim("H1")).compiled(nil), []string{"MR-013 P1 predictions", ""}},
		{"85: its cell empty", begin().compiled(outcome("H2", nil)), []string{"MR-013 P1 predictions"}},
		{"85: that of a killed hypothesis left out", killed().compiled(without("H2")), []string{"", ""}},
		{"85: of a hypothesis that the slate lacks", begin().delta(edit("P1", object{"predictions": object{"H1": "up", "H9": "more"}})).compiled(nil), []string{"MR-013 P1 predictions"}},

		{"87: a reply published", begin().compiled(nil).deltas("Re: DELTA[opus]: x", claim("H1")).compiled(put("H1", "claim", "better")), []string{"", "MR-022 H1"}},
		{"87: a reply left out", begin().compiled(nil).deltas("Re: DELTA[opus]: x", claim("H1")).compiled(nil), []string{"", ""}},
		{"87: an ADD of a reply published", begin().compiled(nil).deltas("INFO: x", assumption(3)).compiled(invented("assumption_ledger", "A3", assumption(3)["payload"].(object))), []string{"", "MR-022 A3"}},
		{"87: another item than that of a reply", begin().compiled(nil).deltas("INFO: x", assumption(3)).compiled(invented("assumption_ledger", "A3", shown(7, "l"))), []string{"", "MR-012 A3"}},

		{"88: the old id after a renumbering", begin().compiled(renumbered).delta(edit("A2", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: the new id after a renumbering", begin().compiled(renumbered).delta(edit("A4", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: no id after a renumbering", begin().compiled(renumbered).delta(edit("A3", object{"load": "l"})).compiled(nil), []string{"MR-015 A4", ""}},
		{"88: an ADD after a renumbering", begin().compiled(renumbered).delta(assumption(5), kill("A2")).compiled(nil), []string{"MR-015 A4", ""}},

		{"89: a flag left out, which the name seems to say", begin().compiled(put("H3", "third_alternative", nil)), []string{"MR-013 H3 third_alternative"}},
		{"89: a flag added, which the name seems to say", begin().delta(add("assumption_ledger", object{"name": "Scale check", "statement": "s", "load": "l", "test": "t", "status": "unchecked"})).
			compiled(put("A3", "scale_check", true)), []string{"MR-013 A3 scale_check"}},
		{"89: a rejected ADD published", begin().delta(lacking(1, "l")).compiled(invented("assumption_ledger", "A3", shown(1, "l"))), []string{"MR-022 A3"}},
		{"89: a rejected ADD left out", begin().delta(lacking(1, "l")).compiled(nil), []string{""}},
		{"89: a rejected ADD whose id is named", begin().delta(lacking(1, "l"), edit("A3", object{"load": "m"})).compiled(invented("assumption_ledger", "A3", shown(7, "l"))), []string{"MR-012 A3"}},
		{"89: of two rejected ADDs the one that fits", begin().delta(lacking(1, "k"), lacking(1, "l")).compiled(invented("assumption_ledger", "A3", shown(1, "l"))), []string{"MR-022 A3"}},
	} {
		t.Run(e.name, func(t *testing.T) {
			var plain string
			var want []string
			for i, w := range oracle.Replay(e.thread.messages, oracle.Options{}) {
				plain += showVersion(fmt.Sprint("v", i+1), w.Hash, w.Applied, len(w.Rejected), w.Matches, w.Published, w.Findings)
				want = append(want, strings.Join(w.Findings, "; "))
			}
			got, found := e.thread.replayed(t)
			if want = want[:len(found)]; !slices.Equal(want, e.want) {
				t.Errorf("the oracle finds %q, want %q", want, e.want)
			}
			if !slices.Equal(found, e.want) {
				t.Errorf("the replay finds %q, want %q", found, e.want)
			}
			if got != plain {
				t.Errorf("replay:\n%soracle:\n%s%s", got, plain, e.thread.last.Markdown(publishedThread))
			}
		})
	}
}
