package slips

// inJSON are slips in an artifact that a reference compiler wrote.
var inJSON = []slip{
	{name: "references as an object", rule: "RD-003", in: theJSON, find: `("references": )\[\n(?:.*\n){5}\s*\]`, with: "${1}‸{}"},
	{name: "reference without a session", rule: "RD-003", in: theJSON, find: `(\{\n *)"session": ".*",\n *`, with: "‸$1"},
	{name: "reference of a relation of its own", rule: "RD-003", in: theJSON, find: `("relation": )"refines"`, with: `$1‸"like"`},
	{name: "claim lost in JSON", rule: "EH-004", in: theJSON, find: `^ *"claim": .*\n( *"mechanism": .*\n *"anchors": .*\n *\})`, with: "$1", at: above(`"id"`)},
	{name: "section lost in JSON", rule: "ES-001", in: theJSON, find: `(?s)    "anomaly_register": .*?(^    "adversarial)`, with: "$1", at: top},
	{name: "id lost in JSON", rule: "ES-003", in: theJSON, find: `^( *)"id": "A1",\n *`, with: "$1", at: above(`\{`)},
	{name: "id in lower case in JSON", rule: "ES-003", in: theJSON, find: `"id": "A1"`, with: `"id": ‸"a1"`},
	{name: "id twice in JSON", rule: "ES-004", in: theJSON, find: `"id": "A3"`, with: `"id": ‸"A2"`},
	{name: "score of 5 in JSON", rule: "WT-003", in: theJSON, find: `("id": "T1",(?:.*\n)+?.*"cost": )\d`, with: "${1}‸5"},
	{name: "version as a string in JSON", rule: "IM-002", in: theJSON, find: `("version": )(\d)`, with: `$1‸"v$2"`},
	{name: "session lost in JSON", rule: "EM-002", in: theJSON, find: `^ *"session_id": .*\n`, with: "", at: above(`"metadata"`)},
	{name: "status of its own in JSON", rule: "EM-004", in: theJSON, find: `("status": )"active"(,\n    "compiled_at")`, with: `$1‸"done"$2`},
	{name: "no message in JSON", rule: "AP-014", in: theJSON, find: `,\n *"agent_mail_message_id": \d+`, with: "", at: above(`"metadata"`)},
}
