package input

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/source"
)

// Options control how inputs are found.
type Options struct {
	// As overrides recognition; the zero value recognises inputs by their content.
	As As
	// Exclude are doublestar globs of what walks and patterns exclude, as in a
	// .gitignore: one without a slash matches a name at any depth, one that ends in a
	// slash matches folders only, one that begins with ! includes again. Paths named
	// explicitly are never excluded.
	Exclude []string
	// GitIgnore excludes from walks and patterns what is ignored by the .gitignore files of
	// their folders, those above them in the same repository, and its .git/info/exclude.
	// Paths named explicitly are never excluded.
	GitIgnore bool
	// Stdin is read for the path "-", and shown as StdinName ("-" if empty).
	Stdin     io.Reader
	StdinName string
	// Streams, if not nil, keeps what was read from standard input and from pipes, by their
	// paths: they can be read only once, and are found there again.
	Streams map[string][]byte
	// Contents are read instead of the files with these paths, which need not exist.
	Contents map[string][]byte
	// SkipUnrecognized lists named files that are not recognised in Set.Skipped instead
	// of returning an error, and recognises files as on a walk.
	SkipUnrecognized bool
	// MaxFileSize bounds files that are read whole, in bytes; 0 means
	// DefaultMaxFileSize.
	MaxFileSize int64
	// Workers is how many files are examined and visited concurrently; 0 means one per
	// processor.
	Workers int
}

// As is the kind that inputs are treated as (--kind).
type As uint8

// The choices of --kind.
const (
	Auto As = iota
	AsArtifact
	AsMail
	AsDraft
)

// DefaultMaxFileSize bounds files that are read whole, in bytes.
const DefaultMaxFileSize = 128 << 20

// headSize is how much of a file is read to recognise it. Most artifacts and archive
// messages fit, and are then read only once.
const headSize = 16 << 10

// Set is the result of Discover.
type Set struct {
	// Inputs are those recognised, in order.
	Inputs []*Input
	// Faults are inputs that cannot be read, in order.
	Faults []source.Fault
	// Skipped are the named files that are not recognised, in order, if
	// Options.SkipUnrecognized is set.
	Skipped []string
	// Ignored counts the files and folders excluded by .gitignore files.
	Ignored int
	// Notices say which patterns of .gitignore files were left out, because there are too many.
	Notices []string

	held []*files.Dir
}

// maxHeld is how many of the named folders stay open.
const maxHeld = 64

// Close releases the named folders. Inputs can still be opened.
func (s *Set) Close() {
	for _, d := range s.held {
		d.Release()
	}
	s.held = nil
}

// Discover finds the inputs that paths name. A path is a file, a folder, a
// pattern of Go's style (`./artifacts/...`), a doublestar glob or "-".
//
// It expands the paths to files and folders, walks the folders, and recognises each file.
//
// Visit, if not nil, is called for each input as soon as it is recognised, concurrently
// and in no particular order, while its first bytes are in memory.
// Input.Order gives the order of inputs.
//
// A path that names nothing, or a file that is not recognised, is a UsageError; several
// are joined. What could be found is returned even with an error.
func Discover(ctx context.Context, paths []string, opts Options, visit func(*Input)) (*Set, error) {
	if opts.MaxFileSize == 0 {
		opts.MaxFileSize = DefaultMaxFileSize
	}
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	w, err := newWalker(ctx, paths, opts, 4*opts.Workers)
	if err != nil {
		return &Set{}, err
	}
	s := &sorter{opts: opts, visit: visit}
	var workers sync.WaitGroup
	for range opts.Workers {
		workers.Go(func() {
			head := make([]byte, headSize)
			for in := range w.jobs {
				if ctx.Err() == nil {
					s.look(in, head)
				}
				in.top().Release()
			}
		})
	}
	w.run()
	workers.Wait()
	set, err := s.finish(w)
	set.held, set.Ignored, set.Notices = w.held, w.ignoredFiles, w.notices
	return set, errors.Join(ctx.Err(), err)
}

// sorter recognises files and collects the results.
type sorter struct {
	opts  Options
	visit func(*Input)

	mu      sync.Mutex
	inputs  []*Input
	faults  []ordered[source.Fault]
	misuses []ordered[error]
	skipped []ordered[string]
}

// ordered is a value that was found out of order.
type ordered[T any] struct {
	order int
	value T
}

// look recognises a file and passes it to visit.
func (s *sorter) look(in *Input, buf []byte) {
	if err := s.open(in, buf); err != nil && in.isMessagePlace() {
		in.Kind = Archive // the reader meets the error again, and knows what the thread lacks
	} else if err != nil {
		if in.Named || nameIsOurs(in.name) {
			s.mu.Lock()
			s.faults = append(s.faults, ordered[source.Fault]{in.Order, source.UnreadableFault(in.Path(), err)})
			s.mu.Unlock()
		}
		return
	}
	if in.Kind == 0 {
		in.strict = s.opts.SkipUnrecognized
		v := recognise(in, s.opts.As)
		in.Kind, in.Malformed = v.kind, v.malformed
		if v.kind == 0 && in.Named {
			s.refuse(in, v)
		}
	}
	if in.Kind != 0 {
		if s.visit != nil {
			s.visit(in)
		}
		s.mu.Lock()
		s.inputs = append(s.inputs, in)
		s.mu.Unlock()
	}
	in.head = nil
}

// refuse records a named file that is not recognised.
func (s *sorter) refuse(in *Input, v recognition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opts.SkipUnrecognized {
		s.skipped = append(s.skipped, ordered[string]{in.Order, in.Path()})
	} else {
		s.misuses = append(s.misuses, ordered[error]{in.Order, &UsageError{in.Path(), v.reason, v.hint}})
	}
}

// open reads the first bytes of a file into buf.
func (s *sorter) open(in *Input, buf []byte) error {
	in.limit = s.opts.MaxFileSize
	switch {
	case in.Kind == Bundle:
		return nil
	case in.inMemory:
		in.head = in.content[:min(in.size, headSize)]
		return nil
	}
	f, size, err := in.Ref().Open()
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	in.head, in.size = buf[:n], size
	if n < len(buf) { // it is all of the file, whatever the system says
		in.size = int64(n)
	}
	return nil
}

func (s *sorter) finish(w *walker) (*Set, error) {
	slices.SortFunc(s.inputs, func(a, b *Input) int { return cmp.Compare(a.Order, b.Order) })
	set := &Set{Inputs: s.inputs, Faults: inOrder(append(s.faults, w.faults...)), Skipped: inOrder(s.skipped)}
	return set, errors.Join(inOrder(s.misuses)...)
}

func inOrder[T any](list []ordered[T]) []T {
	slices.SortStableFunc(list, func(a, b ordered[T]) int { return cmp.Compare(a.order, b.order) })
	out := make([]T, len(list))
	for i, o := range list {
		out[i] = o.value
	}
	return out
}

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
	w, err := newWalker(ctx, paths, opts, 64)
	if err != nil {
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
