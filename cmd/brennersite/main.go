// Command brennersite writes the site, documentation and playground, to a folder:
//
//	go run ./cmd/brennersite --engine FILE.wasm --loader wasm_exec.js --licenses FILE --out DIR
//
// site/build calls it with what it builds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brennerlint/brennerlint/internal/sitegen"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "brennersite:", err)
		os.Exit(1)
	}
}

func run() error {
	root := flag.String("root", ".", "read the repository in `DIR`")
	out := flag.String("out", "", "write to `DIR`")
	version := flag.String("version", "dev", "the version of the program")
	engine := flag.String("engine", "", "the program as WebAssembly, a `FILE`")
	loader := flag.String("loader", "", "wasm_exec.js of the Go release, a `FILE`")
	licenses := flag.String("licenses", "", "the licence texts of the program, a `FILE`")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	opts := sitegen.Options{Version: *version}
	var errs [3]error
	opts.Engine, errs[0] = os.ReadFile(*engine)
	opts.Loader, errs[1] = os.ReadFile(*loader)
	opts.Licenses, errs[2] = os.ReadFile(*licenses)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	files, err := sitegen.Build(os.DirFS(*root), opts)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(*out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, files[name], 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d files in %s; the program takes %d bytes\n", len(files), *out, len(files["playground/engine.bin"]))
	return nil
}
