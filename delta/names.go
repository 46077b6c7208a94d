package delta

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
)

// Members are the names of a delta's own members, those of both specifications
// (decisions.md 10).
var Members = []string{"delta_id", "timestamp", "agent", "operation", "section", "target_id", "payload", "rationale"}

// memberAliases are names that writers give to them.
var memberAliases = map[string]string{
	"op": "operation", "action": "operation", "type": "operation", "section_id": "section",
	"target": "target_id", "item": "target_id", "item_id": "target_id", "id": "target_id",
	"content": "payload", "data": "payload", "body": "payload", "value": "payload", "fields": "payload",
	"reasoning": "rationale", "justification": "rationale", "explanation": "rationale", "why": "rationale", "reason": "rationale",
	"author": "agent", "from": "agent", "sender": "agent",
	"created_at": "timestamp", "created_ts": "timestamp", "time": "timestamp", "ts": "timestamp", "date": "timestamp",
}

// IntendedMember is the member that an unknown member of the delta most likely
// stands for, "" if none: one that the delta does not have.
func (d *Delta) IntendedMember(name string) string {
	if slices.Contains(Members, name) || len(name) > 64 {
		return ""
	}
	meant, ok := memberAliases[strings.ToLower(name)]
	if !ok {
		meant = wording.Nearest(name, Members)
	}
	if meant != "" && d.Root.Get(meant) != nil {
		return ""
	}
	return meant
}

// misnamed tells which unknown member may be meant as the missing one, "" if
// none.
func (d *Delta) misnamed(missing string) string {
	for _, m := range d.Root.Members[:min(len(d.Root.Members), maxMembers)] {
		if d.IntendedMember(m.Name) == missing {
			return fmt.Sprintf("; %s may be meant as %s", wording.Quote(m.Name), missing)
		}
	}
	return ""
}

// maxMembers bounds the members looked at for a hint.
const maxMembers = 100

// SuggestField is the field that an unknown key of the payload most likely
// stands for, "" if none: one that the payload does not have.
func (d *Delta) SuggestField(name string) string {
	if d.Section == 0 || d.Section.Field(name) != nil {
		return ""
	}
	var meant string
	if f := d.Section.Suggest(name); f != nil {
		meant = f.Key
	} else {
		meant = wording.Nearest(name, d.Section.Keys())
	}
	if meant != "" && d.Payload.Get(meant) != nil {
		return ""
	}
	return meant
}

// misnamedFields tells which unknown fields may be meant as missing ones.
func (d *Delta) misnamedFields(missing []string) []string {
	meant := map[string]string{}
	for _, m := range d.Payload.Members[:min(len(d.Payload.Members), maxMembers)] {
		if key := d.SuggestField(m.Name); key != "" && meant[key] == "" && !Blank(m.Value) {
			meant[key] = m.Name
		}
	}
	var hints []string
	for _, key := range missing {
		if name, ok := meant[key]; ok {
			hints = append(hints, wording.Quote(name)+" as "+key)
		}
	}
	if len(hints) > 0 {
		hints[0] = strings.Replace(hints[0], `" as `, `" may be meant as `, 1)
	}
	return hints
}

// IsReplaceKey reports whether a key of an EDIT's payload says that arrays are
// replaced and not united: "replace", or "{field}_replace" for an array.
func (d *Delta) IsReplaceKey(name string) bool {
	if name == "replace" {
		return true
	}
	key, ok := strings.CutSuffix(name, "_replace")
	if !ok || d.Section == 0 {
		return false
	}
	f := d.Section.Field(key)
	return f != nil && f.IsArray()
}
