// Shows pages in Chromium: node page.mjs BROWSER PICTURES PAGE... See .ci/site.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { chromium } from "playwright-core";

const [browserPath, pictures, ...pages] = process.argv.slice(2);
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"] });
const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light" },
};

/** check fails if axe-core finds anything, or the page is wider than its window. */
async function check(page, what) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`), [], what);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${what} is too wide`);
}

for (const path of pages) {
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, bypassCSP: true }); // for axe-core alone
    const page = await context.newPage();
    page.on("pageerror", (error) => { throw error; });
    page.on("request", (request) => assert.ok(/^(file|data|blob):/.test(request.url()), request.url()));
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await page.addScriptTag({ path: axe });
    const name = `${basename(path, ".html")}-${look}`;
    const picture = async (what) => pictures && page.screenshot({ path: join(pictures, `${name}-${what}.png`) });
    await check(page, name);
    await picture("top");
    if (!(await page.locator(".timeline").count())) await page.locator("button.open").first().click();
    await page.locator(".timeline .compiled .message").first().click();
    const tabs = page.getByRole("tab");
    for (let i = 0; i < await tabs.count(); i++) {
      await tabs.nth(i).click();
      if (await page.locator("button.field").first().isVisible().catch(() => false)) await page.locator("button.field").nth(3).click();
      await page.locator(".timeline .compiled").first().scrollIntoViewIfNeeded();
      await check(page, `${name}, tab ${i + 1}`);
      await picture(`version-${i + 1}`);
    }
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 718, height: 1000 }); // A4 without margins
    await check(page, `${name}, printed`);
    if (pictures && look === "light") await page.pdf({ path: join(pictures, `${name}.pdf`), format: "A4" });
    await context.close();
  }
}
await browser.close();
console.log(`axe-core found nothing on ${pages.length} pages`);
