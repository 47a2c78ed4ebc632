// Screenshots that are compared as somebody across the room would: colours of small squares, with room for texts to be set
// in another font and to lie a few pixels elsewhere.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { ElementHandle, Page } from "puppeteer-core";
import type { Visitor } from "./browser.ts";

/** Side of a square in pixels of the page; a committed picture has one pixel for each. */
const SQUARE_PX = 4;
/** Squares that something may have moved by. */
const REACH = 2;
/** Colours further apart than this, in any of red, green and blue, are different: lines of text are paler than this. */
const DIFFERENT = 30;

/** Colours of the squares of a picture, row by row. */
export interface Squares {
  width: number;
  height: number;
  /** Red, green and blue, 0 to 255. */
  colours: number[];
}

/** The squares of a part of the page, of this many pixels from the top left corner of an element. */
export async function squaresOf(page: Page, element: ElementHandle | null, width: number, height: number): Promise<Squares> {
  const box = await element?.boundingBox();
  if (!box) throw new Error("the element is not shown");
  const scrolled = await page.evaluate(() => ({ x: window.scrollX, y: window.scrollY }));
  const clip = { x: Math.round(box.x + scrolled.x), y: Math.round(box.y + scrolled.y), width, height };
  const shot = await page.screenshot({ clip, captureBeyondViewport: false, encoding: "base64" });
  return decoded(page, shot, SQUARE_PX);
}

/** The squares of a committed picture. */
export function squaresIn(page: Page, png: Buffer): Promise<Squares> {
  return decoded(page, png.toString("base64"), 1);
}

/** Means over squares of a PNG, decoded by the browser in a page that may do so. */
async function decoded(page: Page, png: string, square: number): Promise<Squares> {
  const other = await page.browser().newPage();
  const found = await other.evaluate(
    async (address, square) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const [width, height] = [Math.floor(canvas.width / square), Math.floor(canvas.height / square)];
      const colours: number[] = [];
      for (let row = 0; row < height; row += 1) {
        for (let column = 0; column < width; column += 1) {
          const sums = [0, 0, 0];
          for (let y = row * square; y < (row + 1) * square; y += 1) {
            for (let x = column * square; x < (column + 1) * square; x += 1) {
              for (let c = 0; c < 3; c += 1) sums[c]! += data[4 * (y * canvas.width + x) + c]!;
            }
          }
          colours.push(...sums.map((sum) => Math.round(sum / square ** 2)));
        }
      }
      return { width, height, colours };
    },
    `data:image/png;base64,${png}`,
    square,
  );
  await other.close();
  return found;
}

/** A PNG with a pixel for each square. */
export async function written(page: Page, squares: Squares): Promise<Buffer> {
  const other = await page.browser().newPage();
  const address = await other.evaluate(({ width, height, colours }) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(width, height);
    for (let k = 0; k < width * height; k += 1) image.data.set([...colours.slice(3 * k, 3 * k + 3), 255], 4 * k);
    context.putImageData(image, 0, 0);
    return canvas.toDataURL("image/png");
  }, squares);
  await other.close();
  return Buffer.from(address.split(",")[1] ?? "", "base64");
}

/** The share of squares of either picture that have nothing alike near them in the other. */
export function difference(one: Squares, other: Squares): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [missing, added] = [unlike(one, other), unlike(other, one)];
  return (missing + added) / (one.width * one.height);
}

function unlike(one: Squares, other: Squares): number {
  const { width, height } = one;
  const apart = (a: number, b: number) =>
    Math.max(...[0, 1, 2].map((c) => Math.abs((one.colours[3 * a + c] ?? 0) - (other.colours[3 * b + c] ?? 0))));
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

/** The share of squares that may look different. */
export const TOLERANCE = 0.005;

/** A part of a page, as it is seen by somebody. */
export interface View {
  name: string;
  hash: string;
  /** Which element, and which of them. */
  selector: string;
  place?: number;
  size: [number, number];
  /** Width of the window. */
  window?: number;
  dark?: boolean;
  print?: boolean;
  keys?: string;
  /** What is clicked first. */
  click?: string;
}

/** Another style, or another view under the same name. */
export interface Damage {
  style?: string;
  hash?: string;
}

async function shot(visitor: Visitor, { hash, selector, place, size, window, dark, print, keys, click }: View, style = ""): Promise<Squares> {
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
  await element?.evaluate((one) => one.scrollIntoView({ block: "start" }));
  // Pictures are decoded and plots drawn.
  await page.evaluate(async () => {
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const found = await squaresOf(page, element, ...size);
  await visitor.close(page);
  return found;
}

/** How much of a view looks different from its committed picture in this folder. */
export async function differs(visitor: Visitor, folder: string, view: View, damage: Damage | null = null): Promise<number> {
  const found = await shot(visitor, { ...view, hash: damage?.hash ?? view.hash }, damage?.style);
  const page = await visitor.open();
  const path = `${folder}/${view.name}.png`;
  if (process.env["SCREENSHOTS"] === "write" && damage === null) writeFileSync(path, await written(page, found));
  const expected = await squaresIn(page, readFileSync(path));
  await visitor.close(page);
  return difference(expected, found);
}

/** A view looks as its picture does. */
export async function assertLooks(visitor: Visitor, folder: string, view: View): Promise<void> {
  const found = await differs(visitor, folder, view);
  assert.ok(found <= TOLERANCE, `${(100 * found).toFixed(1)} % of it looks different`);
}
