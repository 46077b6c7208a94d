// Package steps counts the steps of loops that could take quadratic time, for
// rules.TestGrowth: unlike time they are the same in every run.
package steps

import "sync/atomic"

var taken atomic.Int64

// Add counts n more steps.
func Add(n int) { taken.Add(int64(n)) }

// Taken returns how many steps were counted so far.
func Taken() int { return int(taken.Load()) }
