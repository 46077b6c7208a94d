package lint

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/brennerlint/brennerlint/internal/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/mail"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/source"
)

// TEMPORARY: replaced by internal/input and mail.Store.

type inputs struct {
	artifacts []*source.File
	threads   []*mail.Thread
	problems  []mail.Problem
	files     int
}

type artifactFile struct {
	path string
	a    *artifact.Artifact
}

func (l *Linter) read(_ context.Context, paths []string) (*inputs, error) {
	in := &inputs{}
	var msgs []*mail.Message
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f := source.NewFile(filepath.ToSlash(path), data)
			switch {
			case strings.Contains(path, "/threads/"), strings.Contains(path, "/inbox/"), strings.Contains(path, "/outbox/"):
			case bytes.HasPrefix(data, []byte("---json\n")):
				in.files++
				head, _, _ := bytes.Cut(data[8:], []byte("\n---\n"))
				hs := source.Span{Start: 8, End: 8 + len(head)}
				ht := f.Text().Sub(hs)
				root, serr := jsontree.Parse(ht.Data, jsontree.Options{})
				if serr != nil {
					return nil
				}
				body := f.Text().Sub(source.Span{Start: min(len(data), hs.End+5), End: len(data)})
				msgs = append(msgs, message(f, ht, root, body))
			case strings.HasSuffix(path, ".json"):
				root, serr := jsontree.Parse(f.Text().Data, jsontree.Options{})
				if serr != nil {
					return nil
				}
				if root.Get("sections") != nil {
					in.files++
					in.artifacts = append(in.artifacts, f)
				}
				if ms := root.Get("messages"); ms.Is(jsontree.Array) {
					in.files++
					for _, m := range ms.Items {
						var body *source.Text
						if b := m.Get("body_md"); b.Is(jsontree.String) {
							body = f.Text().JSONString(b.Span)
						}
						msgs = append(msgs, message(f, f.Text(), m, body))
					}
				} else if root.Get("subject") != nil {
					in.files++
					body := f.Text().JSONString(root.Get("body_md").Span)
					msgs = append(msgs, message(f, f.Text(), root, body))
				}
			case strings.HasSuffix(path, ".md"):
				in.files++
				in.artifacts = append(in.artifacts, f)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	byThread := map[string]*mail.Thread{}
	sort.SliceStable(msgs, func(i, j int) bool { return msgs[i].Time.Before(msgs[j].Time) })
	for _, m := range msgs {
		key := textOf(m.Thread)
		t := byThread[key]
		if t == nil {
			t = &mail.Thread{ID: key}
			byThread[key] = t
			in.threads = append(in.threads, t)
		}
		t.Messages = append(t.Messages, m)
	}
	return in, nil
}

func message(f *source.File, t *source.Text, n *jsontree.Node, body *source.Text) *mail.Message {
	str := func(keys ...string) *source.Text {
		for _, k := range keys {
			if v := n.Get(k); v.Is(jsontree.String) {
				return t.JSONString(v.Span)
			}
		}
		return nil
	}
	m := &mail.Message{Form: mail.Archive, File: f, Facts: &mail.Facts{Path: f.Path}, Thread: str("thread_id"), Subject: str("subject"), From: str("from", "sender_name"), Created: str("created", "created_ts"), Body: body, BodyState: mail.BodyAbsent, Header: t.Place(n.Span)}
	if body != nil {
		m.BodyState = mail.BodyPresent
	}
	if id := n.Get("id"); id != nil {
		m.ID = id.Text
	}
	if ts, ok := protocol.ParseTime(textOf(m.Created)); ok {
		m.Time, m.HasTime = ts.Time, true
	}
	if a := n.Get("ack_required"); a.Is(jsontree.Bool) {
		m.AckRequired, m.AckPlace = a.True(), t.Place(a.Span)
	}
	for _, kind := range []string{"to", "cc", "bcc"} {
		if to := n.Get(kind); to.Is(jsontree.Array) {
			m.HasRecipients = true
			for _, r := range to.Items {
				m.Recipients = append(m.Recipients, mail.Recipient{Name: r.Str(), Kind: kind, Text: t.JSONString(r.Span)})
			}
		}
	}
	return m
}
