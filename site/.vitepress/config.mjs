// The site of brennerlint. site/build writes its pages, site/pages.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { deflateRawSync } from "node:zlib";
import { defineConfig } from "vitepress";

const repository = "https://github.com/brennerlint/brennerlint";
const root = join(import.meta.dirname, "../..");
const pages = join(import.meta.dirname, "../pages");
const base = process.env.BASE ?? "/brennerlint/";

/** slug is the anchor of a heading, the same as on GitHub: links work there and here. */
const slug = (title) => title.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");

/** pathOf is the path of the page that is rendered, as it is in the repository. */
const pathOf = (env) => relative(pages, env.realPath ?? env.path).split(sep).join("/");

/** lead makes a link of a page lead to another page, or else to a file of the repository. It
 * fails if there is neither, or no such heading. */
function lead(link, from) {
  if (/^\w+:/.test(link)) return link;
  const [path, heading] = link.split("#");
  let to = path ? posix.join(posix.dirname(from), path) : from;
  if (to === "rules/testdata/ledger.tsv") to = "docs/conformance.md"; // the page that shows it
  if (existsSync(join(pages, to, "README.md"))) to = posix.join(to, "README.md");
  if (!to.endsWith(".md") || !existsSync(join(pages, to))) {
    return `${repository}/${statSync(join(root, to)).isDirectory() ? "tree" : "blob"}/main/${to}${heading ? `#${heading}` : ""}`;
  }
  const headings = [...readFileSync(join(pages, to), "utf8").matchAll(/^#+ (.*)/gm)].map(([, title]) => slug(title));
  if (heading && !headings.includes(heading)) throw new Error(`${from}: ${link}: there is no such heading`);
  return path ? `/${to.replace(/README\.md$/, "index.md")}${heading ? `#${heading}` : ""}` : link;
}

/** tryLink leads to the playground with an example of a rule: a fence below the name of its file. */
function tryLink(tokens, i, env) {
  const name = tokens[i - 2]?.content?.match(/^`([^`]+\.(?:md|json))`:$/)?.[1];
  if (!name || !pathOf(env).startsWith("rules/doc/") || / escaped$/.test(tokens[i].info)) return "";
  const input = JSON.stringify({ text: tokens[i].content, name: posix.basename(name), kind: "auto" });
  return `<p><a target="_self" href="${base}playground/index.html#v1=${deflateRawSync(input, { level: 9 }).toString("base64url")}">Open in the playground</a></p>\n`;
}

/** policy allows a page its own files and the scripts that VitePress writes into it. */
function policy(html) {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return `default-src 'self'; script-src 'self' ${scripts.join(" ")}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;
}

export default defineConfig({
  base,
  srcDir: "pages",
  srcExclude: ["public/**"],
  title: "brennerlint",
  titleTemplate: ":title · brennerlint",
  description: "Documentation of brennerlint, a linter for the Brenner Protocol",
  head: [["link", { rel: "icon", href: `${base}icon.svg` }], ["meta", { name: "referrer", content: "no-referrer" }]],
  rewrites: { "README.md": "index.md", "conformance/README.md": "conformance/index.md", "rules/doc/README.md": "rules/doc/index.md" },
  metaChunk: true,
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 } }, // the index of the search has 1,300 kB
  markdown: {
    anchor: { slugify: slug },
    attrs: { disable: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { delta: "json" },
    config(md) {
      md.disable("emoji");
      md.core.ruler.before("anchor", "lead", ({ tokens, env }) => {
        for (const token of tokens.flatMap((t) => t.children ?? []).filter((t) => t.type === "link_open")) {
          token.attrSet("href", lead(token.attrGet("href"), pathOf(env)));
        }
      });
      const { fence } = md.renderer.rules;
      md.renderer.rules.fence = (tokens, i, options, env, self) => fence(tokens, i, options, env, self) + tryLink(tokens, i, env);
    },
  },
  transformPageData(page) {
    if (page.relativePath === "index.md") page.frontmatter.titleTemplate = "a linter for the Brenner Protocol";
    if (page.relativePath === "docs/rules.md") Object.assign(page.frontmatter, { aside: false, pageClass: "wide" });
    if (page.relativePath.startsWith("rules/doc/")) Object.assign(page.frontmatter, { prev: { text: "Rules", link: "/docs/rules" }, next: false });
    if (page.relativePath === "docs/conformance.md") page.frontmatter.editLink = false;
  },
  transformHtml: (html) => html.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy(html)}">`),
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    editLink: { pattern: `${repository}/blob/main/:path`, text: "Source of this page" },
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "Rules", link: "/docs/rules", activeMatch: "/docs/rules|/rules/doc/" },
      { text: "Documentation", link: "/docs/getting-started", activeMatch: "/docs/(?!rules)" },
    ],
    sidebar: [
      { text: "Use", items: [
        { text: "Getting started", link: "/docs/getting-started" },
        { text: "CI", link: "/docs/ci" },
        { text: "Agents", link: "/docs/agents" },
        { text: "Editors", link: "/docs/editors" },
        { text: "Watch", link: "/docs/watch" },
        { text: "Playground", link: "/docs/playground" },
        { text: "Configuration", link: "/docs/configuration" },
        { text: "Suppressions", link: "/docs/suppressions-and-baseline" },
        { text: "Custom rules", link: "/docs/custom-rules" },
        { text: "From Go", link: "/docs/go" },
        { text: "Compile and diff", link: "/docs/compile" },
      ] },
      { text: "Reference", items: [
        { text: "Rules", link: "/docs/rules" },
        { text: "Commands", link: "/docs/commands" },
        { text: "Formats", link: "/docs/formats" },
        { text: "Contract", link: "/docs/contract" },
        { text: "Glossary", link: "/docs/glossary" },
      ] },
      { text: "Protocol", items: [
        { text: "Conformance", link: "/docs/conformance" },
        { text: "Decisions", link: "/docs/decisions" },
        { text: "The artifact file", link: "/docs/artifact_format" },
        { text: "Export formats", link: "/docs/mail_formats" },
        { text: "Conformance suite", link: "/conformance/" },
        { text: "Implementations", link: "/conformance/implementations" },
      ] },
      { text: "Project", items: [
        { text: "Contributing", link: "/CONTRIBUTING" },
        { text: "Architecture", link: "/docs/architecture" },
        { text: "Security", link: "/docs/security" },
        { text: "Performance", link: "/docs/performance" },
        { text: "Changelog", link: "/CHANGELOG" },
      ] },
    ],
  },
});
