// Tests many pairs: sorting, filters, tiles, the map, and picked pairs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clickButton, close, savedBy, texts } from "parts/browser.ts";
import { goodness } from "../src/order.ts";
import { HOSTILE } from "./sample.ts";
import { PAIRS, choose, data, open, stemsShown, status } from "./sample_page.ts";

test("pairs are sorted by the menus and by the heads of the columns", async () => {
  const page = await open("#view=pairs");
  const worst = (system: number, metric: number) => {
    const values = data.scores[system]?.[metric]?.values ?? [];
    const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
    const order = [...values.keys()].filter((pair) => values[pair] !== null);
    return order.sort((a, b) => sign * (values[a] ?? 0) - sign * (values[b] ?? 0) || a - b).map((pair) => data.stems[pair]);
  };
  assert.deepEqual((await stemsShown(page)).slice(0, 5), worst(0, 0).slice(0, 5));
  await choose(page, "Metric", "effnet");
  await (await page.$$(".row.head button"))[3]?.click();
  assert.deepEqual((await stemsShown(page)).slice(0, 5), worst(2, 3).slice(0, 5));
  await (await page.$$(".row.head button"))[3]?.click();
  assert.deepEqual((await stemsShown(page))[0], worst(2, 3).at(-1));
  const sorts = await page.$$eval(".row.head [role=columnheader]", (heads) => heads.map((head) => head.getAttribute("aria-sort")));
  // For a distance, the smallest is the best.
  assert.deepEqual(sorts, ["none", null, "none", "none", "ascending", "none", "none"]);
  await choose(page, "Sort by", "human");
  const people = data.human?.values[2] ?? [];
  const liked = [...people.keys()].sort((a, b) => (people[b] ?? 0) - (people[a] ?? 0));
  assert.equal((await stemsShown(page))[0], data.stems[liked[0] ?? 0]);
  // The view is in the address.
  const hash = await page.evaluate("location.hash");
  const again = await open(String(hash));
  assert.deepEqual(await stemsShown(again), await stemsShown(page));
  await close(again);
  await close(page);
});

test("filters keep the pairs that they name", async () => {
  const page = await open("#view=pairs&metric=object_f1");
  await choose(page, "And", "any");
  const n = data.stems.filter((_, pair) => data.scores.some((scores) => scores[4]?.undefined.some(([p]) => p === pair))).length;
  assert.equal(await status(page), `${n} of ${PAIRS} pairs`);
  assert.equal((await texts(page, "#pairs .row .none"))[0], "undefined");
  await choose(page, "And", "");
  await page.type("#pairs input[type=search]", "onerror\n");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#pairs [role=status]")?.textContent?.startsWith("1 of"));
  assert.deepEqual(await stemsShown(page), [HOSTILE[1]]);
  await close(page);
});

test("a range of any metric filters, and stays while another metric sorts", async () => {
  const page = await open("#view=pairs&metric=ssim&system=System A");
  const type = (label: string, text: string) =>
    page.evaluate(
      (label, text) => {
        const field = [...document.querySelectorAll("#pairs label.field")].find((one) => one.firstChild?.textContent === label);
        const input = field?.querySelector("input");
        if (input) input.value = text;
        input?.dispatchEvent(new Event("change"));
      },
      label,
      text,
    );
  await type("SSIM from", "0.6");
  const values = data.scores[0]?.[1]?.values ?? [];
  const n = (keep: (v: number) => boolean) => values.filter((v) => v !== null && keep(v)).length;
  assert.equal(await status(page), `${n((v) => v >= 0.6)} of ${PAIRS} pairs`);
  await type("SSIM to", "0.7");
  assert.equal(await status(page), `${n((v) => v >= 0.6 && v <= 0.7)} of ${PAIRS} pairs`);
  await choose(page, "Metric", "seed");
  assert.equal(await status(page), `${n((v) => v >= 0.6 && v <= 0.7)} of ${PAIRS} pairs`);
  await clickButton(page, "Remove the range of SSIM");
  assert.equal(await status(page), `${PAIRS} pairs`);
  await close(page);
});

test("tiles of any size show the pairs of one system in the same order", async () => {
  const page = await open("#view=pairs&sort=stem&layout=tiles&tile=120");
  await page.waitForSelector("#pairs .tile img");
  const names = () => texts(page, "#pairs .tile button");
  assert.deepEqual((await names()).slice(0, 30), data.stems.slice(0, 30));
  const inRow = () => page.$eval("#pairs .tiles", (row) => row.children.length);
  const narrow = await inRow();
  const larger = await open("#view=pairs&sort=stem&layout=tiles&tile=480");
  await larger.waitForSelector("#pairs .tile img");
  assert.ok(narrow > 8 && (await larger.$eval("#pairs .tiles", (row) => row.children.length)) === 2, String(narrow));
  await close(larger);
  // The row does not cut off any part of a tile.
  const cut = await page.$$eval("#pairs .tiles", (rows) => rows.filter((row) => row.scrollHeight > row.clientHeight + 1).length);
  assert.equal(cut, 0);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[1]]);
  await close(page);
});

test("a map has a mark for each pair with features, which opens it", async () => {
  const page = await open("#view=pairs&layout=map&metric=ssim");
  await page.waitForSelector("#pairs canvas");
  assert.equal(await page.$eval(".scroll", (list) => (list as HTMLElement).offsetHeight), 0);
  const words = await page.$eval("#pairs canvas", (plot) => plot.getAttribute("aria-label") ?? "");
  const n = data.map?.at.filter((at) => at !== null).length;
  assert.ok(words.startsWith(`Map of ${n} pairs by the features of CLIP, coloured by SSIM`), words);
  const box = await (await page.$("#pairs canvas"))?.boundingBox();
  assert.ok(box);
  // The marks form an ellipse; the leftmost ones are at half its height.
  await page.mouse.click(box.x + 60 + (box.width - 76) * 0.038, box.y + 24 + (480 - 66) / 2);
  await page.waitForSelector("dialog[open]", { timeout: 3000 });
  await close(page);
});

test("picked pairs become a list of ids and a command for their figure", async () => {
  const page = await open("#view=pairs&sort=stem&metric=ssim");
  for (const place of [0, 2, 1]) await (await page.$$("#pairs .row input[type=checkbox]"))[place]?.click();
  assert.ok((await texts(page, "#pairs [aria-live]")).includes("3 picked"));
  assert.equal(await savedBy(page, "Ids as CSV"), `pair\n${HOSTILE[0]}\n"${HOSTILE[1]?.replaceAll('"', '""')}"\n${HOSTILE[2]}\n`);
  await page.evaluate(() => {
    document.execCommand = () => false;
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await clickButton(page, "Copy the command for a figure");
  const told = (await texts(page, "#pairs [role=note]"))[0] ?? "";
  assert.equal(told, `neurogauge gallery --recon 'A=a b' --pick '${HOSTILE.slice(0, 3).join(",")}' --metric ssim --out gallery.pdf`);
  await clickButton(page, "Pick all shown");
  assert.ok((await texts(page, "#pairs [aria-live]")).includes(`${PAIRS} picked`));
  assert.equal(await page.$$eval("#pairs .row input:not(:checked)", (all) => all.length), 0);
  await clickButton(page, "Pick none");
  assert.equal(await page.$$eval("#pairs .row input:checked", (all) => all.length), 0);
  await close(page);
});

test("scrolling shows the rows further down", async () => {
  const page = await open("#view=pairs&sort=stem");
  await page.$eval(".scroll", (list) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.waitForFunction((stem) => document.querySelector("#pairs .space")?.textContent?.includes(stem), {}, data.stems.at(-1) ?? "");
  assert.ok((await stemsShown(page)).length < 30);
  const places = await page.$$eval("#pairs .space .row", (rows) => rows.map((row) => Number(row.getAttribute("aria-rowindex"))));
  assert.deepEqual(places, [...places].sort((a, b) => a - b));
  await close(page);
});

test("two metrics that disagree order the pairs", async () => {
  const page = await open("#view=pairs&metric=seed&metric2=effnet");
  await choose(page, "Sort by", "disagreement");
  const [one, other] = [goodness(data, 0, 0), goodness(data, 0, 3)];
  const gap = (pair: number) => (other[pair] ?? 0) - (one[pair] ?? 0);
  const order = [...data.stems.keys()].sort((a, b) => gap(a) - gap(b) || a - b);
  assert.deepEqual((await stemsShown(page)).slice(0, 6), order.slice(0, 6).map((pair) => data.stems[pair]));
  assert.equal((await texts(page, "#pairs .row:not(.head) .value:first-of-type"))[0]?.includes("."), true);
  await choose(page, "First", "best");
  assert.equal((await stemsShown(page))[0], data.stems[order.at(-1) ?? 0]);
  await close(page);
});
