//go:build !unix

package testenv

import "time"

var began = time.Now()

// CPUTime is the time on the wall where nobody says what the process has used.
func CPUTime() time.Duration { return time.Since(began) }
