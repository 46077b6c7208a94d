// Findings: what the report says of the text, with fixes.

const shownAtFirst = 200;

/** findingCard shows a finding of a check. */
function findingCard(check, i) {
  const finding = check.report.findings[i], detail = check.details[i];
  const { severity, rule, name, fix } = finding;
  return h(`article.finding.${severity}`, { "data-rule": rule },
    h("p.what", null, h("b.severity", null, severity), " ", ruleLink(rule), " ", h("span.name", null, name), " ", placeButton(detail.span, finding)),
    detail.message && h("p.meta", null, detail.message),
    h("p.says", null, finding.message),
    finding.suggestion && h("p.suggestion", null, finding.suggestion),
    frameOf(detail.frame, severity),
    (finding.related ?? []).map((r) => h("p.related", null, r.message, " ", r.range && h("code", null, `line ${r.range.start.line}`))),
    fix && detail.span && h("p.actions", null, h("button.apply", { type: "button", onclick: () => page.fix(finding) }, `Fix: ${fix.description || rule}`),
      fix.unsafe && h("small", null, " unsafe: may change the meaning")));
}

/** ruleLink leads to the page of a rule. */
const ruleLink = (rule) => (/^[A-Z]{2}-[A-Z]?\d+$/.test(rule) ? h("a", { href: `../rules/doc/${rule}.html`, target: "_blank", rel: "noopener" }, rule) : h("b", null, rule));

/** placeButton leads to the place in the text. */
function placeButton(span, finding) {
  if (!span || !finding.range) return undefined;
  const { line, column } = finding.range.start;
  return h("button.link.place", { type: "button", onclick: () => goTo(span), title: `Go to line ${line}, column ${column}` }, `${line}:${column}`);
}

/** findingList shows the findings of a check, and what its fixes would uncover. */
function findingList(check) {
  const { findings, after_fixes: after, failures, merge_preview: preview } = check.report;
  const list = h("div.findings");
  const show = (to) => {
    for (let i = list.children.length; i < Math.min(to, findings.length); i++) list.append(findingCard(check, i));
  };
  show(shownAtFirst);
  const more = h("button", { type: "button", onclick: () => { show(Infinity); more.remove(); } }, `Show ${count(findings.length - shownAtFirst, "more finding")}`);
  return [
    (check.notices ?? []).map((n) => h("p.notice", null, n)),
    (failures ?? []).map((f) => h("p.failure", null, `internal error: ${f.rule} failed: ${f.reason}`)),
    findings.length === 0 && !failures && h("p.clean", null, h("b", null, "Nothing to report."), " ", `Checked as ${check.form}.`),
    list,
    findings.length > shownAtFirst && more,
    after && [h("h3", null, "After these fixes"), after.map((f) => h(`article.finding.${f.severity}.after`, null,
      h("p.what", null, h("b.severity", null, f.severity), " ", ruleLink(f.rule), " ", h("span.name", null, f.name)),
      h("p.says", null, f.message), f.suggestion && h("p.suggestion", null, f.suggestion)))],
    preview && [h("h3", null, "The merge"), h("ul", null, preview.map((line) => h("li", null, line)))],
  ];
}
