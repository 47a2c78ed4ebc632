// A visitor of a page: what is pressed, and what should not happen meanwhile.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { complaintsOfAxe } from "parts/browser.ts";
import type { Browser, Page } from "puppeteer-core";

export interface Visit {
  prepare?: (page: Page) => Promise<unknown>;
  /** What follows the address. */
  parameters?: string;
  /** The server that the page comes from or sends answers to. */
  sendsTo?: string;
}

/** A new visitor, and everything that should not have happened. */
export async function open(browser: Browser, path: string, visit: Visit = {}): Promise<[Page, string[]]> {
  const page = await (await browser.createBrowserContext()).newPage();
  const faults: string[] = [];
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${String(error)}`));
  page.on("request", (request) => {
    const isExpected = /^(file|data|blob):/.test(request.url()) || (visit.sendsTo !== undefined && request.url().startsWith(visit.sendsTo));
    if (!isExpected) faults.push(`request: ${request.url()}`);
  });
  await visit.prepare?.(page);
  const address = path.startsWith("http:") ? path : pathToFileURL(path).href;
  await page.goto(address + (visit.parameters ?? ""));
  return [page, faults];
}

export const heading = (page: Page) => page.$eval("h1", (h1) => h1.textContent ?? "");

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key as "Enter");
}

/** What axe-core finds, in light and in dark. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    assert.deepEqual(await complaintsOfAxe(page), [], scheme);
  }
}

/** Answers all trials that are left, both questions alike. */
export async function answerAll(page: Page, rating: (trial: number) => number): Promise<void> {
  for (;;) {
    const shown = /^Pair (\d+) of/.exec(await heading(page));
    if (!shown) return;
    const key = `${rating(Number(shown[1]) - 1)}`;
    await press(page, key, key, "Enter");
  }
}
