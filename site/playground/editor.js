// The editor: a text area, and below it the same text with line numbers and marks,
// which gives it its height. What is typed is shown at once; marks follow.

const maxNumbered = 400_000; // characters of a text that has numbers and marks

const pad = byID("text");
const back = byID("back");

/** drawText draws the text with marks: spans of the text with their severities. */
function drawText(text, marks) {
  if (text.length > maxNumbered) {
    back.replaceChildren(text + "\n");
    return;
  }
  const sorted = marks.filter((m) => m.start <= text.length).sort((a, b) => a.start - b.start || b.end - a.end);
  let i = 0, open = [], start = 0;
  const lines = text.split("\n").map((line, n) => {
    const end = start + line.length;
    while (i < sorted.length && sorted[i].start <= end) open.push(sorted[i++]);
    open = open.filter((m) => m.end >= start && (m.end > start || m.start >= start));
    const node = sourceLine(n + 1, markedLine(line, start, open));
    start = end + 1;
    return node;
  });
  back.replaceChildren(...lines);
}

/** markedLine is a line that begins at an offset, with the marks in it; of two that
 * overlap the first counts. */
function markedLine(line, start, marks) {
  const parts = [];
  let at = 0;
  for (const m of marks) {
    let from = Math.max(m.start - start, at);
    let to = Math.min(Math.max(m.end, m.start + 1) - start, line.length);
    if (m.start - start >= line.length && line.length > at) from = line.length - 1, to = line.length; // the end of the line
    if (from >= to) continue;
    parts.push(line.slice(at, from), h(`mark.${m.severity}`, null, line.slice(from, to)));
    at = to;
  }
  parts.push(line.slice(at), "\n");
  return parts.filter(Boolean);
}

/** putText replaces the text so that the editor can undo it. */
function putText(text) {
  const old = pad.value;
  if (old === text) return;
  let from = 0, most = Math.min(old.length, text.length);
  while (from < most && old[from] === text[from]) from++;
  let end = 0;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  pad.focus({ preventScroll: true });
  pad.setSelectionRange(from, old.length - end);
  const added = text.slice(from, text.length - end);
  const done = document.execCommand(added ? "insertText" : "delete", false, added);
  if (!done || pad.value !== text) pad.value = text;
}

/** goTo puts the cursor at a place and shows it. */
function goTo(span) {
  pad.focus({ preventScroll: true });
  pad.setSelectionRange(span[0], span[1]);
  const line = pad.value.slice(0, span[0]).split("\n").length - 1;
  const mark = [...(back.children[line]?.querySelectorAll("mark") ?? [])][0] ?? back.children[line];
  mark?.scrollIntoView({ block: "center", inline: "nearest" });
}
