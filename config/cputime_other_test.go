//go:build !unix

package config_test

import "time"

var began = time.Now()

// cpuTime is the time on the wall where nobody says what the process has used.
func cpuTime() time.Duration { return time.Since(began) }
