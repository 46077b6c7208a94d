package engine

import (
	"path"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/linehash"
	"github.com/brennerlint/brennerlint/lint"
)

// hashLines identifies the lines of findings as GitHub does. The files are read
// again: few have findings, and only code scanning asks for it.
func (b *Mailbox) hashLines(findings []*lint.Finding) {
	groups := byPath(findings)
	refs := b.refs(groups)
	parallel(b.opts.Workers, len(groups), func(i int) {
		var lines []int
		for _, f := range groups[i] {
			if f.Range != nil {
				lines = append(lines, f.Range.Start.Line)
			}
		}
		ref := refs[groups[i][0].Path]
		if ref.Dir == nil || len(lines) == 0 {
			return // standard input, a pipe: code scanning has no such file either
		}
		data, err := ref.Read()
		if err != nil {
			return
		}
		hashes := linehash.Of(data, lines...)
		for n, f := range groups[i] {
			if f.Range != nil {
				again := *f // it may be kept as it is
				again.LineHash = hashes[f.Range.Start.Line]
				groups[i][n] = &again
			}
		}
	})
}

// refs returns the files that findings are about, by their paths: inputs, files in the
// folder of a share, and the configuration.
func (b *Mailbox) refs(groups [][]*lint.Finding) map[string]files.Ref {
	inputs := make(map[string]*input.Input, 2*len(groups))
	for _, g := range groups {
		inputs[g[0].Path] = nil
		inputs[path.Dir(g[0].Path)] = nil
	}
	for _, in := range b.found.Inputs {
		if _, wanted := inputs[in.Path()]; wanted {
			inputs[in.Path()] = in
		}
	}
	refs := make(map[string]files.Ref, len(groups))
	for _, g := range groups {
		p := g[0].Path
		in, dir := inputs[p], inputs[path.Dir(p)]
		switch {
		case in != nil && in.InMemory():
		case in != nil:
			refs[p] = in.Ref()
		case dir != nil && dir.Kind == input.Bundle:
			refs[p] = dir.Ref().In(path.Base(p))
		default:
			refs[p] = files.Named(p)
		}
	}
	return refs
}
