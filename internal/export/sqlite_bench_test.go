package export_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/input"
)

// BenchmarkMailbox indexes and loads a mailbox of 20,000 messages.
func BenchmarkMailbox(b *testing.B) {
	const threads = 20_000 / 11
	dir := b.TempDir()
	forms := []string{"json", "sqlite", "bundle", "zip"}
	if err := gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: threads, Forms: forms}); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"json", "storage.sqlite3", "bundle", "bundle.zip"} {
		set, err := input.Discover(context.Background(), []string{filepath.Join(dir, name)}, input.Options{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		index := func() *export.Store {
			s := export.NewStore(export.Options{})
			for _, in := range set.Inputs {
				if err := s.Add(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
			if len(s.Threads()) != threads {
				b.Fatalf("%d threads", len(s.Threads()))
			}
			return s
		}
		b.Run("index/"+name, func(b *testing.B) {
			for b.Loop() {
				index().Close()
			}
		})
		b.Run("load/"+name, func(b *testing.B) {
			s := index()
			defer s.Close()
			for b.Loop() {
				for _, t := range s.Threads() {
					if _, problems := s.Load(t); problems.Count() > 0 {
						b.Fatal(problems)
					}
				}
			}
		})
	}
}
