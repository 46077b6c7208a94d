// Source: the lines around a finding, and whole bodies and files with findings in
// place.

/** sourceLine is a numbered line. */
function sourceLine(n, ...parts) {
  return h("span", { "data-n": n }, parts);
}

/** frameOf shows the lines around a finding; undefined if nobody knows them. */
function frameOf(frame, severity) {
  if (!frame) return undefined;
  const lines = frame.lines ?? [];
  return h("pre.source", null,
    lines.map((line, i) => sourceLine(frame.from + i, line)),
    sourceLine(frame.from + lines.length, ...marked(frame, severity)));
}

/** marked are the parts of the line at fault. */
function marked(frame, severity) {
  const [before, fault, after] = frame.mark;
  return [before, fault && h(`mark.${severity}`, null, fault), after].filter(Boolean);
}

/** textWith shows a body or file, each finding below its line, and lines far from any
 * finding folded. */
function textWith(text, placed) {
  const lines = text.replace(/\n$/, "").split("\n");
  const at = new Map();
  for (const p of placed) at.set(p.line, [...(at.get(p.line) ?? []), p]);
  const parts = [];
  let open = [];
  const close = () => {
    if (open.length) parts.push(h("pre.source", null, open));
    open = [];
  };
  const around = new Set();
  for (const p of placed) for (let n = p.line - 4; n <= p.line + 4; n++) around.add(n);
  const near = (n) => placed.length === 0 || lines.length < 30 || around.has(n);
  for (let n = 1; n <= lines.length; n++) {
    let far = n;
    while (far <= lines.length && !near(far)) far++;
    if (far - n > 8) {
      close();
      const from = n, to = far - 1;
      const fold = h("details.fold", null, h("summary", null, count(to - from + 1, "line")));
      fold.addEventListener("toggle", () => {
        if (fold.open && fold.children.length === 1) {
          fold.append(h("pre.source", null, lines.slice(from - 1, to).map((line, i) => sourceLine(from + i, line))));
        }
      });
      parts.push(fold);
      n = to;
      continue;
    }
    const here = at.get(n) ?? [];
    const frame = here.map((p) => p.frame).find((f) => f && f.mark.join("") === lines[n - 1]);
    open.push(frame ? sourceLine(n, ...marked(frame, here[0].severity)) : sourceLine(n, lines[n - 1]));
    if (here.length) {
      close();
      parts.push(here.map((p) => p.node));
    }
  }
  close();
  return parts;
}
