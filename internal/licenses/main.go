// Command licenses writes the licence texts of everything in the released program: the
// modules that are linked into it on any system, and Go's own library.
//
//	go run ./internal/licenses > THIRD_PARTY_LICENSES.txt
//	go run ./internal/licenses ./cmd/brennerlint-wasm js/wasm    # of another program
//
// It reads the module cache and needs no network once the modules are there. A
// module without a licence is an error: it must not be released.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// released is the package of the released program.
const released = "./cmd/brennerlint"

// systems are those that releases are built for (.goreleaser.yaml).
var systems = []string{"linux", "darwin", "windows"}

// own is the prefix of our own modules.
const own = "github.com/brennerlint/brennerlint"

func main() {
	program, systems := released, systems
	if len(os.Args) > 2 {
		program, systems = os.Args[1], os.Args[2:]
	}
	if err := run(os.Stdout, program, systems); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, program string, systems []string) error {
	modules := map[string]module{}
	for _, system := range systems {
		if err := list(program, system, modules); err != nil {
			return err
		}
	}
	sorted := []module{{Path: "Go standard library", Version: runtime.Version(), Dir: goroot()}}
	for _, m := range modules {
		sorted = append(sorted, m)
	}
	slices.SortFunc(sorted[1:], func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return write(w, sorted)
}

// module is a part of a program.
type module struct {
	Path, Version, Dir string
	Replace            *module
}

// list adds the modules that a program holds on a system, as linux or js/wasm.
func list(pkg, system string, to map[string]module) error {
	c := exec.Command("go", "list", "-deps", "-json=Module", pkg)
	system, arch, given := strings.Cut(system, "/")
	c.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	if given {
		c.Env = append(c.Env, "GOARCH="+arch)
	}
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("list %s for %s: %w", pkg, system, err)
	}
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct{ Module *module }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("list %s for %s: %w", pkg, system, err)
		}
		if m := p.Module; m != nil && m.Path != own && !strings.HasPrefix(m.Path, own+"/") {
			if m.Replace != nil {
				m.Dir = m.Replace.Dir
			}
			to[m.Path+"@"+m.Version] = *m
		}
	}
}

func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// licenceName matches the files that hold a licence, or notices that it requires.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense|patents|copyright)([-._].*)?$`)

func write(w io.Writer, modules []module) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "The program of this release holds the following, each under its own licence.\n")
	for _, m := range modules {
		entries, err := os.ReadDir(m.Dir)
		if err != nil {
			return fmt.Errorf("read %s %s: %w", m.Path, m.Version, err)
		}
		found := false
		for _, e := range entries {
			if !licenceName.MatchString(e.Name()) || !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
			if err != nil {
				return err
			}
			found = true
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			fmt.Fprintf(b, "\n%s\n%s %s: %s\n\n%s\n", strings.Repeat("=", 80), m.Path, m.Version, e.Name(), text)
		}
		if !found {
			return fmt.Errorf("%s %s has no licence file", m.Path, m.Version)
		}
	}
	return b.Flush()
}
