package engine

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// A byte that is not UTF-8 is read as U+FFFD, and causes no finding but IN-001 (decisions.md 40
// and 90). Where it stands for what gives a text its form (a mark, a label, a heading, a fence,
// a name of JSON), the text is read with the character that it must have been: the one with which
// most is known of the text, and the rules find least. Where several letters or digits do, it stays U+FFFD.
const (
	// maxMended bounds the bytes of a text that are mended, and maxMendedMessages the messages of
	// a thread: a text in another encoding has many.
	maxMended         = 2
	maxMendedMessages = 8
	// maxMendedSize bounds the texts, in bytes: each is read again for every character.
	maxMendedSize = 128 << 10
)

var replaced = []byte(string(utf8.RuneError))

// mends are what is tried in place of a replaced byte, of several that fit the first: characters
// of ASCII, those first that Markdown, YAML and JSON give a meaning, and nothing, for a byte that was
// added.
var mends = func() []string {
	out := []string{"\n"}
	for _, c := range "*#: |-\"\\{}[],.`~_/=()" {
		out = append(out, string(c))
	}
	out = append(out, "")
	for c := '0'; c <= '9'; c++ {
		out = append(out, string(c))
	}
	for c := 'a'; c <= 'z'; c++ {
		out = append(out, string(c), strings.ToUpper(string(c)))
	}
	return out
}()

// reading is what the rules find in a text, and how much of it is read.
type reading struct {
	findings map[string]bool // by keyIn, without what is at replaced bytes
	hidden   int             // what is there
	known    int             // sections, items and fields of an artifact, and valid deltas
}

// compare orders readings, the better first.
func (r *reading) compare(other *reading) int {
	return cmp.Or(cmp.Compare(other.known, r.known), cmp.Compare(len(r.findings), len(other.findings)), cmp.Compare(r.hidden, other.hidden))
}

// improves reports whether a reading is better than another: it knows more of the text, or it has
// less findings, and none that the other has not.
func (r *reading) improves(other *reading) bool {
	for key := range r.findings {
		if !other.findings[key] && r.known == other.known {
			return false
		}
	}
	return r.compare(other) < 0
}

// mend returns a text with its replaced bytes mended, and how it is read then.
func mend(t *source.Text, read func(*source.Text) *reading) (*source.Text, *reading) {
	left := read(t)
	bad := bytes.Count(t.Data, replaced)
	if bad > maxMended || bad*len(t.Data) > maxMendedSize {
		return t, left
	}
	for end := len(t.Data); ; {
		last := bytes.LastIndex(t.Data[:end], replaced)
		if last < 0 {
			return t, left
		}
		span := source.Span{Start: last, End: last + len(replaced)}
		for bytes.HasSuffix(t.Data[:span.Start], replaced) { // a character of several bytes, or an escape
			span.Start -= len(replaced)
		}
		end = span.Start
		var best *reading
		mended, meant, sure := t, "", false
		try := func(span source.Span, by string) {
			tried := t.Mend(span, by)
			switch r := read(tried); {
			case !r.improves(left):
			case best == nil || r.compare(best) < 0:
				best, mended, meant, sure = r, tried, by, true
			case r.compare(best) == 0 && !strings.EqualFold(by, meant):
				sure = sure && !isWord(by)
			}
		}
		if bytes.HasPrefix(t.Data[span.End:], []byte("n")) { // the backslash of an escape
			try(source.Span{Start: span.Start, End: span.End + 1}, "\n")
		}
		for _, by := range mends {
			try(span, by)
		}
		if best == nil {
			continue
		}
		left = best
		if sure {
			t = mended
		}
	}
}

// isWord reports whether a character is a letter or a digit: of several that fit nobody knows
// which it was.
func isWord(c string) bool {
	return strings.ContainsFunc(c, unicode.IsLetter) || strings.ContainsFunc(c, unicode.IsDigit)
}

// mendArtifact returns the text of an artifact with its replaced bytes mended, and how it is read.
func (b *Mailbox) mendArtifact(p *lint.ArtifactPass) (*source.Text, *reading) {
	return mend(p.Artifact.Text, func(t *source.Text) *reading {
		again, limits := *p, b.opts.Limits.ofArtifacts()
		if !p.Artifact.IsJSON() {
			again.Artifact = artifact.ParseMarkdown(t, limits)
		} else if again.Artifact, _ = artifact.ParseJSON(t, limits); again.Artifact == nil {
			return &reading{findings: map[string]bool{"not JSON": true}}
		}
		r := &reading{findings: map[string]bool{}}
		b.readArtifactAgain(r, &again)
		return r
	})
}

// ungarbled returns a recorder of findings in an artifact that leaves out those that its replaced
// bytes cause.
func (b *Mailbox) ungarbled(p *lint.ArtifactPass) func(*lint.Rule, lint.Diagnostic) {
	_, left := b.mendArtifact(p)
	record := p.Record
	return func(r *lint.Rule, d lint.Diagnostic) {
		if left.findings[keyIn(r, &d)] {
			record(r, d)
		}
	}
}

// mendMessage returns a message of a thread with its replaced bytes mended.
func (b *Mailbox) mendMessage(thread *mail.Thread, m *mail.Message) *mail.Message {
	out := *m
	read := func() *reading {
		t := session.Begin(&mail.Thread{ID: thread.ID, Project: thread.Project, Roster: thread.Roster}, b.opts.Limits.ofArtifacts())
		return b.readMessageAgain(t, t.Add(&out))
	}
	for _, part := range []**source.Text{&out.Subject, &out.Body} {
		if *part != nil && bytes.Contains((*part).Data, replaced) {
			mended, _ := mend(*part, func(t *source.Text) *reading {
				*part = t
				return read()
			})
			*part = mended
		}
	}
	return &out
}

// readMessageAgain returns what the rules find in a message by itself.
func (b *Mailbox) readMessageAgain(t *session.Thread, m *session.Message) *reading {
	out := &reading{findings: map[string]bool{}}
	pass := lint.Pass{RuleConfig: &b.opts.RuleConfig, Record: out.record, Task: new(lint.Task)}
	var broke failures
	run := func(rules []*lint.Rule, check func(*lint.Rule)) {
		for _, r := range rules {
			pass.Rule = r
			broke.guard(r.ID, "", "", func() { check(r) })
		}
	}
	run(b.plan.message[m.Intended], func(r *lint.Rule) {
		r.Check.(lint.MessageCheck)(&lint.MessagePass{Pass: pass, Message: m, Thread: t, Roster: t.Roster})
	})
	for _, d := range m.Deltas {
		if len(d.Faults) == 0 {
			out.known++
		}
		run(b.plan.delta, func(r *lint.Rule) {
			r.Check.(lint.DeltaCheck)(&lint.DeltaPass{Pass: pass, Message: m, Thread: t, Delta: d})
		})
	}
	if m.Artifact != nil {
		b.readArtifactAgain(out, &lint.ArtifactPass{Artifact: m.Artifact, Message: m})
	}
	return out
}

// readArtifactAgain adds what the rules find in an artifact.
func (b *Mailbox) readArtifactAgain(to *reading, p *lint.ArtifactPass) {
	var broke failures
	p.Record = to.record
	for _, s := range p.Artifact.Sections {
		to.known++
		for _, it := range s.Items {
			to.known++
			for _, f := range it.Fields {
				if f.Known != nil {
					to.known++
				}
			}
		}
	}
	b.runInline(b.plan.artifact, p, &broke, "")
}

func (r *reading) record(rule *lint.Rule, d lint.Diagnostic) {
	if d.At.Known() && bytes.Contains(d.At.Text.Bytes(d.At.Span), replaced) {
		r.hidden++
	} else {
		r.findings[keyIn(rule, &d)] = true
	}
}

// keyIn identifies a finding in a text that may be mended: by what it says, without the numbers,
// which count what else is there.
func keyIn(r *lint.Rule, d *lint.Diagnostic) string {
	return strings.Join([]string{r.ID, d.Item, d.Field, withoutNumbers(d.Message)}, "\x00")
}
