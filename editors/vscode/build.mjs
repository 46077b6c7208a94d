// Bundles the extension into dist/, with the licences of what is in the bundle. A
// module without one is an error: it must not be passed on.
import { build } from "esbuild";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", bundle: true, minify: true, metafile: true,
  platform: "node", format: "cjs", target: "node20", external: ["vscode"], legalComments: "none", logLevel: "info",
});

const modules = new Set(Object.keys(metafile.inputs).flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
const texts = ["The extension holds the following, each under its own licence.\n"];
for (const module of [...modules].sort()) {
  const { name, version } = JSON.parse(await readFile(join(module, "package.json"), "utf8"));
  const files = (await readdir(module)).filter((file) => /^(licen[cs]e|copying|notice|thirdpartynotices)([-._].*)?$/i.test(file)).sort();
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file))) throw new Error(`${name} ${version} has no licence file`);
  for (const file of files) texts.push(`${"=".repeat(80)}\n${name} ${version}: ${file}\n\n${(await readFile(join(module, file), "utf8")).replaceAll("\r\n", "\n").trim()}\n`);
}
await writeFile("dist/THIRD_PARTY_LICENSES.txt", texts.join("\n"));
console.log(`dist/THIRD_PARTY_LICENSES.txt: ${[...modules].sort().map((m) => m.replace("node_modules/", "")).join(", ")}`);
