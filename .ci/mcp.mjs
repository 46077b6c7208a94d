// A client of `brennerlint mcp`: node client.mjs PROGRAM FOLDER. See .ci/mcp.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, folder] = process.argv.slice(2);
const client = new Client({ name: "ci", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", "--root", folder] }));

const { tools } = await client.listTools(); // the client keeps the output schemas
assert.deepEqual(tools.map((t) => t.name), ["check_artifact", "check_message", "compile_thread", "explain_rule", "replay_thread"]);
const call = async (name, args) => client.callTool({ name, arguments: args });

const fence = "```";
const draft = {
  project_key: "/p", sender_name: "BlueLake", to: "RedCreek", cc: null, subject: "DELTA[gpt]: kill", thread_id: "RS-20251230-cell-fate",
  body_md: `# Delta\n\n**Base Version**: v1\n\n${fence}delta\n{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {"reason": "r"}, "rationale": "r",}\n${fence}\n`,
};
const broken = await call("check_message", draft);
assert.equal(broken.structuredContent.schema, "brennerlint/report/v1");
assert.match(broken.content[0].text, /MB-005 delta-json: body_md:6:\d+: /);
const repaired = await call("check_message", { ...broken.structuredContent.repaired_draft, export: "mail" });
assert.equal(repaired.structuredContent.summary.errors, 0, repaired.content[0].text);
assert.deepEqual(repaired.structuredContent.merge_preview, ["delta 1: kills H1"]);

const artifact = await call("check_artifact", { path: "artifacts/RS-20251230-cell-fate.md" });
assert.equal(artifact.structuredContent.summary.artifacts, 1);
assert.ok((await call("check_artifact", { path: "../go.mod" })).isError);
const replay = await call("replay_thread", { export: "mail", thread_id: "RS-20251230-cell-fate" });
assert.equal(replay.structuredContent.threads.length, 1);
const compiled = await call("compile_thread", { export: "mail", thread_id: "RS-20251230-cell-fate", version: 1 });
assert.match(compiled.structuredContent.message.subject, /^COMPILED: v1 /, compiled.content[0].text);
const family = await call("explain_rule", { rule: "MB" });
assert.ok(family.structuredContent.rules.length > 20);

const { resources } = await client.listResources();
const page = await client.readResource({ uri: resources[0].uri });
assert.match(page.contents[0].text, /^# /);
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map((p) => p.name), ["compile_thread", "repair_draft"]);
const prompt = await client.getPrompt({ name: "repair_draft", arguments: { draft: JSON.stringify(draft) } });
assert.match(prompt.messages[0].content.text, /with fixes applied/);

await client.close();
console.log(`${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts: as expected`);
