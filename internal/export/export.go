// Package export reads the exports of MCP Agent Mail into messages and threads:
// thread, inbox and message JSON in all wrappers, the git archive, SQLite
// databases, share bundles and drafts (spec: mail_formats.md).
//
// A [Store] indexes the messages of all exports as small stubs, joins the copies
// of each message, and loads thread by thread. [ReadDraft] reads a message that
// is not sent yet.
//
// It knows how mail is stored and nothing of what the protocol says in it:
// bodies are bytes here. A reader never stops at the first fault: a message it
// can read in part is kept, and the rest becomes a [Problem].
package export

import "github.com/brennerlint/brennerlint/internal/input"

// Problem is a fault of an export: IN-001 to IN-004.
type Problem = input.Problem
