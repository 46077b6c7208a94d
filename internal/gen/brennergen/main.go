// Brennergen makes artifacts and mailboxes of the Brenner Protocol by chance,
// for benchmarks and tests:
//
//	go run ./internal/gen/brennergen --artifacts 5000 --threads 2000 --seed 1 --out DIR
//
// The same seed gives the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/brennerlint/brennerlint/internal/gen"
)

func main() {
	var o gen.Options
	flag.StringVar(&o.Out, "out", "", "write to `DIR`")
	flag.Uint64Var(&o.Seed, "seed", 1, "make other sessions")
	flag.IntVar(&o.Artifacts, "artifacts", 0, "make `N` artifact files of about 7 KB")
	flag.IntVar(&o.Threads, "threads", 0, "make `N` threads of 11 messages")
	flag.Float64Var(&o.Defects, "defects", 0.1, "give a `SHARE` of the sessions, 0 to 1, a defect")
	flag.Float64Var(&o.Findings, "findings", 0, "give a `SHARE` of the items, 0 to 1, a finding in the artifact and one in the delta")
	forms := flag.String("forms", strings.Join(gen.Forms[:3], ","), "write the threads in these `FORMS`, of "+strings.Join(gen.Forms, ", "))
	flag.Parse()
	o.Forms = strings.Split(*forms, ",")
	if o.Out == "" || flag.NArg() > 0 || o.Artifacts < 0 || o.Threads < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := gen.Generate(o); err != nil {
		fmt.Fprintln(os.Stderr, "brennergen:", err)
		os.Exit(1)
	}
}
