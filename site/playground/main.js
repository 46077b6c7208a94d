// The page: what is typed is checked, and what is found is shown.

const maxInput = 4 << 20; // bytes, as in package playground

const page = {
  name: "", kind: byID("kind"), check: undefined, text: undefined, serial: 0, cost: 0, tab: "findings",

  /** load replaces the input. */
  load({ text, name = "", kind = "auto" }) {
    this.name = name;
    this.kind.value = kind;
    if (!this.kind.value) this.kind.value = "auto";
    putText(text);
    pad.setSelectionRange(0, 0);
    pad.scrollTop = 0;
    byID("pad").scrollTop = 0;
    this.changed(0);
  },

  input() { return { text: pad.value, name: this.name, kind: this.kind.value }; },

  /** changed checks again, soon: the sooner, the less a check takes. */
  changed(wait = Math.min(Math.max(80, this.cost / 2), 600)) {
    drawText(pad.value, this.text === pad.value ? this.marks() : []);
    if (this.text !== pad.value && this.text !== undefined) document.body.classList.add("stale");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), wait);
  },

  async run() {
    const { text, name, kind } = this.input();
    const serial = ++this.serial;
    if (text.trim() === "") return this.show(text, undefined);
    if (new Blob([text]).size > maxInput) return this.show(text, { error: `The text is larger than ${maxInput >> 20} MiB, which is all that this page checks. Use the program.` });
    const loaded = engine.ready, start = performance.now();
    const slow = setTimeout(() => { byID("busy").hidden = false; }, loaded ? 400 : 0);
    const answer = await engine.ask({ do: "check", text, name, kind });
    clearTimeout(slow);
    if (serial !== this.serial || answer === undefined) return undefined;
    this.cost = loaded ? performance.now() - start : 0;
    return this.show(text, answer);
  },

  /** show shows the answer to a check; undefined if there is no text. */
  show(text, answer) {
    byID("busy").hidden = true;
    document.body.classList.remove("stale");
    this.text = text;
    this.check = answer && !answer.error ? answer : undefined;
    const { check } = this;
    drawText(pad.value, pad.value === text ? this.marks() : []);
    const worst = check && (["error", "warning", "info"].find((s) => check.report.findings.some((f) => f.severity === s)) ?? "none");
    byID("verdict").className = `verdict ${worst ?? ""}`;
    byID("verdict").textContent = answer ? answer.error ?? check.line : "Paste or drop a text, or choose an example.";
    byID("verdict").classList.toggle("wrong", Boolean(answer?.error && !answer.unrecognized));
    byID("what").textContent = check ? `${check.form}, ${size(text)}${this.cost ? `, checked in ${Math.ceil(this.cost)} ms` : ""}` : size(text);
    const safe = check?.safe ?? 0, all = safe + (check?.unsafe ?? 0);
    byID("fix-all").hidden = safe === 0;
    byID("fix-all").textContent = `Fix all (${safe})`;
    byID("fix-unsafe").hidden = all === safe;
    byID("fix-unsafe").textContent = `Fix all, unsafe too (${all})`;
    byID("findings").replaceChildren(...[check ? findingList(check) : []].flat(Infinity).filter(Boolean));
    this.threads();
    document.documentElement.dataset.checked = String(this.serial);
  },

  marks() {
    if (!this.check) return [];
    return this.check.details.flatMap((d, i) => (d.span ? [{ start: d.span[0], end: d.span[1], severity: this.check.report.findings[i].severity }] : []));
  },

  /** threads shows the tabs of mail. */
  threads() {
    const mail = this.check?.kind === "mail";
    byID("tabs").hidden = !mail;
    this.filled = {};
    this.choose(mail ? this.tab : "findings", false);
  },

  /** choose shows a panel. */
  async choose(name, focus) {
    if (this.check?.kind === "mail") this.tab = name;
    for (const tab of document.querySelectorAll("#tabs [role=tab]")) {
      const on = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      byID(tab.getAttribute("aria-controls")).hidden = !on;
      if (on && focus) tab.focus();
    }
    if (name === "findings" || this.filled[name]) return;
    this.filled[name] = true;
    const panel = byID(name);
    const input = this.input(), serial = this.serial;
    const unchanged = () => serial === this.serial;
    panel.replaceChildren(h("p.meta", null, "Replaying…"));
    const answer = await engine.ask({ do: "replay", ...input });
    if (!unchanged()) return;
    if (answer.error) panel.replaceChildren(h("p.notice", null, answer.error));
    else if (name === "replay") panel.replaceChildren(...replayPanel(answer, unchanged).flat(Infinity).filter(Boolean));
    else await this.blame(panel, input, answer, unchanged);
  },

  /** blame shows who set what in a thread. */
  async blame(panel, input, { replay, threads }, unchanged) {
    const shown = h("div");
    const ask = async (i) => {
      const answer = await engine.ask({ do: "blame", ...input, thread: replay.threads[i].thread, project: threads[i].project });
      if (unchanged()) shown.replaceChildren(...(answer.error ? [h("p.notice", null, answer.error)] : blamePanel(answer.blame).flat(Infinity).filter(Boolean)));
    };
    const choice = h("select", { onchange: () => ask(choice.selectedIndex) }, replay.threads.map((t) => h("option", null, t.thread || "(no thread)")));
    panel.replaceChildren(...[replay.threads.length > 1 && h("p", null, h("label", null, "Thread ", choice)), shown].filter(Boolean));
    if (replay.threads.length) await ask(0);
    else panel.replaceChildren(h("p", null, "There is no thread of the protocol in this text."));
  },

  /** fix applies the fix of a finding. */
  fix(finding) { return this.apply({ do: "fix", fingerprint: finding.fingerprint }); },

  /** apply asks for the text with fixes, and takes it unless it was changed meanwhile. */
  async apply(request) {
    const input = this.input();
    const answer = await engine.ask({ ...request, ...input });
    if (pad.value !== input.text) return;
    if (answer.error) {
      say(answer.error);
      return;
    }
    putText(answer.text);
    say(answer.fixed === 1 ? "1 fix applied" : `${answer.fixed} fixes applied${answer.left ? `, ${answer.left} left` : ""}`);
    this.changed(0);
    byID("results").focus({ preventScroll: true });
  },

  /** next goes to the next finding, or the one before. */
  next(step) {
    const spans = this.marks().map((m) => [m.start, m.end]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const at = pad.selectionStart;
    const to = step > 0 ? spans.find((s) => s[0] > at) ?? spans[0] : spans.findLast((s) => s[0] < at) ?? spans.at(-1);
    if (to) goTo(to);
  },
};

/** size is the size of a text in words. */
function size(text) {
  const bytes = new Blob([text]).size;
  return bytes < 1 << 10 ? `${bytes} bytes` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** say tells what was done, to screen readers too. */
function say(text) {
  byID("said").textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { byID("said").textContent = ""; }, 6000);
}

/** open reads a file that was dropped or chosen. */
async function open(file) {
  if (!file) return;
  if (file.size > maxInput) {
    say(`${file.name} is larger than ${maxInput >> 20} MiB, which is all that this page checks`);
    return;
  }
  const bytes = await file.arrayBuffer();
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    say(`${file.name} is not UTF-8: bytes that are none are shown as \ufffd`);
  }
  page.load({ text, name: file.name });
}

/** fromLink loads the input that the address holds. */
async function fromLink() {
  try {
    const input = await inputOf(location.hash);
    if (!input) return false;
    page.load(input);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}

async function fromExample(file) {
  const answer = await fetch(`examples/${file}`);
  if (!answer.ok) return say(`the example cannot be loaded: HTTP status ${answer.status}`);
  return page.load({ text: await answer.text(), name: file });
}

async function share() {
  try {
    const link = await linkOf(page.input());
    window.history.replaceState(null, "", link);
    await navigator.clipboard.writeText(location.href).then(() => say("Link copied. The text is in the link and nowhere else."), () => say("The address of this page now holds the text: copy it."));
  } catch (error) {
    say(error.message);
  }
}

function listen() {
  pad.addEventListener("input", () => {
    if (location.hash.startsWith(linkPrefix)) window.history.replaceState(null, "", location.pathname);
    if (pad.value === "") page.name = "";
    page.changed();
  });
  page.kind.addEventListener("change", () => page.changed(0));
  byID("example").addEventListener("change", (event) => {
    const file = event.target.value;
    event.target.selectedIndex = 0;
    if (file) fromExample(file);
  });
  byID("open").addEventListener("click", () => byID("file").click());
  byID("file").addEventListener("change", (event) => {
    open(event.target.files[0]);
    event.target.value = "";
  });
  byID("share").addEventListener("click", share);
  byID("fix-all").addEventListener("click", () => page.apply({ do: "fix-all", unsafe: false }));
  byID("fix-unsafe").addEventListener("click", () => page.apply({ do: "fix-all", unsafe: true }));
  const list = byID("tabs");
  list.addEventListener("click", (event) => event.target.dataset.panel && page.choose(event.target.dataset.panel, true));
  list.addEventListener("keydown", (event) => {
    const all = [...list.children], at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    page.choose(all[(to + all.length) % all.length].dataset.panel, true);
  });
  addEventListener("hashchange", fromLink);
  addEventListener("keydown", (event) => {
    if (event.key !== "F8") return;
    event.preventDefault();
    page.next(event.shiftKey ? -1 : 1);
  });
  const dragged = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!dragged(event)) return;
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dragging"));
  addEventListener("drop", (event) => {
    document.body.classList.remove("dragging");
    if (!dragged(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length > 1) say("Only the first file is checked here; the program checks folders.");
    open(event.dataTransfer.files[0]);
  });
}

async function begin() {
  listen();
  engine.start();
  if (!await fromLink() && pad.value === "") await fromExample(byID("example").options[1].value);
  else page.changed(0);
  if (location.protocol === "https:" || ["localhost", "127.0.0.1"].includes(location.hostname)) {
    navigator.serviceWorker?.register(scripts.createScriptURL("../sw.js"), { scope: "../" }).catch(() => {}); // the page works without
  }
}

begin();
