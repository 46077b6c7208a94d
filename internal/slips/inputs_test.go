package slips

import (
	"regexp"
	"strings"
)

// inputs are slips of exports, and of suppressions.
var inputs = []slip{
	{name: "one byte of Latin-1 in a body", rule: "IN-001", do: damage(`"body_md": ".*## Attack\\n\w+( )`, badByte), alone: true},
	{name: "trailing comma in the export", rule: "IN-002", do: damage(`"ack_required": false(,)`, ",,"), alone: true},
	{name: "export cut off", rule: "IN-002", do: damage(`(?s)"cc": \[\](.*)\z`, ""), alone: true},
	{name: "message without a subject", rule: "IN-003", at: above(`^    \{`), do: damage(`    \{\n.*\n.*\n( *"subject": "INFO.*\n)`, ""), alone: true},
	{name: "message without a body", rule: "IN-003", do: damage(`"body_md": ("# Ack.*"),`, "null"), alone: true},
	{name: "message without a sender", rule: "IN-003", do: damage(`"subject": "(?:DELTA|INFO|COMPILED).*\n(?:.*\n){2} *"from": (".*")`, `""`), alone: true},
	{name: "message of yesterday", rule: "IN-003", do: damage(`"subject": "(?:INFO|ACK)(?:.*\n)+?.*"created_ts": (".*")`, `"yesterday"`), alone: true},

	{name: "suppression of nothing", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-001 -- the assay is known -->\n$1", fix: unsafeFix},
	{name: "suppression without a reason", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-001 -->\n$1", fix: safeFix},
	{name: "suppression of an unknown rule", rule: "IN-005", in: theFile, find: `^(### T1)`, with: "‸<!-- brennerlint:ignore WT-999 -- the assay is known -->\n$1", fix: unsafeFix},
	{name: "suppression of nothing in the file", rule: "IN-005", in: theFile, find: `\A(?s)(---\n.*?\n---\n)`, with: "$1‸<!-- brennerlint:ignore-file EA-002 -- checked elsewhere -->\n", fix: unsafeFix},
	{name: "configuration that suppresses nothing", rule: "IN-005", do: func(s *scene) bool {
		s.config = "suppress:\n  - path: \"*.json\"\n    rule: MB-029\n    reason: sent before the rule\n"
		s.at = place{part: configuration, offset: strings.Index(s.config, "- ")}
		return true
	}, alone: true},
}

// badByte represents a byte that is not UTF-8, because JSON cannot escape one.
const badByte = "\uE000"

// damage replaces the first group of one match in thread JSON.
func damage(pattern, with string) func(*scene) bool {
	return func(s *scene) bool {
		text := threadJSON(s.thread)
		all := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(text, -1)
		if len(all) == 0 {
			return false
		}
		m := all[s.IntN(len(all))]
		s.export = text[:m[2]] + with + text[m[3]:]
		s.at = place{part: export, offset: m[2]}
		return true
	}
}
