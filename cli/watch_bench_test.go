package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/internal/watch"
	"github.com/brennerlint/brennerlint/rules"
)

// BenchmarkWatchNewMail measures what one new DELTA costs in a live database of many
// threads of eleven messages: from when the change is seen until the events are printed.
func BenchmarkWatchNewMail(b *testing.B) {
	for _, threads := range []int{1_000, 18_182} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			dir := b.TempDir()
			if err := gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: threads, Defects: 0.1, Forms: []string{"sqlite"}}); err != nil {
				b.Fatal(err)
			}
			newMails(b, dir, threads)
		})
	}
}

// newMails sends mail in threads of a database.
func newMails(b *testing.B, dir string, threads int) {
	conn, err := sqlite3.Open(filepath.Join(dir, "storage.sqlite3"))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	send := func(like int) {
		if err := conn.Exec(fmt.Sprintf(newDelta, like)); err != nil {
			b.Fatal(err)
		}
	}
	send(3) // a server has a log
	w := watchInSteps(b, dir)
	n, cpu := 0, time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		send(3 + 11*((7919*n)%threads))
		began := testenv.CPUTime()
		b.StartTimer()
		w.step()
		cpu += testenv.CPUTime() - began
		n++
	}
	b.ReportMetric(float64(cpu.Microseconds())/1e3/float64(n), "cpu-ms/op")
}

// newDelta sends a message again, as a server does: with its recipients, and the time
// at which its sender was active.
const newDelta = `BEGIN;
INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, importance, ack_required, created_ts)
SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, subject, replace(body_md, 'name": "', 'name": "Another '), importance, ack_required, '2026-11-01 10:00:00.000000' FROM messages WHERE id = %[1]d;
INSERT INTO message_recipients SELECT (SELECT max(id) FROM messages), agent_id, kind, NULL, NULL FROM message_recipients WHERE message_id = %[1]d;
UPDATE agents SET last_active_ts = '2026-11-01 10:00:00.%[1]d' WHERE id = (SELECT sender_id FROM messages WHERE id = %[1]d);
COMMIT`

// steppedWatch is a watch that looks only when step is called.
type steppedWatch struct {
	*watchCommand
	look    chan struct{}
	printed chan struct{} // after each round
}

// watchInSteps begins a watch. Its first check is done.
func watchInSteps(b *testing.B, path string) *steppedWatch {
	w := &steppedWatch{newWatchCommand(settings{std: streams{strings.NewReader(""), io.Discard, io.Discard}, catalogue: rules.All()}), make(chan struct{}), make(chan struct{})}
	cmd := &cobra.Command{}
	w.flags(flagsOf(cmd))
	flags := cmd.Flags()
	if err := errors.Join(flags.Parse([]string{"--no-config", "--format", "json"}), w.prepare(flags, []string{path})); err != nil {
		b.Fatal(err)
	}
	tuneGC()
	loop := w.loop(&watch.Notifier{}, func(ctx context.Context) {
		select {
		case <-ctx.Done():
		case <-w.look:
		}
	})
	loop.Report = func(ctx context.Context, r *watch.Round) (bool, error) {
		done, err := w.report(ctx, r)
		w.printed <- struct{}{}
		return done, err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := watch.Run(ctx, loop)
		ended <- err
	}()
	b.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
		w.previous.Close()
	})
	<-w.printed
	return w
}

// step waits until a change is checked.
func (w *steppedWatch) step() {
	w.look <- struct{}{}
	<-w.printed
}
