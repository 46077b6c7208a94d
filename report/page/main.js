// The page: reads its data, shows what the filter lets through, keeps the address.

const pageSize = 30; // groups that are added at a time

function start() {
  const data = JSON.parse(byID("data").textContent), groups = readGroups(data);
  const index = { groups, faulty: groups.some((g) => g.entries.length), omitted: data.omitted };
  index.clean = Math.max(0, data.checked - groups.filter((g) => g.thread).length); // threads without findings, beyond the page
  const page = { index, filter: readFilter(location.hash), nodes: new Map(), showRule };
  page.openMessage = (group, i) => {
    const node = page.nodes.get(group);
    node.toggle.toggle(true);
    node.openMessage(i);
  };
  const form = byID("filters"), more = byID("more");
  let shown = [], next = 0, turn = 0;

  const addGroups = (to) => {
    const from = next;
    next = Math.min(to, shown.length);
    const nodes = shown.slice(from, next).map((g) => groupNode(page, g));
    nodes.forEach((node, i) => page.nodes.set(shown[from + i].group, node));
    byID("groups").append(...nodes);
    more.hidden = next >= shown.length;
    more.textContent = `Show more (${(shown.length - next).toLocaleString("en")} left)`;
    if (!shown.length) byID("groups").replaceChildren(h("p.left", null, index.faulty ? "Nothing matches the filter." : "Nothing was found."));
    if (shown.length === 1 && (index.groups.length === 1 || page.filter.thread || !shown[0].entries.length)) nodes[0]?.toggle?.toggle(true);
  };

  const show = () => {
    turn++;
    const result = applyFilter(index, page.filter);
    shown = result.shown;
    next = 0;
    page.nodes.clear();
    byID("groups").replaceChildren();
    byID("shown").textContent = summary(page, result);
    showFilter(page, form);
    addGroups(pageSize);
    document.documentElement.dataset.ready = String(turn);
  };

  const change = (changes) => {
    Object.assign(page.filter, changes);
    const fragment = writeFilter(page.filter);
    history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
    return show();
  };

  let typing;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.q.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ q: form.q.value.trim() }), 120);
  });
  form.addEventListener("change", (event) => {
    if (event.target.name === "severity") change({ severity: new Set([...form.elements.severity].filter((box) => box.checked).map((box) => box.value)) });
  });
  document.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-filter]");
    if (!chosen) return;
    event.preventDefault();
    const { filter: key, value } = chosen.dataset;
    if (key === "all") change(noFilter());
    else if (key === "clean") change({ clean: !page.filter.clean });
    else change({ [key]: page.filter[key] === value ? "" : value });
  });
  window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#rule-") || location.hash === "#findings") return;
    page.filter = readFilter(location.hash);
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea")) return;
    event.preventDefault();
    form.q.focus();
  });
  more.addEventListener("click", () => addGroups(next + pageSize));
  new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && !more.hidden && addGroups(next + pageSize), { rootMargin: "600px" }).observe(more);

  form.hidden = false;
  show();
  if (location.hash.startsWith("#rule-")) showRule(location.hash.slice("#rule-".length));
}

/** summary says how much is shown. */
function summary(page, { shown, findings }) {
  const all = page.index.groups.reduce((n, g) => n + g.found, 0);
  const parts = [findings === all ? count(all, "finding") : `${findings.toLocaleString("en")} of ${count(all, "finding")}`];
  if (shown.length) parts.push(`in ${shown.length.toLocaleString("en")} ${shown.length === 1 ? "thread or file" : "threads or files"}`);
  if (page.index.omitted) parts.push(`· ${count(page.index.omitted, "more finding")} not on this page`);
  return parts.join(" ");
}

/** showFilter shows the state of the filter. */
function showFilter(page, form) {
  const { filter, index } = page;
  if (document.activeElement !== form.q) form.q.value = filter.q;
  for (const box of form.elements.severity) box.checked = filter.severity.has(box.value);
  const chip = (key, text) => filter[key] && h("button.chip", { type: "button", "data-filter": key, "data-value": filter[key], "aria-label": `Remove the filter ${text}` }, text, h("span", { "aria-hidden": "true" }, " ×"));
  const clean = index.groups.filter((g) => !g.entries.length);
  const threads = clean.filter((g) => g.thread).length, files = clean.length - threads;
  const beyond = index.clean;
  const chips = [chip("rule", `rule ${filter.rule}`), chip("agent", `agent ${filter.agent}`), chip("thread", `thread ${filter.thread}`),
    writeFilter(filter) && h("button.chip", { type: "button", "data-filter": "all" }, "Clear all"),
    index.faulty && clean.length + beyond > 0 && h("button.chip", { type: "button", "data-filter": "clean", "aria-pressed": String(filter.clean), disabled: clean.length === 0 },
      [threads + beyond > 0 && count(threads + beyond, "thread"), files > 0 && count(files, "file")].filter(Boolean).join(" and "), " without findings",
      beyond > 0 && `, ${clean.length.toLocaleString("en")} on this page`)];
  byID("chips").replaceChildren(...chips.filter(Boolean));
  for (const row of document.querySelectorAll("tr[data-rule], tr[data-agent]")) {
    const on = row.dataset.rule ? row.dataset.rule === filter.rule : row.dataset.agent === filter.agent;
    row.classList.toggle("on", on);
    const link = row.querySelector("a");
    if (on) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** showRule opens what is said of a rule. */
function showRule(id) {
  const node = byID(`rule-${id}`);
  if (!node) return;
  node.open = true;
  node.querySelector("summary").focus();
  node.scrollIntoView({ block: "start" });
}

/** chooseTheme follows the system until somebody chooses. */
function chooseTheme() {
  const themes = ["auto", "light", "dark"];
  const button = byID("theme");
  const set = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  let theme = "auto";
  try {
    theme = themes.find((t) => t === localStorage.getItem("brennerlint-theme")) ?? theme;
  } catch { /* no storage: the choice lasts as long as the page */ }
  set(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    set(theme);
    try {
      localStorage.setItem("brennerlint-theme", theme);
    } catch { /* as above */ }
  });
}

chooseTheme();
start();
