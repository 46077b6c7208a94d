//go:build linux

// Took runs a command and prints what it took: seconds of processor time, seconds
// by the clock, and the peak of its memory in MB (.ci/bench).
//
//	go run ./internal/gen/took COMMAND [ARGUMENT...]
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "took: name a command")
		os.Exit(2)
	}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	start := time.Now()
	err := cmd.Run()
	clock := time.Since(start)
	var status *exec.ExitError
	if err != nil && (!errors.As(err, &status) || status.ExitCode() > 1) { // 1 are findings
		fmt.Fprintln(os.Stderr, "took:", err)
		os.Exit(1)
	}
	state := cmd.ProcessState
	peak := state.SysUsage().(*syscall.Rusage).Maxrss // in KiB
	fmt.Printf("%.4f %.4f %.1f\n", (state.UserTime() + state.SystemTime()).Seconds(), clock.Seconds(), float64(peak)*1024/1e6)
}
