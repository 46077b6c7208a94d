package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/brennerlint/brennerlint/report"
)

// reportOptions returns the options of every report: the version, and where paths
// that are shown begin.
func (s *settings) reportOptions() report.Options {
	opts := report.Options{
		Version: programVersion(),
		Notice:  func(text string) { s.std.logf("%s", text) },
	}
	if wd, err := os.Getwd(); err == nil {
		opts.Dir = filepath.ToSlash(wd)
		root := repositoryRoot(wd)
		opts.Root = filepath.ToSlash(root)
		if real, err := filepath.EvalSymlinks(cmp.Or(root, wd)); err == nil {
			opts.RealRoot = filepath.ToSlash(real)
		}
	}
	return opts
}

// repositoryRoot returns the folder of the repository that dir lies in; "" if none.
func repositoryRoot(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// textOptions returns the options of a text that goes to standard output.
func (s *settings) textOptions() report.Options {
	opts := s.reportOptions()
	s.terminal(&opts)
	return opts
}

// print writes a text to standard output.
func (s streams) print(text string) error {
	_, err := io.WriteString(s.out, text)
	return err
}

// printData writes a text to standard output, byte by byte. On a terminal, characters that it
// would obey are shown escaped.
func (s streams) printData(text string) error {
	if isTerminal(s.out) {
		text = report.Message(text)
	}
	return s.print(text)
}

// terminal fits the options of a report to standard output: colour, links and width.
func (s *settings) terminal(opts *report.Options) {
	onTerminal := isTerminal(s.std.out)
	opts.Color = s.color == "always" || s.color == "auto" && wantsColor(onTerminal)
	if !onTerminal {
		return
	}
	opts.Width, _, _ = term.GetSize(int(s.std.out.(*os.File).Fd()))
	if opts.Hyperlinks = opts.Color && takesLinks(); opts.Hyperlinks {
		opts.Host, _ = os.Hostname()
	}
}

// wantsColor reports whether the environment asks for colour: NO_COLOR forbids it, and
// FORCE_COLOR and CLICOLOR_FORCE have it without a terminal, too.
func wantsColor(onTerminal bool) bool {
	forced := func(name string) bool { v := os.Getenv(name); return v != "" && v != "0" && v != "false" }
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case forced("FORCE_COLOR"), forced("CLICOLOR_FORCE"):
		return true
	}
	return onTerminal && os.Getenv("TERM") != "dumb"
}

// takesLinks reports whether the terminal takes hyperlinks (OSC 8). Most do, or ignore
// them; of those that show them as text these are known, and FORCE_HYPERLINK says it
// of others.
func takesLinks() bool {
	if force, ok := os.LookupEnv("FORCE_HYPERLINK"); ok {
		return force != "0" && force != "false"
	}
	if version, err := strconv.Atoi(os.Getenv("VTE_VERSION")); err == nil && version < 5000 {
		return false
	}
	name := os.Getenv("TERM")
	return name != "" && name != "dumb" && name != "linux" && !strings.HasPrefix(name, "vt") && os.Getenv("INSIDE_EMACS") == ""
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progress is a line on standard error that shows how far a check is, once it takes longer than
// a second.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil: nothing is shown
	next  time.Time // when the line changes again
	shown bool
}

// start shows the progress of a check, if standard error is a terminal.
func (p *progress) start(w io.Writer) {
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		p.w, p.next, p.shown = w, time.Now().Add(time.Second), false
	}
}

// update shows how far the check is; total is 0 while files are read.
func (p *progress) update(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil || time.Now().Before(p.next) {
		return
	}
	p.next, p.shown = time.Now().Add(100*time.Millisecond), true
	if total > 0 {
		fmt.Fprintf(p.w, "\r\x1b[Kchecked %d of %d threads", done, total)
	} else {
		fmt.Fprintf(p.w, "\r\x1b[Kreading: %d files done", done)
	}
}

// stop clears the line, so that the report begins on a clean one.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// slowestRules is how many rules --verbose names.
const slowestRules = 5

// timings add up where the time of a check went, of all workers: by stage or rule id.
type timings struct {
	mu    sync.Mutex
	spent map[string]time.Duration
}

func (t *timings) add(stage string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spent[stage] += took
}

// logTimings prints where the time went, for --verbose.
func (c *checkCommand) logTimings(report time.Duration) {
	if !c.verbose {
		return
	}
	spent := c.timings.spent
	var rules []string // the slowest first
	total := time.Duration(0)
	for name, took := range spent {
		if name != "read" && name != "parse" && name != "replay" {
			rules = append(rules, name)
			total += took
		}
	}
	slices.SortFunc(rules, func(a, b string) int { return cmp.Or(cmp.Compare(spent[b], spent[a]), strings.Compare(a, b)) })
	c.std.logf("time of all workers: read %s, parse %s, rules %s, replay %s, report %s; %s from start to end",
		milliseconds(spent["read"]), milliseconds(spent["parse"]), milliseconds(total), milliseconds(spent["replay"]), milliseconds(report), milliseconds(time.Since(c.started)))
	if len(rules) > 0 {
		rules = rules[:min(len(rules), slowestRules)]
		for i, name := range rules {
			rules[i] = name + " " + milliseconds(spent[name])
		}
		c.std.logf("slowest rules: %s", strings.Join(rules, ", "))
	}
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
