// The timeline of a thread: its messages in order of time, a lane for each agent, and
// what each COMPILED merged.

const maxLanes = 8; // further agents share the last one

/** threadDetail is what a group shows besides findings: its timeline and its files. */
function threadDetail(page, group, node) {
  const thread = { messages: group.messages ?? [], versions: group.versions ?? [] };
  const parts = [];
  if (thread.messages.length) {
    parts.push(legend(thread), timeline(page, group, thread));
    node.openMessage = thread.open;
  }
  (group.files ?? []).forEach((file, i) => {
    const panel = h("div.detail");
    const text = disclosure("button.message", [typeChip("FILE"), " ", h("b.title", null, file.path)], panel, () => textWith(file.text, placedIn(page, group, (e) => e.file === i + 1)));
    if (!thread.messages.length) text.toggle(true);
    parts.push(h("div.file", null, text, panel));
  });
  return parts;
}

/** lanesOf gives each agent a lane, in the order in which they write. */
function lanesOf(thread) {
  if (thread.lanes) return thread.lanes;
  thread.lanes = new Map();
  for (const m of thread.messages) {
    if (!thread.lanes.has(m.from)) thread.lanes.set(m.from, Math.min(thread.lanes.size, maxLanes - 1));
  }
  return thread.lanes;
}

function legend(thread) {
  return h("ul.legend", { "aria-label": "Lanes" }, [...lanesOf(thread)].map(([from, lane]) => h(`li.lane-${lane}`, null, h("i.dot", { "aria-hidden": "true" }), from || "unknown")));
}

/** gutter draws the lanes beside a message. */
function gutter(thread, from, merge) {
  const lanes = Math.min(lanesOf(thread).size, maxLanes);
  const own = lanesOf(thread).get(from);
  const node = h(`span.gutter${merge ? ".merge" : ""}`, { "aria-hidden": "true" }, Array.from({ length: lanes }, (_, k) => h(`i.lane-${k}${k === own ? ".own" : ""}`)));
  node.style.setProperty("--lanes", lanes);
  return node;
}

function timeline(page, group, thread) {
  const versionOf = new Map(thread.versions.map((v, k) => [v.message, k]));
  const outcomesOf = new Map();
  for (const v of thread.versions) for (const d of v.deltas ?? []) outcomesOf.set(d.message, [...(outcomesOf.get(d.message) ?? []), d]);
  const entries = new Map(group.entries.map((e) => [e.message, e]));
  const list = h("ol.timeline");
  const rows = thread.messages.map((m, i) => {
    const entry = entries.get(i + 1);
    const at = versionOf.get(i);
    const version = thread.versions[at];
    const panel = h("div.detail");
    const body = () => messageBody(page, group, i);
    const badges = [version ? versionSummary(version) : outcomeCounts(outcomesOf.get(i) ?? []),
      entry && severityCounts([{ entry, found: entry.findings.map((_, k) => k) }])].flat(Infinity).filter(Boolean);
    const button = disclosure("button.message", [
      h("span.line", null, typeChip(m.type), " ", h("b.title", null, m.title || "(no subject)")),
      h("span.meta", null, [m.from, m.time, m.id && `message ${m.id}`].filter(Boolean).join(" · ")),
      badges.length > 0 && h("span.badges", null, badges.flatMap((b) => [b, " "]))], panel, () => {
      if (version) return versionTabs(thread, at, [{ label: "Message", fill: body }]);
      const deltas = outcomesOf.get(i);
      return [deltas && deltaTable(thread, deltas, false), body()];
    });
    const row = h(`li${version ? ".compiled" : ""}`, null, gutter(thread, m.from, version), h("div.row", null, button, panel));
    row.button = button;
    return row;
  });
  const last = thread.versions.at(-1);
  if (last?.message === -1 && last.deltas?.length) {
    const panel = h("div.detail");
    rows.push(h("li.compiled.pending", null, gutter(thread, undefined, true), h("div.row", null,
      disclosure("button.message", [h("span.line", null, h("b.title", null, "Not compiled yet")), h("span.badges", null, versionSummary(last).flat(2).flatMap((b) => [b, " "]))], panel,
        () => versionTabs(thread, thread.versions.length - 1, [])), panel)));
  }
  list.append(...rows);
  thread.open = (i) => {
    rows[i].button.toggle(true);
    rows[i].button.focus();
    rows[i].scrollIntoView({ block: "start" });
  };
  return list;
}

/** placedIn are the findings of an entry of the group, as nodes with their lines. */
function placedIn(page, group, of) {
  const findings = group.entries.find(of)?.findings ?? [];
  return findings.map((f) => ({ line: f.line ?? 0, frame: f.frame, severity: f.severity, node: findingNode(page, f, Boolean(f.line)) }));
}

/** messageBody is a message with its findings in place. */
function messageBody(page, group, i) {
  const m = group.messages[i];
  const placed = placedIn(page, group, (e) => e.message === i + 1);
  return [h("p.meta", null, h("code.path", null, m.path)), placed.filter((p) => !p.line).map((p) => p.node),
    m.body ? textWith(m.body, placed.filter((p) => p.line)) : h("p.left", null, "The export has no body of this message.")];
}
