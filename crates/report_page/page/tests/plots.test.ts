// Tests distributions and comparisons, and how they lead to pairs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clickButton, close, texts } from "parts/browser.ts";
import { disagreements, spearman } from "../src/agreement.ts";
import { goodness } from "../src/order.ts";
import { PAIRS, choose, data, open, status } from "./sample_page.ts";

test("metrics are compared, and lead to the pairs where they disagree", async () => {
  const page = await open("#view=comparison&metric=seed&metric2=ssim");
  await page.waitForSelector("#comparison table");
  // The program wrote the differences and ranks of systems, which stay.
  assert.ok(await page.$eval("#comparison details[open] table", (one) => one.offsetHeight > 0));
  assert.ok(await page.$eval("#comparison .clusters", (one) => (one as HTMLElement).offsetHeight > 0));
  const rho = await texts(page, "#comparison [aria-label='Agreement of metrics'] tbody tr:first-child td");
  assert.equal(rho[1], (spearman(goodness(data, 0, 0), goodness(data, 0, 1)) ?? 9).toFixed(2).replace("-", "−"));
  const tiles = await texts(page, "#comparison .tile button");
  const expected = disagreements(data, 0, 0, 1);
  assert.deepEqual(tiles.slice(0, 4), expected.slice(0, 4).map(({ pair }) => data.stems[pair]));
  assert.equal(tiles[4], data.stems[expected.at(-1)?.pair ?? 0]);
  await (await page.$("#comparison .tile button"))?.click();
  await page.waitForSelector("dialog[open]");
  await close(page);
});

test("a rectangle in the scatter plot selects pairs in every view", async () => {
  const page = await open("#view=distributions&metric=seed&metric2=ssim");
  await page.waitForSelector("#distributions canvas");
  const plots = await page.$$("#distributions canvas");
  assert.equal(plots.length, 4);
  const scatter = plots[2];
  await scatter?.evaluate((plot) => plot.scrollIntoView({ block: "center" }));
  const box = await scatter?.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 260, { steps: 4 });
  await page.mouse.up();
  const told = (await texts(page, "#distributions [role=status]"))[0] ?? "";
  const [, ...numbers] = /within=seed%2C([-\d.]+)%2C([-\d.]+)%2Cssim%2C([-\d.]+)%2C([-\d.]+)/.exec(String(await page.evaluate("location.hash"))) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map(Number);
  const [x, y] = [data.scores[0]?.[0]?.values ?? [], data.scores[0]?.[1]?.values ?? []];
  const inside = data.stems.filter((_, pair) => {
    const [v, w] = [x[pair] ?? -1, y[pair] ?? -1];
    return v >= a && v <= b && w >= c && w <= d;
  });
  assert.ok(inside.length > 10, `${inside.length} of ${String(await page.evaluate("location.hash"))}`);
  assert.equal(told, `${inside.length} pairs selected`);
  await clickButton(page, "Show them as pairs");
  assert.equal(await status(page), `${inside.length} of ${PAIRS} pairs`);
  await close(page);
});

test("a mark of a plot opens its pair", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions canvas");
  const plot = await page.$("#distributions canvas");
  const box = await plot?.boundingBox();
  assert.ok(box);
  // The first plot has many marks around its middle.
  await page.mouse.click(box.x + 480, box.y + 48);
  await page.waitForSelector("dialog[open]", { timeout: 2000 });
  await close(page);
});

test("a thing that is missed leads to its pairs", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions td.words");
  const names = await texts(page, "#distributions table:last-of-type th button");
  assert.ok(names.includes("person"), names.join());
  await clickButton(page, "person");
  const isMissed = (pair: number) => data.details[0]?.[pair]?.["object_f1"]?.["categories"]?.missed[0]?.reference === "person";
  const n = data.stems.filter((_, pair) => isMissed(pair)).length;
  assert.ok(n > 50 && n < PAIRS / 2, String(n));
  assert.equal(await status(page), `${n} of ${PAIRS} pairs`);
  // The menus show the failure, and choosing another name shows its pairs.
  await choose(page, "Failing at", "boat");
  const boats = data.stems.filter((_, pair) => JSON.stringify(data.details[0]?.[pair]).includes('"missed":[{"reference":"boat"'));
  assert.equal(await status(page), `${boats.length} of ${PAIRS} pairs`);
  await choose(page, "Where the system", "");
  await choose(page, "With", "");
  assert.equal(await status(page), `${PAIRS} pairs`);
  await close(page);
});

test("a near miss leads to its pairs", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions .confusion");
  assert.deepEqual(await texts(page, "#distributions .confusion tbody th"), ["cat", "dog", "car"]);
  assert.deepEqual(await texts(page, "#distributions .confusion thead th"), ["Missing", "cat", "dog", "boat"]);
  const of = (missed: number, other: number) =>
    data.near_misses[0]?.found.filter(([, row, instead]) => row === missed && instead.includes(other)).length ?? 0;
  // The rows are cat, dog, car and the columns cat, dog, boat.
  const cells = await texts(page, "#distributions .confusion td");
  assert.deepEqual(cells, ["", String(of(2, 1)), "", String(of(1, 2)), "", "", "", "", String(of(3, 4))]);
  await (await page.$("#distributions .confusion button"))?.click();
  assert.equal(await status(page), `${of(2, 1)} of ${PAIRS} pairs`);
  await choose(page, "System", "3");
  assert.equal(await status(page), `0 of ${PAIRS} pairs`);
  await close(page);
});

test("a difference says over which pairs it is", async () => {
  const page = await open("#view=distributions&metric=object_f1");
  await page.waitForSelector("#distributions canvas");
  const has = (system: number, pair: number) => (data.scores[system]?.[4]?.values[pair] ?? null) !== null;
  const pairs = data.stems.map((_, pair) => pair);
  const both = pairs.filter((pair) => has(0, pair) && has(1, pair)).length;
  const every = pairs.filter((pair) => data.systems.every((_, system) => has(system, pair))).length;
  assert.ok(every < both);
  const told = (await texts(page, "#distributions p")).find((text) => text.includes("have a value of both"));
  assert.match(told ?? "", new RegExp(`^${both} pairs have a value of both\\. Mean difference .*, over the ${every} in which every system has a value\\.$`));
  await close(page);
});
