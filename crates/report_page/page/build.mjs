// Bundles the page's script and style into dist/, which is committed; with --tests also the tests into .build/.
import { build } from "esbuild";
import { copyFileSync } from "node:fs";

const script = {
  entryPoints: { page: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
};
await build(script);
await build({ ...script, entryPoints: { page: "src/page.css" } });
copyFileSync("src/page.html", "dist/page.html");
if (process.argv.includes("--tests")) {
  await build({
    entryPoints: ["page", "order", "maps", "screenshots", "written_page"].map((name) => `tests/${name}.test.ts`),
    outdir: ".build",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
}
