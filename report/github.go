package report

import (
	"bufio"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

const (
	// annotationsPerLevel is how many annotations of a level a step may make; the
	// runner drops further ones.
	annotationsPerLevel = 10
	// maxAnnotation is where the runner cuts a message, in characters.
	maxAnnotation = 4096
)

var githubLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}

// writeGitHub writes workflow commands: the first ten findings of each level, and how
// many more there are. That notice replaces the tenth notice if there are ten.
func writeGitHub(w *bufio.Writer, r *lint.Report, o *Options) {
	left := map[lint.Severity]int{lint.Error: annotationsPerLevel, lint.Warning: annotationsPerLevel, lint.Info: annotationsPerLevel}
	if max(r.Summary.Errors, r.Summary.Warnings, r.Summary.Info) > annotationsPerLevel {
		left[lint.Info]--
	}
	for _, f := range r.Failures[:min(len(r.Failures), annotationsPerLevel)] {
		left[lint.Error]--
		fmt.Fprintf(w, "::error file=%s,title=%s::%s\n", githubFile(o.fromRoot(f.Path)), failureTitle(f),
			messageEscapes.Replace(text.Shorten(clean(f.Error())+"\n"+meaning(f), maxAnnotation)))
	}
	rest := 0
	for _, f := range bySeverity(r.Findings) {
		if left[f.Severity] == 0 {
			rest++
			continue
		}
		left[f.Severity]--
		fmt.Fprintf(w, "::%s file=%s", githubLevels[f.Severity], githubFile(o.fromRoot(f.Path)))
		if f.Range != nil {
			start, end := f.Range.Start, f.Range.End
			fmt.Fprintf(w, ",line=%d,endLine=%d", start.Line, end.Line)
			if start.Line == end.Line { // the runner drops the columns of others
				fmt.Fprintf(w, ",col=%d,endColumn=%d", start.Column, end.Column)
			}
		}
		message := clean(f.Message) + withLead("\n", clean(subject(f))) + withLead("\n= ", clean(f.Suggestion))
		fmt.Fprintf(w, ",title=%s::%s\n", propertyEscapes.Replace(clean(f.Rule+" "+f.Name)), messageEscapes.Replace(text.Shorten(message, maxAnnotation)))
	}
	if rest > 0 {
		fmt.Fprintf(w, "::notice title=brennerlint::%s: GitHub shows 10 annotations of each level; the job summary and the other formats show more\n",
			count(rest, "more finding"))
	}
	fmt.Fprintf(w, "brennerlint: %s\n", Summary(r))
}

// The escapes that the runner undoes (GitHub, workflow commands). The replacers
// look at each character once, so that % is not escaped again.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubFile returns the name of a file as a property. The runner looks for a file of
// that exact name, so nothing is left out or replaced by words; characters that are
// not visible, or would start a command, are escaped like the rest.
func githubFile(name string) string {
	name = propertyEscapes.Replace(name)
	return escapeEach(name, func(at int, r rune, part string) string {
		if isNoUTF8(r, part) || !unicode.IsGraphic(r) || opensCommand(name, at) {
			return url.PathEscape(part)
		}
		return part
	})
}
