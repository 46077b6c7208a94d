//go:build !unix

package testenv

import "time"

var began = time.Now()

// CPUTime returns the wall time, because the time that the process used is not known.
func CPUTime() time.Duration { return time.Since(began) }
