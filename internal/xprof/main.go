// temporary
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/brennerlint/brennerlint/cli"
	"github.com/brennerlint/brennerlint/rules"
)

func main() {
	if p := os.Getenv("CPUP"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	if os.Getenv("MEMP") != "" {
		runtime.MemProfileRate = 512
	}
	cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, rules.All()...)
	if p := os.Getenv("MEMP"); p != "" {
		runtime.GC()
		f, _ := os.Create(p)
		pprof.Lookup("allocs").WriteTo(f, 0)
		f.Close()
	}
}
