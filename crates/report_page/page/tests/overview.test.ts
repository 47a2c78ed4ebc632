// Tests the first screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, texts } from "parts/browser.ts";
import { SYSTEMS, choose, data, open } from "./sample_page.ts";

test("the first screen has pairs from the best to the worst by a metric that can be chosen", async () => {
  const page = await open();
  await page.waitForSelector("#overview .strip img");
  const worstFirst = (system: number, metric: number) => {
    const values = data.scores[system]?.[metric]?.values ?? [];
    const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
    return [...values.keys()].sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
  };
  const shown = () => texts(page, "#overview .strip thead button");
  const expected = (system: number, metric: number) => [999, 749, 500, 250, 0].map((k) => data.stems[worstFirst(system, metric)[k] ?? 0]);
  assert.deepEqual(await shown(), expected(0, 0));
  assert.equal((await page.$$("#overview .strip img")).length, 5 * (1 + SYSTEMS));
  await choose(page, "From best to worst by", "effnet");
  assert.deepEqual(await shown(), expected(0, 3));
  await choose(page, "of", "2");
  assert.deepEqual(await shown(), expected(2, 3));
  const values = await texts(page, "#overview .strip .chosen td span");
  const numbers = values.map(Number);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await (await page.$("#overview .strip td[data-pair]"))?.click();
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [expected(2, 3)[0]]);
  await close(page);
});
