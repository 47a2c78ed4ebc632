// Opens a page from a file in headless Chromium, like somebody who got it by mail.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Window widths, from a phone to a large screen, at which nothing may be cut off. */
export const WIDTHS = [360, 768, 1440, 2560];
/** Width of a printed A4 page between its margins. */
export const PRINTED_PX = 688;

let browser: Promise<Browser> | undefined;
const folders: string[] = [];
after(async () => {
  await (await browser)?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that exists until the tests of a file are over. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  folders.push(folder);
  return folder;
}

/** Headless Chromium, until the tests of a file are over: Debian's, or the program in CHROMIUM. */
function launched(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return (browser ??= puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] }));
}

/** Requests and errors of each page. */
const complaints = new Map<Page, string[]>();

/** The page's requests and errors so far, which are then forgotten. */
export function complaintsOf(page: Page): string[] {
  return complaints.get(page)?.splice(0) ?? [];
}

/** Closes a page; fails if it made requests, had errors, or ran a text as a script. */
export async function close(page: Page): Promise<void> {
  assert.deepEqual(complaintsOf(page), []);
  assert.equal(await page.evaluate("window.pwned"), undefined);
  complaints.delete(page);
  await page.browserContext().close();
}

/** A person with a separate browser profile, who opens a page. */
export class Visitor {
  private readonly address: string;
  private readonly site: string | null;

  /** `page` is a file or an address; `site` is the folder or the server from which the page may request other files. */
  constructor(page: string, site?: string) {
    const addressOf = (path: string) => (/^https?:/.test(path) ? path : pathToFileURL(path).href);
    this.address = addressOf(page);
    this.site = site === undefined ? null : addressOf(site);
  }

  /** Opens the page with `behind`, parameters or a hash, after its address; records all requests and errors. */
  async open(behind = "", prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
    const page = await (await (await launched()).createBrowserContext()).newPage();
    await page.setViewport({ width: 1400, height: 900 });
    const found: string[] = [];
    complaints.set(page, found);
    page.on("console", (message) => found.push(message.text()));
    page.on("pageerror", (error) => found.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      const isOwn = /^(data|blob):/.test(url) || url.split(/[?#]/)[0] === this.address || (this.site !== null && url.startsWith(this.site));
      if (!isOwn) found.push(`asked for ${url}`);
    });
    await prepare(page);
    await page.goto(this.address + behind);
    return page;
  }
}

export const texts = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(selector, (found) => found.map((one) => one.textContent ?? ""));

/** The violations that axe finds. */
export async function complaintsOfAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] };
    const runner = (window as unknown as { axe: { run: (of: Document, options: object) => Promise<Found> } }).axe;
    // Otherwise axe requests the style sheet of a page with several files, which pages from files may not do.
    const { violations } = await runner.run(document, { preload: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Texts and pictures beyond the edges of the window that cannot be scrolled to (in print nothing can); texts that
    their box hides without an ellipsis; and overflow of the page itself. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("dialog[open]") ?? document;
    const isPrint = matchMedia("print").matches;
    const found: string[] = [];
    const own = document.documentElement.scrollWidth - window.innerWidth;
    if (own > 0) found.push(`the page is ${own} px wider than the window`);
    for (const one of root.querySelectorAll<HTMLElement>("h1, h2, h3, h4, p, li, button, select, input, img, canvas, figcaption, caption span, td, th")) {
      const scrolls = isPrint ? ".offscreen" : ".wide, .scroll, .offscreen";
      const isWide = one.closest(scrolls) !== null && !one.matches("caption span");
      const box = one.getBoundingClientRect();
      if (isWide || box.width === 0) continue;
      const style = getComputedStyle(one);
      const hides = style.overflowX === "hidden" && style.clipPath === "none" && style.textOverflow !== "ellipsis";
      if (hides && one.scrollWidth > one.clientWidth + 1) found.push(`${one.tagName} ${one.textContent?.slice(0, 40)} is hidden in part`);
      if (box.right > window.innerWidth + 1 || box.left < -1) found.push(`${one.tagName} ${one.textContent?.slice(0, 40)}: ${box.left} to ${box.right}`);
    }
    return found;
  });
}

/** A view to check: a page with this hash, and what is done with it first. */
export interface Look {
  visitor: Visitor;
  hash?: string;
  ready?: (page: Page) => Promise<unknown>;
}

/** Fails if anything on a page is cut off, or if texts of these elements overlap, in windows of all widths and in
    print; or if axe finds anything in either theme. */
export async function assertReadable({ visitor, hash = "", ready = async () => {} }: Look, apart = "svg text"): Promise<void> {
  const page = await visitor.open(hash);
  await ready(page);
  for (const width of ["print", ...WIDTHS] as const) {
    await page.emulateMediaType(width === "print" ? "print" : "screen");
    await page.setViewport({ width: width === "print" ? PRINTED_PX : width, height: 800 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await cutOff(page), [], `${hash} at ${width}`);
    assert.deepEqual(await overlapping(page, apart), [], `${hash} at ${width}`);
  }
  for (const value of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    assert.deepEqual(await complaintsOfAxe(page), [], `${hash} in ${value} colours`);
  }
  await close(page);
}

/** Clicks the button with this name. */
export function clickButton(page: Page, name: string): Promise<void> {
  return page.$$eval("button", (all, name) => all.filter((one) => one.textContent === name).forEach((one) => one.click()), name);
}

/** The file that a button with this name would save. */
export function savedBy(page: Page, name: string): Promise<string | undefined> {
  return page.evaluate(async (name) => {
    let made: Blob | undefined;
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => create.call(URL, (made = blob as Blob));
    HTMLAnchorElement.prototype.click = () => {};
    [...document.querySelectorAll<HTMLButtonElement>("button")].find((one) => one.textContent === name)?.click();
    return made?.text();
  }, name);
}

/** Fails unless the page has at least this many drawn figures, whose labels are neither cut off nor overlap. */
export async function assertLegible(visitor: Visitor, html: string, atLeast: number): Promise<void> {
  const figures = [...html.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)];
  assert.ok(figures.length >= atLeast);
  const page = await visitor.open();
  for (const [place, [, figure]] of figures.entries()) {
    assert.deepEqual(await cutLabels(page, Buffer.from(figure ?? "", "base64").toString("utf8")), [], `figure ${place}`);
  }
  await close(page);
}

/** Labels of a drawn figure that extend beyond its edges, or overlap. */
async function cutLabels(page: Page, svg: string): Promise<string[]> {
  const other = await page.browser().newPage();
  await other.setContent(`<!doctype html><body style="margin: 0">${svg}`);
  const beyond = await other.$eval("svg", (figure) => {
    const edge = figure.getBoundingClientRect();
    if (figure.querySelector("text") === null) return ["there is no text"];
    return [...figure.querySelectorAll("text")].flatMap((text) => {
      const box = text.getBoundingClientRect();
      const isInside = box.left > edge.left - 1 && box.right < edge.right + 1 && box.top > edge.top - 1 && box.bottom < edge.bottom + 1;
      return isInside ? [] : [`${text.textContent?.trim()} is beyond the edge`];
    });
  });
  const over = await overlapping(other, "svg text");
  await other.close();
  return [...beyond, ...over];
}

/** Pairs of these elements whose texts overlap. */
export function overlapping(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (all) => {
    const boxes = all.flatMap((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const box = range.getBoundingClientRect();
      return box.width > 0 && box.height > 0 ? [{ one, box }] : [];
    });
    // The boxes of lines are about this much taller than their letters.
    const room = 3;
    return boxes.flatMap(({ one, box }, place) =>
      boxes.slice(place + 1).flatMap(({ one: other, box: its }) => {
        const x = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const y = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        return x > 1 && y > room && !one.contains(other) ? [`${one.textContent} over ${other.textContent}`] : [];
      }),
    );
  });
}
