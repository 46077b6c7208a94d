package delta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Members are the names of a delta's own members, those of both specifications
// (decisions.md 10).
var Members = []string{"delta_id", "timestamp", "agent", "operation", "section", "target_id", "payload", "rationale"}

// IsMember reports whether a name is one of Members.
func IsMember(name string) bool { return slices.Contains(Members, name) }

// Operations are the operations as a delta names them.
var Operations = []string{string(brenner.Add), string(brenner.Edit), string(brenner.Kill)}

// memberAliases are names that writers give to the members.
var memberAliases = map[string]string{
	"op": "operation", "action": "operation", "type": "operation",
	"section_id": "section", "target_section": "section", "artifact_section": "section",
	"target": "target_id", "item": "target_id", "item_id": "target_id", "id": "target_id",
	"content": "payload", "data": "payload", "body": "payload", "value": "payload", "values": "payload", "fields": "payload",
	"change": "payload", "changes": "payload", "update": "payload", "updates": "payload", "edits": "payload", "details": "payload", "new": "payload",
	"reasoning": "rationale", "justification": "rationale", "explanation": "rationale", "why": "rationale", "reason": "rationale", "comment": "rationale",
	"author": "agent", "from": "agent", "sender": "agent",
	"created_at": "timestamp", "created_ts": "timestamp", "time": "timestamp", "ts": "timestamp", "date": "timestamp",
}

// FormerWords are the keys under which writers put what an item has now, and NewWords those of what it is to have.
var (
	FormerWords = []string{"from", "old", "old_value", "before", "current", "previous", "original", "existing", "was"}
	NewWords    = []string{
		"$replace", "replace", "$set", "set", "replace_with", "to", "new", "new_value", "after", "=",
		"proposed", "updated", "revised", "replacement", "now",
	}
)

// SaysNew reports whether the name of an object in the payload says that its fields are to be those of the item.
func (d *Delta) SaysNew(name string) bool {
	word := strings.ToLower(name)
	_, isID := SuggestTarget(name)
	return word == "payload" || word == "patch" || memberAliases[word] == "payload" || slices.Contains(NewWords, word) ||
		sectionAliases[brenner.FoldKey(name)] == d.Section || isID && !namesOther(d, name)
}

// IsFormer reports whether a member of an EDIT or its payload has fields of the item as they are now, and nothing else.
func (d *Delta) IsFormer(name string) bool {
	if d.Operation != brenner.Edit || !slices.Contains(FormerWords, strings.ToLower(name)) {
		return false
	}
	value := cmp.Or(d.Payload.Get(name), d.Root.Get(name))
	fields := firstMembers(value)
	isOther := func(m jsontree.Member) bool { return !d.isField(m.Name) }
	return value.Is(jsontree.Object) && len(fields) < maxMembers && !slices.ContainsFunc(fields, isOther)
}

// operationAliases are words that writers use for the three operations.
var operationAliases = map[string]brenner.Operation{
	"create": brenner.Add, "insert": brenner.Add, "new": brenner.Add, "propose": brenner.Add, "append": brenner.Add,
	"update": brenner.Edit, "modify": brenner.Edit, "change": brenner.Edit, "set": brenner.Edit, "replace": brenner.Edit, "patch": brenner.Edit,
	"delete": brenner.Kill, "remove": brenner.Kill, "drop": brenner.Kill, "retire": brenner.Kill, "supersede": brenner.Kill,
}

// sectionAliases are names that writers give to sections, folded.
var sectionAliases = map[string]brenner.Section{
	"research": brenner.ResearchThread, "research_question": brenner.ResearchThread, "thread": brenner.ResearchThread, "problem_statement": brenner.ResearchThread, "rt": brenner.ResearchThread,
	"hypothesis": brenner.HypothesisSlate, "hypotheses": brenner.HypothesisSlate, "h": brenner.HypothesisSlate,
	"prediction": brenner.PredictionsTable, "predictions": brenner.PredictionsTable, "discriminative_predictions": brenner.PredictionsTable, "p": brenner.PredictionsTable,
	"discriminative": brenner.DiscriminativeTests, "test": brenner.DiscriminativeTests, "tests": brenner.DiscriminativeTests, "experiments": brenner.DiscriminativeTests, "t": brenner.DiscriminativeTests,
	"assumption": brenner.AssumptionLedger, "assumptions": brenner.AssumptionLedger, "a": brenner.AssumptionLedger,
	"anomaly": brenner.AnomalyRegister, "anomalies": brenner.AnomalyRegister, "x": brenner.AnomalyRegister,
	"adversarial": brenner.AdversarialCritique, "critique": brenner.AdversarialCritique, "critiques": brenner.AdversarialCritique, "objection": brenner.AdversarialCritique,
	"objections": brenner.AdversarialCritique, "attacks": brenner.AdversarialCritique, "c": brenner.AdversarialCritique,
}

// SectionIDs are the section ids as a delta names them.
var SectionIDs = func() []string {
	var ids []string
	for _, s := range brenner.Sections {
		ids = append(ids, s.ID())
	}
	return ids
}()

const (
	// maxWord is the longest word for which another is suggested.
	maxWord = 64
	// maxMembers bounds the members examined for a suggestion.
	maxMembers = 100
)

// firstMembers returns the members of an object that are examined for a suggestion.
func firstMembers(n *jsontree.Node) []jsontree.Member {
	members := n.Members()
	return members[:min(len(members), maxMembers)]
}

// synonyms are the aliases that plainly mean an operation (decisions.md 49). To replace may be to
// write other lists, which an EDIT adds to.
var synonyms = []string{"create", "insert", "new", "propose", "update", "modify", "change", "patch", "delete", "remove", "drop", "retire"}

// SuggestOperation returns the operation that a word most likely means, or "". It is sure if the
// word differs only in case, or is a synonym; a section may follow, as in add_hypothesis.
func SuggestOperation(word string) (op brenner.Operation, sure bool) {
	if len(word) > maxWord {
		return "", false
	}
	if SectionOfOperation(word) != 0 {
		word = word[:strings.IndexAny(word, " _-")]
	}
	if near := text.Nearest(word, Operations); near != "" {
		return brenner.Operation(near), strings.ToUpper(strings.TrimSpace(word)) == near
	}
	word = strings.ToLower(strings.TrimSpace(word))
	return operationAliases[word], slices.Contains(synonyms, word)
}

// SectionOfOperation returns the section that follows an operation in a word, as in
// add_hypothesis; 0 if there is none.
func SectionOfOperation(word string) brenner.Section {
	at := strings.IndexAny(word, " _-")
	if at < 0 {
		return 0
	}
	return SuggestSection(word[at+1:])
}

// SuggestSection returns the section that a word means: an alias, the title, or nearly the id; 0
// if none.
func SuggestSection(word string) brenner.Section {
	if len(word) > maxWord {
		return 0
	}
	folded := brenner.FoldKey(strings.TrimSpace(word))
	if s := cmp.Or(sectionAliases[folded], brenner.SectionByTitle(word)); s != 0 {
		return s
	}
	return brenner.SectionByID(text.Nearest(word, SectionIDs)) // no two ids are similar
}

// wordedTarget is an id whose section is a word or a letter, with a name after it or not:
// hypothesis_2, Test-1, H 2, H2: Lineage.
var wordedTarget = text.Pattern(`^([A-Z][A-Z_ ]*?)[ _#.-]*0*([1-9][0-9]*)(?:[.-]?H0*([1-9][0-9]*))?(?:(?:: | \().*)?$`)

// SuggestTarget returns the item id that a word means: an id in lower case, with leading zeros,
// with the name of its section instead of the letter or before it, or with marks around it.
func SuggestTarget(word string) (id brenner.ItemID, ok bool) {
	word, _ = brenner.Unmark(strings.Trim(word[:min(len(word), maxWord)], " \t\r\n[]\"#~"))
	if at := strings.IndexAny(word, "/."); at > 0 && SuggestSection(word[:at]) != 0 && at > 1 { // hypothesis_slate.H2
		word = word[at+1:]
	}
	word = strings.ToUpper(word)
	m := wordedTarget().FindStringSubmatch(word)
	if m == nil {
		return brenner.ParseItemID(word)
	}
	letter := m[1]
	if name, last, ok := strings.Cut(letter, " "); ok && sectionAliases[strings.ToLower(name)].Prefix() == last { // Critique C2
		letter = last
	}
	if s := sectionAliases[strings.ToLower(letter)]; s != 0 {
		letter = s.Prefix()
	}
	number := m[2]
	if m[3] != "" {
		number += ".H" + m[3]
	}
	return brenner.ParseItemID(letter + number)
}

// scopeBehind is the hypothesis of a scoped prediction as a remark: Prediction 3 (H1).
var scopeBehind = text.Pattern(`(?i)\s*\((H[1-9][0-9]*)\)$`)

// TargetMeant returns the item of the delta's section that a word means, which may be its number
// alone.
func (d *Delta) TargetMeant(word string) (brenner.ItemID, bool) {
	if number := strings.TrimLeft(word, "# "); brenner.IsNumber(number) {
		word = d.Section.Prefix() + number
	}
	if d.Section == brenner.PredictionsTable {
		word = scopeBehind().ReplaceAllString(word, "-$1")
	}
	id, ok := SuggestTarget(word)
	return id, ok && id.Section == d.Section
}

// SuggestMember returns the member, missing in the delta, that an unknown one most likely means;
// "" if none.
func (d *Delta) SuggestMember(name string) string {
	if IsMember(name) || len(name) > maxWord {
		return ""
	}
	meant, ok := memberAliases[strings.ToLower(name)]
	switch {
	case meant == "operation" && SectionNamed(d.Root.Get(name)) != 0:
		meant = "section" // "type": "hypothesis"
	case d.namesItem(name):
		meant = "payload"
	case !ok:
		meant = text.Nearest(name, Members)
	}
	if meant != "" && d.Root.Get(meant) != nil {
		return ""
	}
	return meant
}

// namesItem reports whether a member has the fields of the item under the name of that: "critique": {"attack": …}.
func (d *Delta) namesItem(name string) bool {
	n, complete := fieldScore(d.Root.Get(name), d.Section)
	return complete || n > 0 && (sectionAliases[brenner.FoldKey(name)] == d.Section || slices.Contains(NewWords, strings.ToLower(name)))
}

// Misnamed returns the unknown member that most likely means the missing one; "" if none.
func (d *Delta) Misnamed(missing string) string {
	for _, m := range firstMembers(d.Root) {
		if d.Section.Field(m.Name) == nil && d.SuggestMember(m.Name) == missing {
			return m.Name
		}
	}
	return ""
}

// TargetInPayload returns the member of the payload that names an item of the section,
// and the item; "" if there is none.
func (d *Delta) TargetInPayload() (member string, id brenner.ItemID) {
	for _, name := range [...]string{"target_id", "target", "id"} {
		if n := d.Payload.Get(name); n.Is(jsontree.String) {
			if id, ok := SuggestTarget(n.Text); ok && (d.Section == 0 || id.Section == d.Section) {
				return name, id
			}
		}
	}
	return "", brenner.ItemID{}
}

// MisnamedReason returns the unknown member of a payload that most likely means the reason of
// a KILL; "" if none.
func MisnamedReason(payload *jsontree.Node) string {
	for _, m := range firstMembers(payload) {
		isAlias := slices.Contains([]string{"kill_reason", "killed_reason", "rationale"}, m.Name) || memberAliases[m.Name] == "rationale"
		if m.Name != "reason" && (isAlias || text.Nearest(m.Name, []string{"reason"}) != "") && m.Value.Is(jsontree.String) && !Blank(m.Value) {
			return m.Name
		}
	}
	return ""
}

// NamedPayload returns the member that most likely is the payload under another name, if the
// payload itself is empty; "" if there is none.
func (d *Delta) NamedPayload() string {
	for _, m := range firstMembers(d.Root) {
		isPayload := memberAliases[strings.ToLower(m.Name)] == "payload" || d.namesItem(m.Name)
		if m.Value.Is(jsontree.Object) && len(m.Name) <= maxWord && isPayload {
			return m.Name
		}
	}
	return ""
}

// ListNamed returns the list of the section that a name means with one of some words before or behind it,
// such as new_anchors; "" if there is none, or the payload has it.
func (d *Delta) ListNamed(name string, words ...string) string {
	folded := brenner.FoldKey(d.signed(name))
	for _, word := range words {
		key := strings.TrimSuffix(strings.TrimPrefix(folded, word+"_"), "_"+word)
		if f := d.Section.Field(key); key != folded && f != nil && f.IsArray() && d.Payload.Get(key) == nil {
			return key
		}
	}
	return ""
}

// signed returns a name in an EDIT with _ between its words, and a word for the sign before or behind a field: newAnchors,
// -anchors, anchors=.
func (d *Delta) signed(name string) string {
	if d.Operation != brenner.Edit {
		return name
	}
	name = camelCase().ReplaceAllString(name, "${1}_${2}")
	in := strings.Trim(name, "-−–=")
	f, sign := d.Section.Field(brenner.FoldKey(in)), strings.Replace(name, in, "", 1)
	switch {
	case f == nil || sign == "":
		return name
	case strings.ContainsAny(sign, "-−–"):
		return "remove_" + in
	case f.IsArray():
		return "new_" + in
	}
	return name
}

var camelCase = text.Pattern(`([a-z])([A-Z])`)

// isFormerField reports whether a folded key in an EDIT names a field with what the item has now, or is to lose: old_claim.
func (d *Delta) isFormerField(key string) bool {
	if d.Operation != brenner.Edit || d.Section.Field(key) != nil {
		return false
	}
	return slices.ContainsFunc(slices.Concat(FormerWords, []string{"former", "prior", "prev", "remove", "delete", "drop", "rm", "del", "no", "without"}), func(word string) bool {
		field := strings.TrimSuffix(strings.TrimPrefix(key, word+"_"), "_"+word)
		return field != key && d.similarField(field) != ""
	})
}

// SuggestField returns the field, missing in the payload, that an unknown key most likely means;
// "" if none.
func (d *Delta) SuggestField(name string) string {
	value := d.Payload.Get(name)
	score, complete := fieldScore(value, d.Section)
	first, _, isPath := strings.Cut(name, ".")
	if d.Section.Field(name) != nil || isPath && d.Section.Field(first) != nil || complete {
		return ""
	}
	if key := cmp.Or(d.fieldBehindPrefix(name), d.listToExtend(name)); key != "" {
		return key
	}
	key := brenner.FoldKey(d.signed(name))
	if d.isFormerField(key) || d.Operation == brenner.Edit && d.ListNamed(name, "new", "updated") != "" { // it would be added to the present list
		return ""
	}
	meant := d.similarField(key)
	if meant == "labels" && d.Operation == brenner.Add && value.Is(jsontree.String) && !d.isNamed() { // label
		meant = "name"
	}
	isOther := score > 0 || value.Is(jsontree.Bool) || value.Is(jsontree.Number) // an object with fields is no text, nor is a flag or a rating
	if f := d.Section.Field(meant); d.Payload.Get(meant) != nil || isOther && f != nil && f.Kind == brenner.TextField {
		return ""
	}
	return meant
}

// fieldBehindPrefix returns the field, missing in the payload, that a key names behind payload., H2., new_ or updated_; ""
// if none. New lists are no such field: an EDIT would unite them with the old ones.
func (d *Delta) fieldBehindPrefix(name string) string {
	for _, prefix := range []string{"payload.", d.TargetID + ".", "new_", "updated_"} {
		key, ok := strings.CutPrefix(name, prefix)
		f := d.Section.Field(key)
		if ok && f != nil && d.Payload.Get(key) == nil && !(strings.HasSuffix(prefix, "_") && f.IsArray()) {
			return key
		}
	}
	return ""
}

// listToExtend returns the list, missing in the payload, that a key such as add_anchors extends, as an EDIT does; "" if none, or
// the payload replaces it.
func (d *Delta) listToExtend(name string) string {
	key := d.ListNamed(name, "add", "append", "additional", "extra")
	if d.Payload.Get("replace") != nil || d.Payload.Get(key+"_replace") != nil {
		return ""
	}
	return key
}

// similarField returns the field with an alias like a folded key, or a similar name; "" if none. replace_anchors is
// anchors_replace.
func (d *Delta) similarField(key string) string {
	word := strings.Trim(strings.Replace(key, "replace", "", 1), "_")
	meant := text.Nearest(word, d.Section.Keys())
	sorted := func(word string) []byte { return slices.Sorted(slices.Values([]byte(word))) }
	if len(word) == len(meant) && len(word) <= 5 && !slices.Equal(sorted(word), sorted(meant)) {
		meant = "" // a short word with another letter is another word: text, test
	}
	if f := d.Section.Suggest(word); f != nil {
		meant = f.Key
	}
	switch {
	case meant == "" || !strings.Contains(key, "replace"):
		return meant
	case d.IsReplaceKey(meant + "_replace"):
		return meant + "_replace"
	}
	return ""
}

// isNamed reports whether the payload names the item, as title, short_name or hypothesis_name, or items of the section have
// no name.
func (d *Delta) isNamed() bool {
	isName := func(m jsontree.Member) bool {
		f, key := d.Section.Suggest(m.Name), brenner.FoldKey(m.Name)
		isOwn := key == "name" || key == "short_name" || key == d.Section.Singular()+"_name"
		return !Blank(m.Value) && (isOwn || f != nil && f.Key == "name")
	}
	return d.Section.Field("name") == nil || slices.ContainsFunc(firstMembers(d.Payload), isName)
}

// MisnamedFields returns, by field, the unknown keys of the payload that most likely mean
// missing fields: the likeliest alias of each.
func (d *Delta) MisnamedFields() map[string]string {
	meant, ranks := map[string]string{}, map[string]int{}
	for _, m := range firstMembers(d.Payload) {
		key, rank := d.SuggestField(m.Name), 0
		if f := d.Section.Field(key); f != nil {
			rank = slices.Index(f.Aliases, brenner.FoldKey(m.Name))
		}
		if key != "" && !Blank(m.Value) && (meant[key] == "" || rank < ranks[key]) {
			meant[key], ranks[key] = m.Name, rank
		}
	}
	if d.Cites() {
		meant["anchors"] = "references"
	}
	return meant
}

// Cites reports whether an ADD that must have anchors has them as its references.
func (d *Delta) Cites() bool {
	f, references := d.Section.Field("anchors"), d.Payload.Get("references")
	if d.Operation != brenner.Add || f == nil || !f.Required || d.Payload.Get("anchors") != nil {
		return false
	}
	isOther := func(n *jsontree.Node) bool {
		all := brenner.ParseAnchors(n.StringOr(""))
		return len(all) == 0 || all[0].Kind == brenner.UnknownAnchor
	}
	return len(references.Items()) > 0 && !slices.ContainsFunc(references.Items(), isOther)
}

// isPayload reports whether a value is an object with all required fields of the section.
func (d *Delta) isPayload(n *jsontree.Node) bool {
	_, complete := fieldScore(n, d.Section)
	return complete
}

// NestedPayload returns the only member of the payload, if that is an object with all required fields of
// the section, or with the reason of a KILL; else nil.
func (d *Delta) NestedPayload() *jsontree.Member {
	members := d.Payload.Members()
	if len(members) == 1 && (d.isPayload(members[0].Value) || d.killsBy(members[0].Value)) && !namesOther(d, members[0].Name) {
		return &members[0]
	}
	return nil
}

// namesOther reports whether a key is the id of another item than the target.
func namesOther(d *Delta, key string) bool {
	id, isID := brenner.ParseItemID(key)
	target, _ := d.targetMeant()
	return isID && id != target
}

// killsBy reports whether a value is the payload of a KILL: an object with a reason.
func (d *Delta) killsBy(n *jsontree.Node) bool {
	reason := n.Get("reason")
	return d.Operation == brenner.Kill && reason.Is(jsontree.String) && !Blank(reason)
}

// KillsUnder returns the member that is the payload of a KILL under another name; "" if there is none.
func (d *Delta) KillsUnder() string {
	if name := d.Misnamed("payload"); d.killsBy(d.Root.Get(name)) {
		return name
	}
	return ""
}

// misplacedFields returns the members of the delta that are fields of its section, or
// mean one, and its replace keys: they belong in the payload (decisions.md 50).
func (d *Delta) misplacedFields() []string {
	section := cmp.Or(d.Section, SectionNamed(d.Root.Get("section")))
	hasField := false
	var out []string
	for _, m := range firstMembers(d.Root) {
		isMeant := section.Field(m.Name) != nil || memberAliases[strings.ToLower(m.Name)] == "" && section.Suggest(m.Name) != nil
		if (isMeant || d.IsReplaceFlag(&m)) && !m.Repeated && !IsMember(m.Name) && !d.namesItem(m.Name) {
			out = append(out, m.Name)
			hasField = hasField || isMeant
		}
	}
	if !hasField {
		return nil
	}
	return out
}

// FieldMeant returns the field that a name is, or most likely means.
func (d *Delta) FieldMeant(name string) string { return cmp.Or(d.SuggestField(name), name) }

// besidePayload returns the members that are or mean fields that the payload does not have, if missing ones are
// among them.
func (d *Delta) besidePayload(missing []string) []string {
	hasMissing := false
	out := slices.DeleteFunc(d.misplacedFields(), func(name string) bool {
		key := d.FieldMeant(name)
		hasMissing = hasMissing || slices.Contains(missing, key)
		return d.Payload.Get(key) != nil
	})
	if !hasMissing {
		return nil
	}
	return out
}

// IsReplaceKey reports whether a key of an EDIT's payload requests that arrays are
// replaced, not united: "replace", or "{field}_replace" for an array.
func (d *Delta) IsReplaceKey(name string) bool {
	key, ok := strings.CutSuffix(name, "_replace")
	f := d.Section.Field(key)
	return name == "replace" || ok && f != nil && f.IsArray()
}

// IsReplaceFlag reports whether a member of an EDIT is, or most likely means, a replace key that
// belongs in its payload.
func (d *Delta) IsReplaceFlag(m *jsontree.Member) bool {
	return d.Operation == brenner.Edit && m.Value.Is(jsontree.Bool) && d.IsReplaceKey(d.FieldMeant(m.Name))
}

// LikelyOperation returns what a delta without a readable operation most likely does: what its payload says, KILL
// if it gives a reason, EDIT if it names a target, else ADD. It is certain of an ADD of a complete item, and of a
// KILL with a reason or an EDIT with some fields of the item that it names.
func (d *Delta) LikelyOperation() (likely brenner.Operation, certain bool) {
	id, named := d.targetMeant()
	payload := d.Root.Get("payload")
	said, _ := SuggestOperation(payload.Get("operation").StringOr(""))
	switch {
	case said != "":
		likely = said
	case len(payload.Members()) == 1 && (payload.Get("reason") != nil || payload.Get("kill_reason") != nil || payload.Get("killed_reason") != nil):
		likely = brenner.Kill
	case named:
		likely = brenner.Edit
	default:
		likely = brenner.Add
	}
	if complete := d.Complete(); likely == brenner.Add && complete != 0 && (d.Section == 0 || d.Section == complete) {
		return likely, true
	}
	_, isItem := fieldScore(payload, id.Section)
	isOther := likely == brenner.Edit && (isItem || d.FieldsOf(id.Section) == 0)
	return likely, named && len(payload.Members()) > 0 && payload.Get("operation") == nil && !isOther
}

// OperationMeant returns the operation that an invalid value most likely means. DL-001 suggests
// it, and it counts if a publisher applied the delta anyway (decisions.md 86).
func (d *Delta) OperationMeant(n *jsontree.Node) brenner.Operation {
	op, _ := SuggestOperation(n.StringOr(""))
	if op == "" || op == brenner.Add && d.ChangesItem() {
		op, _ = d.LikelyOperation()
	}
	return op
}

// ChangesItem reports whether the delta is one of an item that there is, even if it is called an ADD: its
// target is an item of its section, and its payload does not say what a new one is called.
func (d *Delta) ChangesItem() bool {
	id, ok := d.targetMeant()
	if !ok || id.Section != d.Section || id.Section == brenner.ResearchThread || len(d.Payload.Members()) == 0 {
		return false
	}
	name := d.Section.Keys()[0]
	lacks, has := 0, 0 // of the other required fields
	for _, f := range d.Section.Fields() {
		switch {
		case !f.Required || f.Key == name:
		case d.Payload.Get(f.Key) == nil:
			lacks++
		default:
			has++
		}
	}
	if lacks == 0 && has > 1 { // a new item that nobody has named
		return false
	}
	return d.Payload.Get(name) == nil && d.Root.Get(name) == nil && d.MisnamedFields()[name] == ""
}

// ShowsOperation reports whether LikelyOperation has evidence in a delta without a readable
// operation: it is not a guess.
func (d *Delta) ShowsOperation() bool {
	section, _ := d.LikelySection()
	op, _ := d.LikelyOperation()
	return section != 0 || op != brenner.Add || d.sectionMeant() != 0
}

// SectionNamed returns the section that a value names, in whatever form; 0 if none.
func SectionNamed(n *jsontree.Node) brenner.Section { return SuggestSection(n.StringOr("")) }

// LikelySection returns the section that a delta without a readable one most likely concerns:
// that of its target, the one that it is complete for, or that its operation names, which are
// certain, else the one whose fields its payload has; 0 if nothing shows it.
func (d *Delta) LikelySection() (likely brenner.Section, certain bool) {
	if id, ok := d.targetMeant(); ok {
		return id.Section, true
	}
	if complete := d.Complete(); complete != 0 {
		return complete, true
	}
	if named := SectionOfOperation(d.Root.Get("operation").StringOr("")); named != 0 {
		return named, true
	}
	most := 0
	for _, s := range brenner.Sections {
		if n := d.FieldsOf(s); n > most {
			likely, most = s, n
		}
	}
	return likely, false
}

// fieldScore returns how many fields of a section an object has, required ones counted twice, and whether
// it has all of those.
func fieldScore(object *jsontree.Node, s brenner.Section) (n int, complete bool) {
	required, given := 0, 0
	for _, f := range s.Fields() {
		weight, value := 1, object.Get(f.Key)
		if f.Required {
			weight = 2
			required++
		}
		if value != nil {
			n += weight
		}
		if f.Required && !Blank(value) {
			given++
		}
	}
	return n, required > 0 && given == required
}

// Complete returns the only section that a delta without target has all required fields of, in
// its payload or next to it: then it adds an item. It is 0 if there is none.
func (d *Delta) Complete() (complete brenner.Section) {
	if d.meant("target_id") != nil {
		return 0
	}
	return d.onlyComplete()
}

// onlyComplete is Complete for a delta that may have a target.
func (d *Delta) onlyComplete() (complete brenner.Section) {
	for _, s := range brenner.Sections {
		if _, ok := fieldScore(d.fieldsMeant(), s); !ok {
			continue
		}
		if complete != 0 {
			return 0
		}
		complete = s
	}
	return complete
}

// fieldsMeant returns the object with the fields: the payload, or else the delta itself.
func (d *Delta) fieldsMeant() *jsontree.Node {
	return cmp.Or(d.Payload, d.meant("payload"), d.Root)
}

// FieldsOf returns how well the payload fits a section: how many of its fields it has,
// required ones counted twice.
func (d *Delta) FieldsOf(s brenner.Section) int {
	n, _ := fieldScore(d.fieldsMeant(), s)
	return n
}
