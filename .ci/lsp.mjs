// A client of `brennerlint lsp`: node client.mjs PROGRAM GOOD FAULTY DRAFT. See .ci/lsp.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import lsp from "vscode-languageserver-protocol/node";

const [program, good, faulty, draft] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "lsp-"));
const server = spawn(program, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((done) => server.once("exit", done));
const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
connection.onError(([error]) => { throw error; });
connection.onRequest("client/registerCapability", () => null);
connection.onRequest("workspace/configuration", ({ items }) => items.map(() => null));

const published = new Map(); // by document, the diagnostics of each version
let changed = () => {};
connection.onNotification("textDocument/publishDiagnostics", ({ uri, version, diagnostics }) => {
  published.set(uri, new Map(published.get(uri)).set(version, diagnostics));
  changed();
});
connection.listen();

/** diagnosticsOf waits for the diagnostics of a version. */
async function diagnosticsOf({ uri, version }) {
  while (!published.get(uri)?.has(version)) await new Promise((done) => { changed = done; });
  return published.get(uri).get(version);
}

const codes = (diagnostics) => diagnostics.map((d) => d.code);

/** offsetOf is a position in UTF-16 code units as an offset in a text. */
function offsetOf(text, { line, character }) {
  let at = 0;
  for (; line > 0; line--) at = text.indexOf("\n", at) + 1;
  return at + character;
}

/** edited is a text with edits, which do not overlap. */
function edited(text, edits) {
  const last = edits.toSorted((a, b) => offsetOf(text, b.range.start) - offsetOf(text, a.range.start));
  return last.reduce((t, e) => t.slice(0, offsetOf(text, e.range.start)) + e.newText + t.slice(offsetOf(text, e.range.end)), text);
}

/** editsOf are the edits of an action, for the version that is open. */
function editsOf(action, document) {
  const [change] = action.edit.documentChanges;
  assert.deepEqual(change.textDocument, { uri: document.uri, version: document.version });
  return change.edits;
}

async function open(path, languageId) {
  const document = { uri: pathToFileURL(join(folder, basename(path))).href, languageId, version: 1, text: await readFile(path, "utf8") };
  await connection.sendNotification("textDocument/didOpen", { textDocument: document });
  return document;
}

/** apply makes edits of a document in it and tells the server. */
async function apply(document, edits) {
  const next = { ...document, version: document.version + 1, text: edited(document.text, edits) };
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: next.uri, version: next.version },
    contentChanges: edits.toSorted((a, b) => offsetOf(document.text, b.range.start) - offsetOf(document.text, a.range.start)).map((e) => ({ range: e.range, text: e.newText })),
  });
  return next;
}

const initialized = await connection.sendRequest("initialize", {
  processId: process.pid, rootUri: pathToFileURL(folder).href, workspaceFolders: null,
  capabilities: {
    textDocument: { publishDiagnostics: { versionSupport: true, codeDescriptionSupport: true, dataSupport: true, relatedInformation: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll"] } } } },
    workspace: { workspaceEdit: { documentChanges: true } }, general: { positionEncodings: ["utf-16"] },
  },
});
assert.equal(initialized.serverInfo.name, "brennerlint");
assert.equal(initialized.capabilities.positionEncoding, "utf-16");
await connection.sendNotification("initialized", {});

// An artifact of the corpus: nothing that is an error.
const artifact = await open(good, "markdown");
assert.deepEqual((await diagnosticsOf(artifact)).filter((d) => d.severity === lsp.DiagnosticSeverity.Error), []);
const symbols = await connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri: artifact.uri } });
assert.ok(symbols.some((s) => /Hypothesis Slate/.test(s.name)), JSON.stringify(symbols.map((s) => s.name)));

// One with faults: the quick fix of one of them.
let document = await open(faulty, "markdown");
const before = await diagnosticsOf(document);
const score = before.find((d) => d.code === "WT-003");
assert.ok(score, `diagnostics ${codes(before)}`);
const { contents } = await connection.sendRequest("textDocument/hover", { textDocument: { uri: document.uri }, position: score.range.start });
assert.match(contents.value, /WT-003/);
const actions = await connection.sendRequest("textDocument/codeAction", { textDocument: { uri: document.uri }, range: score.range, context: { diagnostics: [score] } });
const quick = actions.find((a) => a.kind === "quickfix" && a.isPreferred && a.diagnostics[0].code === "WT-003");
document = await apply(document, editsOf(quick, document));
assert.deepEqual(codes(await diagnosticsOf(document)), codes(before).filter((c) => c !== "WT-003"));

// A draft: all safe fixes at once.
let message = await open(draft, "json");
const found = await diagnosticsOf(message);
assert.ok(codes(found).includes("MB-005"), `diagnostics ${codes(found)}`);
const [all] = await connection.sendRequest("textDocument/codeAction", {
  textDocument: { uri: message.uri }, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, context: { diagnostics: [], only: ["source.fixAll"] },
});
message = await apply(message, editsOf(all, message));
assert.deepEqual(codes(await diagnosticsOf(message)), ["TH-005"]); // the id of a thread that exists has no fix
assert.doesNotThrow(() => JSON.parse(message.text));

await connection.sendRequest("shutdown");
await connection.sendNotification("exit");
assert.equal(await ended, 0);
await rm(folder, { recursive: true });
console.log(`${published.size} documents, ${codes(before).length} diagnostics of one: as expected`);
