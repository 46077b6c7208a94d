// Threads: the replay of mail, and who set what in the artifact that it makes.

const shortHash = (hash) => (hash ? h("code", { title: hash }, hash.replace(/^sha256:/, "").slice(0, 10)) : "–");

/** replayPanel shows the windows of each thread. */
function replayPanel(answer, unchanged) {
  const { threads } = answer.replay;
  return [
    (answer.notices ?? []).map((n) => h("p.notice", null, n)),
    threads.length === 0 && h("p", null, "There is no thread of the protocol in this text."),
    threads.map((t, i) => h("section.thread", null, h("h3", null, t.thread || "(no thread)"), windowTable(t),
      t.windows.filter((w) => w.rejected.length).map((w) => rejectedList(w)),
      mergedArtifact(answer.threads[i].artifact, t.thread, unchanged))),
  ];
}

function windowTable(t) {
  const rows = t.windows.map((w) => h("tr", null, h("th", { scope: "row" }, w.version === null ? "?" : `v${w.version}`), h("td", null, w.message_id),
    h("td", null, String(w.base)), h("td.n", null, w.applied), h(`td.n${w.rejected.length ? ".lost" : ""}`, null, w.rejected.length), h("td", null, shortHash(w.hash)), h("td", null, published(w))));
  if (t.pending.deltas || !rows.length) {
    rows.push(h("tr", null, h("th", { scope: "row" }, "pending"), h("td", null, "–"), h("td", null, "–"), h("td.n", null, t.pending.deltas), h("td.n", null, "–"), h("td", null, shortHash(t.pending.hash)), h("td", null, "–")));
  }
  const head = ["Version", "COMPILED", "Base", "Applied", "Rejected", "State", "Published"];
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": `Versions of ${t.thread}` }, h("table", null,
    h("thead", null, h("tr", null, head.map((name, i) => h(`th${i === 3 || i === 4 ? ".n" : ""}`, { scope: "col" }, name)))), h("tbody", null, rows)));
}

/** published says whether the published artifact is what the deltas make. */
function published(w) {
  if (w.matches === null) return h("span.unknown", null, "not compared");
  return w.matches ? h("span.good", null, "matches") : h("b.bad", null, "differs");
}

function rejectedList(w) {
  return h("div", null, h("h4", null, `Rejected before ${w.version === null ? "the COMPILED" : `v${w.version}`}`),
    h("ul", null, w.rejected.map((d) => h("li", null, `message ${d.message_id}, delta ${d.delta}: `, ruleLink(d.rule), ` ${d.message}`))));
}

/** mergedArtifact shows the artifact that the deltas make, and checks it. */
function mergedArtifact(text, thread, unchanged) {
  if (!text) return undefined;
  const panel = h("div.detail");
  const button = disclosure("button", "The merged artifact", panel, () => h("pre.source", { tabindex: "0", "aria-label": "The merged artifact" }, text.replace(/\n$/, "").split("\n").map((line, i) => sourceLine(i + 1, line))));
  const check = h("button", { type: "button", onclick: () => unchanged() && page.load({ text, name: `${thread}.md`, kind: "artifact" }) }, "Check it");
  return [h("p.actions", null, button, " ", check), panel];
}

/** blamePanel shows who set each field of a thread's merged artifact. */
function blamePanel(blame) {
  const items = new Map();
  for (const f of blame.fields) items.set(f.item, [...(items.get(f.item) ?? []), f]);
  return [
    h("p.meta", null, `${count(blame.fields.length, "field")}, ${blame.unexplained} of them set by no delta`),
    [...items].map(([id, fields]) => h("section.item", null, h("h3", null, id, fields[0].field === "" && [" ", fields[0].value]),
      h("dl.fields", null, fields.map((f) => [h("dt", null, f.field || "item"), h("dd", null, f.field !== "" && [f.value, h("br")], setBy(f), historyOf(f))])))),
  ];
}

function setBy(f) {
  if (!f.explained) return h("span.by.bad", null, "no delta explains it");
  return h("span.by", null, byLine(f), f.differs && h("b.bad", null, " the artifact differs"), f.rejected && h("b.bad", null, ` should have been rejected (${f.rejected})`));
}

const byLine = (e) => [e.agent, e.message_id && `message ${e.message_id}${e.delta ? `, delta ${e.delta}` : ""}`, e.time].filter(Boolean).join(" · ");

/** historyOf lists what set a field before. */
function historyOf(f) {
  if ((f.history ?? []).length < 2) return undefined;
  const panel = h("div");
  const button = disclosure("button.link", `${count(f.history.length, "change")}`, panel, () => h("ol", null, f.history.map((e) => h("li", null, `${e.change}${e.version ? ` in v${e.version}` : ""}: ${e.value} `, h("span.by", null, byLine(e))))));
  return [" ", button, panel];
}
