// Bundles the page's script and style into dist/, which is committed; with --tests also the tests into .build/.
import { build } from "esbuild";
import { copyFileSync } from "node:fs";

const page = {
  bundle: true,
  minify: true,
  outdir: "dist",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
};
await build({ ...page, entryPoints: { survey: "src/main.ts" }, format: "iife" });
await build({ ...page, entryPoints: { survey: "src/survey.css" } });
copyFileSync("src/survey.html", "dist/survey.html");
if (process.argv.includes("--tests")) {
  await build({
    entryPoints: ["tests/survey.test.ts", "tests/participation.test.ts"],
    outdir: ".build",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
}
