// Package parallel shares work among workers.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n-1 on some workers. Each call writes to its own index; the order of work
// is free, that of results is not.
func Do(workers, n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(workers, n)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
