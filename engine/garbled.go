package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
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
// most is known of the text, and the rules find least. If several letters or digits fit equally
// well, it stays U+FFFD.
const (
	// maxRestored bounds the bytes of a text that are restored, and maxRestoredMessages the
	// messages of a thread: a text in another encoding has many.
	maxRestored         = 2
	maxRestoredMessages = 8
	// maxRestoredSize bounds the texts, in bytes: each is read again for every character.
	maxRestoredSize = 128 << 10
)

var replaced = []byte(string(utf8.RuneError))

// alphanumerics are the letters and digits that are tried.
const alphanumerics = "0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ"

// substitutes are what is tried in place of a replaced byte; if several fit equally well, the first
// is taken. They are the characters of ASCII, beginning with those that have a meaning in Markdown,
// YAML and JSON, and the empty text, for a byte that was added.
var substitutes = slices.Concat(strings.Split("\n*#: |-\"\\{}[],.`~_/=()", ""), []string{""}, strings.Split(alphanumerics, ""))

// score is what the rules find in a text, and how much of it is read.
type score struct {
	findings map[string]bool // by keyIn, without what is at replaced bytes
	hidden   int             // what is there
	known    int             // sections, items and fields of an artifact, and valid deltas
}

// compare orders scores, the better first.
func (r *score) compare(other *score) int {
	return cmp.Or(cmp.Compare(other.known, r.known), cmp.Compare(len(r.findings), len(other.findings)), cmp.Compare(r.hidden, other.hidden))
}

// improves reports whether a score is better than another: it knows more of the text, or it has
// less findings, and none that the other has not.
func (r *score) improves(other *score) bool {
	for key := range r.findings {
		if r.known == other.known && !other.findings[key] {
			return false
		}
	}
	return r.compare(other) < 0
}

// restore returns a text with its replaced bytes restored, and how it is read then.
func restore(t *source.Text, read func(*source.Text) *score) (*source.Text, *score) {
	left := read(t)
	bad := bytes.Count(t.Data, replaced)
	if bad > maxRestored || bad*len(t.Data) > maxRestoredSize {
		return t, left
	}
	for last := bytes.LastIndex(t.Data, replaced); last >= 0; {
		span := source.Span{Start: last, End: last + len(replaced)}
		for bytes.HasSuffix(t.Data[:span.Start], replaced) { // a character of several bytes, or an escape
			span.Start -= len(replaced)
		}
		t, left = restoreAt(t, span, left, read)
		last = bytes.LastIndex(t.Data[:span.Start], replaced)
	}
	return t, left
}

// restoreAt restores what was replaced at a place of a text, unless several letters or digits fit
// there. It returns the text, and its score with the best character. left is the score of the text
// as it is.
func restoreAt(t *source.Text, span source.Span, left *score, read func(*source.Text) *score) (*source.Text, *score) {
	best, highest := t, left
	var fit []string // what makes the highest score
	try := func(span source.Span, by string) {
		restored := t.Replace(span, by)
		s := read(restored)
		if !s.improves(left) {
			return
		}
		switch c := s.compare(highest); {
		case c < 0:
			best, highest, fit = restored, s, []string{by}
		case c == 0:
			fit = append(fit, by)
		}
	}
	if bytes.HasPrefix(t.Data[span.End:], []byte("n")) { // the backslash of an escape
		try(source.Span{Start: span.Start, End: span.End + 1}, "\n")
	}
	for _, by := range substitutes {
		try(span, by)
	}
	for _, by := range fit {
		if by != "" && strings.Contains(alphanumerics, by) && !strings.EqualFold(by, fit[0]) {
			return t, highest // nobody knows which letter it was
		}
	}
	return best, highest
}

// restoreArtifact returns the text of an artifact with its replaced bytes restored, and how rules read it.
func (b *Mailbox) restoreArtifact(p *lint.ArtifactPass, rules []*lint.Rule) (*source.Text, *score) {
	return restore(p.Artifact.Text, func(t *source.Text) *score {
		var a *artifact.Artifact
		if limits := b.opts.Limits.ofArtifacts(); p.Artifact.IsJSON() {
			a, _ = artifact.ParseJSON(t, limits)
		} else {
			a = artifact.ParseMarkdown(t, limits)
		}
		if a == nil {
			return &score{findings: map[string]bool{"not JSON": true}}
		}
		out := &score{findings: map[string]bool{}, known: knownOf(a)}
		again := *p
		again.Artifact = a
		b.newRunner("", out.record).artifactAsIs(rules, &again, out.record)
		return out
	})
}

// knownOf counts what is known of an artifact: sections, items and fields.
func knownOf(a *artifact.Artifact) (n int) {
	for _, s := range a.Sections {
		n++
		for _, it := range s.Items {
			n++
			for _, f := range it.Fields {
				if f.Known != nil {
					n++
				}
			}
		}
	}
	return n
}

// restoreMessage returns a message of a thread with its replaced bytes restored.
func (b *Mailbox) restoreMessage(thread *mail.Thread, m *mail.Message) *mail.Message {
	restored := *m
	for _, part := range []**source.Text{&restored.Subject, &restored.Body} {
		if *part != nil && bytes.Contains((*part).Data, replaced) {
			*part, _ = restore(*part, func(t *source.Text) *score {
				*part = t
				return b.readMessage(thread, &restored)
			})
		}
	}
	return &restored
}

// readMessage returns what the rules find in a message by itself.
func (b *Mailbox) readMessage(thread *mail.Thread, m *mail.Message) *score {
	t := session.Begin(&mail.Thread{ID: thread.ID, Project: thread.Project, Roster: thread.Roster}, b.opts.Limits.ofArtifacts())
	read := t.Add(m)
	out := &score{findings: map[string]bool{}}
	r := b.newRunner("", out.record)
	r.subjectAndBody(read, t, t.Roster)
	r.deltas(read, t) // of every message: a replaced byte may hide that it is a DELTA
	for _, d := range read.Deltas {
		if len(d.Faults) == 0 {
			out.known++
		}
	}
	if a := read.Artifact; a != nil {
		out.known += knownOf(a)
		r.artifactAsIs(b.plan.rules, &lint.ArtifactPass{Artifact: a, Message: read}, out.record)
	}
	return out
}

func (r *score) record(rule *lint.Rule, d lint.Diagnostic) {
	if d.At.Known() && bytes.Contains(d.At.Text.Bytes(d.At.Span), replaced) {
		r.hidden++
	} else {
		r.findings[keyIn(rule, &d)] = true
	}
}

// keyIn identifies a finding in a text that may be restored: by what it says, without the numbers,
// which count what else is there.
func keyIn(r *lint.Rule, d *lint.Diagnostic) string {
	return strings.Join([]string{r.ID, d.Item, d.Field, withoutNumbers(d.Message)}, "\x00")
}
