package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// deltaFieldRules are about the content of a delta that the merge does not need, about what it
// cites, and about its own data: its id, its time and its agent, which the output format does not
// have and which are all optional.
var deltaFieldRules = []*lint.Rule{
	{ID: "DL-011", Name: "delta-rationale", Severity: lint.Warning, SpecRef: "delta_output_format#Field Definitions",
		Summary: "The delta has a non-empty `rationale`.",
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			n := d.Root.Get("rationale")
			if _, deltas := d.Wrapped(); deltas != nil || n.Is(jsontree.String) && !delta.Blank(n) {
				return // DL-001 says of the first that they are wrapped
			}
			what := lacking(n, "rationale")
			if n != nil && !n.Is(jsontree.String) {
				what = fmt.Sprintf("has %s as rationale; expected a text", n.Kind)
			}
			out := lint.Diagnostic{
				At: d.Pos(n), Field: "rationale",
				Message:    "delta " + what + ": the reason for the change is lost",
				Suggestion: `write "rationale": "` + brenner.RationalePlaceholder + `"`,
			}
			if name := d.Misnamed("rationale"); n == nil && name != "" {
				if hint, _ := memberAdvice(d, d.Root.Member(name)); hint != moveIn {
					out.Suggestion = "rename " + text.Quote(name) + " to rationale"
				}
			}
			p.Report(out)
		})},
	{ID: "DL-014", Name: "delta-duplicate-key", Severity: lint.Error, SpecRef: "delta_output_format#Parsing Rules",
		Summary: "No JSON object in a delta has the same key twice.",
		Help:    "keep one of the values",
		Check:   eachDelta(func(p *lint.DeltaPass, d *delta.Delta) { duplicateKeys(p, d, d.Root) })},
	{ID: "DL-015", Name: "delta-unknown-field", Severity: lint.Warning, SpecRef: "delta_output_format#Payload Schemas by Section",
		Summary: "Payload and top-level fields are known; a likely intended name is suggested (statement for claim, basis for mechanism, id for an id that the merge assigns).",
		Check:   eachDelta(checkUnknownFields)},
	{ID: "DL-016", Name: "delta-reference", Severity: lint.Error, SpecRef: "delta_output_format#Cross-Session References",
		Summary: "Each reference is an object with `session`, `item` and one of the six relations.",
		Help:    "write each reference as " + writeReference(nil),
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			if d.Cites() {
				return // DL-006 says so
			}
			for _, ref := range d.Payload.Get("references").Items() { // DL-007 reports another type
				checkDeltaReference(p, d, ref)
			}
		})},
	{ID: "DL-017", Name: "delta-anchor-format", Severity: lint.Warning,
		SpecRef: "delta_output_format#hypothesis_slate; artifact_format#Anchors",
		Summary: "Each anchor follows the anchor grammar.",
		Check: eachAnchors(func(s string, found []brenner.Anchor, corpus int) []anchorFault {
			return anchorFaults(s, found, true, corpus)
		})},
	{ID: "DL-018", Name: "mojibake-anchor", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "No anchor carries a mis-decoded section sign (`¬ß`, `Â§`).",
		Check: eachAnchors(func(s string, found []brenner.Anchor, _ int) (faults []anchorFault) {
			for _, a := range found {
				if a.Kind == brenner.MojibakeAnchor {
					f := misdecoded(s[a.Span.Start:a.Span.End], "text")
					f.at = a.Span
					faults = append(faults, f)
				}
			}
			return faults
		})},
	{ID: "DL-019", Name: "delta-envelope", Severity: lint.Error, About: lint.DeltaScope, SpecRef: "artifact_delta_spec#Delta Structure",
		Summary: "Where a delta carries delta_id, timestamp or agent itself: delta_id is unique in the thread, timestamp is ISO 8601 with an offset, agent is non-empty.",
		Help:    "leave delta_id, timestamp and agent out: the message has them",
		Check: lint.MessageVisitor(func(p *lint.ThreadPass) func(*session.Message) {
			ids := map[string]sentDelta{} // unique in the thread
			return func(m *session.Message) {
				if m.Intended != brenner.Delta {
					return
				}
				for _, d := range m.Deltas {
					if d.Root.Is(jsontree.Object) {
						sentDelta{d, m}.checkEnvelope(p, ids)
					}
				}
			}
		})},
	{ID: "DL-020", Name: "delta-agent-mismatch", Severity: lint.Error, SpecRef: "artifact_delta_spec#Delta Structure",
		Summary: "A delta's own `agent` is the message's sender.",
		Help:    "leave agent out: the sender of the message counts",
		// DL-019 reports an empty one.
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			from := p.Message.From
			if from == nil || delta.Blank(d.Root.Get("agent")) || d.Agent == "" || d.Agent == string(from.Data) {
				return
			}
			p.Report(lint.Diagnostic{
				At: d.Pos(d.Root.Get("agent")), Field: "agent",
				Message:    fmt.Sprintf("agent is %s, but the message was sent by %s", text.Quote(d.Agent), text.Quote(string(from.Data))),
				Suggestion: "each agent sends its own deltas: remove agent, or write " + text.Quote(string(from.Data)),
			})
		})},
	{ID: "DL-025", Name: "delta-potency-check", Severity: lint.Warning,
		SpecRef: "delta_output_format#discriminative_tests; artifact_format#Discriminative Tests",
		Summary: "An ADDed test has a non-empty `potency_check`.",
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			n := d.Payload.Get("potency_check")
			if d.Operation != brenner.Add || d.Section != brenner.DiscriminativeTests || d.BelongsTo != 0 || len(d.Payload.Members()) == 0 || !delta.Blank(n) {
				return
			}
			p.Report(lint.Diagnostic{
				At: d.Pos(n), Field: "potency_check",
				Message:    "test " + lacking(n, "potency_check") + ": a negative result could mean that the assay failed",
				Suggestion: `write "potency_check": ` + d.Section.Field("potency_check").Placeholder() + ", a positive control",
			})
		})},
	{ID: "DL-026", Name: "delta-third-alternative-anchor", Severity: lint.Info, SpecRef: "delta_output_format#hypothesis_slate",
		Summary: "A hypothesis named as third alternative sets `third_alternative: true`.",
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			name := d.Payload.Get("name")
			if d.Operation != brenner.Add || d.Section != brenner.HypothesisSlate || !brenner.NamesThirdAlternative(name.StringOr("")) || isNoThird().MatchString(name.Text) {
				return
			}
			flag := d.Payload.Get("third_alternative")
			if flag.True() || flag != nil && !flag.Is(jsontree.Bool) || flag == nil && d.MisnamedFields()["third_alternative"] != "" {
				return // DL-007 reports another type, DL-015 another name
			}
			out := lint.Diagnostic{Field: "third_alternative", Message: fmt.Sprintf("hypothesis %s is named a third alternative, but ", text.Quote(name.Text))}
			if flag != nil {
				out.At = d.Pos(flag)
				out.Message += "sets third_alternative to false"
				out.Suggestion = "write true, or give it another name"
				out.Fix = unsafeIf(true, newFix("set third_alternative to true", d.Text, replace(flag, "true")))
			} else {
				out.At = d.Pos(name)
				out.Message += "does not set third_alternative"
				out.Suggestion = `add "third_alternative": true`
				member := "," + lead(d, d.Payload.Member("name").NameSpan().Start) + `"third_alternative": true`
				out.Fix = newFix("add third_alternative", d.Text, insert(name.Span().End, member))
			}
			p.Report(out)
		})},
	{ID: "DL-027", Name: "name-carries-id", Severity: lint.Info, SpecRef: "artifact_delta_spec#ADD",
		Summary: "The name of an ADDed item does not begin with an item id (`H1: …`): the merge assigns ids.",
		// Ids of other sections are no fault: a critique may be named after the hypothesis that it attacks.
		Check: eachDelta(func(p *lint.DeltaPass, d *delta.Delta) {
			name := d.Payload.Get("name")
			found := labelID().FindStringSubmatch(name.StringOr(""))
			if d.Operation != brenner.Add || found == nil {
				return
			}
			if id, ok := brenner.ParseItemID(strings.ToUpper(found[1])); ok && id.Section == d.Section {
				p.Report(lint.Diagnostic{
					At: d.Pos(name), Field: "name",
					Message:    fmt.Sprintf("the name %s begins with the id %s: the merge assigns ids, and may assign another", text.Quote(name.Text), found[1]),
					Suggestion: "leave " + found[1] + " out of the name",
				})
			}
		})},
}

// lacking says how a blank value is no value.
func lacking(n *jsontree.Node, name string) string {
	switch {
	case n == nil:
		return "has no " + name
	case delta.PlaceholderIn(n) != nil:
		return "leaves the placeholder in its " + name
	}
	return "has an empty " + name
}

// duplicateKeys reports the repetitions of keys in an object and in what is in it.
func duplicateKeys(p *lint.DeltaPass, d *delta.Delta, n *jsontree.Node) {
	members := n.Members()
	given := map[string][]int{} // where keys are that are given twice
	for i, m := range members {
		if m.Repeated || m.Replaced {
			given[m.Name] = append(given[m.Name], i)
		}
	}
	for _, m := range members {
		if m.Replaced && !m.Repeated {
			reportRepetitions(p, d, members, given[m.Name])
		}
		duplicateKeys(p, d, m.Value)
	}
	for _, item := range n.Items() {
		duplicateKeys(p, d, item)
	}
}

// reportRepetitions reports every repetition of a key, at the repetition. The fix removes the value before
// it, which does not count; it is unsafe if the values differ.
func reportRepetitions(p *lint.DeltaPass, d *delta.Delta, members []jsontree.Member, given []int) {
	const most = 64 // values that fixes remove
	value := func(i int) string { return d.Text.Slice(members[i].Value.Span()) }
	last := value(given[len(given)-1])
	differ := slices.ContainsFunc(given, func(i int) bool { return value(i) != last })
	for n, i := range given[1:] {
		m, before := members[i], given[n]
		var edits []source.Edit
		if len(given) <= most+1 {
			edits = []source.Edit{{Span: source.Span{Start: members[before].NameSpan().Start, End: members[before+1].NameSpan().Start}}}
		}
		p.Report(lint.Diagnostic{
			At:         d.Text.Place(m.NameSpan()),
			Message:    fmt.Sprintf("key %s is given twice in one object: only the last value counts", text.Quote(m.Name)),
			Suggestion: "keep one of them",
			Fix:        unsafeIf(differ, newFix("keep the last "+text.Quote(m.Name), d.Text, edits...)),
			Related:    []lint.RelatedLocation{{At: d.Text.Place(members[given[0]].NameSpan()), In: p.Message, Message: "given before here"}},
		})
	}
}

// namedByFaults returns the members of the delta that its structural faults already name:
// what belongs in the payload, or may be meant as one that is not there.
func namedByFaults(d *delta.Delta) (names []string) {
	for _, f := range d.Faults {
		names = append(names, f.Misplaced...)
		switch {
		case f.Kind == delta.NoPayload:
			_, used, _, _ := d.WithFields("")
			names = append(append(names, used...), d.Misnamed("payload"), d.NamedPayload())
		case f.Kind == delta.NoReason && delta.Blank(d.Root.Get("reason")): // else DL-008 moves another reason
			names = append(names, d.KillsUnder())
		}
	}
	if _, deltas := d.Wrapped(); deltas != nil {
		for _, m := range d.Root.Members() {
			names = append(names, m.Name)
		}
	}
	return names
}

func hasFault(d *delta.Delta, kinds ...delta.Kind) bool {
	return slices.ContainsFunc(d.Faults, func(f delta.Fault) bool { return slices.Contains(kinds, f.Kind) })
}

// checkUnknownFields reports unknown keys of the delta and of its payload. A duplicate key is
// reported once. Keys that other rules report are skipped: those in a wrong change of the
// research thread, or given instead of a reason (decisions.md 1).
func checkUnknownFields(p *lint.DeltaPass, d *delta.Delta) {
	named := namedByFaults(d)
	members := d.Root.Members()
	for i := range members {
		m := &members[i]
		if m.Repeated || delta.IsMember(m.Name) || slices.Contains(named, m.Name) {
			continue
		}
		hint, edits := memberAdvice(d, m)
		reportUnknownKey(p, d, m, "a delta", hint, edits)
	}
	if d.Section == 0 || d.Payload == nil || d.BelongsTo != 0 || hasFault(d, delta.ThreadOperation, delta.ThreadTarget) {
		return
	}
	if payload, _, edits, certain := d.WithFields("payload"); edits != nil && len(payload) <= maxBlock && d.Operation != brenner.Kill {
		out := lint.Diagnostic{At: d.Text.Place(d.Payload.Span()), Message: "the payload names a field and its value; expected the field as a member"}
		offerIf(certain, &out, `write "payload": `+payload, d.Text, edits...)
		p.Report(out)
		return
	}
	checkPayloadFields(p, d)
}

// checkPayloadFields reports unknown keys of the payload.
func checkPayloadFields(p *lint.DeltaPass, d *delta.Delta) {
	reason, beside := misplacedReason(d), reportPartsBeside(p, d)
	members := d.Payload.Members()
	isFormer := func(m jsontree.Member) bool { return d.IsFormer(m.Name) }
	isNew := func(m jsontree.Member) bool { return d.SaysNew(m.Name) && d.Spread(&m) != nil }
	hasBoth := slices.ContainsFunc(members, isFormer) && slices.ContainsFunc(members, isNew)
	misnamed := sync.OnceValue(d.MisnamedFields)
	for i := range members {
		m := &members[i]
		known := isListed(d.Section, m.Name) || d.IsReplaceKey(m.Name)
		switch {
		case m.Repeated || m.Name == reason || slices.Contains(beside, m.Name) || hasBoth && isFormer(*m):
		case m.Name == "reason" && d.Operation != brenner.Edit && (d.Operation != brenner.Add || d.ChangesItem()):
		case known && d.Operation == brenner.Kill:
			reportUnknownKey(p, d, m, "the payload of a KILL", notOfKill, nil)
		case known:
		case brenner.IsSystemField(m.Name):
			reportSystemField(p, d, m)
		case d.Operation == brenner.Kill:
			hint, edits := payloadAdvice(d, m, "")
			reportUnknownKey(p, d, m, "the payload of a KILL", hint, edits)
		default:
			meant := d.SuggestField(m.Name)
			hint, edits := payloadAdvice(d, m, meant)
			if meant != "" {
				if other := misnamed()[meant]; other != "" && other != m.Name {
					hint, edits = fmt.Sprintf("write its text into %q, together with that of %q", meant, other), nil
				}
			}
			reportUnknownKey(p, d, m, "the payload of "+d.Section.ID(), hint, edits)
		}
	}
}

// misplacedReason returns the member of the payload that another rule reports as the reason that a KILL lacks; "" if none.
func misplacedReason(d *delta.Delta) string {
	if !hasFault(d, delta.NoReason) {
		return ""
	}
	if !delta.Blank(d.Root.Get("reason")) {
		return delta.MisnamedReason(d.Payload)
	}
	if inner := d.NestedPayload(); inner != nil {
		return inner.Name
	}
	reason, _ := reasonMeant(d)
	return reason
}

// reportPartsBeside reports outcomes and parts of a score that are next to where they belong, unless DL-006 does, and
// returns their names. Part of a value replaces the whole in an EDIT.
func reportPartsBeside(p *lint.DeltaPass, d *delta.Delta) []string {
	for _, f := range d.Section.Fields() {
		if d.Operation == brenner.Kill || f.Kind != brenner.ScoreField && (f.Kind != brenner.OutcomesField || !f.Required) {
			continue
		}
		names, object := partsBeside(d, f)
		if len(names) < 2 {
			continue
		}
		if hasFault(d, delta.LacksFields) {
			return slices.DeleteFunc(names, func(name string) bool { return d.SuggestField(name) == "" })
		}
		out := lint.Diagnostic{
			At: d.Text.Place(d.Payload.Member(names[0]).NameSpan()), Field: names[0],
			Message: fmt.Sprintf("%s are next to each other in the payload; expected them inside %q", quoted(8, names), f.Key),
		}
		isWhole := d.Operation == brenner.Add || len(names) == len(brenner.ScoreParts) && f.Kind == brenner.ScoreField
		if offerTogether(isWhole, &out, d, names, f.Key, object, "write "); !isWhole {
			out.Suggestion += ", with all else that it is to hold: an EDIT replaces the whole"
		}
		p.Report(out)
		return names
	}
	return nil
}

// payloadAdvice returns what to do with a member of the payload that is no field of the section, and the
// edits that do it. The field that may be meant is "" if none is.
func payloadAdvice(d *delta.Delta, m *jsontree.Member, meant string) (hint string, edits []source.Edit) {
	field, part, isPath := strings.Cut(m.Name, ".")
	target, isTarget := delta.SuggestTarget(d.TargetID)
	item, isItem := delta.SuggestTarget(m.Name)
	spread := d.Spread(m)
	hasField := slices.ContainsFunc(m.Value.Members(), func(in jsontree.Member) bool { return isListed(d.Section, in.Name) })
	likely, _ := d.LikelyOperation()
	isEdit, newList := d.Operation == brenner.Edit, d.ListNamed(m.Name, "new", "updated")
	switch {
	case m.Name == "reason" && isEdit && likely == brenner.Kill:
		return `to kill the item, write "KILL" instead of "EDIT"`, nil
	case isPath && d.Section.Field(field) != nil:
		return fmt.Sprintf("write %q: {%q: …}, with all else that it is to hold: an EDIT replaces the whole", field, part), nil
	case meant != "":
		return didYouMean(strconv.Quote(meant)), []source.Edit{d.Rename(m, meant)}
	case isTarget && isItem && item != target && m.Value.Is(jsontree.Object):
		return fmt.Sprintf("send a delta for each item: this one is for %s", d.TargetID), nil
	case m.Name == "status" && isEdit && killedWords().MatchString(m.Value.StringOr("")):
		return "remove it; to kill an item, write a KILL", nil
	case isEdit && newList != "":
		return fmt.Sprintf(`write it as "%s", and "%[1]s_replace": true if it is the whole list: an EDIT adds to the present one`, newList), nil
	case slices.Contains(removing, strings.ToLower(m.Name)), isEdit && d.ListNamed(m.Name, "remove", "delete", "drop") != "":
		return `write each list whole, with "<field>_replace": true; an EDIT takes nothing out of a list`, nil
	case m.Value.Is(jsontree.Bool) && replaceFlags[strings.ToLower(m.Name)] == m.Value.Text && d.Operation != brenner.Kill &&
		!slices.ContainsFunc(d.Payload.Members(), func(o jsontree.Member) bool { return d.IsReplaceKey(o.Name) }):
		return didYouMean(`"replace": true`), []source.Edit{d.Rename(m, "replace"), replace(m.Value, "true")}
	case hasField && d.Operation == brenner.Kill:
		return notOfKill, nil
	case spread != nil && d.SaysNew(m.Name):
		var former []string
		for _, o := range d.Payload.Members() {
			if d.IsFormer(o.Name) {
				former = append(former, o.Name)
			}
		}
		if hint = moveOut; former != nil {
			hint += ", in place of " + quoted(maxNamed, former)
			if d.ListFlags(m) != nil {
				spread = nil // other entries of a list may be meant to stay
			}
		}
		return hint + andFlags(d, m), spread
	case m.Name == "payload", hasField:
		return "write what the item is to have into the payload, with one value for each field", nil
	case delta.IsMember(m.Name) && !delta.Blank(d.Root.Get(m.Name)):
		return "remove it; the delta has it beside the payload", nil
	case delta.IsMember(m.Name) && (m.Name != "target_id" || d.Operation != brenner.Add):
		edits = d.MoveFromPayload(m.Name, m.Name)
	}
	return elsewhere(m.Name), edits
}

// moveOut is the hint for an object in the payload that has fields of the item.
const moveOut = "write what is in it into the payload"

// andFlags says which replace keys an object needs beside its fields.
func andFlags(d *delta.Delta, m *jsontree.Member) string {
	flags := d.ListFlags(m)
	if flags == nil {
		return ""
	}
	return ", and " + quoted(maxNamed, flags) + " as true" + unlessReplaced
}

// replaceFlags are other words for replace, with the value that says it.
var replaceFlags = map[string]string{"$replace": "true", "overwrite": "true", "override": "true", "merge": "false", "append": "false"}

// killedWords are states of a killed item.
var killedWords = text.Pattern(`^(?i)\s*(?:killed|dead|dropped|eliminated|falsified|refuted|rejected|removed|retired|superseded)\b`)

// isNoThird is a name that denies that a hypothesis is a third alternative.
var isNoThird = text.Pattern(`(?i)\b(?:no|non|not)\b[^:]*\bthird\b`)

// isListed reports whether the specifications list a field for a section.
func isListed(s brenner.Section, key string) bool {
	f := s.Field(key)
	return f != nil && !f.Unlisted
}

func reportUnknownKey(p *lint.DeltaPass, d *delta.Delta, m *jsontree.Member, of, hint string, edits []source.Edit) {
	if d.IsFormer(m.Name) {
		hint, edits = "remove it: an EDIT gives the new values alone", nil
	}
	p.Report(lint.Diagnostic{
		At: d.Text.Place(m.NameSpan()), Field: m.Name,
		Message:    fmt.Sprintf("%s is not a field of %s", text.Quote(m.Name), of),
		Suggestion: hint,
		Fix:        newFix(strings.Replace(strings.TrimSuffix(hint, "?"), "did you mean", "write", 1), d.Text, edits...),
	})
}

// moveIn is the hint for a field next to operation.
const moveIn = "move it into payload"

// notOfKill is the hint for a field of an item in a KILL, which changes none.
const notOfKill = "remove it; to change the item, write an EDIT before the KILL"

// reportSystemField reports a key that only the merge sets: its value is ignored
// (decisions.md 20).
func reportSystemField(p *lint.DeltaPass, d *delta.Delta, m *jsontree.Member) {
	message, hint := fmt.Sprintf("%s is set by the merge alone: this value is ignored", text.Quote(m.Name)), "remove it"
	shown := m.Value.Kind.String()
	if m.Value.Is(jsontree.String) || m.Value.Is(jsontree.Number) {
		shown = text.Quote(m.Value.Text)
	}
	switch {
	case m.Name == "id" && d.Operation == brenner.Add:
		message = fmt.Sprintf("payload sets id %s, but the merge assigns ids: this one is ignored", shown)
		hint += "; the item gets the next free id of " + d.Section.ID()
	case m.Name == "id":
		message = fmt.Sprintf("payload sets id %s, but ids never change: this one is ignored", shown)
		hint += "; target_id names the item"
	case d.Operation != brenner.Kill:
		hint += "; to kill an item, write a KILL"
	}
	p.Report(lint.Diagnostic{At: d.Text.Place(m.NameSpan()), Field: m.Name, Message: message, Suggestion: hint})
}

// memberAdvice says what to do about an unknown member of a delta, and returns the edits that
// do it.
func memberAdvice(d *delta.Delta, m *jsontree.Member) (hint string, edits []source.Edit) {
	op := d.Operation
	if op == "" {
		op, _ = delta.SuggestOperation(d.Root.Get("operation").StringOr(""))
	}
	isField := d.Section != 0 && (isListed(d.Section, m.Name) || d.IsReplaceFlag(m))
	meant, given := d.SuggestMember(m.Name), d.Payload.Get(m.Name)
	isReason := op == brenner.Kill && m.Name == "reason"
	switch {
	case op == brenner.Kill && isField:
		return notOfKill, nil
	case given != nil && (isField || isReason && meant == ""):
		return "the payload has it too: write there what both say, and remove this one", nil
	case isField || isReason && given == nil:
		return moveIn, d.MoveToPayload([]string{m.Name})
	case meant == "target_id" && d.Operation == brenner.Add:
		return "remove it: the merge assigns ids", nil
	case meant != "":
		if !slices.Contains([]string{"operation", "section", "target_id", "payload"}, meant) { // DL-001 to DL-005 offer these
			edits = []source.Edit{d.Rename(m, meant)}
		}
		return didYouMean(strconv.Quote(meant)), edits
	}
	return "", nil
}

// elsewhere says where a key of a payload belongs, "" if that is not known.
func elsewhere(name string) string {
	if delta.IsMember(name) {
		return "move it out of the payload"
	}
	var of []string
	for _, s := range brenner.Sections {
		if isListed(s, name) {
			of = append(of, s.ID())
		}
	}
	if of == nil {
		return ""
	}
	return "it is a field of " + text.And(of)
}

// lead returns what a new member needs before it to look like the one at off: its own
// line with the same indentation, or a space. Lines in a list or quotation would need
// more.
func lead(d *delta.Delta, off int) string {
	start := d.Text.LineStart(off)
	indent := string(d.Text.Data[start:off])
	if strings.Trim(indent, " \t") != "" || d.Block.InList || d.Block.InQuote {
		return " "
	}
	return "\n" + indent
}

// labelID finds an item id that a name begins with as a label, as in `H1: Lineage`,
// `[h1] Lineage` and `H3 (Third Alternative): Noise`, but not in `T4 phage`.
var labelID = text.Pattern("^[*_`[(# ]*([A-Za-z][1-9][0-9]*)[*_` ]*(\\([^)]*\\)[*_` ]*)?($|[:)\\]|–—]|[-.] )")

// referenceKeys are the keys of each reference.
var referenceKeys = []string{"session", "item", "relation"}

// referenceAliases are names that writers give to these keys.
var referenceAliases = map[string]string{
	"session": "session", "session_id": "session", "thread": "session", "thread_id": "session",
	"item": "item", "item_id": "item", "id": "item", "target": "item", "target_id": "item",
	"relation": "relation", "type": "relation", "relation_type": "relation", "relationship": "relation", "kind": "relation",
}

// referenceMeant returns the keys of a reference that an object gives under other names, or that
// a text says: "refines H2 of RS-20251228-initial". It is nil if a key is given twice, or there is
// more in the object or the text.
func referenceMeant(n *jsontree.Node) map[string]string {
	ref := map[string]string{}
	add := func(key, value string) bool {
		isNew := key != "" && value != "" && len(value) <= maxShownValue && ref[key] == ""
		ref[key] = value
		return isNew
	}
	for _, m := range n.Members() {
		if !add(referenceAliases[strings.ToLower(m.Name)], m.Value.StringOr("")) {
			return nil
		}
	}
	for _, word := range strings.FieldsFunc(n.StringOr(""), func(r rune) bool { return strings.ContainsRune(" ,;:#()/", r) }) {
		key := ""
		_, isItem := brenner.ParseItemID(word)
		_, _, isSession := brenner.SplitResearchID(word)
		switch {
		case word == "of", word == "in", word == "from":
			continue
		case isItem:
			key = "item"
		case slices.Contains(brenner.Relations, word):
			key = "relation"
		case isSession:
			key = "session"
		}
		if !add(key, word) {
			return nil
		}
	}
	return ref
}

func checkDeltaReference(p *lint.DeltaPass, d *delta.Delta, ref *jsontree.Node) {
	report := func(n *jsontree.Node, message string) {
		out := lint.Diagnostic{At: d.Pos(n), Field: "references", Message: message}
		if meant := referenceMeant(ref); n == ref && len(meant) == len(referenceKeys) {
			offer(&out, "write "+writeReference(meant), d.Text, replace(ref, writeReference(meant)))
		} else if n == ref && len(meant) > 0 {
			out.Suggestion = "write " + writeReference(meant)
		}
		p.Report(out)
	}
	if !ref.Is(jsontree.Object) {
		report(ref, fmt.Sprintf("reference is %s; expected an object with session, item and relation", ref.Kind))
		return
	}
	var missing []string
	for _, key := range referenceKeys {
		switch n := ref.Get(key); {
		case n == nil:
			missing = append(missing, key)
		case !n.Is(jsontree.String):
			report(n, fmt.Sprintf("%s of the reference is %s; expected a string", key, n.Kind))
		case delta.Blank(n):
			report(n, key+" of the reference is empty")
		case key == "relation" && !slices.Contains(brenner.Relations, n.Text):
			reportRelation(p, d, n)
		}
	}
	if len(missing) > 0 {
		report(ref, "reference lacks "+text.And(missing))
	}
}

func reportRelation(p *lint.DeltaPass, d *delta.Delta, n *jsontree.Node) {
	out := lint.Diagnostic{
		At: d.Pos(n), Field: "references",
		Message: fmt.Sprintf("relation %s is not one of %s", text.Quote(n.Text), text.Or(brenner.Relations)),
		// Not the help, whose example is a relation: it may be the opposite of what is meant.
		Suggestion: "write the one of these that holds, or leave the reference out",
	}
	if meant := text.Nearest(n.Text, brenner.Relations); meant != "" {
		word := strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(n.Text))
		certain := word == meant || word+"s" == meant
		offerIf(certain, &out, fmt.Sprintf("write %q", meant), d.Text, replace(n, strconv.Quote(meant)))
		out.Suggestion = didYouMean(strconv.Quote(meant))
	}
	p.Report(out)
}

// sentDelta is a delta and its message.
type sentDelta struct {
	*delta.Delta
	in *session.Message
}

// envelope are the members of a delta that its message has, and what they are expected to be.
var envelope = []struct{ field, expected string }{
	{"delta_id", "a text that no other delta of the thread has"},
	{"timestamp", "ISO 8601 with an offset, YYYY-MM-DDThh:mm:ssZ"},
	{"agent", "the name of the sender"},
}

func (d sentDelta) checkEnvelope(p *lint.ThreadPass, ids map[string]sentDelta) {
	for _, e := range envelope {
		n := d.Root.Get(e.field)
		if n.Absent() {
			continue
		}
		written := n.StringOr("")
		ts, isTimestamp := brenner.ParseTimestamp(written)
		isTime := e.field == "timestamp"
		var problem string
		switch first, again := ids[written]; {
		case !n.Is(jsontree.String):
			problem = "is " + n.Kind.String()
		case isTime && !isTimestamp:
			problem = text.Quote(written) + " is not a timestamp"
		case isTime && !ts.HasTime:
			problem = text.Quote(written) + " is a date without a time"
		case isTime && !ts.HasOffset:
			problem = text.Quote(written) + " has no offset"
		case delta.Blank(n):
			problem = "is empty"
		case e.field == "delta_id" && again:
			d.reportRepeated(p, n, first)
			continue
		default:
			if e.field == "delta_id" {
				ids[written] = d
			}
			continue
		}
		out := lint.Diagnostic{
			At: d.Pos(n), In: d.in, Delta: d.Index, Field: e.field,
			Message:    e.field + " " + problem + "; expected " + e.expected,
			Suggestion: "remove " + e.field + ": the message has it",
		}
		if d.in.Form == mail.Draft {
			offerIf(delta.Blank(n), &out, out.Suggestion, d.Text, d.Without(e.field, "")...)
		}
		p.Report(out)
	}
}

func (d sentDelta) reportRepeated(p *lint.ThreadPass, n *jsontree.Node, first sentDelta) {
	where := "in this message"
	if first.in != d.in {
		where = "in message " + first.in.ID
		if first.in.ID == "" {
			where = "in an earlier message"
		}
	}
	p.Report(lint.Diagnostic{
		At: d.Pos(n), In: d.in, Delta: d.Index, Field: "delta_id",
		Message:    fmt.Sprintf("delta_id %s is already that of delta %d %s; expected a unique one", text.Quote(n.StringOr("")), first.Index, where),
		Suggestion: "give it a new id, or leave delta_id out",
		Related:    []lint.RelatedLocation{{At: first.Pos(first.Root.Get("delta_id")), In: first.in, Message: "given before here"}},
	})
}
