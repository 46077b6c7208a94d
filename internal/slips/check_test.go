package slips

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// reported is a finding as the checks compare it.
type reported struct {
	rule, path string
	line       int // in the body if there is one, else in the file
	inBody     bool
	message    string
}

func (r reported) String() string {
	where := "line"
	if r.inBody {
		where = "line of the body"
	}
	return fmt.Sprintf("%s at %s, %s %d: %s", r.rule, r.path, where, r.line, r.message)
}

// ruleOf returns a rule by its id.
func ruleOf(id string) *lint.Rule {
	i := slices.IndexFunc(rules.All(), func(r *lint.Rule) bool { return r.ID == id })
	if i < 0 {
		panic("no rule " + id)
	}
	return rules.All()[i]
}

func simplify(findings []*lint.Finding) []reported {
	var out []reported
	for _, f := range findings {
		r := reported{rule: f.Rule, path: f.Path, message: f.Message + " = " + f.Suggestion}
		switch {
		case f.Body != nil:
			r.line, r.inBody = f.Body.Line, true
		case f.Range != nil:
			r.line = f.Range.Start.Line
		}
		if f.MessageID != "" && f.Path != "" && !strings.Contains(r.path, "/") {
			r.path += " message " + f.MessageID
		}
		out = append(out, r)
	}
	return out
}

// expected returns where the slip's own finding should be in the files.
func (s *scene) expected(rule string) reported {
	p := s.at
	if p.part == artifact {
		name := "artifacts/" + s.thread.ID + ".md"
		if s.stage == jsonFile {
			name = "artifacts/" + s.thread.ID + ".json"
		}
		return reported{rule: rule, path: name, line: lineOf(*s.text(p), p.offset)}
	}
	switch p.part {
	case export:
		r := reported{rule: rule, path: "mail.json", line: lineOf(s.export, p.offset)}
		if rule == "IN-001" || rule == "IN-003" { // which are about a message
			r.path += fmt.Sprintf(" message %d", s.thread.Messages[(r.line-linesBefore-1)/linesEach].ID)
		}
		return r
	case configuration:
		return reported{rule: rule, path: config.FileName, line: lineOf(s.config, p.offset)}
	}
	r := reported{rule: rule, path: fmt.Sprintf("mail.json message %d", s.thread.Messages[p.message].ID)}
	if p.part == body {
		r.line, r.inBody = lineOf(*s.text(p), p.offset), true
	} else {
		r.line = linesBefore + linesEach*p.message + map[part]int{threadID: threadLine, subject: subjectLine, ackRequired: ackLine, sender: senderLine}[p.part]
	}
	return r
}

// compare compares what was found with what the slip should produce.
func (sl *slip) compare(found []reported, want reported) error {
	var wrong []string
	left := slices.Clone(found)
	own := slices.IndexFunc(left, func(r reported) bool {
		return r.rule == want.rule && r.path == want.path && r.line == want.line && r.inBody == want.inBody
	})
	if own < 0 {
		wrong = append(wrong, "not found: "+want.String())
	} else {
		if !regexp.MustCompile(sl.says).MatchString(left[own].message) {
			wrong = append(wrong, fmt.Sprintf("does not say %q: %s", sl.says, left[own]))
		}
		left = slices.Delete(left, own, own+1)
	}
	for _, f := range sl.also {
		n := len(left)
		for i := 0; i < len(left); {
			if left[i].rule == f.rule && (f.many || len(left) == n) {
				left = slices.Delete(left, i, i+1)
			} else {
				i++
			}
		}
		if len(left) == n {
			wrong = append(wrong, fmt.Sprintf("not found: %s, by decision %s", f.rule, f.law))
		}
	}
	for _, r := range left {
		wrong = append(wrong, "not expected: "+r.String())
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s (%s)\n  %s", sl.name, sl.rule, strings.Join(wrong, "\n  "))
}

// attempt is a slip made in conforming input.
type attempt struct {
	*slip
	scene, clean *scene
	before       *string // the text before the slip, nil if unknown
}

// try makes a slip in an input; nil if the input has no place for it.
func try(sl *slip, s *scene) *attempt {
	a := &attempt{slip: sl, scene: s, clean: s.clone()}
	var ok bool
	if a.before, ok = sl.apply(s); !ok {
		return nil
	}
	return a
}

// check compares what the linter reports and fixes with the slip.
func (a *attempt) check() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, a.show())
		}
	}()
	s := a.scene
	findings, err := ruletest.Check(s.files(), rules.All()...)
	if err != nil {
		return err
	}
	if err := a.compare(simplify(findings), s.expected(a.rule)); err != nil {
		return err
	}
	switch {
	case s.stage == file || s.stage == jsonFile:
		return a.checkFileFix(s, a.before)
	case s.at.part != artifact && !a.alone:
		return a.checkDraft(s, a.before)
	}
	return nil
}

// show returns the difference that the slip made.
func (a *attempt) show() string {
	var b strings.Builder
	b.WriteString("the slip:\n")
	diff := func(name, old, now string) { b.WriteString(udiff.Unified(name, name, old, now)) }
	at := place{part: artifact}
	diff("artifact", *a.clean.text(at), *a.scene.text(at))
	for i, m := range a.scene.thread.Messages {
		old := ""
		if i < len(a.clean.thread.Messages) {
			c := &a.clean.thread.Messages[i]
			old = c.Subject + "\n\n" + c.Body
		}
		diff(fmt.Sprintf("message %d", m.ID), old, m.Subject+"\n\n"+m.Body)
	}
	lines := strings.SplitAfter(b.String(), "\n")
	return strings.Join(lines[:min(len(lines), 25)], "")
}

// checkDraft checks the message as a draft: the same finding, and its fix.
func (sl *slip) checkDraft(s *scene, before *string) error {
	draft := s.draft(s.at.message)
	box, err := engine.Open(context.Background(), rules.All(), engine.Options{})
	if err != nil {
		return err
	}
	check := func(data []byte) ([]*lint.Finding, error) {
		d, err := box.CheckDraft(context.Background(), "draft.json", data)
		if err != nil {
			return nil, err
		}
		return d.Findings, nil
	}
	findings, err := check([]byte(draft))
	if err != nil {
		return err
	}
	want := s.expected(sl.rule)
	want.path = "draft.json"
	switch s.at.part {
	case subject:
		want.line = 6
	case threadID:
		want.line = 7
	case ackRequired:
		want.line = 8
	}
	alone := *sl
	alone.also = slices.DeleteFunc(slices.Clone(sl.also), func(f follow) bool {
		return ruleOf(f.rule).Scope() == lint.ThreadScope && !strings.HasPrefix(f.rule, "TH-")
	})
	if err := alone.compare(simplify(findings), want); err != nil {
		return fmt.Errorf("as a draft: %w", err)
	}
	fixed := ""
	if before != nil {
		now := s.text(s.changed)
		broken := *now
		*now = *before
		fixed = s.draft(s.at.message)
		*now = broken
	}
	return sl.checkFix(draft, fixed, check)
}

// checkFileFix checks what --fix makes of the artifact file.
func (sl *slip) checkFileFix(s *scene, before *string) error {
	opts, path := engine.Options{Workers: 1, Kind: engine.AsArtifact}, s.files()[0].Name
	fixed := ""
	if before != nil {
		fixed = *before
	}
	return sl.checkFix(*s.text(s.at), fixed, func(data []byte) ([]*lint.Finding, error) {
		opts.Contents = map[string][]byte{path: data}
		rep, err := engine.Check(context.Background(), rules.All(), opts, path)
		if err != nil {
			return nil, err
		}
		return rep.Findings, nil
	})
}

// difference shows two drafts or files line by line, bodies in JSON too.
func difference(one, two, a, b string) string {
	if a == b {
		return ""
	}
	lines := strings.NewReplacer(`\n`, "\n", `\"`, `"`)
	return udiff.Unified(one, two, lines.Replace(a), lines.Replace(b))
}

// checkFix checks that the fix clears the finding, changes nothing else, is as safe as
// stated, and has nothing to do a second time.
func (sl *slip) checkFix(broken, fixed string, check fix.Check) error {
	safe, err := fix.All([]byte(broken), false, check)
	if err != nil {
		return err
	}
	all, err := fix.All([]byte(broken), true, check)
	if err != nil {
		return err
	}
	if sl.fix != safeFix && string(safe.Data) != broken {
		return fmt.Errorf("--fix changes what has no safe fix:\n%s", difference("broken", "fixed", broken, string(safe.Data)))
	}
	if sl.fix == noFix {
		if string(all.Data) != broken {
			return fmt.Errorf("--unsafe-fixes changes what has no fix:\n%s", difference("broken", "fixed", broken, string(all.Data)))
		}
		return nil
	}
	if d := difference("want", "got", fixed, string(all.Data)); fixed != "" && d != "" {
		return fmt.Errorf("the fix leaves something else:\n%s", d)
	}
	if sl.fix == safeFix && string(safe.Data) != string(all.Data) {
		return fmt.Errorf("the safe fix leaves something:\n%s", difference("unsafe", "safe", string(all.Data), string(safe.Data)))
	}
	left, err := check(all.Data)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("after the fix: %s", simplify(left))
	}
	again, err := fix.All(all.Data, true, check)
	if err != nil {
		return err
	}
	if !bytes.Equal(again.Data, all.Data) {
		return fmt.Errorf("a second fix changes:\n%s", difference("first", "second", string(all.Data), string(again.Data)))
	}
	return nil
}
