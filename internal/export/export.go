// Package export reads the exports of MCP Agent Mail into messages and threads:
// thread, inbox and message JSON in all wrappers, the git archive, SQLite
// databases, share bundles and drafts (spec: mail_formats.md).
//
// A [Store] indexes the messages of all exports as small entries, joins the copies of each
// message, and loads thread by thread. [ReadDraft] reads a message that has not been sent.
//
// The package knows how mail is stored. Bodies are bytes here. Of the protocol it uses only
// thread ids, times and the types of subjects, which determine the scope and the order of mail.
// A message that can be read in part is kept, and the [Facts] say what is wrong with the rest.
package export

import (
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// Facts describe what is wrong with exports.
type Facts struct {
	Faults     []source.Fault
	Incomplete []mail.Incomplete
	Mismatches []mail.CopyMismatch
}

// Count returns how many there are.
func (f *Facts) Count() int { return len(f.Faults) + len(f.Incomplete) + len(f.Mismatches) }

// Add adds the facts of another part of the exports.
func (f *Facts) Add(more Facts) {
	f.Faults = append(f.Faults, more.Faults...)
	f.Incomplete = append(f.Incomplete, more.Incomplete...)
	f.Mismatches = append(f.Mismatches, more.Mismatches...)
}
