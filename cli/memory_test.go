package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/gen"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/rules"
)

// peakEnv names the file that brennerlint-peak writes.
const peakEnv = "BRENNERLINT_PEAK"

// highWater is the most memory that a process had, in the file that Linux shows of it.
var highWater = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// mainWithPeak is the program, which at its end writes how much memory it had at most.
func mainWithPeak() {
	code := interruptible(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, rules.All())
	status, err := os.ReadFile("/proc/self/status")
	if m := highWater.FindSubmatch(status); err == nil && m != nil {
		err = os.WriteFile(os.Getenv(peakEnv), m[1], 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// skipMemory skips a test of memory where there is nothing to hold.
func skipMemory(t *testing.T) {
	t.Helper()
	testenv.SkipUnderRace(t)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the memory of a process is not shown here")
	}
}

// peak runs the program and returns its peak of memory in MiB. The garbage
// collector is set to keep it low, so that it is about what the program needs.
func peak(t *testing.T, dir, stdin string, args ...string) (stdout, stderr string, status, mebibytes int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	c := exec.Command("brennerlint-peak", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(stdin)
	c.Env = append(os.Environ(), "NO_COLOR=1", peakEnv+"="+file, "GOGC=50")
	stdout, stderr, status = runProgram(t, c)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%q ends with %d: %.1000s", args, status, stderr)
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return stdout, stderr, status, n >> 10
}

// mustFit holds how much memory a run may take, in MiB.
func mustFit(t *testing.T, what string, got, most int) {
	t.Helper()
	t.Logf("%s: %d MiB", what, got)
	if got > most {
		t.Errorf("%s takes %d MiB, at most %d expected", what, got, most)
	}
}

// TestMemoryOfMailbox checks mailboxes with few threads and with many that are no
// larger: eight times the mail takes little more memory.
func TestMemoryOfMailbox(t *testing.T) {
	skipMemory(t)
	for i, form := range []string{"json", "archive", "sqlite", "zip"} {
		if !testenv.Sampled(i, 2) {
			continue
		}
		var peaks [2]int
		for i, threads := range []int{10, 80} {
			dir := t.TempDir()
			if err := gen.Generate(gen.Options{Out: dir, Seed: 1, Threads: threads, Forms: []string{form}}); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, status, most := peak(t, dir, "", "--no-config", "--scope", "all", "--jobs", "1", "--format", "agent", ".")
			if status != exitClean {
				t.Errorf("%s: status %d\n%.1000s%.1000s", form, status, stdout, stderr)
			}
			peaks[i] = most
		}
		mustFit(t, fmt.Sprintf("%s, eight times what takes %d MiB", form, peaks[0]), peaks[1], peaks[0]+20)
	}
}
