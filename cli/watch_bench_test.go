package cli

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
)

// BenchmarkWatchNewMail measures what one new DELTA costs in a live database of many
// threads of eleven messages: from when it is written until an event is printed. The clock
// includes the time until the watch looks, the processor's does not.
func BenchmarkWatchNewMail(b *testing.B) {
	for _, threads := range []int{1_000, 18_182} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			dir := b.TempDir()
			must.OK(b, gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: threads, Forms: []string{"sqlite"}}))
			path := filepath.Join(dir, "storage.sqlite3")
			conn, err := sqlite3.Open(path)
			must.OK(b, err)
			defer conn.Close()
			send := func(thread int) {
				must.OK(b, conn.Exec(fmt.Sprintf(newDelta, 3+11*thread)))
			}
			send(0) // a server has a log
			w := startWatch(b, "--select", "MB-005", path)
			w.next("appeared", "MB-005", "")
			n, cpu := 0, time.Duration(0)
			for b.Loop() {
				began := testenv.CPUTime()
				send((7919 * n) % threads)
				w.next("appeared", "MB-005", "")
				cpu += testenv.CPUTime() - began
				n++
			}
			b.ReportMetric(float64(cpu.Microseconds())/1e3/float64(n), "cpu-ms/op")
		})
	}
}

// newDelta sends a broken message in the thread of another, as a server does: with
// recipients, and the time at which its sender was active.
const newDelta = `BEGIN;
INSERT INTO messages (id, project_id, sender_id, thread_id, subject, body_md, importance, ack_required, created_ts)
SELECT (SELECT max(id) + 1 FROM messages), project_id, sender_id, thread_id, subject, '` + brokenDelta + `', importance, ack_required, '2026-11-01 10:00:00.000000' FROM messages WHERE id = %[1]d;
INSERT INTO message_recipients SELECT (SELECT max(id) FROM messages), agent_id, kind, NULL, NULL FROM message_recipients WHERE message_id = %[1]d;
UPDATE agents SET last_active_ts = '2026-11-01 10:00:00.%[1]d' WHERE id = (SELECT sender_id FROM messages WHERE id = %[1]d);
COMMIT`
