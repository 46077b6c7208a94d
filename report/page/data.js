// The data of the page, as JSON in an element of its own, and the groups that are shown of it:
// threads with the artifacts that are made of them, and files of no thread.

const severities = ["error", "warning", "info"];

/** readGroups sorts the data into groups, those with the most severe and most findings first. The
 * entries of a group are its messages and files with findings; message and file are where one is
 * among those of the group, from 1. */
function readGroups({ findings = [], threads = [], files = [] }) {
  const groups = [], ofThread = new Map(), ofFile = new Map(), places = new Map(), entries = new Map();
  const once = (map, key, make) => map.get(key) ?? map.set(key, make()).get(key);
  const add = (group) => groups[groups.push({ number: groups.length, entries: [], ...group }) - 1];
  const fileGroup = (path) => once(ofFile, path, () => add({ title: path }));
  const keyOf = (...parts) => JSON.stringify(parts.map((part) => part || ""));

  for (const t of threads) {
    const group = add({ ...t, title: t.id || "no thread", thread: true });
    if (t.id) once(ofThread, t.id, () => group);
    t.messages.forEach((m, i) => once(places, keyOf(m.path, t.id, m.id), () => ({ group, message: i + 1 })));
  }
  for (const file of files) {
    const group = ofThread.get(file.thread) ?? fileGroup(file.path);
    (group.files ??= []).push(file);
  }
  const groupOf = (f) => ofThread.get(f.thread) ?? (!f.thread || f.artifact ? fileGroup(f.path)
    : once(ofThread, f.thread, () => add({ title: f.thread, thread: true })));
  for (const f of findings) {
    const { group, message } = (!f.artifact && places.get(keyOf(f.path, f.thread, f.id))) || { group: groupOf(f), message: 0 };
    const id = f.mail && (f.id || f.mail.id || [f.mail.title, f.mail.from, f.mail.time]);
    const entry = once(entries, message ? keyOf(group.number, message) : keyOf(group.number, f.path, id), () => {
      const file = message || (f.mail && !f.artifact) ? 0 : 1 + (group.files ?? []).findIndex((other) => other.path === f.path);
      const made = { path: f.path, ...(message ? group.messages[message - 1] : !f.artifact && f.mail), message, file, findings: [] };
      group.entries.push(made);
      return made;
    });
    f.line = entry.message ? f.bodyLine : entry.file ? Number.parseInt(f.place, 10) || 0 : 0; // where its source is shown
    entry.findings.push(f);
  }

  for (const g of groups) {
    g.worst = Math.min(severities.length, ...g.entries.flatMap((e) => e.findings).map((f) => severities.indexOf(f.severity)));
    g.found = g.entries.reduce((n, e) => n + e.findings.length, 0);
    // What is about the whole thread comes first, and files last.
    g.entries.sort((a, b) => Math.min(a.file, 1) - Math.min(b.file, 1) || a.message - b.message);
  }
  return groups.sort((a, b) => a.worst - b.worst || b.found - a.found);
}

/** haystack is what the search looks at, in lower case. */
function haystack(group, entry, finding) {
  return [finding.message, finding.help, finding.rule, finding.name, entry.title, entry.type, entry.id, entry.from, entry.path, group.title, group.project]
    .join("\n").toLowerCase();
}
