package lsp

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// asParent is in the environment of a process that waits until its standard input ends.
const asParent = "BRENNERLINT_TEST_PARENT"

// TestParent checks that the server ends with the process of its client, though the streams
// are still open, and that one which cannot be seen does not end it.
func TestParent(t *testing.T) {
	testenv.SkipChildrenUnderRace(t)
	if os.Getenv(asParent) != "" {
		fmt.Println("here")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(path, "-test.run=^TestParent$")
	parent.Env = append(os.Environ(), asParent+"=1")
	in, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	opts := testOptions()
	opts.parentEvery = time.Millisecond
	c := start(t, opts)
	c.request(1, "initialize", map[string]any{"processId": parent.Process.Pid})
	c.request(2, "textDocument/hover", map[string]any{}) // it runs as long as the parent does
	in.Close()
	_ = parent.Wait()
	c.wantEnd(nil)

	gone := start(t, opts)
	gone.request(1, "initialize", map[string]any{"processId": parent.Process.Pid})
	gone.finish()
}
