package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// largeThread returns a thread in JSON of some size, of messages with a delta each.
func largeThread(b testing.TB, size int) string {
	var messages []any
	delta := "```delta\n{\"operation\": \"ADD\", \"section\": \"anomaly_register\", \"target_id\": null, \"payload\": {\"name\": \"N%d\", \"observation\": \"" +
		strings.Repeat("seen again 🧪 ", 40) + "\", \"conflicts_with\": [\"H1\"], \"status\": \"active\"}, \"rationale\": \"it was seen\"}\n```\n"
	for total := 0; total < size; {
		n := len(messages)
		body := fmt.Sprintf("## Deltas\n\n"+delta, n)
		total += len(body) + 200
		messages = append(messages, map[string]any{
			"id": n + 1, "thread_id": "RS-20251230-cell-fate", "from": "BlueLake", "to": []string{"GreenDog"}, "subject": "DELTA[gpt]: more",
			"body_md": body, "created_ts": time.Date(2025, 12, 30, 10, 0, n, 0, time.UTC).Format(time.RFC3339),
		})
	}
	data, err := json.Marshal(map[string]any{"messages": messages})
	if err != nil {
		b.Fatal(err)
	}
	return string(data)
}

// BenchmarkTyping measures what a user waits for who types: from a change of one
// character to the diagnostics of that version; and of a burst of changes, one every 30
// ms, from the last one.
func BenchmarkTyping(b *testing.B) {
	artifact := exampleArtifact(b)
	artifact = strings.Replace(artifact, "Determinants are", strings.Repeat("Determinants are and are not 🧪. ", 80)+"Determinants are", 1)
	thread := largeThread(b, 2<<20)
	for _, c := range []struct {
		name, uri, text string
		burst           int
	}{
		{"artifact", artifactURI, artifact, 1},
		{"thread", "file:///w/thread.json", thread, 1},
		{"burst-artifact", artifactURI, artifact, 10},
		{"burst-thread", "file:///w/thread.json", thread, 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			client := start(b, testOptions())
			client.request(1, "initialize", map[string]any{})
			client.notify("textDocument/didOpen", open(c.uri, 1, c.text))
			client.published(1)
			at := strings.Index(c.text, "seen again")
			line := 0
			if at < 0 {
				at, line = 3, 20
			}
			var took []time.Duration
			version := 1
			b.ResetTimer()
			for b.Loop() {
				var began time.Time
				for i := range c.burst {
					if i > 0 {
						time.Sleep(30 * time.Millisecond)
					}
					version++
					began = time.Now()
					client.notify("textDocument/didChange", change(c.uri, version, map[string]any{"range": map[string]any{
						"start": map[string]any{"line": line, "character": at}, "end": map[string]any{"line": line, "character": at + 1},
					}, "text": string(rune('a' + version%26))}))
				}
				client.published(version)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(len(c.text))/1e3, "KB")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1e3, "p99-ms")
		})
	}
}
