// A visitor of a page: what is pressed, and what must not happen meanwhile.

import assert from "node:assert/strict";
import { complaintsOfAxe } from "parts/browser.ts";
import type { Page } from "puppeteer-core";

export const heading = (page: Page) => page.$eval("h1", (h1) => h1.textContent ?? "");

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key as "Enter");
}

/** Fails if axe-core finds anything, in light or dark mode. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    assert.deepEqual(await complaintsOfAxe(page), [], scheme);
  }
}

/** Answers all remaining trials, both questions alike. */
export async function answerAll(page: Page, rating: (trial: number) => number): Promise<void> {
  for (;;) {
    const shown = /^Pair (\d+) of/.exec(await heading(page));
    if (!shown) return;
    const key = `${rating(Number(shown[1]) - 1)}`;
    await press(page, key, key, "Enter");
  }
}
