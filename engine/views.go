package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/lint"
)

// What a report shows whole is bounded in bytes: of threads and artifacts with
// findings, and of those without.
const (
	maxViewed      = 1_500_000
	maxViewedClean = 500_000
)

// Show adds to a report of the mailbox what some formats need in addition to findings. The files,
// threads and artifacts are read again: which of them have findings is known only now, and
// nothing of the others has to be kept.
func (b *Mailbox) Show(ctx context.Context, rep *lint.Report, data lint.Data) error {
	if data.LineHashes {
		b.hashLines(rep.Findings)
	}
	if !data.Threads {
		return nil
	}
	return b.use(func() error {
		in, err := b.all(ctx)
		if err == nil {
			in.addViews(ctx, rep)
		}
		return err
	})
}

func (in *inputs) addViews(ctx context.Context, rep *lint.Report) {
	faults := map[string]int{}
	for _, f := range rep.Findings {
		if f.Artifact {
			faults[f.Path] = weight(faults[f.Path], f)
		}
		if f.Thread != "" || f.Mail != nil {
			faults["\x00"+f.Thread] = weight(faults["\x00"+f.Thread], f)
		}
	}
	infos := in.store.Threads()
	chosen := choose(len(infos), func(i int) (int, int64) { return faults["\x00"+infos[i].ID], infos[i].Size })
	views := make([]*lint.ThreadView, len(chosen))
	parallel(in.opts.Workers, len(chosen), func(i int) {
		if ctx.Err() == nil {
			views[i] = in.threadView(infos[chosen[i]])
		}
	})
	for _, v := range views {
		if v != nil && len(v.Messages) > 0 {
			rep.Threads = append(rep.Threads, *v)
		}
	}
	files := in.artifacts.list
	for _, i := range choose(len(files), func(i int) (int, int64) { return faults[files[i].in.Path()], files[i].size }) {
		if a, _ := in.readArtifact(files[i].in); a != nil {
			rep.Artifacts = append(rep.Artifacts, lint.ArtifactView{Path: files[i].in.Path(), Thread: files[i].thread, Text: string(a.Text.Data)})
		}
	}
}

// weight adds a finding to the weight of a thread or artifact: the more severe, the
// heavier.
func weight(w int, f *lint.Finding) int {
	return max(w, int(lint.Info-f.Severity)+1)
}

// choose takes as many of n things as there is room for: the heaviest first, of
// equal ones the first, and those without weight in their own room. They come in
// their order.
func choose(n int, of func(i int) (weight int, size int64)) []int {
	order := make([]int, n)
	weights, sizes := make([]int, n), make([]int64, n)
	for i := range order {
		order[i] = i
		weights[i], sizes[i] = of(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	var chosen []int
	faulty, clean := int64(maxViewed), int64(maxViewedClean)
	for _, i := range order {
		room := &faulty
		if weights[i] == 0 {
			room = &clean
		}
		if sizes[i] <= *room {
			*room -= sizes[i]
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// threadView reads a thread again and makes a view of it; nil where that breaks.
func (in *inputs) threadView(info export.ThreadInfo) *lint.ThreadView {
	v := &lint.ThreadView{Project: info.Project, ID: info.ID}
	var broken failures // reported by the check of the thread
	ok := broken.guard(threadStage, "", info.ID, func() {
		t := in.openThread(info)
		for m := range t.messages() {
			v.Messages = append(v.Messages, messageView(m))
		}
		t.finish()
		if t.replay != nil {
			v.Versions = in.rules.versionViews(t.replay)
		}
	})
	if !ok {
		return nil
	}
	return v
}
