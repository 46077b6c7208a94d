package input

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/source"
)

// Options control how inputs are found.
type Options struct {
	// As overrides recognition; the zero value recognises inputs by their content.
	As As
	// Exclude are doublestar globs of paths that walks and patterns leave out, as in a
	// .gitignore: one without a slash matches a name at any depth, one that ends in a slash
	// matches folders only, one that begins with ! includes again. Paths named explicitly are
	// never excluded. They begin in the working folder, or where a walk begins.
	Exclude []string
	// ConfigExclude are such globs, too, and begin in Folder; "" is the working folder.
	ConfigExclude []string
	Folder        string
	// GitIgnore makes walks and patterns leave out what git ignores: by the .gitignore files of
	// their folders and of those above in the same repository, and by .git/info/exclude. Paths
	// named explicitly are never excluded.
	GitIgnore bool
	// Stdin is read for the path "-", and shown as StdinName ("-" if empty).
	Stdin     io.Reader
	StdinName string
	// Contents are read instead of the files with these paths, which need not exist. What is read
	// from standard input and from pipes is added, if it is not nil: they can be read only once.
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

const (
	// headSize is how much of a file is looked at first to recognise it.
	headSize = 16 << 10
	// wholeSize is how much is read at once: smaller files are read only once.
	wholeSize = 64 << 10
	// maxKept is how many bytes of artifacts are kept until they are checked. To read all of them
	// again takes a tenth of the check of a folder.
	maxKept = 32 << 20
)

// Set is the result of Discover.
type Set struct {
	// Inputs are the recognised files, in order.
	Inputs []*Input
	// Faults are inputs that cannot be read, in order.
	Faults []source.Fault
	// Skipped are the named files that are not recognised, in order, if
	// Options.SkipUnrecognized is set.
	Skipped []string
	// Ignored counts the files and folders excluded by .gitignore files.
	Ignored int
	// Notices say which shares that a walk found are encrypted, and which patterns of .gitignore
	// files were left out, because there are too many.
	Notices []string

	held []*files.Dir
}

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
// Visit, if not nil, is called for each input as soon as it is recognised, concurrently
// and in no particular order, while its first bytes are in memory: all of a small file.
// Input.Order gives the order of inputs.
//
// A path that names nothing, or a file that is not recognised, is a UsageError; several
// are joined. What could be found is returned even with an error.
func Discover(ctx context.Context, paths []string, opts Options, visit func(*Input)) (*Set, error) {
	opts.MaxFileSize = cmp.Or(opts.MaxFileSize, DefaultMaxFileSize)
	var all []*Input
	w := newWalker(ctx, opts, func(in *Input, err error) {
		in.Order, in.err = len(all), err
		all = append(all, in)
	})
	if err := w.find(paths); err != nil {
		return &Set{}, err
	}
	var kept atomic.Int64
	parallel.Do(cmp.Or(opts.Workers, runtime.GOMAXPROCS(0)), len(all), func(i int) {
		in := all[i]
		if in.err == nil && ctx.Err() == nil {
			in.err = in.look(&opts, visit)
		}
		if !in.InMemory() && (!in.Kind.IsArtifact() || !in.isRead() || kept.Add(int64(len(in.data))) > maxKept) {
			in.data = nil
		}
	})
	set := &Set{held: w.held, Ignored: w.ignoredFiles, Notices: w.notices}
	errs := []error{ctx.Err()}
	for _, in := range all {
		misuse, ok := errors.AsType[*UsageError](in.err)
		switch {
		case in.err == nil && in.Kind == 0:
		case in.err == nil:
			set.Inputs = append(set.Inputs, in)
		case !ok:
			set.Faults = append(set.Faults, source.UnreadableFault(in.path, in.err))
		case !in.Named:
			set.Notices = append(set.Notices, misuse.Error())
		case opts.SkipUnrecognized:
			set.Skipped = append(set.Skipped, in.path)
		default:
			errs = append(errs, misuse)
		}
	}
	return set, errors.Join(errs...)
}

// look recognises a file, and visits it if it is an input. The error is that it cannot be read, or
// for a file that is named, or an encrypted share, a UsageError.
func (in *Input) look(opts *Options, visit func(*Input)) error {
	in.limit, in.strict = opts.MaxFileSize, opts.SkipUnrecognized
	err := in.readHead()
	switch {
	case err != nil && in.isMessagePlace():
		in.Kind = Archive // the reader meets the error again, and knows what the thread lacks
	case err != nil && in.isProfilePlace():
		in.Kind = Profile // likewise: the name of the folder is that of the agent
	case err != nil && (in.Named || NameIsOurs(in.path)):
		return err
	case err != nil:
		return nil //nolint:nilerr // a walk found a file that is hardly an input
	case in.Kind == 0:
		r := recognise(in, opts.As)
		if in.Kind, in.Malformed = r.kind, r.malformed; r.kind == 0 && (in.Named || r == isEncrypted && strings.HasSuffix(in.path, ".zip.age")) {
			return &UsageError{in.path, r.reason, r.hint}
		}
	}
	if in.Kind != 0 && visit != nil {
		visit(in)
	}
	return nil
}

// readHead reads the first bytes of a file.
func (in *Input) readHead() (err error) {
	if in.Kind == Bundle || in.InMemory() {
		return nil
	}
	in.data, in.size, err = in.ref.First(wholeSize)
	if n := int64(len(in.data)); n < wholeSize { // it is all of the file, whatever the system says
		in.size = n
	}
	return err
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
	w := newWalker(ctx, opts, func(in *Input, err error) {
		if err == nil {
			visit(in.path, in.Kind == Bundle)
		}
	})
	err := w.find(paths)
	(&Set{held: w.held}).Close()
	return errors.Join(ctx.Err(), err)
}
