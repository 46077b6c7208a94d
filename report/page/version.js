// A version: what became of the deltas, in what the state changed, what was published
// instead, and who set each field.

const outcomes = ["applied", "unchanged", "rejected", "dropped", "skipped"];

/** outcomeCounts counts what became of deltas. */
function outcomeCounts(deltas) {
  return outcomes.map((o) => [o, deltas.filter((d) => d.outcome === o).length]).filter(([, n]) => n)
    .map(([o, n]) => h(`b.outcome.${o}`, null, `${n} ${o}`));
}

/** versionName is what people call a version. */
const versionName = (v) => (v.message < 0 ? "pending" : v.number ? `v${v.number}` : "a version without a number");

/** versionSummary says in a line what a version is. */
function versionSummary(v) {
  const base = { empty: "starts from nothing", published: "starts from what was published before", replayed: "starts from the replay of the version before" }[v.base];
  const state = v.unread ? h("b.unknown", null, "not replayed: bodies are missing")
    : v.message < 0 ? undefined
    : v.matches === undefined ? h("span.unknown", null, "not compared")
    : v.matches ? h("b.good", null, "published as replayed")
    : h("b.bad", null, `published differs in ${v.more ? "more than " : ""}${count(v.published?.length ?? 0, "item")}`);
  return [h("b.version", null, versionName(v)), outcomeCounts(v.deltas ?? []), state, h("span.meta", null, base, v.tied && ", depends on the order of deltas of one instant")];
}

/** versionTabs shows a version whole. */
function versionTabs(thread, at, extra) {
  const v = thread.versions[at];
  const parts = [];
  if (v.deltas?.length) parts.push({ label: `Deltas ${v.deltas.length}`, fill: () => deltaTable(thread, v.deltas, true) });
  if (v.published?.length) parts.push({ label: `Published against replayed ${v.published.length}${v.more ? "+" : ""}`, fill: () => publishedTable(thread, at) });
  if (v.changes?.length) parts.push({ label: `Changes ${v.changes.length}`, fill: () => v.changes.map((c) => changeNode(thread, c)) });
  if (!v.unread) parts.push({ label: "State and blame", fill: () => stateNode(thread, at) });
  parts.push(...extra);
  return parts.length ? tabs(`Version ${versionName(v)}`, parts) : h("p.left", null, "Nothing is pending.");
}

/** deltaLink names a delta and leads to its message. */
function deltaLink(thread, message, delta) {
  const m = thread.messages[message];
  if (!m) return h("span.meta", null, "unknown");
  return h("button.link", { type: "button", onclick: () => thread.open(message) },
    [m.from || "unknown", `message ${m.id || message + 1}`, delta && `delta ${delta}`].filter(Boolean).join(" · "));
}

/** deltaTable lists what became of deltas. */
function deltaTable(thread, deltas, from) {
  return h("div.scroll", null, h("table.deltas", null,
    h("thead", null, h("tr", null, ["Outcome", "Operation", "Item", from ? "From" : "Delta", "Why"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", null, deltas.map((d) => h("tr", null,
      h("td", null, h(`b.outcome.${d.outcome}`, null, d.outcome)), h("td", null, d.operation ?? ""), h("td", null, h("code", null, d.item ?? "")),
      h("td", null, from ? deltaLink(thread, d.message, d.delta) : String(d.delta)),
      h("td", null, d.rule && [h("b", null, d.rule), " "], d.reason ?? "", !d.reason && d.outcome === "dropped" && "the item is killed at the same instant",
        !d.reason && d.outcome === "unchanged" && "the state says so already"))))));
}

/** changeNode shows in what an item changed, and who changed it: once, if that is the
 * same delta throughout. */
function changeNode(thread, change) {
  const fields = change.fields ?? [];
  const by = (ref) => ref && h("span.by", null, " by ", deltaLink(thread, ...ref));
  const sole = fields.every((f) => String(f.by) === String(fields[0].by)) && fields[0]?.by;
  return h("div.change", null,
    h("p.item", null, h(`b.kind.${change.kind}`, null, change.kind), " ", h("b", null, change.id), " ", change.title !== change.id && change.title, sole && by(sole)),
    h("dl.fields", null, fields.map((f) => {
      const d = wordDiff(f.before ?? "", f.after ?? "");
      const edited = f.before !== undefined && f.after !== undefined;
      return [h("dt", null, fieldName(f)), h("dd", null,
        edited ? [d.head, d.before && h("del", null, d.before), d.before && d.after && " ", d.after && h("ins", null, d.after), d.tail]
          : f.after === undefined ? h("del", null, f.before) : f.after,
        !sole && by(f.by))];
    })));
}

/** publishedTable shows side by side what deltas make and what was published. */
function publishedTable(thread, at) {
  const v = thread.versions[at];
  const state = stateAt(thread.versions, at);
  const side = (which, d, own) => [d.head, own && h(`mark.${which}`, null, own), d.tail];
  const rows = v.published.flatMap((c) => (c.fields?.length ? c.fields : [{ key: c.kind }]).map((f, i) => {
    const d = wordDiff(f.before ?? "", f.after ?? "");
    const by = state.get(c.id)?.fields.get(fieldName(f))?.by;
    return h("tr", null,
      h("th", { scope: "row" }, i === 0 && [c.id, " "], h("code", null, fieldName(f)), i === 0 && c.kind !== "edited" && [" ", h(`b.kind.${c.kind}`, null, { removed: "not published", added: "only published" }[c.kind] ?? c.kind)]),
      h("td", { "data-label": "Replayed" }, f.before === undefined ? h("i", null, "absent") : side("replayed", d, d.before), by && h("p.by", null, "by ", deltaLink(thread, ...by))),
      h("td", { "data-label": "Published" }, f.after === undefined ? h("i", null, "absent") : side("published", d, d.after)));
  }));
  return h("div.scroll", null, h("table.published", null,
    h("thead", null, h("tr", null, ["Field", "Replayed: what the deltas say", "Published"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", null, rows)));
}

/** stateNode shows the whole state; each field tells who set it. */
function stateNode(thread, at) {
  const items = stateAt(thread.versions, at);
  if (!items.size) return h("p.left", null, "The state is empty.");
  return [h("p.meta", null, "Choose a field to see who set it."), bySection(items).map(([title, list]) => h("div.part", null, h("h4", null, title), list.map(([id, item]) => {
    const killed = item.fields.has("killed_by") || item.fields.has("kill_reason");
    return h(`div.item${killed ? ".killed" : ""}`, null,
      h("p.item", null, h("b", null, id), " ", item.title !== id && item.title, killed && [" ", h("b.kind.killed", null, "killed")]),
      h("div.fields", null, [...item.fields].map(([name, field]) => fieldNode(thread, at, id, name, field))));
  })))];
}

/** fieldNode shows a field, and who set it when somebody asks. */
function fieldNode(thread, at, id, name, field) {
  const blame = h("div.blame");
  return [disclosure("button.field", [h("code", null, name), " ", h("span", null, field.value)], blame, () => {
    const events = fieldHistory(thread.versions, at, id, name);
    return h("ol", null, events.map((e) => h("li", null,
      h("b", null, e.published ? `published with ${versionName(thread.versions[e.version])}` : `set in ${versionName(thread.versions[e.version])}`), " ",
      e.by ? ["by ", deltaLink(thread, ...e.by)] : e.published ? "by the publisher: no delta says so" : "by no delta that is known",
      e.before !== undefined && h("p.before", null, "before: ", h("del", null, e.before)))));
  }), blame];
}
