package input

import (
	"context"
	"errors"
	"os"
)

// List calls visit for each file that Discover would examine, in order, without opening
// them; a share that is a folder counts as one file. It is called often, to watch files.
// A path must name files: a pipe or standard input can be read only once.
func List(ctx context.Context, paths []string, opts Options, visit func(path string, folder bool)) error {
	for _, p := range paths {
		info, err := os.Stat(p)
		if p == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return &UsageError{Path: p, Reason: "can be read only once; expected a file or a folder"}
		}
	}
	w := &walker{ctx: ctx, opts: opts, ex: newExcludes(opts.Exclude), jobs: make(chan *Input, 64)}
	if err := w.plan(paths); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	go w.run()
	for in := range w.jobs {
		visit(in.Path(), in.Kind == Bundle)
		in.top().Release()
	}
	for _, dir := range w.held {
		dir.Release()
	}
	return ctx.Err()
}
