// The page of a document with hostile texts, five systems and a thousand pairs, opened once for each test file.

import assert from "node:assert/strict";
import { type Visitor, texts } from "parts/browser.ts";
import type { Page } from "puppeteer-core";
import { sampleData, sampleImages, visitorOf } from "./sample.ts";

export const [SYSTEMS, PAIRS] = [5, 1000];
export const data = sampleData(SYSTEMS, PAIRS);

export const visitor = visitorOf(data, sampleImages(SYSTEMS, PAIRS));
export const open: Visitor["open"] = (hash, prepare) => visitor.open(hash, prepare);
export const stemsShown = (page: Page) => texts(page, "#pairs .row:not(.head) [role=rowheader] button");
export const status = async (page: Page) => (await texts(page, "#pairs [role=status]"))[0] ?? "";

/** Chooses a value in the menu with this label. */
export async function choose(page: Page, label: string, value: string): Promise<void> {
  const fields = await page.$$("section:not([hidden]) label.field");
  for (const field of fields) {
    const name = await field.$eval("span", (one) => one.textContent);
    const list = await field.$("select");
    if (name === label && list) {
      await list.select(value);
      return;
    }
  }
  assert.fail(`there is no menu ${label}`);
}
