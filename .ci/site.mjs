// Uses the site in Chromium: node use.mjs BROWSER SITE PICTURES. See .ci/site.
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [browserPath, root, pictures] = process.argv.slice(2);
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const maxProgram = 5_000_000; // bytes, compressed

const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json" };
const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).replace(/^\/brennerlint\//, "/").replace(/\/$/, "/index.html");
  try {
    const data = await readFile(join(root, normalize(path)));
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(data);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}/brennerlint/`;
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"] });

/** context is a browser's; every fault of a page, and every request that leaves, ends the run. */
async function contextWith(options) {
  const context = await browser.newContext(options);
  context.on("weberror", (error) => { throw error.error(); });
  context.on("request", (request) => assert.ok(request.url().startsWith(base), request.url()));
  context.on("console", (message) => assert.ok(!/Content.Security.Policy|Refused to/i.test(message.text()), message.text()));
  return context;
}

/** checked waits until what the page does is checked. */
async function checked(page, act) {
  const before = await page.evaluate(() => document.documentElement.dataset.checked);
  await act?.();
  await page.waitForFunction((n) => document.documentElement.dataset.checked && document.documentElement.dataset.checked !== n, before, { timeout: 120_000 });
}

const rulesOf = (page) => page.locator("#findings article").evaluateAll((all) => all.map((a) => a.dataset.rule));
const fill = (page, text) => checked(page, () => page.fill("#text", text));

const broken = `Subject: DELTA[gpt]: Anchors <img src=x onerror="document.title='injected'">
Thread: RS-20251230-gradient-vs-lineage
From: BlueLake
To: Operator
Ack: no

## Deltas

\`\`\`delta
{
  "operation": "EDIT",
  "section": "hypothesis_slate",
  "target_id": "H2",
  "payload": { "anchors": ["§161", "§205",] },
  "rationale": "Two more anchors"
}
\`\`\`
`;

/** useEditor pastes a broken draft, fixes it, undoes that, and goes from place to place by keys. */
async function useEditor(page) {
  const start = Date.now();
  await page.goto(`${base}playground/index.html`);
  await checked(page);
  console.log(`first result after ${Date.now() - start} ms`);
  await page.focus("#text");
  await page.keyboard.press("Control+A");
  await checked(page, () => page.evaluate((text) => document.execCommand("insertText", false, text), broken)); // as a paste does
  assert.deepEqual(await rulesOf(page), ["MB-005"]);
  assert.equal(await page.locator("#findings mark").first().textContent(), ",");
  assert.equal(await page.locator("#back mark.error").textContent(), ",");
  await page.keyboard.press("F8");
  assert.equal(await page.evaluate(() => document.getElementById("text").value.slice(...["selectionStart", "selectionEnd"].map((k) => document.getElementById("text")[k]))), ",");
  await checked(page, () => page.getByRole("button", { name: "Fix: remove the comma" }).click());
  assert.deepEqual(await rulesOf(page), []);
  assert.match(await page.textContent("#findings"), /Nothing to report/);
  assert.equal(await page.inputValue("#text"), broken.replace(",]", "]"));
  await page.focus("#text");
  await checked(page, () => page.keyboard.press("Control+Z"));
  assert.equal(await page.inputValue("#text"), broken);
  await checked(page, () => page.click("#fix-all"));
  assert.deepEqual(await rulesOf(page), []);
  assert.equal(await page.locator("main img").count(), 0);
  assert.notEqual(await page.title(), "injected");

  await fill(page, "Hello");
  assert.match(await page.textContent("#verdict"), /not recognised/);
  await checked(page, () => page.selectOption("#kind", "draft"));
  assert.match(await page.textContent("#what"), /^draft/);
  await checked(page, () => page.selectOption("#kind", "auto"));
  await fill(page, "");
  assert.match(await page.textContent("#verdict"), /Paste or drop/);
}

/** drop drops a file on the page. */
const drop = (page, name, text) => page.evaluate(([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}, [name, text]);

/** useThread replays and blames a thread that was dropped. */
async function useThread(page) {
  const text = await readFile(join(root, "playground/examples/RS-20251230-cell-fate.json"), "utf8");
  await checked(page, () => drop(page, "thread.json", text));
  assert.deepEqual(await rulesOf(page), ["TH-005", "MB-005", "MR-001", "MR-013"]);
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByRole("cell", { name: "differs" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByText("BlueLake · message 17, delta 1").first().waitFor();
  await page.getByRole("tab", { name: "Findings" }).click();
  await fill(page, text.slice(0, -20)); // it ends in the middle
  assert.ok((await rulesOf(page)).includes("IN-002"), await page.textContent("#findings"));
  await checked(page, () => drop(page, "storage.sqlite3", "SQLite format 3\0\x10"));
  assert.match(await page.textContent("#findings"), /read by the program only/);
}

/** useLinks follows links with texts in them, whole and hostile ones. */
async function useLinks(context, page) {
  await fill(page, broken);
  await page.click("#share");
  await page.waitForURL(/#v1=/);
  const other = await context.newPage();
  await other.goto(page.url());
  await checked(other);
  assert.equal(await other.inputValue("#text"), broken);
  assert.deepEqual(await rulesOf(other), ["MB-005"]);
  const bomb = await page.evaluate(async () => {
    const stream = new Blob([JSON.stringify({ text: "x".repeat(64 << 20) })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return btoa([...new Uint8Array(await new Response(stream).arrayBuffer())].map((c) => String.fromCharCode(c)).join("")).replaceAll("+", "-").replaceAll("/", "_");
  });
  for (const [fragment, said] of [[bomb, /larger than 2 MiB/], ["!!!", /cannot be read/], [btoa("x"), /cannot be read/], [bomb.slice(0, 99), /cannot be read/]]) {
    await other.evaluate(() => { document.getElementById("said").textContent = ""; });
    await other.evaluate((fragment) => { location.hash = `v1=${fragment}`; }, fragment);
    await other.waitForFunction(() => document.getElementById("said").textContent);
    assert.match(await other.textContent("#said"), said);
    assert.equal(await other.inputValue("#text"), broken);
  }
  await other.goto(`${base}rules/doc/MB-005.html`);
  await other.getByRole("link", { name: "Open in the playground" }).first().click();
  await checked(other);
  assert.ok((await rulesOf(other)).includes("MB-005"));
  await other.close();
}

/** useOffline reads the playground without a network, and a page that was read before. */
async function useOffline(context, page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const other = await context.newPage();
  await other.goto(`${base}docs/watch.html`, { waitUntil: "networkidle" });
  await context.setOffline(true);
  await other.goto(`${base}playground/`);
  await checked(other);
  assert.ok((await rulesOf(other)).includes("MB-005"));
  await other.goto(`${base}docs/watch.html`);
  await other.getByRole("heading", { name: /^Watch/ }).waitFor();
  await context.setOffline(false);
  await other.close();
}

/** useBroken says so if the program cannot be loaded, and loads it again when it can be. */
async function useBroken() {
  const context = await contextWith({ serviceWorkers: "block" });
  await context.route("**/engine.bin", (route) => route.fulfill({ status: 503 }));
  const page = await context.newPage();
  await page.goto(`${base}playground/index.html`);
  await checked(page);
  assert.match(await page.textContent("#verdict"), /engine\.bin: HTTP status 503/);
  await context.unroute("**/engine.bin");
  await fill(page, broken);
  assert.deepEqual(await rulesOf(page), ["MB-005"]);
  await context.close();
}

/** useLarge is told that a text is too large to check. */
async function useLarge(page) {
  await checked(page, () => page.evaluate(() => {
    document.getElementById("text").value = "A line of mail, about as long as lines of mail are.\n".repeat(90_000);
    document.getElementById("text").dispatchEvent(new Event("input"));
  }));
  assert.match(await page.textContent("#verdict"), /larger than 4 MiB/);
  await fill(page, broken);
  assert.deepEqual(await rulesOf(page), ["MB-005"]);
}

/** useSlow gives up a check that takes more than a minute, and checks the next text. */
async function useSlow() {
  const context = await contextWith({ serviceWorkers: "block" });
  const endless = "onmessage = () => { for (;;); }; postMessage({ ready: true });";
  await context.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: endless }));
  const page = await context.newPage();
  await page.clock.install({ time: 0 });
  await page.goto(`${base}playground/index.html`);
  await page.waitForFunction(() => !document.getElementById("busy").hidden);
  await page.clock.pauseAt(59_000); // less than a minute after the check began, however slow the machine
  assert.match(await page.textContent("#verdict"), /Loading/);
  await page.clock.resume();
  await checked(page, () => page.clock.fastForward(60_000));
  assert.match(await page.textContent("#verdict"), /stopped after 60 s/);
  await context.unroute("**/worker.js");
  await fill(page, broken);
  assert.deepEqual(await rulesOf(page), ["MB-005"]);
  await context.close();
}

/** useSearch looks for rules in their table, and everywhere. */
async function useSearch(page) {
  await page.goto(`${base}docs/rules.html`);
  await page.fill("[name=q]", "trailing comma");
  await page.getByText(/^\d of \d+ rules$/).waitFor();
  assert.ok(await page.getByRole("link", { name: "MB-005", exact: true }).isVisible());
  assert.ok(!await page.getByRole("link", { name: "MR-013", exact: true }).isVisible());
  await page.reload();
  await page.getByText(/^\d of \d+ rules$/).waitFor();
  assert.equal(await page.inputValue("[name=q]"), "trailing comma");
  await page.getByRole("button", { name: "Search" }).click();
  await page.fill("#localsearch-input", "compiled-field-differs");
  await page.locator("#localsearch-list a").first().click();
  await page.waitForURL(/MR-013\.html/);
}

const looks = {
  light: { viewport: { width: 1360, height: 880 }, colorScheme: "light" },
  dark: { viewport: { width: 1360, height: 880 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light" },
};
const pages = ["index.html", "docs/rules.html", "rules/doc/MB-005.html", "docs/commands.html", "docs/agents.html", "docs/architecture.html", "docs/decisions.html", "playground/index.html"];
let looked = 0;

/** look fails if axe-core finds anything, or the page is wider than its window. */
async function look(page, what) {
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: ".DocSearch" })); // VitePress's button Search also shows its keys
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`), [], what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} is too wide`);
  if (pictures) await page.screenshot({ path: join(pictures, `${what.replaceAll(/\W+/g, "-")}.png`) });
  looked++;
}

/** lookAtAll looks at pages, and at what the playground shows of each example. */
async function lookAtAll(name, options) {
  const context = await contextWith({ ...options, bypassCSP: true, serviceWorkers: "block" }); // for axe-core alone
  const page = await context.newPage();
  for (const path of pages) {
    await page.goto(base + path);
    if (path.startsWith("playground")) await checked(page);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.equal(background[0] < 128, name === "dark", `${path}, ${name}: background ${background}`);
    await look(page, `${name} ${path}`);
  }
  const options_ = await page.locator("#example option").count();
  for (let i = 1; i < options_; i++) {
    await checked(page, () => page.selectOption("#example", { index: i }));
    await look(page, `${name} example ${i}`);
    for (const tab of await page.locator("#tabs:not([hidden]) [role=tab]").all()) {
      await tab.click();
      await page.locator(`#${await tab.getAttribute("data-panel")} :is(article, section)`).first().waitFor();
      await look(page, `${name} example ${i} ${await tab.textContent()}`);
    }
  }
  await context.close();
}

const { size } = await stat(join(root, "playground/engine.bin"));
assert.ok(size < maxProgram, `the program takes ${size} bytes, compressed`);
const context = await contextWith({ viewport: { width: 1360, height: 880 } });
const page = await context.newPage();
await useEditor(page);
await useThread(page);
await useLinks(context, page);
await useLarge(page);
await useOffline(context, page);
await useBroken();
await useSlow();
await useSearch(page);
await context.close();
for (const [name, options] of Object.entries(looks)) await lookAtAll(name, options);
await browser.close();
server.close();
console.log(`the program takes ${size} bytes; axe-core found nothing in ${looked} looks`);
