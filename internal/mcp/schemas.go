package mcp

// The schemas of what the tools take. They leave members open: who calls
// send_message with more may call check_message with the same. What is wrong with a
// draft is a finding, so the types here are no narrower than those of Agent Mail.
const (
	messageInput = `{
		"type": "object",
		"properties": {
			"subject": {"type": ["string", "null"], "description": "subject line, such as DELTA[opus]: Added H3; a reply has none"},
			"body_md": {"description": "body in Markdown"},
			"thread_id": {"type": ["string", "number", "null"], "description": "thread id, such as RS-20251230-cell-fate"},
			"message_id": {"type": ["string", "number", "null"], "description": "id of the message that a reply answers"},
			"project_key": {"type": ["string", "null"], "description": "project of Agent Mail"},
			"sender_name": {"type": ["string", "null"], "description": "name of the sending agent"},
			"to": {"type": ["string", "array", "null"], "description": "recipient or recipients"},
			"cc": {"type": ["string", "array", "null"]},
			"bcc": {"type": ["string", "array", "null"]},
			"importance": {"type": ["string", "null"]},
			"ack_required": {"description": "whether the message asks for acknowledgement"},
			"export": {"type": ["string", "null"], "description": "path of a mail export or database that has the thread, in the server's folder: thread and merge rules check the message too"}
		}
	}`
	artifactInput = `{
		"type": "object",
		"properties": {
			"content": {"type": ["string", "null"], "description": "the artifact, Markdown or JSON"},
			"path": {"type": ["string", "null"], "description": "path of the artifact, in the server's folder; beside content only its name, such as artifacts/RS-20251230-cell-fate.md"}
		}
	}`
	replayInput = `{
		"type": "object",
		"properties": {
			"export": {"type": "string", "description": "path of a mail export or database, or of a folder with some, in the server's folder"},
			"thread_id": {"type": ["string", "number", "null"], "description": "only this thread"}
		},
		"required": ["export"]
	}`
	compileInput = `{
		"type": "object",
		"properties": {
			"export": {"type": "string", "description": "path of a mail export or database, or of a folder with some, in the server's folder"},
			"thread_id": {"type": ["string", "number", "null"], "description": "the thread; may be left out if the export has only one"},
			"version": {"type": ["integer", "null"], "description": "the version; by default the next. A published one is compiled as it should be"},
			"project": {"type": ["string", "null"], "description": "the slug or path of the project, where several have the thread"},
			"compiler": {"type": ["string", "null"], "description": "who publishes; by default who published before, or sent the KICKOFF"},
			"at": {"type": ["string", "null"], "description": "time of the compilation in ISO 8601; by default that of the latest message"},
			"force": {"type": ["boolean", "null"], "description": "also compile a version that has conflicts or too few items"}
		},
		"required": ["export"]
	}`
	ruleInput = `{
		"type": "object",
		"properties": {
			"rule": {"type": "string", "description": "id, name or specification code of the rule, such as MB-005, or a family such as MB"}
		},
		"required": ["rule"]
	}`
)

// The schemas of what the tools give.
const (
	findings = `{"type": "array", "items": {
		"type": "object",
		"properties": {
			"rule": {"type": "string"}, "name": {"type": "string"}, "severity": {"enum": ["error", "warning", "info"]},
			"message": {"type": "string"}, "path": {"type": "string"}, "suggestion": {"type": "string"}
		},
		"required": ["rule", "name", "severity", "message", "path"]
	}}`
	reportMembers = `"schema": {"const": "brennerlint/report/v1"}, "version": {"type": "string"},
		"summary": {"type": "object", "properties": {
			"errors": {"type": "integer"}, "warnings": {"type": "integer"}, "info": {"type": "integer"}, "valid": {"type": "boolean"}
		}, "required": ["errors", "warnings", "info", "valid"]},
		"findings": ` + findings + `, "notices": {"type": "array", "items": {"type": "string"}}`
	reportRequired = `"required": ["schema", "version", "summary", "findings"]`

	reportOutput  = `{"type": "object", "properties": {` + reportMembers + `}, ` + reportRequired + `}`
	messageOutput = `{"type": "object", "properties": {` + reportMembers + `,
		"after_fixes": {"description": "what the findings hide: fix it too, and the next check is the last", "type": "array", "items": {"type": "object"}},
		"merge_preview": {"type": "array", "items": {"type": "string"}, "description": "what the merge would make of each delta"},
		"repaired_draft": {"type": "object", "description": "the arguments with fixes applied; absent if no fix applies"}
	}, ` + reportRequired + `}`
	replayOutput = `{"type": "object", "properties": {
		"schema": {"const": "brennerlint/replay/v1"}, "threads": {"type": "array", "items": {"type": "object"}},
		"notices": {"type": "array", "items": {"type": "string"}}
	}, "required": ["schema", "threads"]}`
	compileOutput = `{"type": "object", "properties": {
		"thread": {"type": "string"}, "version": {"type": "integer"}, "ready": {"type": "boolean"},
		"obstacles": {"type": "array", "items": {"type": "string"}, "description": "why the version is not ready to be published, and whom to ask"},
		"not_applied": {"type": "array", "items": {"type": "string"}, "description": "the deltas that are left out, and why"},
		"message": {"type": "object", "description": "the arguments of send_message; absent if the version is not ready"},
		"artifact": {"type": "string", "description": "the artifact file; absent if the version is not ready"},
		"notices": {"type": "array", "items": {"type": "string"}}
	}, "required": ["thread", "ready", "obstacles", "not_applied"]}`
	ruleOutput = `{"type": "object", "properties": {
		"rules": {"type": "array", "items": {
			"type": "object",
			"properties": {"id": {"type": "string"}, "name": {"type": "string"}, "severity": {"type": "string"}, "summary": {"type": "string"}},
			"required": ["id", "name", "severity", "summary"]
		}}
	}, "required": ["rules"]}`
)
