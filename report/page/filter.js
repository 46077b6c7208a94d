// What is shown. The state of the filter is the fragment of the address, so that a
// link leads to what somebody looked at.

const noFilter = () => ({ q: "", severity: new Set(severities), rule: "", agent: "", thread: "", clean: false });

/** readFilter is the filter of a fragment. */
function readFilter(fragment) {
  const filter = noFilter();
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const key of ["q", "rule", "agent", "thread"]) filter[key] = given.get(key) ?? "";
  filter.clean = given.get("clean") === "1";
  if (given.has("severity")) {
    filter.severity = new Set(given.get("severity").split(",").filter((s) => filter.severity.has(s)));
  }
  return filter;
}

/** writeFilter is the fragment of a filter, "" if it hides nothing. */
function writeFilter(filter) {
  const given = new URLSearchParams();
  for (const key of ["q", "rule", "agent", "thread"]) if (filter[key]) given.set(key, filter[key]);
  if (filter.severity.size < severities.length) given.set("severity", [...filter.severity].join(","));
  if (filter.clean) given.set("clean", "1");
  return given.toString().replaceAll("%2C", ",");
}

/** applyFilter lists the groups that have something to show, each with its entries and
 * findings that match. */
function applyFilter(index, filter) {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const narrow = words.length > 0 || filter.rule || filter.agent || filter.severity.size < severities.length;
  const matches = (group, entry, finding) => {
    if (!filter.severity.has(finding.severity)) return false;
    if (filter.rule && finding.rule !== filter.rule) return false;
    if (filter.agent && entry.from !== filter.agent) return false;
    if (!words.length) return true;
    finding.text ??= haystack(group, entry, finding);
    return words.every((w) => finding.text.includes(w));
  };
  const shown = [];
  let findings = 0;
  for (const group of index.groups) {
    if (filter.thread && group.title !== filter.thread) continue;
    const entries = [];
    group.entries.forEach((entry, at) => {
      const found = [];
      entry.findings.forEach((finding, i) => matches(group, entry, finding) && found.push(i));
      if (found.length) entries.push({ entry, at, found });
      findings += found.length;
    });
    const clean = !group.entries.length && (filter.clean || filter.thread || !index.faulty) && !narrow;
    if (entries.length || clean || (filter.thread && !narrow)) shown.push({ group, entries });
  }
  return { shown, findings };
}
