// The data of the page, as JSON in elements of their own; compressed where there is
// much of it.

const severities = ["", "error", "warning", "info"];

/** readBlock parses the JSON of an element. */
async function readBlock(id) {
  const node = byID(id);
  if (node.type !== "application/gzip") return JSON.parse(node.textContent);
  const bytes = Uint8Array.from(atob(node.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const blocks = new Map(); // the latest blocks, by number

/** detailOf is what the page holds of a group besides its findings; {} if nothing. */
async function detailOf(group) {
  if (!group.block) return {};
  if (!blocks.has(group.block)) {
    blocks.set(group.block, readBlock(`block-${group.block}`));
    if (blocks.size > 8) blocks.delete(blocks.keys().next().value);
  }
  return (await blocks.get(group.block))[group.at ?? 0];
}

/** agentName is the name behind a number. */
const agentName = (index, n) => (n < 0 ? "" : index.agents[n]);

/** haystack is what the search looks at, in lower case. */
function haystack(index, group, entry, finding) {
  const [id, name] = index.rules[finding.rule];
  return [finding.message, finding.help, id, name, entry.title, entry.type, entry.id, agentName(index, entry.from), index.paths[entry.path], group.title, group.project]
    .join("\n").toLowerCase();
}
