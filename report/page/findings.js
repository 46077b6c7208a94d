// Groups with their findings.

const maxEntries = 50; // of a group, before somebody asks for more

/** findingNode shows a finding; without source where it is in place already, or where
 * the next finding has the same. */
function findingNode(page, finding, inPlace, joined) {
  const { rule: id, name, severity } = finding;
  return h(`article.finding.${severity}${joined ? ".joined" : ""}`, { "data-rule": id },
    h("p.what", null, h("b.severity", null, severity), " ",
      h("a", { href: `#rule-${id}`, onclick: (event) => { event.preventDefault(); page.showRule(id); } }, id), " ", h("span.name", null, name), " ",
      finding.fix && h("i.fix", null, "--fix"), " ", finding.place && h("code", null, finding.place)),
    h("p.says", null, finding.message),
    finding.help && h("p.suggestion", null, finding.help),
    !inPlace && !joined && frameOf(finding.frame, severity),
    (finding.related ?? []).map((r) => h("p.related", null, r.text, " ", h("code", null, r.where))));
}

/** entryNode shows a message or file with findings. */
function entryNode(page, group, { entry, found }, alone, shared) {
  const path = entry.path;
  const meta = [entry.from, entry.time, entry.id && `message ${entry.id}`].filter(Boolean);
  const open = entry.message > 0 && h("button.link", { type: "button", onclick: () => page.openMessage(group, entry.message - 1) }, "timeline");
  return h("div.entry", null,
    !alone && h("p.head", null, entry.type && [typeChip(entry.type), " "], h("b.title", null, entry.title || path), " ",
      h("span.meta", null, meta.join(" · ")), " ", open, " ", entry.title && !shared && h("code.path", null, path)),
    found.map((i, k) => findingNode(page, entry.findings[i], false, sameFrame(entry.findings[i], entry.findings[found[k + 1]]))));
}

/** sameFrame reports whether two findings are at the same place. */
const sameFrame = (a, b) => Boolean(a?.frame && b?.frame) && JSON.stringify(a.frame) === JSON.stringify(b.frame);

const typeChip = (type) => h(`span.type.${/^[A-Z]+$/.test(type) ? type.toLowerCase() : "mail"}`, null, type);

/** severityCounts counts findings, for the head of a group. */
function severityCounts(entries) {
  const found = entries.flatMap(({ entry, found }) => found.map((i) => entry.findings[i].severity));
  return severities.map((s) => [s, found.filter((f) => f === s).length]).filter(([, n]) => n)
    .map(([s, n]) => h(`b.count.${s}`, null, count(n, s)));
}

/** threadLink leads to a thread alone, with its timeline. */
const threadLink = (title) => h("a", { href: `#${new URLSearchParams({ thread: title })}`, "data-filter": "thread", "data-value": title }, title);

/** groupNode shows a thread or file. */
function groupNode(page, { group, entries }) {
  const title = newID("group");
  const list = h("div.entries");
  const alone = !group.thread && entries.length === 1;
  const paths = new Set(group.entries.filter((e) => e.title).map((e) => e.path));
  const shared = paths.size === 1 && [...paths][0]; // said once
  const show = (to) => {
    const from = list.children.length;
    list.append(...entries.slice(from, to).map((e) => entryNode(page, group, e, alone, shared)));
    if (to < entries.length) {
      const more = h("button", { type: "button", onclick: () => { more.remove(); show(to + 10 * maxEntries); } }, `Show ${count(entries.length - to, "more message")}`);
      list.after(more);
    }
  };
  const versions = (group.versions?.length ?? 0) - 1; // the last is what is pending
  const counts = [group.messages && count(group.messages.length, "message"), versions > 0 && count(versions, "version")].filter(Boolean).join(", ");
  const panel = h("div.detail");
  const node = h("section.group", { "aria-labelledby": title },
    h("header", null, h("h3", { id: title }, group.thread ? threadLink(group.title) : group.title, group.project && [" ", h("small", null, group.project)]),
      h("p.counts", null, severityCounts(entries), counts && h("span", null, counts)), shared && h("code.path", null, shared)),
    list);
  if (group.messages || group.files) {
    node.toggle = disclosure("button.open", group.messages ? "Timeline" : "Text", panel, () => threadDetail(page, group, node));
    node.querySelector("header").append(node.toggle);
    node.append(panel);
  } else if (group.thread) {
    node.append(h("p.left", null, "The page has no timeline of this thread."));
  }
  show(maxEntries);
  return node;
}
