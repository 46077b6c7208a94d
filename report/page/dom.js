// Elements. Texts of the data become text nodes and never markup.

/** h makes an element: its tag with classes, attributes and listeners, children. */
function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false && c !== ""));
  return node;
}

const byID = (id) => document.getElementById(id);

/** count is a number and its noun. */
function count(n, noun) {
  return `${n.toLocaleString("en")} ${noun}${n === 1 || noun === "info" ? "" : "s"}`;
}

let lastID = 0;
const newID = (prefix) => `${prefix}-${++lastID}`;

/** disclosure is a button that shows and hides what fill makes when it is first shown. */
function disclosure(tag, label, panel, fill) {
  let filled = false;
  panel.id = newID("panel");
  panel.hidden = true;
  const button = h(tag, { type: "button", "aria-expanded": "false", "aria-controls": panel.id }, label);
  button.toggle = (open) => {
    if (open && !filled) {
      filled = true;
      panel.replaceChildren(...[fill()].flat(Infinity).filter(Boolean));
    }
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => button.toggle(panel.hidden));
  return button;
}

/** tabs are panels of which one is shown; arrow keys go from tab to tab. */
function tabs(label, parts) {
  const list = h("div.tabs", { role: "tablist", "aria-label": label });
  const panels = h("div");
  const show = (i, focus) => {
    [...list.children].forEach((tab, k) => {
      tab.setAttribute("aria-selected", String(k === i));
      tab.tabIndex = k === i ? 0 : -1;
      panels.children[k].hidden = k !== i;
    });
    if (!panels.children[i].hasChildNodes()) panels.children[i].append(...[parts[i].fill()].flat(Infinity).filter(Boolean));
    if (focus) list.children[i].focus();
  };
  parts.forEach((part, i) => {
    const tab = newID("tab"), panel = newID("panel");
    list.append(h("button", { type: "button", role: "tab", id: tab, "aria-controls": panel, onclick: () => show(i) }, part.label));
    panels.append(h("div.panel", { role: "tabpanel", id: panel, "aria-labelledby": tab, tabindex: "0" }));
  });
  list.addEventListener("keydown", (event) => {
    const at = [...list.children].indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: parts.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show((to + parts.length) % parts.length, true);
  });
  show(0);
  return h("div", null, list, panels);
}
