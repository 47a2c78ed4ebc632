// Compares screenshots like somebody who looks from across the room: by the colours of small squares, with tolerance
// for text in another font and for shifts of a few pixels.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { PNG } from "pngjs";
import type { Page } from "puppeteer-core";
import { type Visitor, close } from "./browser.ts";

/** Side of a square in pixels of the page; a committed picture has a pixel for each square. */
const SQUARE_PX = 4;
/** Number of squares by which something may have moved. */
const REACH = 2;
/** Colours that differ by more than this in red, green or blue are different; lines of text are paler than this. */
const DIFFERENT = 30;

/** A picture whose pixels are the mean colours of squares. */
function squaresOf(picture: PNG): PNG {
  const made = new PNG({ width: Math.floor(picture.width / SQUARE_PX), height: Math.floor(picture.height / SQUARE_PX) });
  for (const k of made.data.keys()) {
    const [x, y, channel] = [Math.floor(k / 4) % made.width, Math.floor(k / 4 / made.width), k % 4];
    let sum = 0;
    for (let v = y * SQUARE_PX; v < (y + 1) * SQUARE_PX; v += 1) {
      for (let u = x * SQUARE_PX; u < (x + 1) * SQUARE_PX; u += 1) sum += picture.data[4 * (v * picture.width + u) + channel] ?? 0;
    }
    made.data[k] = Math.round(sum / SQUARE_PX ** 2);
  }
  return made;
}

/** The share of squares in either picture that have no similar square near them in the other. */
function difference(one: PNG, other: PNG): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [missing, added] = [unlike(one, other), unlike(other, one)];
  return (missing + added) / (one.width * one.height);
}

function unlike(one: PNG, other: PNG): number {
  const { width, height } = one;
  const apart = (a: number, b: number) =>
    Math.max(...[0, 1, 2].map((c) => Math.abs((one.data[4 * a + c] ?? 0) - (other.data[4 * b + c] ?? 0))));
  let n = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let nearest = Infinity;
      for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v += 1) {
        for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u += 1) {
          nearest = Math.min(nearest, apart(y * width + x, v * width + u));
        }
      }
      if (nearest > DIFFERENT) n += 1;
    }
  }
  return n;
}

/** The share of squares that may be different. */
export const TOLERANCE = 0.005;

/** A part of a page, as somebody sees it. */
export interface View {
  name: string;
  hash: string;
  /** Selects the element; with `nth`, one of several. */
  selector: string;
  place?: number;
  size: [number, number];
  /** Width of the window, px. */
  window?: number;
  dark?: boolean;
  print?: boolean;
  keys?: string;
  /** Clicked first. */
  click?: string;
}

/** A deliberate change: another style, or another view under the same name. */
export interface Damage {
  style?: string;
  hash?: string;
}

async function shot(visitor: Visitor, { hash, selector, place, size, window, dark, print, keys, click }: View, style = ""): Promise<PNG> {
  const page: Page = await visitor.open(hash, async (page) => {
    await page.setBypassCSP(style !== "");
    if (window !== undefined) await page.setViewport({ width: window, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  });
  if (print) await page.emulateMediaType("print");
  if (style !== "") await page.addStyleTag({ content: style });
  if (click !== undefined) await page.click(click);
  await page.waitForSelector(selector);
  for (const key of keys ?? "") await page.keyboard.press(key as "b");
  if (/[ds]/.test(keys ?? "")) await page.waitForSelector(".map");
  const element = (await page.$$(selector))[place ?? 0] ?? null;
  await element?.evaluate((one) => {
    // Links leave the tabs in view.
    (one as HTMLElement).style.scrollMarginTop = "0";
    one.scrollIntoView({ block: "start" });
  });
  // Waits until pictures are decoded and plots are drawn.
  await page.evaluate(async () => {
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const box = await element?.boundingBox();
  if (!box) throw new Error("the element is not shown");
  const scrolled = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  const [width, height] = size;
  const clip = { x: Math.round(box.x + scrolled.x), y: Math.round(box.y + scrolled.y), width, height };
  const found = await page.screenshot({ clip, captureBeyondViewport: false });
  await close(page);
  return squaresOf(PNG.sync.read(Buffer.from(found)));
}

/** The share of a view that looks different from its committed picture in this folder. */
export async function differs(visitor: Visitor, folder: string, view: View, damage: Damage | null = null): Promise<number> {
  const found = await shot(visitor, { ...view, hash: damage?.hash ?? view.hash }, damage?.style);
  const path = `${folder}/${view.name}.png`;
  if (process.env["SCREENSHOTS"] === "write" && damage === null) writeFileSync(path, PNG.sync.write(found));
  return difference(PNG.sync.read(readFileSync(path)), found);
}

/** Fails unless a view looks like its picture. */
export async function assertLooks(visitor: Visitor, folder: string, view: View): Promise<void> {
  const found = await differs(visitor, folder, view);
  assert.ok(found <= TOLERANCE, `${(100 * found).toFixed(1)} % of it looks different`);
}
