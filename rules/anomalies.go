package rules

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/lint"
)

// Rules about the anomaly register.
var anomalyRules = []*lint.Rule{
	{ID: "EX-002", Name: "anomalies-empty-state", Severity: lint.Error, SpecRef: "artifact_format#Anomaly Register",
		Summary: "An Anomaly Register without items says `None registered`, or in other words that there are none.",
		Help:    "write None registered",
		Check:   lint.ArtifactCheck(checkEmptyRegister)},
	field("WX-001", "anomaly-observation", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "observation", want: "what was observed"}, ""),
	field("WX-002", "anomaly-conflicts", lint.Warning, fieldReq{section: brenner.AnomalyRegister, key: "conflicts_with", want: "the items it contradicts (H1, A2)"}, ""),
	{ID: "IX-001", Name: "anomaly-status", Severity: lint.Info, SpecRef: "artifact_format#Anomaly Register",
		Summary: "`Quarantine status` begins with active, resolved or deferred.",
		Check:   beginsWith(brenner.AnomalyRegister, "status", false)},
}

var allItems = replay.NewItemFilter(func(*state.Item) bool { return true })

func checkEmptyRegister(p *lint.ArtifactPass) {
	a := p.Artifact
	s := a.Section(brenner.AnomalyRegister)
	if s == nil || a.IsJSON() || len(a.ItemsOf(s.Kind))+strays(a, s.Kind) > 0 {
		return
	}
	for range p.Reported.Omitted(s.Kind, allItems) {
		return
	}
	for _, other := range a.Sections {
		if other.Kind == s.Kind && other.NoneRegistered {
			return
		}
	}
	d := lint.Diagnostic{
		At:         heading(a, s),
		Message:    "Anomaly Register has no anomalies and does not say so; expected `None registered`",
		Suggestion: "write `None registered.`",
	}
	if loose := looseItem(a, s); loose != "" {
		d.Message = "Anomaly Register has no readable anomalies: " + loose + " is not in a heading"
		d.Suggestion = "start each anomaly with a heading, `### " + loose + ": name`, and put its fields below"
	}
	p.Report(d)
}
