// Answers the conformance suite with the merge in TypeScript of a brenner_bot checkout
// that is named on the command line. README.md says how it is run.
//
// What the implementation has no function for is answered as unsupported. Where it gives
// more than a case asks for, or in another form, this program only translates: it repairs
// nothing.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const checkout = process.argv[2];
if (!checkout) {
  console.error("usage: adapter.mjs CHECKOUT");
  process.exit(2);
}
const load = (name) => import(pathToFileURL(resolve(checkout, "apps/web/src/lib", name)).href);
const parser = await load("delta-parser.ts");
const merger = await load("artifact-merge.ts");
const status = await load("threadStatus.ts");

const types = new Set(["KICKOFF", "DELTA", "COMPILED", "CRITIQUE", "ACK", "CLAIM", "HANDOFF", "BLOCKED", "QUESTION", "INFO"]);
const prefixes = {
  hypothesis_slate: "H", predictions_table: "P", discriminative_tests: "T", assumption_ledger: "A", anomaly_register: "X", adversarial_critique: "C",
};

function subject({ subject }) {
  const { type, shorthand } = status.parseSubjectType(subject);
  const name = type.toUpperCase();
  const known = types.has(name);
  return {
    type: known ? name : null,
    role: shorthand || null,
    version: name === "COMPILED" ? status.extractVersion(subject) : null,
    codes: known ? [] : ["INVALID_SUBJECT_PREFIX"], // it knows no other code
  };
}

// The parser's reasons, by how they begin or what they say, and the suite's codes.
const reasons = [
  [/^Invalid JSON/, "INVALID_JSON"],
  [/^Delta is not an object/, "INVALID_DELTA"],
  [/^Invalid operation|only supports EDIT/, "INVALID_OPERATION"],
  [/^Invalid section/, "INVALID_SECTION"],
  [/target_id/, "INVALID_TARGET"],
  [/payload/, "MISSING_REQUIRED_FIELD"],
];

const reasonOf = (error) => reasons.find(([pattern]) => pattern.test(error))?.[1] ?? error;

function block(d) {
  if (!d.valid) {
    return { accepted: false, code: reasonOf(d.error) };
  }
  const target = d.target_id === null ? {} : { target_id: d.target_id };
  return { accepted: true, operation: d.operation, section: d.section, ...target };
}

const delta = ({ body_md }) => ({ blocks: parser.parseDeltaMessage(body_md).deltas.map(block) });

// ids are compared by their numbers.
const number = (id) => Number(/\d+/.exec(id)?.[0] ?? 0);

// utc is a timestamp in the form of states.
function utc(text) {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString().replace(/\.?0*Z$/, "Z");
}

function stateOf(artifact) {
  const item = (it) => {
    const out = { ...it };
    if (out.killed !== true) delete out.killed;
    else out.killed_at = utc(out.killed_at);
    return out;
  };
  const out = { research_thread: artifact.sections.research_thread && item(artifact.sections.research_thread) };
  for (const section of Object.keys(prefixes)) {
    out[section] = artifact.sections[section].map(item).sort((a, b) => number(a.id) - number(b.id));
  }
  return out;
}

// canonical is RFC 8785 JSON: names in order, numbers and texts as JSON.stringify has them.
function canonical(v) {
  if (Array.isArray(v)) return `[${v.map((e) => canonical(e ?? null)).join(",")}]`;
  if (v === null || typeof v !== "object") return JSON.stringify(v);
  const names = Object.keys(v).filter((name) => v[name] !== undefined).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(v[name])}`).join(",")}}`;
}

const hash = (state) => `sha256:${createHash("sha256").update(canonical(state)).digest("hex")}`;

const mergeCodes = { RT_ADD_NOT_ALLOWED: "INVALID_OPERATION" };

// merge collects the DELTA messages up to each COMPILED, in the order of their times, and
// merges them into the artifact before. A merge that fails gives no artifact: the state
// stays what it was.
function merge({ thread_id, messages }) {
  const ordered = [...messages].sort((a, b) => new Date(a.created_ts) - new Date(b.created_ts));
  const windows = [];
  let artifact = merger.createEmptyArtifact(thread_id);
  let deltas = [];
  let rejected = [];
  const end = (version) => {
    const result = merger.mergeArtifactWithTimestamps(artifact, deltas);
    if (result.ok) artifact = result.artifact;
    for (const error of result.errors ?? []) {
      rejected.push({ ...JSON.parse(error.delta_raw), code: mergeCodes[error.code] ?? error.code });
    }
    const state = stateOf(artifact);
    windows.push({ version, state, hash: hash(state), applied: result.applied_count, rejected, conflicts: [] });
    deltas = [];
    rejected = [];
  };
  for (const m of ordered) {
    const { type } = status.parseSubjectType(m.subject);
    if (type === "compiled") {
      end(status.extractVersion(m.subject));
    } else if (type === "delta") {
      parser.parseDeltaMessage(m.body_md).deltas.forEach((d, i) => {
        const at = { message_id: m.id ?? "", delta: i + 1 };
        // Errors quote raw, and nothing else reads it: so they tell which delta it is.
        if (d.valid) deltas.push({ ...d, raw: JSON.stringify(at), timestamp: m.created_ts, agent: m.from });
        else rejected.push({ ...at, code: reasonOf(d.error) });
      });
    }
  }
  end(null);
  return { windows };
}

function render({ session_id, state }) {
  const artifact = merger.createEmptyArtifact(session_id);
  artifact.sections = state;
  return { markdown: merger.renderArtifactMarkdown(artifact) };
}

const answers = { subject, delta, merge, render };

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, kind, input } = JSON.parse(line);
  let answer = { id };
  try {
    const result = answers[kind]?.(input);
    answer = result === undefined ? { id, unsupported: true } : { id, result };
  } catch (error) {
    answer.error = String(error);
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
