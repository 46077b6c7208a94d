package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// summary returns the summary of a thread of posts.
func summary(name string, posts ...post) *session.Session {
	th := thread(posts)
	th.ID = name
	s := replay.New(th, replay.Options{}).Summary()
	s.Open = func() (*session.Thread, *artifact.Artifact) { return th, nil }
	return s
}

// refers returns an assumption that refers to items of sessions.
func refers(n int, to ...string) object {
	var refs []object
	for i := 0; i < len(to); i += 2 {
		refs = append(refs, object{"session": to[i], "item": to[i+1], "relation": "extends"})
	}
	d := assumption(n)
	d["payload"].(object)["references"] = refs
	return d
}

func sameLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// links returns references as lines.
func links(found []*session.Reference) []string {
	var out []string
	for _, l := range found {
		out = append(out, l.From.ID+" "+l.Item.String()+" → "+l.Session+" "+l.Target)
	}
	return out
}

// reproposals returns items that were added again, as lines.
func reproposals(found []session.Reproposal) []string {
	var out []string
	for _, r := range found {
		out = append(out, r.Item.From.ID+" "+r.Item.Item.String()+" is "+r.Of.From.ID+" "+r.Of.Item.String()+", killed by "+r.Of.By)
	}
	return out
}

func TestReferences(t *testing.T) {
	a := summary("RS-20260101-alpha", from("Ada", 1, refers(1, "RS-20260101-beta", "A1"), refers(2, "RS-20260101-bet", "A1"), refers(3, "RS-20260101-beta", "A9"), refers(4, "RS-20260101-beta", "T1"), refers(5, "", "A1", "RS-20260101-beta", "nothing")))
	b := summary("RS-20260101-beta", from("Bob", 1, assumption(1), assumption(2)))
	sameLines(t, "unknown sessions", links(session.NewWorkspace([]*session.Session{a, b}).UnknownSessions()), "RS-20260101-alpha A2 → RS-20260101-bet A1")
	sameLines(t, "unknown sessions of one thread", links(session.NewWorkspace([]*session.Session{a}).UnknownSessions()))
	items := session.NewWorkspace([]*session.Session{a, b}).UnknownItems()
	sameLines(t, "unknown items", links(items),
		"RS-20260101-alpha A3 → RS-20260101-beta A9",
		"RS-20260101-alpha A4 → RS-20260101-beta T1",
		"RS-20260101-alpha A5 → RS-20260101-beta nothing")
	b.Complete = false
	sameLines(t, "unknown items of a session that is not known whole", links(session.NewWorkspace([]*session.Session{a, b}).UnknownItems()))

	var l session.Resolver
	at := l.Resolve(items[2].Ref, "")
	if at.In == nil || at.In.ID != "1" || at.Delta != 5 || !strings.HasPrefix(at.At.Text.Slice(source.Span{Start: at.At.Span.Start, End: at.At.Span.Start + 20}), `{"item":"nothing"`) {
		t.Errorf("the reference is found in delta %d at %d", at.Delta, at.At.Span.Start)
	}
	gone := *items[2].From
	gone.Open, gone.Path = nil, "mail.json"
	if at := l.Resolve(session.Ref{From: &gone}, ""); at.Path != "mail.json" || at.In != nil {
		t.Errorf("a source that is gone gives %+v", at)
	}
	// A reference that a later EDIT removes does not count; a repeated one counts once.
	a = summary("RS-20260101-alpha", from("Ada", 1, refers(1, "RS-20260101-gamma", "A1")), from("Ada", 2, edit("A1", object{"references": []object{}, "replace": true})),
		from("Bob", 3, refers(2, "RS-20251111-zygote", "A1")), from("Bob", 4, edit("A2", object{"references": []object{{"session": "RS-20251111-zygote", "item": "A1", "relation": "extends"}}})))
	sameLines(t, "references taken back", links(session.NewWorkspace([]*session.Session{a, b}).UnknownSessions()), "RS-20260101-alpha A2 → RS-20251111-zygote A1")
}

func TestReproposals(t *testing.T) {
	late := func(s *session.Session, days int) *session.Session {
		for i := range s.Added {
			s.Added[i].At = s.Added[i].At.AddDate(0, 0, days)
		}
		return s
	}
	a := summary("RS-20260101-alpha", from("Ada", 1, assumption(1)), from("Bob", 2, kill("A1")), from("Cyd", 3, assumption(1)))
	b := late(summary("RS-20260101-beta", from("Ada", 1, assumption(2), add("assumption_ledger", object{"name": "ASSUMPTION  1", "statement": "Statement 1", "load": "l", "test": "t", "status": "unchecked"}))), 1)
	got := session.NewWorkspace([]*session.Session{b, a}).Reproposals()
	sameLines(t, "killed items", reproposals(got),
		"RS-20260101-alpha A2 is RS-20260101-alpha A1, killed by Bob",
		"RS-20260101-beta A2 is RS-20260101-alpha A1, killed by Bob")
	var l session.Resolver
	if at := l.Resolve(got[1].Of.Ref, ""); got[1].Of.From != a || at.In == nil || at.In.ID != "2" {
		t.Errorf("the KILL is found in %+v", at)
	}
	sameLines(t, "an item that was there before", reproposals(session.NewWorkspace([]*session.Session{late(summary("RS-20260101-old", from("Ada", 1, assumption(1))), -9), summary("RS-20260101-alpha", from("Ada", 1, assumption(1)), from("Bob", 2, kill("A1")))}).Reproposals()))
}

// An artifact file represents its session where there is no mail.
func TestSummarizeFile(t *testing.T) {
	st := &brenner.State{}
	st.Add(itemOf(id("A1"), object{"name": "Assumption 1", "statement": "statement 1"}, &brenner.Killing{By: "Bob", At: noon, Reason: "r"}))
	st.Add(brenner.NewItem(id("H1"), object{"name": "a", "claim": "b", "mechanism": "c"}))
	f := file(st, 1, nil)
	s := replay.SummarizeFile(f, "RS-20260101-file")
	s.Open = func() (*session.Thread, *artifact.Artifact) { return nil, f.Artifact }
	var ids []string
	for _, it := range s.Items {
		ids = append(ids, it.String())
	}
	if strings.Join(ids, " ") != "H1 A1" || len(s.Killed) != 1 || !s.Complete || s.Path != f.Path {
		t.Errorf("the file is summarized as %v, %d killed", ids, len(s.Killed))
	}
	mail := summary("RS-20260101-mail", from("Ada", 2, assumption(1)))
	found := session.NewWorkspace([]*session.Session{mail, s}).Reproposals()
	sameLines(t, "killed in a file", reproposals(found), "RS-20260101-mail A1 is RS-20260101-file A1, killed by Bob")
	var l session.Resolver
	if at := l.Resolve(found[0].Of.Ref, ""); at.Path != f.Path || !strings.Contains(at.At.Text.Slice(at.At.Span), "A1") {
		t.Errorf("the item is found at %q of %q", at.At.Text.Slice(at.At.Span), at.Path)
	}
	if got := found[0].Of.Ref.Item; got.Section != brenner.AssumptionLedger || got.Number != 1 {
		t.Errorf("the item is %s", got)
	}
}
