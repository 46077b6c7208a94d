// Lints the JSON artifacts of a folder with the linter of a brenner_bot checkout, which
// is run as it is.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [checkout, folder] = process.argv.slice(2);
const { lintArtifact } = await import(pathToFileURL(resolve(checkout, "apps/web/src/lib/artifact-merge.ts")).href);
let findings = 0;
for (const name of readdirSync(folder)) {
  findings += lintArtifact(JSON.parse(readFileSync(join(folder, name), "utf8"))).violations.length;
}
console.log(`${findings} findings`);
