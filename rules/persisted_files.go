package rules

import (
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// persistedFileRules are about artifact files, compared with what was published.
var persistedFileRules = []*lint.Rule{
	{ID: "MR-020", Name: "persisted-artifact-differs", Severity: lint.Error, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file artifacts/{thread_id}.md equals, item by item, the COMPILED version whose number it carries.",
		Help:    "write the file from the COMPILED of its version",
		Check:   lint.ThreadCheck(checkFiles)},
	{ID: "MR-021", Name: "persisted-artifact-stale", Severity: lint.Info, SpecRef: "artifact_publish_spec#Latest Artifact Pointer",
		Summary: "The file's version is the latest COMPILED version.",
		Check:   lint.ThreadCheck(checkStaleFiles)},
}

// fileVersionRules are about the version and the message that front matter names.
var fileVersionRules = []*lint.Rule{
	{ID: "AP-010", Name: "front-matter-version", Severity: lint.Error, SpecRef: "artifact_publish_spec#AP-010",
		Summary: "The version in the artifact's front matter is the COMPILED version.",
		Help:    "write the version of the COMPILED into the front matter",
		Check:   lint.ThreadCheck(checkStatedVersions)},
	{ID: "AP-020", Name: "artifact-message-id", Severity: lint.Warning, SpecRef: "artifact_publish_spec#Artifact File Front Matter",
		Summary: "agent_mail_message_id is the id of the COMPILED message of that version.",
		Check:   lint.ThreadCheck(checkFileMessages)},
}

// checkFiles is MR-020: a file that differs from the COMPILED of its version.
func checkFiles(p *lint.ThreadPass) {
	for _, f := range factsOf(p).MisnumberedFiles {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("the file says version %d, but holds v%d as %s published it", f.Version, f.Holds.Version.Number, messageName(f.Holds)),
		})
	}
	for i := range factsOf(p).FileDiffs {
		f := &p.Replay.Facts.FileDiffs[i]
		d := atSite(f.Site, f.Diff.ID)
		if len(f.Diff.Fields) > 0 {
			d.Field = f.Diff.Fields[0].Key
		}
		d.Message = fmt.Sprintf("%s in v%d as %s published it", fileDiff(f), f.Compiled.Version.Number, messageName(f.Compiled))
		p.Report(d)
	}
}

// fileDiff describes how an item of a file differs from what was published.
func fileDiff(f *replay.FileDiff) string {
	switch f.Diff.Kind {
	case diff.Missing:
		return fmt.Sprintf("the file lacks %s, which is", itemTitle(f.Diff.Want))
	case diff.Extra:
		return itemTitle(f.Diff.Got) + " is not"
	case diff.Killed:
		return fmt.Sprintf("%s is %s in the file, but %s", f.Diff.ID, killedOrActive(f.Diff.Got), killedOrActive(f.Diff.Want))
	}
	var names []string
	for _, field := range f.Diff.Fields {
		names = append(names, field.Key)
	}
	is := "are not what they are"
	if len(f.Diff.Fields) == 1 {
		want, got := valuesOf(f.Diff.Fields[0].Want, f.Diff.Fields[0].Got)
		is = fmt.Sprintf("is %s, but %s", got, want)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Diff.ID, text.And(short(names)), is))
}

func killedOrActive(it *state.Item) string {
	if it.Active() {
		return "active"
	}
	return "killed"
}

// checkStaleFiles is MR-021: a file of a version that is no longer the latest.
func checkStaleFiles(p *lint.ThreadPass) {
	for _, f := range factsOf(p).StaleFiles {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("the file holds version %d, but v%d has been published since", f.Version, f.Latest),
		})
	}
}

// checkStatedVersions is AP-010: front matter that states another version than the
// COMPILED, or one that was never published.
func checkStatedVersions(p *lint.ThreadPass) {
	for _, f := range factsOf(p).VersionDiffs {
		p.Report(lint.Diagnostic{
			At: f.At, In: f.In,
			Message:    fmt.Sprintf("the front matter says version %d, but this is COMPILED v%d", f.Stated, f.Published),
			Suggestion: fmt.Sprintf("write version: %d", f.Published),
		})
	}
	for _, f := range factsOf(p).UnpublishedFiles {
		d := lint.Diagnostic{At: f.At, Path: f.Path}
		if f.None {
			d.Message = fmt.Sprintf("version %d was never published: thread %s has no COMPILED message", f.Version, p.Thread.ID)
		} else {
			d.Message = fmt.Sprintf("version %d was never published: the latest COMPILED of thread %s is v%d", f.Version, p.Thread.ID, f.Latest)
		}
		p.Report(d)
	}
}

// checkFileMessages is AP-020: a file that names a message that did not publish its
// version.
func checkFileMessages(p *lint.ThreadPass) {
	for _, f := range factsOf(p).FileMessages {
		p.Report(lint.Diagnostic{
			At: f.At, Path: f.Path,
			Message: fmt.Sprintf("agent_mail_message_id is %s, but v%d was published by %s", text.Quote(f.Named), f.Version, messageName(f.Compiled)),
		})
	}
}
