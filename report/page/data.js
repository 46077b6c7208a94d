// The data of the page, as JSON in an element of its own.

const severities = ["", "error", "warning", "info"];

/** readData parses the data. */
const readData = () => JSON.parse(byID("data").textContent);

/** agentName is the name behind a number. */
const agentName = (index, n) => (n < 0 ? "" : index.agents[n]);

/** haystack is what the search looks at, in lower case. */
function haystack(index, group, entry, finding) {
  const [id, name] = index.rules[finding.rule];
  return [finding.message, finding.help, id, name, entry.title, entry.type, entry.id, agentName(index, entry.from), index.paths[entry.path], group.title, group.project]
    .join("\n").toLowerCase();
}
