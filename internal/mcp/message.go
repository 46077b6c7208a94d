package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

const (
	// maxDraft bounds a draft, as presend does.
	maxDraft = 16 << 20
	// maxRepaired bounds a draft that is repaired: fixes are tried and checked many
	// times.
	maxRepaired = 1 << 20
)

// checkMessage checks the arguments of send_message or reply_message.
func (s *server) checkMessage(ctx context.Context, raw json.RawMessage) (*mcp.CallToolResult, error) {
	d, err := readDraft(raw)
	if err != nil {
		return nil, err
	}
	return do(ctx, s.gate, func(ctx context.Context) (*mcp.CallToolResult, error) {
		var exports []string
		if d.export != "" {
			path, err := s.workspace.export(ctx, d.export, true)
			if err != nil {
				return nil, err
			}
			exports = append(exports, path)
		}
		box, err := engine.Open(ctx, s.rules, s.opts, exports...)
		if err != nil {
			return nil, err
		}
		defer box.Close()
		found, err := box.ReviewDraft(ctx, draftName, d.data)
		if err != nil {
			return nil, err
		}
		if !reloadable(exports) {
			box, err = engine.Open(ctx, s.rules, s.opts) // without the exports
			if err != nil {
				return nil, err
			}
			defer box.Close()
		}
		repaired, err := s.repair(ctx, box, d, found)
		if err != nil {
			return nil, err
		}
		return s.messageResult(d, found, repaired)
	})
}

// repaired is a draft with its fixes applied.
type repaired struct {
	data   json.RawMessage
	fixed  int // findings
	errors int // that are left
}

// repair applies the fixes of a draft; nil if none applies. A draft or an export
// that is too large to be checked again and again is not repaired, or without it.
func (s *server) repair(ctx context.Context, box *engine.Mailbox, d *draft, found *lint.Draft) (*repaired, error) {
	if len(d.data) > maxRepaired || len(found.Failures) > 0 || !hasFix(found.Findings) {
		return nil, nil
	}
	res, err := fix.All(d.data, false, func(data []byte) ([]*lint.Finding, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		checked, err := box.CheckDraft(ctx, draftName, data)
		switch {
		case err != nil:
			return nil, err
		case len(checked.Failures) > 0: // what is left cannot be known
			return nil, &checked.Failures[0]
		}
		return checked.Findings, nil
	})
	var failure *lint.Failure
	switch {
	case errors.As(err, &failure), err == nil && (bytes.Equal(res.Data, d.data) || !json.Valid(res.Data)):
		return nil, nil
	case err != nil:
		return nil, err
	}
	last, err := box.CheckDraft(ctx, draftName, res.Data)
	if err != nil {
		return nil, err
	}
	return &repaired{res.Data, res.Fixed, last.Summary.Errors}, nil
}

// maxReloaded bounds the exports, in bytes, with which a draft is checked again and
// again: each check reads its thread.
const maxReloaded = 4 << 20

// reloadable reports whether the exports are small enough for every check of a draft that is
// being repaired. Of a database one thread is read.
func reloadable(exports []string) bool {
	for _, path := range exports {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() || info.Size() > maxReloaded && !isDatabase(path) {
			return false
		}
	}
	return true
}

func hasFix(findings []*lint.Finding) bool {
	for _, f := range findings {
		if f.Fix != nil && !f.Fix.Unsafe {
			return true
		}
	}
	return false
}

// messageResult shows what was found of a draft.
func (s *server) messageResult(d *draft, found *lint.Draft, r *repaired) (*mcp.CallToolResult, error) {
	d.place(found.Findings)
	d.place(found.AfterFixes)
	var more []member
	if r != nil {
		more = append(more, member{"repaired_draft", r.data})
	}
	data, err := s.reportJSON(found.Report, more...)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	writeNotices(&out, found.Notices)
	if found.Summary.Valid {
		err = report.Write(&out, "agent", found.Report, report.Options{})
	} else {
		err = report.ValidationError(&out, withPlaces(found), lint.Error)
	}
	if err != nil {
		return nil, err
	}
	for _, line := range report.MergePreview(found.Report) {
		fmt.Fprintf(&out, "%s\n", report.Message(line))
	}
	if len(d.data) > maxRepaired && hasFix(found.Findings) {
		fmt.Fprintf(&out, "\nthe draft is larger than %d MiB: there is no repaired_draft\n", maxRepaired>>20)
	}
	if r != nil {
		fmt.Fprintf(&out, "\nrepaired_draft in the structured content has %s applied; %s left\n",
			text.Count(r.fixed, "fix", "fixes"), text.Count(r.errors, "error is", "errors are"))
	}
	return toolResult(out.String(), data), nil
}

// withPlaces returns a draft whose messages begin with the place that they are about.
func withPlaces(d *lint.Draft) *lint.Draft {
	rep := *d.Report
	rep.Findings, rep.AfterFixes = placed(d.Findings), placed(d.AfterFixes)
	out := *d
	out.Report = &rep
	return &out
}

func placed(findings []*lint.Finding) []*lint.Finding {
	out := make([]*lint.Finding, len(findings))
	for i, f := range findings {
		g := *f
		g.Body = nil // the place says it
		g.Message = f.Path + ": " + f.Message
		if f.Range != nil {
			g.Message = fmt.Sprintf("%s:%d:%d: %s", f.Path, f.Range.Start.Line, f.Range.Start.Column, f.Message)
		}
		out[i] = &g
	}
	return out
}
