package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/linehash"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// setFingerprints gives each finding its identity across runs. The findings
// must be in the order of the report.
//
// A baseline and code scanning recognise a finding by its fingerprint, so it
// depends on what stays when others edit: the rule, the thread and message (of a
// file its name, without folders), the item and field, and the text of the
// offending line with its white space folded. It does not depend on line
// numbers, on the folder or export that holds the text, or on the wording of the
// message, which has counts that change. Findings that are alike in all this are
// distinguished by counting them.
func setFingerprints(findings []*lint.Finding) {
	seen := make(map[string]int, len(findings))
	for _, f := range findings {
		f.Fingerprint = fingerprint(f, 0)
		n := seen[f.Fingerprint]
		seen[f.Fingerprint]++
		if n > 0 {
			f.Fingerprint = fingerprint(f, n)
		}
	}
}

// fingerprint returns that of a finding, when there are so many alike before it.
func fingerprint(f *lint.Finding, n int) string {
	sum := sha256.Sum256([]byte(identity(f) + "\x00" + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:16])
}

// Since returns the findings that are not among earlier ones of the same files. It does not
// compare lines: a fault such as a missing field may be new on an old line. Findings are paired
// by the parts of their fingerprints. Among several with the same parts, those with the same
// message are paired, without its numbers, which may count other things.
func Since(earlier, findings []*lint.Finding) (fresh []*lint.Finding) {
	was, is := groupAlike(earlier), groupAlike(findings)
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if len(is[key]) == 1 && len(was[key]) == 1 {
			continue
		}
		left := map[string]int{}
		for _, f := range was[key] {
			left[withoutNumbers(f.Message)]++
		}
		for _, f := range is[key] {
			if message := withoutNumbers(f.Message); left[message] > 0 {
				left[message]--
			} else {
				fresh = append(fresh, f)
			}
		}
	}
	return fresh
}

// groupAlike groups findings of one file that fingerprints tell apart by counting only.
func groupAlike(findings []*lint.Finding) map[string][]*lint.Finding {
	out := map[string][]*lint.Finding{}
	for _, f := range findings {
		key := f.Path + "\x00" + identity(f)
		out[key] = append(out[key], f)
	}
	return out
}

func withoutNumbers(message string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, message)
}

// identity is what a finding is identified by: the last part is its line, with the white space folded.
func identity(f *lint.Finding) string {
	return strings.Join([]string{f.Rule, subjectOf(f), f.Item, f.Field, brenner.FoldSpace(lineOf(f))}, "\x00")
}

// subjectOf names what a finding is about, wherever that is kept.
func subjectOf(f *lint.Finding) string {
	switch {
	case f.MessageID != "":
		return "message\x00" + f.Thread + "\x00" + f.MessageID
	case f.Thread != "" && !f.Artifact:
		return "thread\x00" + f.Thread
	default:
		return "file\x00" + path.Base(f.Path)
	}
}

// In a long line (an export in one line) only the text after the fault counts.
const (
	wholeLine   = 400 // bytes
	partOfAfter = 200 // bytes
)

// lineOf returns the offending line as people see it; for a place in the header of a message,
// which no two forms of export write alike, the first line of its subject.
func lineOf(f *lint.Finding) string {
	if f.Header && f.Mail != nil {
		line, _, _ := strings.Cut(f.Mail.Subject, "\n")
		if len(line) > wholeLine {
			line = line[:source.RuneStart(line, partOfAfter)]
		}
		return line
	}
	if f.Frame == nil || len(f.Frame.Lines) == 0 {
		return ""
	}
	line := f.Frame.Lines[len(f.Frame.Lines)-1]
	if len(line) > wholeLine || f.Frame.Before || f.Frame.After {
		line = line[min(f.Frame.Start, len(line)):]
		line = line[:source.RuneStart(line, min(partOfAfter, len(line)))]
	}
	return line
}

// hashLines identifies the lines of findings as GitHub does. The files are read
// again: few have findings, and only code scanning asks for it.
func (b *Mailbox) hashLines(findings []*lint.Finding) {
	groups := byPath(slices.Clone(findings))
	parallel.Do(b.opts.Workers, len(groups), func(i int) {
		var lines []int
		located := slices.DeleteFunc(groups[i], func(f *lint.Finding) bool { return f.Range == nil })
		for _, f := range located {
			lines = append(lines, f.Range.Start.Line)
		}
		if len(lines) == 0 {
			return
		}
		p := located[0].Path
		ref := files.Named(p) // such as the configuration
		in, dir := b.byPath[p], b.byPath[path.Dir(p)]
		switch {
		case in != nil && in.InMemory():
			return // standard input, a pipe: code scanning has no such file either
		case in != nil:
			ref = in.Ref()
		case dir != nil && dir.Kind == input.Bundle:
			ref = dir.Ref().In(path.Base(p))
		}
		data, err := ref.Read()
		if err != nil {
			return
		}
		hashes := linehash.Of(data, lines...)
		for _, f := range located {
			f.LineHash = hashes[f.Range.Start.Line]
		}
	})
}
