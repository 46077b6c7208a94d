package slips

var bodies = []slip{
	{name: "context called background", rule: "MB-003", in: bodyOf("KICKOFF"), find: `^## Context$`, with: "## Background", on: subject},
}
