// Bundles each page's script and style into its crate's page/dist/, which is committed; with --tests also the tests
// into .build/.
import { build } from "esbuild";
import { readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";

/** The crate of each page, and the name of its files. */
const PAGES = {
  report: ["../crates/report_page/page", "page"],
  survey: ["../crates/survey/page", "survey"],
  board: ["../crates/board/page", "board"],
};
const shared = { bundle: true, alias: { parts: resolve("parts") }, nodePaths: [resolve("node_modules")] };

for (const [folder, name] of Object.values(PAGES)) {
  const page = { ...shared, outdir: `${folder}/dist`, minify: true, target: "es2022", charset: "ascii", legalComments: "inline" };
  await build({ ...page, entryPoints: { [name]: `${folder}/src/main.ts` }, format: "iife" });
  await build({ ...page, entryPoints: { [name]: `${folder}/src/${name}.css` } });
}
if (process.argv.includes("--tests")) {
  rmSync(".build", { recursive: true, force: true });
  const folders = { parts: "parts", ...Object.fromEntries(Object.entries(PAGES).map(([page, [folder]]) => [page, `${folder}/tests`])) };
  for (const [name, folder] of Object.entries(folders)) {
    const tests = readdirSync(folder).filter((file) => file.endsWith(".test.ts"));
    await build({
      ...shared,
      entryPoints: tests.map((file) => `${folder}/${file}`),
      outdir: `.build/${name}`,
      outExtension: { ".js": ".mjs" },
      platform: "node",
      format: "esm",
      external: ["puppeteer-core", "axe-core", "pngjs"],
    });
  }
}
