package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/lint"
)

// Explain documents a rule for people at a terminal, from the rule's page: what it
// wants and why, an example with what is reported, and one without.
func Explain(r *lint.Rule) string {
	b, page := &strings.Builder{}, pageOf(r)
	about := strings.Join(given(r.Severities(), string(r.Scope()), r.Code, fixedBy(r)), separator)
	fmt.Fprintf(b, "%s %s\n%s\n%s\n\n%s\n", r.ID, r.Name, about, r.SpecRef, cmp.Or(page.Prose, r.Summary))
	// A custom rule without a suggestion has its summary there, or where to look for more.
	if r.Help != "" && r.Help != r.Summary && !strings.Contains(r.Help, "brennerlint explain "+r.ID) {
		fmt.Fprintf(b, "\nTo fix it: %s.\n", strings.TrimSuffix(r.Help, "."))
	}
	show := func(heading, text string) {
		fmt.Fprintf(b, "\n  %s\n", heading)
		for line := range strings.Lines(rulepage.Visible(text)) {
			fmt.Fprintf(b, "    %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	for _, s := range rulepage.Sections {
		i := slices.IndexFunc(page.Examples, func(ex *rulepage.Example) bool { return ex.Kind == s.Kind })
		if i < 0 {
			continue
		}
		ex := page.Examples[i]
		fmt.Fprintf(b, "\n%s: %s\n", s.Title, ex.Title)
		for _, f := range ex.Files {
			show(f.Name, string(f.Data))
		}
		if ex.Findings != "" {
			show("Findings", ex.Findings)
		}
		for _, f := range ex.Files {
			if text, ok := ex.Fixed[f.Name]; ok {
				show(f.Name+", fixed", text)
			}
		}
	}
	if r.URL != "" {
		fmt.Fprintf(b, "\nAll examples: %s\n", r.URL)
	}
	return b.String()
}

// fixedBy says how a rule's fixes are applied, "" if it has none: mail that was sent is a record
// and never changed.
func fixedBy(r *lint.Rule) string {
	switch s := r.Scope(); {
	case !r.Fixable():
		return ""
	case s == lint.ArtifactScope || s == lint.ItemScope || s == lint.InputScope:
		return "fixable with --fix or --unsafe-fixes"
	}
	return "fixable in drafts with presend --fix or --unsafe-fixes"
}

// pageOf reads the page of a rule; it is empty if there is none.
func pageOf(r *lint.Rule) *rulepage.Page {
	if r.Page == nil {
		return &rulepage.Page{}
	}
	page, _ := rulepage.Parse(r.Page())
	return page
}
