// Tests the page as a whole: its size, the files it saves, print, widths and accessibility.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { assertReadable, close, savedBy, texts } from "parts/browser.ts";
import type { Page } from "puppeteer-core";
import { PAGE } from "./sample.ts";
import { PAIRS, SYSTEMS, data, open, stemsShown, visitor } from "./sample_page.ts";

test("the assets are small", () => {
  const bytes = ["page.js", "page.css"].map((name) => statSync(`${PAGE}/dist/${name}`).size);
  assert.ok(bytes.reduce((sum, n) => sum + n) < 90_000, String(bytes));
});

test("of five systems of a thousand pairs, only the visible rows are in the document", async () => {
  const page = await open("#view=pairs");
  await page.waitForSelector("#pairs .row:not(.head) img");
  assert.ok((await stemsShown(page)).length < 30);
  await close(page);
});

test("numbers can be kept as files", async () => {
  const page = await open("#methods");
  const names = await texts(page, "#methods [data-downloads] button");
  assert.deepEqual(names, ["Scores as CSV", "All numbers as JSON", "run.json"]);
  assert.equal((await savedBy(page, "Scores as CSV"))?.split("\n").length, 1 + SYSTEMS * PAIRS + 1);
  assert.equal((await texts(page, "#methods [data-copy] button")).length, 1);
  await close(page);
});

test("without a script, and in print, there is what the program wrote", async () => {
  const plain = await open("", (page) => page.setJavaScriptEnabled(false));
  const seen = await plain.$$eval("main > section", (all) => all.map((one) => (one as HTMLElement).offsetHeight > 0));
  assert.deepEqual(seen, [true, true, true, true, true]);
  assert.ok(await plain.$eval("#pairs .static img", (image) => (image as HTMLImageElement).naturalWidth > 0));
  await plain.close();

  const page = await open("#view=pairs");
  await page.emulateMediaType("print");
  const printed = await page.evaluate(() => {
    const seen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].some((one) => one.offsetHeight > 0);
    const closed = document.querySelector<HTMLElement>("#comparison details:not([open]) table");
    return [seen("#overview"), seen("#methods"), seen("#pairs .static"), closed?.checkVisibility(), seen(".live"), seen("nav")];
  });
  assert.deepEqual(printed, [true, true, true, true, false, false]);
  assert.ok((await page.pdf()).length > 1000);
  // The script draws the distributions, also of a view that nobody has seen.
  await page.emulateMediaType("screen");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const isDrawn = await page.$$eval("#distributions canvas", (all) =>
    all.map((one) => (one as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, one.clientWidth, one.clientHeight).data.some((value) => value > 0)),
  );
  assert.ok(isDrawn.length >= 2 && isDrawn.every(Boolean), isDrawn.join());
  await close(page);
});

const onPhone = (page: Page) => page.setViewport({ width: 360, height: 740 });

for (const view of ["pairs", "comparison", "methods"]) {
  test(`a link to #${view} opens with the tabs in view`, async () => {
    const page = await open(`#${view}`, onPhone);
    const tops = await page.$$eval(`nav, #${view}`, (all) => all.map((one) => one.getBoundingClientRect().top));
    assert.ok(tops.length === 2 && tops.every((top) => top >= 0 && top < 740), String(tops));
    await close(page);
  });
}

test("a table wider than a phone scrolls by itself, with a shadow at the edge behind which there is more", async () => {
  const page = await open("#comparison", onPhone);
  const wide = await page.$$eval("#comparison .wide", (all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => {
      const { overflowX, backgroundAttachment } = getComputedStyle(one);
      return [overflowX, backgroundAttachment];
    }),
  );
  assert.ok(wide.length > 0);
  for (const one of wide) assert.deepEqual(one, ["auto", "local, local, scroll, scroll"]);
  await close(page);
});

for (const hash of ["#overview", "#view=pairs", "#view=pairs&layout=tiles", "#view=pairs&layout=map", "#view=distributions", "#comparison", "#methods", `#pair=${data.stems[30]}`]) {
  const ready = async (page: Page) => {
    if (hash.startsWith("#pair=")) for (const key of ["b", "s"] as const) await page.keyboard.press(key);
  };
  test(`${hash} can be read by everybody`, () => assertReadable({ visitor, hash, ready }));
}
