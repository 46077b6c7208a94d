package customrules

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/workspace"
	"github.com/brennerlint/brennerlint/internal/expression"
)

// fields are the readers of the fields of all objects.
var fields = sync.OnceValue(func() map[reflect.Type]map[string]expression.Field {
	common := readFields()
	envelope := envelopeFields()
	message := messageFields()
	maps.Copy(message, envelope)
	deltas, items := deltaFields(), itemFields()
	maps.Copy(deltas, common)
	maps.Copy(items, common)
	return map[reflect.Type]map[string]expression.Field{
		reflect.TypeFor[*Envelope]():  envelope,
		reflect.TypeFor[*Message]():   message,
		reflect.TypeFor[*Section]():   sectionFields(),
		reflect.TypeFor[*Delta]():     deltas,
		reflect.TypeFor[*Thread]():    threadFields(),
		reflect.TypeFor[*Artifact]():  artifactFields(),
		reflect.TypeFor[*Item]():      items,
		reflect.TypeFor[*Session]():   sessionFields(),
		reflect.TypeFor[*Workspace](): {"sessions": of(func(w *sessions) any { return w.list }, none)},
		reflect.TypeFor[*Outcome](): {
			"hypothesis": of(func(o *outcome) any { return o.hypothesis }, ""),
			"text":       of(func(o *outcome) any { return o.text }, ""),
		},
	}
})

// none is the list of nothing.
var none = []any{}

// The names that most conditions begin with, as expressions take them: made once, as
// each would be allocated.
var (
	sectionIDs     = boxed(brenner.AdversarialCritique, brenner.Section.ID)
	typeNames      = boxed(brenner.Info, brenner.MessageType.String)
	operationNames = boxed(brenner.Kill, brenner.Operation.String)
)

// boxed returns the names of all values up to the last, the zero one included.
func boxed[T ~uint8](last T, name func(T) string) []any {
	out := make([]any, int(last)+1)
	for i := range out {
		out[i] = name(T(i))
	}
	return out
}

type msg = *session.Message

func envelopeFields() map[string]expression.Field {
	return map[string]expression.Field{
		"id":      of(func(m msg) any { return m.ID }, ""),
		"type":    of(func(m msg) any { return typeNames[m.Intended] }, ""),
		"subject": of(func(m msg) any { return m.SubjectText }, ""),
		"thread":  of(func(m msg) any { return m.ThreadID }, ""),
		"version": of(func(m msg) any { return m.Version.Number }, 0),
		"role":    of(func(m msg) any { return m.SubjectText[m.Role.Start:m.Role.End] }, ""),
		"description": of(func(m msg) any {
			return m.SubjectText[m.Description.Start:m.Description.End]
		}, ""),
		"from":         of(func(m msg) any { return m.From.String() }, ""),
		"time":         of(func(m msg) any { return instant(m) }, ""),
		"ack_required": of(func(m msg) any { return m.AckRequired }, false),
		"draft":        of(func(m msg) any { return m.Form == mail.Draft }, false),
		"number": func(f *expression.Frame, v any) any {
			m, ok := v.(msg)
			if !ok || !task(f).inThread {
				return 0
			}
			return m.Index + 1
		},
		"recipients": listOf(func(m msg) []any {
			out := make([]any, 0, len(m.Recipients))
			for i := range m.Recipients {
				out = append(out, m.Recipients[i].Name)
			}
			return out
		}, none),
		"deltas": func(f *expression.Frame, v any) any {
			m, ok := v.(msg)
			if !ok {
				return none
			}
			return task(f).deltas(m)
		},
	}
}

// instant is when a message was sent, in one form, so that texts compare as times do.
func instant(m msg) string {
	if !m.HasTime {
		return ""
	}
	return m.Time.UTC().Format(time.RFC3339)
}

func messageFields() map[string]expression.Field {
	return map[string]expression.Field{
		"body": func(f *expression.Frame, v any) any {
			m, ok := v.(msg)
			if !ok || m.Body == nil || m.BodyState != mail.BodyPresent {
				return ""
			}
			return task(f).body(m)
		},
		"sections": func(f *expression.Frame, v any) any {
			m, ok := v.(msg)
			if !ok {
				return none
			}
			return task(f).sections(m)
		},
		"artifact": func(_ *expression.Frame, v any) any {
			if m, ok := v.(msg); ok && m.Artifact != nil {
				return m.Artifact
			}
			return nil
		},
	}
}

func sectionFields() map[string]expression.Field {
	read := func(inMessage func(*session.Section) any, inArtifact func(part) any, absent any) expression.Field {
		return func(f *expression.Frame, v any) any {
			switch s := v.(type) {
			case *session.Section:
				f.ChargeMade(s.Content.Len())
				return inMessage(s)
			case part:
				f.ChargeMade(s.Span.Len())
				return inArtifact(s)
			}
			return absent
		}
	}
	return map[string]expression.Field{
		"title": read(func(s *session.Section) any { return s.Title }, func(s part) any { return s.title() }, ""),
		"level": read(func(s *session.Section) any { return s.Level }, func(part) any { return 2 }, 0),
		"text":  read(func(s *session.Section) any { return s.Text(s.Content) }, func(s part) any { return s.content() }, ""),
		"empty": read(func(s *session.Section) any { return s.Empty() }, func(s part) any { return s.content() == "" }, true),
	}
}

func deltaFields() map[string]expression.Field {
	return map[string]expression.Field{
		"number":    of(func(d *block) any { return d.Index }, 0),
		"valid":     of(func(d *block) any { return d.Rejected() == nil }, false),
		"operation": of(func(d *block) any { return operationNames[d.Operation] }, ""),
		"section":   of(func(d *block) any { return sectionIDs[d.Section] }, ""),
		"target":    of(func(d *block) any { return d.TargetID }, ""),
		"reason":    of(func(d *block) any { return d.Reason }, ""),
		"rationale": of(func(d *block) any { return d.Root.Get("rationale").StringOr("") }, ""),
		"agent": of(func(d *block) any {
			if d.Agent != "" {
				return d.Agent
			}
			return d.from
		}, ""),
	}
}

func threadFields() map[string]expression.Field {
	type th = *thread
	return map[string]expression.Field{
		"id":       of(func(t th) any { return t.ID }, ""),
		"messages": of(func(t th) any { return t.messages }, none),
		"agents":   of(func(t th) any { return t.agents() }, none),
		"versions": of(func(t th) any { return t.versions }, 0),
		"items":    of(func(t th) any { return t.items() }, none),
	}
}

func artifactFields() map[string]expression.Field {
	type art = *artifact.Artifact
	meta := func(key string) expression.Field {
		return of(func(a art) any { return metaText(a, key) }, "")
	}
	out := map[string]expression.Field{
		"session": meta("session_id"),
		"status":  meta("status"),
		"version": of(func(a art) any {
			n, _ := session.ParseNumber(metaText(a, "version"))
			return n
		}, 0),
		"path":   func(f *expression.Frame, v any) any { return task(f).path },
		"inline": func(f *expression.Frame, v any) any { return v != nil && task(f).path == "" },
		"items": func(f *expression.Frame, v any) any {
			a, ok := v.(art)
			if !ok {
				return none
			}
			return task(f).items(a)
		},
		"citations": func(f *expression.Frame, v any) any {
			a, ok := v.(art)
			if !ok {
				return none
			}
			return task(f).citations(a)
		},
	}
	for key, sec := range sectionLists {
		out[key] = func(f *expression.Frame, v any) any {
			a, ok := v.(art)
			if !ok {
				return none
			}
			return task(f).itemsOf(a, sec)
		}
	}
	return out
}

// sectionLists are the fields that hold the items of one section.
var sectionLists = map[string]brenner.Section{
	"hypotheses": brenner.HypothesisSlate, "predictions": brenner.PredictionsTable, "tests": brenner.DiscriminativeTests,
	"assumptions": brenner.AssumptionLedger, "anomalies": brenner.AnomalyRegister, "critiques": brenner.AdversarialCritique,
}

// metaText returns a single value of the front matter.
func metaText(a *artifact.Artifact, key string) string {
	if v := a.Meta.Get(key); v != nil {
		return v.Text
	}
	return ""
}

func itemFields() map[string]expression.Field {
	read := func(inArtifact func(*item) any, inState func(*stored) any, absent any) expression.Field {
		return func(_ *expression.Frame, v any) any {
			switch it := v.(type) {
			case *item:
				return inArtifact(it)
			case *stored:
				return inState(it)
			}
			return absent
		}
	}
	return map[string]expression.Field{
		"id":      read(func(it *item) any { return it.ID.String() }, func(it *stored) any { return it.ID.String() }, ""),
		"number":  read(func(it *item) any { return it.ID.Number }, func(it *stored) any { return it.ID.Number }, 0),
		"section": read(func(it *item) any { return sectionIDs[it.ID.Section] }, func(it *stored) any { return sectionIDs[it.ID.Section] }, ""),
		"killed":  read(func(it *item) any { return it.Killed }, func(it *stored) any { return it.Killed != nil }, false),
		"killed_by": read(func(it *item) any { return it.KilledBy }, func(it *stored) any {
			if it.Killed == nil {
				return ""
			}
			return it.Killed.By
		}, ""),
		"kill_reason": read(func(it *item) any { return it.KillReason }, func(it *stored) any {
			if it.Killed == nil {
				return ""
			}
			return it.Killed.Reason
		}, ""),
	}
}

// sessions is what expressions see as a Workspace.
type sessions struct {
	of   *workspace.Workspace
	list []any
	size int // how many sessions, items and references
}

// sessionLists is what expressions see as a Session; its lists are made on first use.
type sessionLists struct {
	*workspace.Session
	items, killed, references []any
}

func newSessions(w *workspace.Workspace) *sessions {
	out := &sessions{of: w}
	for _, s := range w.Sessions() {
		out.list = append(out.list, &sessionLists{Session: s})
		out.size += 1 + len(s.Items) + len(s.References) + len(s.Killed)
	}
	return out
}

// once fills a list when it is asked for the first time.
func once(list *[]any, fill func() []any) []any {
	if *list == nil {
		*list = fill()
	}
	return *list
}

func sessionFields() map[string]expression.Field {
	type ses = *sessionLists
	return map[string]expression.Field{
		"id":    of(func(s ses) any { return s.ID }, ""),
		"path":  of(func(s ses) any { return s.Path }, ""),
		"items": of(func(s ses) any { return once(&s.items, func() []any { return texts(s.Items, workspace.Item.String) }) }, none),
		"killed": of(func(s ses) any {
			return once(&s.killed, func() []any {
				return texts(s.Killed, func(k workspace.KilledItem) string { return k.Item.String() })
			})
		}, none),
		"references": of(func(s ses) any {
			return once(&s.references, func() []any {
				return texts(s.References, func(r workspace.Reference) string { return r.Session + "/" + r.Target })
			})
		}, none),
	}
}

// texts returns a list of texts.
func texts[T any](list []T, text func(T) string) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, text(v))
	}
	return out
}

func sortedKeys(m map[string]any) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		x, _ := brenner.ParseItemID(a)
		y, _ := brenner.ParseItemID(b)
		if c := x.Compare(y); c != 0 {
			return c
		}
		if a < b {
			return -1
		}
		return 1
	})
}
