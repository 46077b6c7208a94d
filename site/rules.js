// Search over the rules: words that a row must have, and what else it must be.
"use strict";
(() => {
  const form = document.getElementById("rule-search");
  const shown = document.getElementById("rules-shown");
  const rows = [...document.querySelectorAll("table tbody tr")].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent);
    return { row, text: cells.join(" ").toLowerCase(), scope: cells[2], severity: cells[3], fix: cells[4] === "yes" };
  });
  const scope = form.elements.scope;
  for (const name of [...new Set(rows.map((r) => r.scope))].sort()) scope.append(new Option(name, name));

  const filter = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const r of rows) {
      const matches = words.every((w) => r.text.includes(w)) && (!scope.value || r.scope === scope.value) &&
        (!form.elements.severity.value || r.severity.includes(form.elements.severity.value)) && (!form.elements.fix.checked || r.fix);
      r.row.hidden = !matches;
      n += matches;
    }
    shown.textContent = n === rows.length ? `${n} rules` : `${n} of ${rows.length} rules`;
  };
  const remember = () => {
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${state.size ? `?${state}` : ""}`);
  };
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value === "on";
    else field.value = value;
  }
  form.addEventListener("input", () => {
    filter();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
})();
