package replay_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	catalogue "github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

var noon = time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC)

type object = map[string]any

// post is a message of a thread under construction.
type post struct {
	from, subject, body string
	deltas              []object
	at                  time.Duration // after noon; by default a minute a message
	untimed, unread     bool          // its time or its body cannot be read
}

// thread builds a thread of posts, with ids from 1.
func thread(posts []post) *session.Thread {
	t := &mail.Thread{ID: "RS-20251230-cell-fate", Complete: true}
	facts := &mail.ExportInfo{Path: "thread.json"}
	for i, p := range posts {
		body := p.body
		for _, d := range p.deltas {
			data, err := json.Marshal(d)
			if err != nil {
				panic(err)
			}
			body += "\n```delta\n" + string(data) + "\n```\n"
		}
		at := noon.Add(p.at)
		if p.at == 0 {
			at = noon.Add(time.Duration(i) * time.Minute)
		}
		text := func(s string) *source.Text { return source.NewText([]byte(s)) }
		m := &mail.Message{
			ID: fmt.Sprint(i + 1), Thread: text(t.ID), Subject: text(p.subject), From: text(p.from),
			Created: text(at.Format(time.RFC3339Nano)), Time: at, HasTime: !p.untimed,
			Body: text(body), BodyState: mail.BodyPresent, ExportInfo: facts,
		}
		if p.unread {
			m.Body, m.BodyState = nil, mail.BodyRedacted
		}
		t.Messages = append(t.Messages, m)
	}
	slices.SortStableFunc(t.Messages, func(a, b *mail.Message) int { return a.Time.Compare(b.Time) })
	return session.NewThread(t, artifact.Limits{})
}

func add(section string, payload object) object {
	return object{"operation": "ADD", "section": section, "target_id": nil, "payload": payload, "rationale": "r"}
}

func edit(target string, payload object) object {
	return object{"operation": "EDIT", "section": sectionOf(target), "target_id": target, "payload": payload, "rationale": "r"}
}

func kill(target string) object {
	return object{"operation": "KILL", "section": sectionOf(target), "target_id": target, "payload": object{"reason": "it is refuted"}, "rationale": "r"}
}

func sectionOf(target string) string {
	id, ok := brenner.ParseItemID(target)
	if !ok {
		panic(target)
	}
	return id.Section.ID()
}

// publish adds a COMPILED with the state that the posts so far produce, as changed.
func publish(posts []post, version int, change func(*brenner.State)) []post {
	compiled := post{from: "Operator", subject: fmt.Sprintf("COMPILED: v%d artifact", version)}
	if n := len(posts); n > 0 && posts[n-1].at > 0 {
		compiled.at = posts[n-1].at + time.Hour
	}
	posts = append(posts, compiled)
	r := replay.New(thread(posts), replay.Options{})
	st := r.Windows[len(r.Windows)-1].State.Clone()
	if change != nil {
		change(st)
	}
	posts[len(posts)-1].body = "# Compiled Artifact\n\n## Full Artifact\n\n" + string(artifact.Render(st, artifact.RenderMeta{SessionID: "RS-20251230-cell-fate", Version: version}))
	return posts
}

func id(s string) brenner.ItemID {
	id, ok := brenner.ParseItemID(s)
	if !ok {
		panic(s)
	}
	return id
}

// set sets a field of an item; nil removes it.
func set(st *brenner.State, item, key string, v any) {
	it := st.Find(id(item)).Clone()
	if it.Fields()[key] = v; v == nil {
		delete(it.Fields(), key)
	}
	st.Put(it)
}

func setKilled(st *brenner.State, item string, k *brenner.Killing) {
	it := st.Find(id(item)).Clone()
	it.Killed = k
	st.Put(it)
}

// drop removes items.
func drop(st *brenner.State, ids ...string) {
	keep := &brenner.State{}
	for _, sec := range brenner.Sections {
		for _, it := range st.Items(sec) {
			if !slices.Contains(ids, it.ID.String()) {
				keep.Add(itemOf(it.ID, it.Fields(), it.Killed))
			}
		}
	}
	*st = *keep
}

// finding is a fact of a replay in the words of its rule.
type finding struct {
	Rule string
	lint.Diagnostic
}

// findings returns the facts of a replay as the rules report them, by rule.
func findings(r *replay.Thread) []finding {
	var out []finding
	all := catalogue.All()
	for _, rule := range all {
		check, ok := rule.Check.(lint.ThreadCheck)
		if !ok || !strings.HasPrefix(rule.ID, "MR-") && rule.ID != "AP-010" && rule.ID != "AP-020" {
			continue
		}
		record := func(rule *lint.Rule, d lint.Diagnostic) { out = append(out, finding{rule.ID, d}) }
		p := &lint.ThreadPass{Pass: lint.NewPass(nil, record, nil), Thread: r.Thread, Replay: r}
		p.Rule = rule
		p.RejectedBy = func(why *replay.Rejection) (string, string) { return all.RejectedBy(why) }
		check(p)
	}
	return out
}

// rules lists the findings, `MR-013 H2 claim`.
func rules(r *replay.Thread) []string {
	var out []string
	for _, f := range findings(r) {
		out = append(out, strings.TrimRight(f.Rule+" "+f.Item+" "+f.Field, " "))
	}
	slices.Sort(out)
	return out
}

func hypothesis(n int) object {
	return add("hypothesis_slate", object{"name": fmt.Sprint("Hypothesis ", n), "claim": fmt.Sprint("claim ", n), "mechanism": fmt.Sprint("mechanism ", n), "anchors": []string{fmt.Sprintf("§%d", n)}})
}

func prediction(n int, outcomes object) object {
	return add("predictions_table", object{"condition": fmt.Sprint("condition ", n), "predictions": outcomes})
}

func assumption(n int) object {
	return add("assumption_ledger", object{"name": fmt.Sprint("Assumption ", n), "statement": fmt.Sprint("statement ", n), "load": "load", "test": "test", "status": "unchecked"})
}

func trial(n, cost int) object {
	return add("discriminative_tests", object{"name": fmt.Sprint("Test ", n), "procedure": fmt.Sprint("do ", n), "discriminates": "H1 vs H2",
		"expected_outcomes": object{"H1": "up", "H2": "down"}, "potency_check": "control", "score": object{"likelihood_ratio": 1, "cost": cost, "speed": 1, "ambiguity": 1}})
}

// first returns a first round: all sections but anomalies and critiques.
func first() []post {
	return []post{
		{from: "Operator", subject: "KICKOFF: x"},
		{from: "Ada", subject: "DELTA[opus]: x", deltas: []object{
			{"operation": "EDIT", "section": "research_thread", "target_id": "RT", "payload": object{"statement": "why?", "context": "because", "anchors": []string{"§1"}}},
			hypothesis(1), hypothesis(2), hypothesis(3),
		}},
		{from: "Bob", subject: "DELTA[gpt]: x", deltas: []object{
			prediction(1, object{"H1": "yes", "H2": "no", "H3": "maybe"}), prediction(2, object{"H1": "a", "H2": "b"}),
			trial(1, 1), trial(2, 3), assumption(1), assumption(2), assumption(3),
		}},
	}
}

// itemOf returns an item, killed or not.
func itemOf(id brenner.ItemID, fields object, killed *brenner.Killing) *brenner.Item {
	it := brenner.NewItem(id, fields)
	it.Killed = killed
	return it
}

// faults returns the findings of a replay, one per line: rule and message.
func faults(r *replay.Thread) []string {
	var out []string
	for _, p := range findings(r) {
		out = append(out, p.Rule+" "+p.Message)
	}
	return out
}

// expect compares the findings of a replay with others, such as `MR-013 H2 claim`. Their words are
// those of rules, whose pages pin them down.
func expect(t *testing.T, r *replay.Thread, want ...string) {
	t.Helper()
	if got := rules(r); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s\n%s", strings.Join(got, "\n  "), strings.Join(want, "\n  "), strings.Join(faults(r), "\n  "))
	}
}

// edge is a thread whose last artifact is published as changed, with the rules that
// must report it.
type edge struct {
	name     string
	posts    []post
	change   func(*brenner.State)
	old, new string // of the body
	want     string
}

// edges replays threads.
func edges(t *testing.T, all ...edge) {
	t.Helper()
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) {
			version := 1
			for _, p := range e.posts {
				if strings.HasPrefix(p.subject, "COMPILED") {
					version++
				}
			}
			posts := publish(e.posts, version, e.change)
			body := &posts[len(posts)-1].body
			if !strings.Contains(*body, e.old) {
				t.Fatalf("the artifact has no %q:\n%s", e.old, *body)
			}
			*body = strings.Replace(*body, e.old, e.new, 1)
			r := replay.New(thread(posts), replay.Options{})
			if got := strings.Join(rules(r), "; "); got != e.want {
				t.Errorf("got  %s\nwant %s\n  %s", got, e.want, strings.Join(faults(r), "\n  "))
			}
			if w := r.Windows[version-1]; e.want == "" && w.Matches != nil && !*w.Matches {
				t.Error("it differs in silence")
			}
		})
	}
}

// both makes several changes.
func both(changes ...func(*brenner.State)) func(*brenner.State) {
	return func(st *brenner.State) {
		for _, change := range changes {
			change(st)
		}
	}
}
