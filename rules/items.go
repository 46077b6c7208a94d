package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Rules about the research thread, the one item that an artifact begins with.
var researchThreadRules = []*lint.Rule{
	field("ER-001", "research-thread-statement", lint.Error, fieldReq{section: brenner.ResearchThread, key: "statement", want: "the session's question",
		summary: "Research Thread has a non-empty `RT` field."}),
	field("ER-002", "research-thread-context", lint.Error, fieldReq{section: brenner.ResearchThread, key: "context", want: "what is known and why the question is open",
		summary: "Research Thread has a non-empty `Context` field."}),
	field("WR-001", "research-thread-anchors", lint.Warning, fieldReq{section: brenner.ResearchThread, key: "anchors", want: "its sources (§161, EV-001), or inference"}),
	field("IR-001", "research-thread-why", lint.Info, fieldReq{section: brenner.ResearchThread, key: "why_it_matters", want: "what an answer would change"}),
}

// Rules about the hypothesis slate.
var hypothesisRules = []*lint.Rule{
	minimum("EH-001", "hypotheses-minimum", brenner.HypothesisSlate, "hypotheses"),
	{ID: "EH-002", Name: "hypotheses-maximum", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "At most 6 active hypotheses.",
		Help:    "kill the weakest hypotheses until 6 are active",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			const kind = brenner.HypothesisSlate
			if all := active(p.Artifact, kind); len(all) > kind.Maximum() {
				it := all[kind.Maximum()]
				itemReport(p, it, "", it.Heading,
					shortage(p.Artifact, kind, len(all)),
					"KILL or merge the weakest; a killed hypothesis keeps its place and does not count")
			}
		})},
	{ID: "EH-003", Name: "third-alternative", Severity: lint.Error, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "An active hypothesis is labelled third alternative (name, or `Third alternative: true`).",
		Help:    "add (Third Alternative) to the name of one active hypothesis",
		Check: requireFlag(thirdAlternative, "no active third alternative",
			"add the hypothesis that all others are wrong, and mark it with")},
	field("EH-004", "hypothesis-claim", lint.Error, fieldReq{section: brenner.HypothesisSlate, key: "claim", want: "one sentence that an experiment can refute"}),
	field("WH-001", "hypothesis-anchors", lint.Warning, fieldReq{section: brenner.HypothesisSlate, key: "anchors", want: "its sources (§161, EV-001), or inference"}),
	{ID: "WH-002", Name: "anchor-format", Severity: lint.Warning, SpecRef: "artifact_format#Anchors",
		Summary: "Anchors follow the anchor grammar.",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			for _, c := range p.Artifact.Citations() {
				if c.Kind == brenner.MojibakeAnchor {
					f := misdecoded(asWritten(c), "file")
					citeReport(p, c, f.message, f.suggestion)
				}
			}
			for _, kind := range brenner.Sections {
				for _, it := range active(p.Artifact, kind) {
					f := it.Field("anchors")
					if f == nil || brenner.IsConflict(f.Text) { // RD-002 reports it
						continue
					}
					merged, _ := p.Reported.Merged(it.ID, f.Key, "")
					list, _ := merged.([]any)
					for _, e := range f.Entries {
						if len(list) > 0 && !slices.Contains(list, any(e.Text)) {
							continue // MR-013 reports it (decisions.md 47)
						}
						for _, fault := range anchorFaults(e.Text, brenner.ParseAnchors(e.Text), f.Node != nil, 0) {
							itemReport(p, it, "anchors", e.Span, fault.message, fault.suggestion)
						}
					}
				}
			}
		})},
	{ID: "WH-003", Name: "inference-label", Severity: lint.Info, SpecRef: "artifact_format#Anchors",
		Summary: "A hypothesis whose anchors are `inference` alone is labelled [inference] somewhere in its block.",
		Check: eachActive(brenner.HypothesisSlate, func(p *lint.ArtifactPass, it *artifact.Item) {
			f := it.Field("anchors")
			isOther := func(k brenner.AnchorKind) bool { return k != brenner.InferenceAnchor }
			if f == nil || len(anchorKinds(f)) == 0 || slices.ContainsFunc(anchorKinds(f), isOther) || hasInferenceLabel(p.Artifact, it) ||
				mergedText(p, it, func(text string) bool { return strings.Contains(text, inferenceLabel) }) {
				return
			}
			itemReport(p, it, "anchors", f.Value,
				fmt.Sprintf("%s rests on inference alone but lacks the label [inference]", it.ID),
				"write [inference] in the claim or among the anchors")
		})},
	{ID: "IH-001", Name: "hypothesis-mechanism", Severity: lint.Info, SpecRef: "artifact_format#Hypothesis Slate",
		Summary: "Each active hypothesis has `Mechanism` (third alternative: or `How this could be true`).",
		Check: eachActive(brenner.HypothesisSlate, func(p *lint.ArtifactPass, it *artifact.Item) {
			n := fieldReq{section: brenner.HypothesisSlate, key: "mechanism", want: "how it would work"}
			if thirdAlternative.set(it) || thirdAlternative.publishedWithout(p, it) {
				n.alternatives = []string{"how_this_could_be_true"}
			}
			n.check(p, it)
		})},
}

// inferenceLabel marks a block as inferred.
const inferenceLabel = "[inference]"

// anchorKinds returns the kinds of the anchors in a field.
func anchorKinds(f *artifact.Field) []brenner.AnchorKind {
	var out []brenner.AnchorKind
	for _, e := range f.Entries {
		for _, a := range brenner.ParseAnchors(e.Text) {
			out = append(out, a.Kind)
		}
	}
	return out
}

// Rules about the assumption ledger.
var assumptionRules = []*lint.Rule{
	minimum("EA-001", "assumptions-minimum", brenner.AssumptionLedger, "assumptions"),
	{ID: "EA-002", Name: "scale-check", Severity: lint.Error, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "An active assumption is a scale or physics check (name, or `Scale check: true`).",
		Help:    "add (Scale Check) to the name of one active assumption, and put the calculation there",
		Check: requireFlag(scaleCheck, "no active scale or physics check",
			"add an assumption that calculates whether the hypotheses are possible, and mark it with")},
	field("EA-003", "assumption-statement", lint.Error, fieldReq{section: brenner.AssumptionLedger, key: "statement", want: "what is assumed to be true"}),
	field("WA-001", "assumption-load", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "load", filter: isNoScale,
		summary: "Each active assumption other than the scale check has `Load`."}),
	field("WA-002", "assumption-test", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "test", filter: isNoScale,
		summary: "Each active assumption other than the scale check has `Test`."}),
	field("WA-003", "scale-check-calculation", lint.Warning, fieldReq{section: brenner.AssumptionLedger, key: "calculation", want: "the numbers and units of the check",
		filter: func(p *lint.ArtifactPass, it *artifact.Item) bool {
			return scaleCheck.set(it) && !scaleCheck.setInError(p, it)
		},
		summary: "The scale check has a `Calculation`."}),
	{ID: "IA-001", Name: "assumption-status", Severity: lint.Info, SpecRef: "artifact_format#Assumption Ledger",
		Summary: "Each active assumption has `Status`, which begins with unchecked, verified or falsified.",
		Check:   beginsWith(brenner.AssumptionLedger, "status", true)},
}

// isNoScale reports whether an assumption is no scale check, nor meant as one, nor is one in the merge.
func isNoScale(p *lint.ArtifactPass, it *artifact.Item) bool {
	return !scaleCheck.set(it) && !scaleCheck.unclear(it) && !scaleCheck.meant(p.Artifact, it) && !scaleCheck.publishedWithout(p, it)
}

// Rules about the anomaly register.
var anomalyRules = []*lint.Rule{
	{ID: "EX-002", Name: "anomalies-empty-state", Severity: lint.Error, SpecRef: "artifact_format#Anomaly Register",
		Summary: "An Anomaly Register without items says `None registered`, or in other words that there are none.",
		Help:    "write None registered",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			a := p.Artifact
			s := a.Section(brenner.AnomalyRegister)
			saysSo := func(s *artifact.Section) bool { return s.Kind == brenner.AnomalyRegister && s.NoneRegistered }
			if s == nil || a.IsJSON() || len(a.ItemsOf(s.Kind))+malformedIDs(a, s.Kind) > 0 || slices.ContainsFunc(a.Sections, saysSo) ||
				omitted(p, s.Kind, func(*brenner.Item) bool { return true }, 1) {
				return
			}
			d := finding(heading(a, s), "Anomaly Register has no anomalies and does not say so; expected `None registered`", "write `None registered.`")
			if loose := unheadedItem(a, s); loose != "" {
				d.Message = "Anomaly Register has no readable anomalies: " + loose + " is not in a heading"
				d.Suggestion = "start each anomaly with a heading, `### " + loose + ": name`, and put its fields below"
			}
			p.Report(d)
		})},
	field("WX-001", "anomaly-observation", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "observation"}),
	field("WX-002", "anomaly-conflicts", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "conflicts_with", want: "the items it contradicts (H1, A2)"}),
	{ID: "IX-001", Name: "anomaly-status", Severity: lint.Info, SpecRef: "artifact_format#Anomaly Register",
		Summary: "`Quarantine status` begins with active, resolved or deferred.",
		Check:   beginsWith(brenner.AnomalyRegister, "status", false)},
}

// Rules about the adversarial critique.
var critiqueRules = []*lint.Rule{
	minimum("EC-001", "critiques-minimum", brenner.AdversarialCritique, "critiques"),
	field("EC-002", "critique-item-attack", lint.Error, fieldReq{section: brenner.AdversarialCritique, key: "attack"}),
	{ID: "WC-001", Name: "real-third-alternative", Severity: lint.Warning, SpecRef: "artifact_format#Adversarial Critique",
		Summary: "An active critique offers a real third alternative (name, `Real third alternative: true`, or `Why it might be right`).",
		Check: requireFlag(realAlternative, "no active critique that offers a real third alternative",
			"state what else could be true, and mark it with")},
	field("WC-002", "critique-evidence", lint.Warning, fieldReq{section: brenner.AdversarialCritique, key: "evidence", alternatives: []string{"why_it_might_be_right"},
		summary: "Each active critique has `Evidence`, `Evidence that would confirm` (this) or `Why it might be right`."}),
	field("IC-001", "critique-status", lint.Info, fieldReq{section: brenner.AdversarialCritique, key: "current_status", want: "how serious it is"}),
}

// Rules about the discriminative tests.
var testRules = []*lint.Rule{
	minimum("ET-001", "tests-minimum", brenner.DiscriminativeTests, "tests"),
	field("ET-002", "test-procedure", lint.Error, fieldReq{section: brenner.DiscriminativeTests, key: "procedure", want: "how to run it"}),
	{ID: "ET-003", Name: "test-expected-outcomes", Severity: lint.Error, SpecRef: "artifact_format#Discriminative Tests",
		Summary: "Each active test has `Expected outcomes` with at least one outcome.",
		Help:    "add **Expected outcomes**: with one line for each hypothesis",
		Check: eachActive(brenner.DiscriminativeTests, func(p *lint.ArtifactPass, it *artifact.Item) {
			n := fieldReq{section: brenner.DiscriminativeTests, key: "expected_outcomes", want: "what each hypothesis predicts, as a list `- H1: …`"}
			if p.Artifact.IsJSON() {
				n.want = "what each hypothesis predicts"
			}
			switch f := it.Field(n.key); {
			case f == nil || len(f.Entries) > 0 || f.Text == "" || f.Node != nil || brenner.IsConflict(f.Text):
				n.check(p, it)
			case !missingFromPublished(p, it.ID, n.key, ""):
				itemReport(p, it, n.key, f.Value,
					fmt.Sprintf("Expected outcomes of %s is not a list; expected a list of what each hypothesis predicts", it.ID),
					"write a list: `- H1: …`")
			}
		})},
	field("WT-001", "test-potency-check", lint.Warning, fieldReq{section: brenner.DiscriminativeTests, key: "potency_check", want: "how to tell a negative result from a failed assay",
		summary: "Each active test has a non-empty `Potency check`."}),
	{ID: "WT-002", Name: "tests-ranked", Severity: lint.Warning, SpecRef: "artifact_format#Discriminative Tests",
		Summary: "Active tests stand in order of total score, highest first.",
		Check:   rankedTests(false)},
	field("WT-003", "test-score", lint.Warning, fieldReq{section: brenner.DiscriminativeTests, key: "score", want: "likelihood ratio, cost, speed and ambiguity, each 0 to 3",
		summary: "Each active test has its score broken down, and the heading's total is the sum of the parts.",
		also: func(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
			isTwice := f.RepeatsPart() || slices.ContainsFunc(it.Repeated, func(o *artifact.Field) bool { return o.Key == f.Key })
			if s := readScore(it); !s.complete {
				reportParts(p, it, f)
			} else if it.Total != "" && !partReported(p, it, f) && !isTwice { // ES-005 reports that
				checkTotal(p, it, s.total)
			}
		}}),
	field("IT-001", "test-discriminates", lint.Info, fieldReq{section: brenner.DiscriminativeTests, key: "discriminates", want: "the hypotheses it tells apart (H1 vs H2)",
		summary: "Each active test has `Discriminates` that names hypotheses.",
		also: func(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
			isNamed := func(v any) bool { return namesHypothesis(p.Artifact, brenner.Plain(v)) }
			if !namesHypothesis(p.Artifact, f.Text) && !mergedAt(p, it, f.Key, isNamed) {
				itemReport(p, it, f.Key, f.Value,
					fmt.Sprintf("Discriminates of %s names no hypothesis; expected those it tells apart (H1 vs H2)", it.ID), "")
			}
		}}),
	field("IT-002", "test-feasibility", lint.Info, fieldReq{section: brenner.DiscriminativeTests, key: "feasibility", want: "what it takes to run"}),
}

// namesHypothesis reports whether a text names a hypothesis, by id or by name.
func namesHypothesis(a *artifact.Artifact, text string) bool {
	for m := range brenner.ItemMentions(text) {
		if m.ID.Section == brenner.HypothesisSlate {
			return true
		}
	}
	all := a.ItemsOf(brenner.HypothesisSlate)
	for _, h := range all[:min(len(all), 32)] { // more than that is EH-002 many times
		name, _, _ := strings.Cut(h.Name, " (")
		if name = strings.TrimSpace(name); len(name) > 2 && brenner.ContainsFold(text, name) {
			return true
		}
	}
	return false
}

// score is the readable part of a test's score.
type score struct {
	complete bool // all parts are right
	// known reports that there is a total: the sum of the parts, or the heading's
	// where they are not complete. A test without one has no rank.
	known bool
	total int
	// low and high are what the total may be: they differ if the heading and the parts do
	// (WT-003).
	low, high int
}

const maxPart = 3

const maxTotal = maxPart * len(brenner.ScoreParts)

// readScore reads the score of a test.
func readScore(it *artifact.Item) score {
	s, sum, f := score{complete: true}, 0, it.Field("score")
	for _, key := range brenner.ScoreParts {
		_, n, isRight := scorePart(f, key)
		s.complete = s.complete && isRight
		sum += n
	}
	heading, titled := integer(brenner.ScoreWord(it.Total))
	s.known = s.complete || titled
	s.total = heading
	if s.complete {
		s.total = sum
	}
	s.low, s.high = s.total, s.total
	if titled {
		s.low, s.high = min(s.total, heading), max(s.total, heading)
	}
	return s
}

// scorePart returns a part of a score, nil if it is not given. It is right if it is an integer from 0 to 3,
// which a remark may follow.
func scorePart(f *artifact.Field, key string) (e *artifact.Entry, n int, isRight bool) {
	for i := 0; f != nil && i < len(f.Entries); i++ {
		if e = &f.Entries[i]; e.Key == key {
			n, isRight = integer(e.Text)
			return e, n, isRight && n <= maxPart && (f.Node == nil || f.Node.Get(key).Is(jsontree.Number))
		}
	}
	return nil, 0, false
}

// integer reads a part or total of a score, from which the parser has removed remarks:
// `3`, `3.0`, `3-fold`.
func integer(word string) (int, bool) {
	word, _, _ = strings.Cut(word, "-")
	n, err := strconv.ParseUint(strings.TrimSuffix(word, ".0"), 10, 20)
	return int(n), err == nil
}

// reportParts reports the parts of a score that are missing or out of range.
func reportParts(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) {
	var missing []string
	for _, key := range brenner.ScoreParts {
		name := strings.ReplaceAll(key, "_", " ")
		switch e, _, isRight := scorePart(f, key); {
		case e == nil || strings.TrimSpace(e.Text) == "":
			missing = append(missing, name)
		case !isRight && !brenner.IsConflict(e.Text) && !partDiffers(p, it, key): // else RD-002 or MR-013 reports it
			value := written(p.Artifact, e)
			if n := f.Node.Get(e.Key); n.Is(jsontree.Object) || n.Is(jsontree.Array) {
				value = n.Kind.String()
			}
			itemReport(p, it, "score", e.Span, fmt.Sprintf("the %s of %s is %s; expected an integer from 0 to %d", name, it.ID, value, maxPart), "")
		}
	}
	if len(missing) > 0 && !partReported(p, it, f) {
		itemReport(p, it, "score", f.Value,
			fmt.Sprintf("the score of %s lacks %s; expected all four parts, each 0 to %d", it.ID, text.And(missing), maxPart), "")
	}
}

// partReported reports whether MR-013 names a score or a part of it: what follows from that, such as a wrong
// total, is not reported again.
func partReported(p *lint.ArtifactPass, it *artifact.Item, f *artifact.Field) bool {
	parts := append(brenner.ScoreParts[:], "")
	for _, e := range f.Entries {
		parts = append(parts, e.Key) // which may be no part of a score
	}
	return slices.ContainsFunc(parts, func(part string) bool {
		_, ok := p.Reported.Merged(it.ID, "score", part)
		return ok
	})
}

// partDiffers reports whether MR-013 names a part of a score that is right in the merge.
func partDiffers(p *lint.ArtifactPass, it *artifact.Item, part string) bool {
	v, ok := p.Reported.MergedAt(it, "score", part)
	n, isInteger := integer(brenner.Plain(v))
	return ok && isInteger && n <= maxPart
}

// written returns a part of a score as a message shows it: numbers plain, and JSON
// unchanged.
func written(a *artifact.Artifact, e *artifact.Entry) string {
	if _, ok := integer(e.Text); len(e.Text) < 16 && (ok || a.IsJSON()) {
		return a.Text.Slice(e.Span)
	}
	return text.Quote(e.Text)
}

// outOf is what a total is out of: `/12`, with the marks that end before it.
var outOf = text.Pattern(`^[*_~\x60]*\s*/\s*[*_~\x60]*(\d+)`)

// checkTotal compares a heading's total with the sum of the parts.
func checkTotal(p *lint.ArtifactPass, it *artifact.Item, sum int) {
	if total, ok := integer(brenner.ScoreWord(it.Total)); ok && total == sum {
		return
	}
	at, edits := it.TotalSpan, []lint.TextEdit{{At: p.Artifact.Text.Place(it.TotalSpan), Text: strconv.Itoa(sum)}}
	end := at.End
	rest := p.Artifact.Text.Slice(source.Span{Start: end, End: it.Heading.End})
	m := outOf().FindStringSubmatchIndex(rest)
	isPlain := m == nil && !strings.Contains(rest, "/") || m != nil && strings.Trim(rest[m[1]:], "*_~` \t)]") == ""
	if m == nil {
		edits[0].Text += fmt.Sprintf("/%d", maxTotal)
	} else if most := (source.Span{Start: end + m[2], End: end + m[3]}); p.Artifact.Text.Slice(most) == strconv.Itoa(maxTotal) {
		end = most.End
	} else { // `9/10`
		at.End, end = most.End, most.End
		edits = append(edits, lint.TextEdit{At: p.Artifact.Text.Place(most), Text: strconv.Itoa(maxTotal)})
	}
	isOfOther := p.Artifact.StartsOver(it, 0) // the score, perhaps
	d := lint.Diagnostic{
		Message:    fmt.Sprintf("the heading of %s says %s, but the parts add up to %d", it.ID, p.Artifact.Text.Slice(source.Span{Start: at.Start, End: end}), sum),
		Suggestion: fmt.Sprintf("write (Score: %d/%d)", sum, maxTotal),
	}
	if p.Message == nil && isPlain && !isOfOther && brenner.ScoreWord(it.Total) == it.Total {
		d.Fix = &lint.SuggestedFix{Description: "recompute the total", Edits: edits}
	}
	reportItem(p, it, "score", at, d)
}

// rankedTests returns the check that the tests of an artifact file are ranked, or those of a
// published artifact: then it is MR-017 (decisions.md 1).
func rankedTests(published bool) lint.ArtifactCheck {
	return func(p *lint.ArtifactPass) {
		if (p.Message != nil) == published {
			if above, below := unranked(p.Artifact); below != nil {
				reportRanking(p, above, below)
			}
		}
	}
}

// unranked returns the first active test that is below one with a lower score, and that
// one; nil if the tests are ranked. Tests without a score have no rank, and a test
// whose heading and parts disagree is not reported.
func unranked(a *artifact.Artifact) (above, below *artifact.Item) {
	lowest := 0
	for _, it := range active(a, brenner.DiscriminativeTests) {
		s := readScore(it)
		switch {
		case !s.known || a.InConflict(it.Heading, it.Heading): // ES-006 reports it
		case !a.Section(brenner.DiscriminativeTests).Span.Contains(it.Span): // ES-002
		case above != nil && s.low > lowest:
			return above, it
		case above == nil || s.high <= lowest:
			above, lowest = it, s.high
		}
	}
	return nil, nil
}

// reportRanking reports that a test is below one with a lower score. The fix orders the tests by
// total score, highest first; tests without a score keep their places.
func reportRanking(p *lint.ArtifactPass, above, below *artifact.Item) {
	tests := active(p.Artifact, brenner.DiscriminativeTests)
	spans, totals, ids := make([]source.Span, len(tests)), make([]int, len(tests)), make([]string, len(tests))
	order := make([]int, len(tests)) // order[i] is the index of the test that belongs in the place of test i
	var places []int                 // of tests with a score
	for i, it := range tests {
		s := readScore(it)
		spans[i], totals[i], order[i] = it.Span, s.total, i
		if s.known {
			places = append(places, i)
		}
	}
	ranked := slices.Clone(places)
	slices.SortStableFunc(ranked, func(i, j int) int { return totals[j] - totals[i] })
	for i, place := range places {
		order[place] = ranked[i]
	}
	for i, from := range order {
		ids[i] = tests[from].ID.String()
	}
	d := lint.Diagnostic{
		Message: fmt.Sprintf("%s (%d/%d) is below %s (%d/%d); tests are ranked by score, highest first",
			below.ID, readScore(below).total, maxTotal, above.ID, readScore(above).total, maxTotal),
		Suggestion: "order them " + strings.Join(atMost(8, ids), ", "),
	}
	if p.Message == nil { // mail is a record and not edited
		d.Fix = reorder(p.Artifact, "rank the tests by score", spans, order)
	}
	reportItem(p, below, "", below.Heading, d)
}
