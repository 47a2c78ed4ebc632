// Tests numbers of placeholder models.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, complaintsOfAxe, texts } from "parts/browser.ts";
import { csv } from "../src/methods.ts";
import { sampleData, sampleImages, visitorOf } from "./sample.ts";

test("numbers of placeholder models have a dagger in every view, and are never bold or best", async () => {
  const marked = sampleData(2, 8);
  for (const metric of marked.metrics) metric.stand_in = ["seed", "alexnet5"].includes(metric.id);
  const other = visitorOf(marked, sampleImages(2, 8));
  const means = /rests on a placeholder model/;

  const card = await other.open(`#view=pairs&pair=${marked.stems[7]}`);
  await card.waitForSelector("dialog[open]");
  const rows = await card.$$eval("dialog .numbers tbody tr", (rows) =>
    rows.map((row) => ({
      head: row.querySelector("th")?.textContent ?? "",
      cells: [...row.querySelectorAll("td")].map((cell) => cell.firstChild?.textContent ?? ""),
      bold: row.querySelectorAll("b").length,
      small: row.querySelector("small")?.textContent ?? "",
    })),
  );
  assert.deepEqual(rows.map(({ head }) => head).slice(0, 3), ["SEED† ↑", "SSIM ↑", "AlexNet(5)† ↑"]);
  for (const [place, { cells, bold, small }] of rows.slice(0, 3).entries()) {
    const isPlaceholder = place !== 1;
    assert.ok(cells.every((cell) => (isPlaceholder ? /^0\.\d{3}†$/ : /^0\.\d{3}$/).test(cell)), cells.join());
    assert.equal(bold, isPlaceholder ? 0 : 2);
    assert.equal(small.includes("better than"), !isPlaceholder);
  }
  assert.match((await texts(card, "dialog .ranks td")).join(), /^\d+(st|nd|rd|th) of 8.*own similarity 0\.500†.*, 0\.550†/);
  assert.deepEqual(await texts(card, "dialog .ranks b"), []);
  assert.match((await texts(card, "dialog p.quiet")).join(), means);
  await close(card);

  const pairs = await other.open("#view=pairs&metric=seed");
  await pairs.waitForSelector("#pairs .row:not(.head) .value");
  assert.ok((await texts(pairs, "#pairs .row:not(.head) .value")).every((text) => /^0\.\d{3}†$/.test(text)));
  assert.match((await texts(pairs, "#pairs p")).join(), means);
  const menus = await texts(pairs, "#pairs label.field option");
  assert.ok(menus.includes("SEED†") && menus.includes("the smallest values"), menus.join());
  assert.ok(!menus.some((text) => /the (best|worst)/.test(text)), menus.join());
  await close(pairs);

  const plots = await other.open("#view=distributions&metric=seed&metric2=ssim&system=0&system2=1");
  await plots.waitForSelector("#distributions table");
  const numbers = await texts(plots, "#distributions [aria-label=Quartiles] tbody tr:first-child td:nth-child(n + 4)");
  assert.ok(numbers.length > 5 && numbers.every((text) => /^\d\.\d{3}†( to \d\.\d{3}†)?$/.test(text)), numbers.join());
  assert.match((await texts(plots, "#distributions p")).join(), means);
  assert.match((await texts(plots, "#distributions h3")).join(), /^SEED†: values.*SEED† against SSIM/);
  assert.match((await texts(plots, "#distributions p")).join(), /Mean difference −?\d\.\d{3}†/);
  const words = await plots.$$eval("#distributions canvas", (found) => found.map((one) => one.getAttribute("aria-label") ?? ""));
  assert.ok(words.every((text) => text.includes("SEED†")), words.join());
  await close(plots);

  const lines = csv(marked).trimEnd().split("\n");
  assert.equal(lines[0], "system,pair,seed,ssim,alexnet5,effnet,object_f1,stand_in");
  assert.ok(lines.length === 1 + 2 * 8 && lines.slice(1).every((line) => line.endsWith(",seed alexnet5")), lines.join());
  assert.equal(csv(sampleData(1, 2)).split("\n")[0], "system,pair,seed,ssim,alexnet5,effnet,object_f1");

  const without = await other.open("#view=pairs&metric=ssim");
  await without.waitForSelector("#pairs .row:not(.head) .value");
  assert.ok(!(await texts(without, "#pairs p, #pairs .value")).join().includes("†"));
  assert.deepEqual(await complaintsOfAxe(without), []);
  await close(without);
});
