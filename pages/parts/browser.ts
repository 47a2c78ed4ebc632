// Opens a page from a file in headless Chromium, as somebody would who got it by mail.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Widths of windows, from a phone to a large screen, in which nothing may be cut. */
export const WIDTHS = [360, 768, 1440, 2560];
/** The width of a printed page of A4 between its margins. */
export const PRINTED_PX = 688;

let browser: Promise<Browser> | undefined;
const folders: string[] = [];
after(async () => {
  await (await browser)?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is there until the tests of a file are over. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  folders.push(folder);
  return folder;
}

/** Headless Chromium until the tests of a file are over: Debian's, or the program that CHROMIUM names. */
function launched(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return (browser ??= puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] }));
}

/** What each page asked for or complained about. */
const complaints = new Map<Page, string[]>();

/** What a page complained about so far, which is forgotten. */
export function complaintsOf(page: Page): string[] {
  return complaints.get(page)?.splice(0) ?? [];
}

/** Closes a page; nothing may have been asked for or complained about, and no text may have become a script. */
export async function close(page: Page): Promise<void> {
  assert.deepEqual(complaintsOf(page), []);
  assert.equal(await page.evaluate("window.pwned"), undefined);
  complaints.delete(page);
  await page.browserContext().close();
}

/** People who know nothing of each other, each of whom opens a page. */
export class Visitor {
  private readonly address: string;
  private readonly site: string | null;

  /** Of a file or an address. `site` is the folder or the server of a page that may ask for other things of it. */
  constructor(page: string, site?: string) {
    const addressOf = (path: string) => (/^https?:/.test(path) ? path : pathToFileURL(path).href);
    this.address = addressOf(page);
    this.site = site === undefined ? null : addressOf(site);
  }

  /** Opens the page with parameters or a hash behind its address; whatever it asks for or complains about is kept. */
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

/** What axe finds. */
export async function complaintsOfAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] };
    const runner = (window as unknown as { axe: { run: (of: Document, options: object) => Promise<Found> } }).axe;
    // Without this it asks for the style sheet of a page of several files, which pages from files may not.
    const { violations } = await runner.run(document, { preload: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Texts and pictures beyond the edges of the window, outside of what can be scrolled (in print nothing can); texts that their box hides
    and that do not end in an ellipsis; and the page's own overflow. */
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

/** What is looked at: a page after this hash, and what is done with it first. */
export interface Look {
  visitor: Visitor;
  hash?: string;
  ready?: (page: Page) => Promise<unknown>;
}

/** Nothing of a page is cut, and no texts of these elements are over each other, in windows of all widths and in print; and axe finds
    nothing in either theme. */
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

/** Clicks the buttons of this name. */
export function clickButton(page: Page, name: string): Promise<void> {
  return page.$$eval("button", (all, name) => all.filter((one) => one.textContent === name).forEach((one) => one.click()), name);
}

/** What a button of this name would save as a file. */
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

/** The drawn figures of a page, at least so many, have labels that are neither cut nor over each other. */
export async function assertLegible(visitor: Visitor, html: string, atLeast: number): Promise<void> {
  const figures = [...html.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)];
  assert.ok(figures.length >= atLeast);
  const page = await visitor.open();
  for (const [place, [, figure]] of figures.entries()) {
    assert.deepEqual(await cutLabels(page, Buffer.from(figure ?? "", "base64").toString("utf8")), [], `figure ${place}`);
  }
  await close(page);
}

/** What is wrong with the texts of a drawn figure: those beyond its edges, and those over each other. */
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

/** Pairs of these elements whose texts are over each other. */
export function overlapping(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (all) => {
    const boxes = all.flatMap((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const box = range.getBoundingClientRect();
      return box.width > 0 && box.height > 0 ? [{ one, box }] : [];
    });
    // Boxes of lines are taller than their letters by about this much.
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
