package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// BenchmarkThreads reads ordinary threads, of 11 messages: subjects, bodies,
// deltas and inline artifacts.
func BenchmarkThreads(b *testing.B) {
	dir := b.TempDir()
	if err := gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: 100, Defects: 0.1, Forms: []string{"json"}}); err != nil {
		b.Fatal(err)
	}
	store := export.NewStore(export.Options{})
	defer store.Close()
	if _, err := input.Discover(context.Background(), []string{dir}, input.Options{}, func(in *input.Input) {
		if err := store.Add(context.Background(), in); err != nil {
			b.Error(err)
		}
	}); err != nil {
		b.Fatal(err)
	}
	var threads []*mail.Thread
	size := 0
	for _, info := range store.Threads() {
		t, _ := store.Load(info)
		threads = append(threads, t)
		for _, m := range t.Messages {
			size += len(m.Body.Data)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range threads {
			session.NewThread(t, artifact.Limits{})
		}
	}
}

// BenchmarkDeltas reads one message of very many deltas; time must grow linearly.
func BenchmarkDeltas(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			const block = "\n```delta\n{\"operation\": \"EDIT\", \"section\": \"assumption_ledger\", \"target_id\": \"A1\", \"payload\": {\"load\": \"heavy\"}, \"rationale\": \"r\"}\n```\n"
			text := func(s string) *source.Text { return source.NewText([]byte(s)) }
			m := &mail.Message{Subject: text("DELTA[gpt]: x"), Body: text(strings.Repeat(block, n)), BodyState: mail.BodyPresent}
			b.SetBytes(int64(len(m.Body.Data)))
			b.ReportAllocs()
			for b.Loop() {
				if got := len(session.Begin(&mail.Thread{}, artifact.Limits{}).Add(m).Deltas); got != n {
					b.Fatalf("%d deltas", got)
				}
			}
		})
	}
}
