// States of a thread: each version says in what it differs from the one before, so a
// state is what all versions up to it say together.

/** stateAt is the state merged at a version: items by id, each with its fields. */
function stateAt(versions, at) {
  const items = new Map();
  const apply = (changes, version, published) => {
    for (const change of changes ?? []) {
      if (change.kind === "removed") {
        items.delete(change.id);
        continue;
      }
      const item = items.get(change.id) ?? { fields: new Map() };
      items.set(change.id, item);
      item.title = change.title;
      for (const field of change.fields ?? []) {
        const name = fieldName(field);
        if (field.after === undefined) item.fields.delete(name);
        else item.fields.set(name, { value: field.after, by: field.by, version, published });
      }
    }
  };
  versions.slice(0, at + 1).forEach((v, k) => {
    apply(v.rebased, k - 1, true);
    apply(v.changes, k, false);
  });
  return items;
}

/** fieldName is a field, or a part of one such as the outcome for a hypothesis. */
const fieldName = (field) => (field.part ? `${field.key} ${field.part}` : field.key);

/** fieldHistory lists what set a field up to a version, the latest first. */
function fieldHistory(versions, at, id, name) {
  const events = [];
  const look = (changes, version, published) => {
    const field = changes?.find((c) => c.id === id)?.fields?.find((f) => fieldName(f) === name);
    if (field) events.unshift({ ...field, version, published });
  };
  versions.slice(0, at + 1).forEach((v, k) => {
    look(v.rebased, k - 1, true);
    look(v.changes, k, false);
  });
  return events;
}

const sections = [
  ["RT", "Research Thread"], ["H", "Hypothesis Slate"], ["P", "Predictions Table"], ["T", "Discriminative Tests"],
  ["A", "Assumption Ledger"], ["X", "Anomaly Register"], ["C", "Adversarial Critique"],
];

/** bySection lists items by section, in the order of their ids. */
function bySection(items) {
  const number = (id) => id.replace(/^\D+/, "").split(".H").map(Number);
  return sections.map(([prefix, title]) => [title,
    [...items].filter(([id]) => id.replace(/[\d.].*$/, "") === prefix)
      .sort(([a], [b]) => number(a)[0] - number(b)[0] || (number(a)[1] ?? 0) - (number(b)[1] ?? 0))]).filter(([, list]) => list.length);
}

/** wordDiff parts two texts into what they begin with, where they differ, and what
 * they end with. */
function wordDiff(before, after) {
  const words = /(\s+|[,;])/;
  const a = before.split(words), b = after.split(words);
  let from = 0, end = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const part = (list, i, j) => list.slice(i, j).join("");
  return {
    head: part(a, 0, from), tail: part(a, a.length - end, a.length),
    before: part(a, from, a.length - end), after: part(b, from, b.length - end),
  };
}
