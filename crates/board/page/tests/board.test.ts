// Opens the pages of a board of three systems and two subjects, as the program writes it, in a real browser.
// SCREENSHOTS=write makes the pictures again, to be looked at before they are committed.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { PRINTED_PX, Visitor, assertReadable, close, overlapping, scratch, texts } from "parts/browser.ts";
import { neurogauge } from "parts/command.ts";
import { writePicture } from "parts/pictures.ts";
import { TOLERANCE, type View, assertLooks, differs } from "parts/screenshots.ts";

const SCREENSHOTS = "../crates/board/page/tests/screenshots";
const VIEWS: View[] = [
  { name: "index-wide", hash: "", selector: "body", size: [1280, 800] },
  { name: "index-dark", hash: "", selector: "body", size: [1280, 800], dark: true },
  { name: "index-phone", hash: "", selector: "body", size: [360, 800], window: 360 },
  { name: "index-print", hash: "", selector: "body", size: [PRINTED_PX, 800], window: PRINTED_PX, print: true },
];
const OF_ENTRY: View[] = [
  { name: "entry-wide", hash: "", selector: "body", size: [1280, 800] },
  { name: "entry-phone", hash: "", selector: "body", size: [360, 800], window: 360 },
];

/** How much each system's colours and square differ from the stimulus. */
const SYSTEMS: Record<string, number> = { "Near <b>": 2, "Middle of three": 14, "A decoder with quite a long name": 16 };
const STIMULI = 12;

const folder = scratch();
/** A visitor for each kind of page. Any request to another address is an error. */
const visitors = new Map<string, Visitor>();
const visitorOf = (kind: string) => visitors.get(kind) ?? assert.fail(kind);

before(async () => {
  mkdirSync(join(folder, "gt"));
  for (let i = 0; i < STIMULI; i++) writePicture(join(folder, "gt", `${i}.png`), [20 * i, 90, 200 - 15 * i], 3 * i);
  for (const [place, [system, far]] of Object.entries(SYSTEMS).entries()) {
    for (const subject of ["sub-01", "sub-02"]) {
      const name = `${place}-${subject}`;
      const recon = join(folder, name);
      mkdirSync(recon);
      const shift = subject === "sub-01" ? far : far + 4;
      for (let i = 0; i < STIMULI; i++) {
        // Differences vary between pairs, so that intervals have a width.
        const own = shift + ((7 * i + 5 * place) % 9);
        writePicture(join(recon, `${i}.png`), [20 * i, 90 + 4 * own, 200 - 15 * i], Math.min(36, 3 * i + Math.floor(own / 4)));
      }
      const entry = join(folder, "entries", name);
      neurogauge("score", join(folder, "gt"), recon, "--metrics", "pixcorr,ssim,psnr", "--set", "pixel_size=48", "--out", entry);
      const card = [`system = "${system}"`, `subject = "${subject}"`, 'authors = "A. and B. Nobody"', 'licence = "MIT"'];
      if (place === 1) card.push('paper = "A paper"', "[printed]", "ssim = 0.9");
      writeFileSync(join(entry, "card.toml"), `${card.join("\n")}\n`);
    }
  }
  const board = join(folder, "board.toml");
  writeFileSync(board, 'title = "Squares: three systems"\nabout = "Squares on a ground, drawn for this test."\nentries = ["entries"]\npictures = 5\n');
  const site = join(folder, "site");
  neurogauge("board", "make", board, "--out", site);
  visitors.set("index", new Visitor(join(site, "index.html"), site));
  for (const kind of ["system", "entry", "metric"]) {
    const file = readdirSync(join(site, kind)).sort()[0] ?? assert.fail(`there is no page of ${kind}`);
    visitors.set(kind, new Visitor(join(site, kind, file), site));
  }
});

for (const view of [...VIEWS, ...OF_ENTRY]) {
  test(`${view.name} looks as it did`, async () => {
    const visitor = visitorOf(OF_ENTRY.includes(view) ? "entry" : "index");
    await assertLooks(visitor, SCREENSHOTS, view);
    const damaged = await differs(visitor, SCREENSHOTS, view, { style: "table { visibility: hidden }" });
    assert.ok(damaged > 2 * TOLERANCE, `without its tables only ${damaged} of it looks different`);
  });
}

test("every page can be read by everybody", async () => {
  for (const visitor of visitors.values()) await assertReadable({ visitor }, "th, td, svg text");
});

test("the figure of each table has labels that are neither cut nor over each other", async () => {
  const visitor = visitorOf("index");
  const page = await visitor.open();
  const beyond = await page.$$eval("svg", (figures) =>
    figures.map((figure) => {
      const edge = figure.getBoundingClientRect();
      const texts = [...figure.querySelectorAll("text")];
      const isBeyond = ({ left, right, top, bottom }: DOMRect) => left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom;
      return texts.filter((text) => isBeyond(text.getBoundingClientRect())).map((text) => text.textContent);
    }),
  );
  assert.deepEqual(beyond, [[], []]);
  assert.deepEqual(await overlapping(page, "svg text"), []);
  await close(page);
});

test("every system is shown by the same stimuli", async () => {
  const page = await visitorOf("index").open();
  const table = "section:first-of-type .pictures";
  const count = (selector: string) => page.$$eval(`${table} ${selector}`, (all) => all.length);
  assert.deepEqual([await count("thead img"), await count("tbody tr")], [5, 3]);
  const sizes = await page.$$eval(`${table} img`, async (all) => {
    await Promise.all(all.map((one) => { one.loading = "eager"; return one.decode(); }));
    return all.map((one) => one.naturalWidth);
  });
  assert.ok(sizes.length === 20 && sizes.every((px) => px > 0), String(sizes));
  await close(page);
});

test("tables are sorted by a click, and subjects and metrics chosen", async () => {
  const visitor = visitorOf("index");
  const page = await visitor.open();
  const names = () => texts(page, "section:not([hidden]) table:not(.pictures) tbody td:first-child");
  const before = await names();
  assert.equal(before.length, 2 * Object.keys(SYSTEMS).length);
  const heading = "section:first-of-type table:not(.pictures) th:first-child button";
  await page.click(heading);
  const sorted = (await names()).slice(0, 3);
  assert.deepEqual(sorted, [...sorted].sort());
  await page.click(heading);
  assert.deepEqual((await names()).slice(0, 3), [...sorted].reverse());
  // Sorted by a metric, the largest value comes first.
  await page.click("section:first-of-type table:not(.pictures) th:nth-child(3) button");
  const values = (await texts(page, "section:first-of-type table:not(.pictures) tbody td:nth-child(3) > a")).map(Number);
  assert.deepEqual(values, [...values].sort((a, b) => b - a));
  await page.select("select[name=subject]", "sub-02");
  assert.equal((await names()).length, 3);
  await page.select("select[name=metric]", "ssim");
  const shown = await page.$$eval("section:not([hidden]) table:not(.pictures) th", (all) => all.filter((one) => !one.hidden).map((one) => one.textContent?.trim()));
  assert.deepEqual(shown, ["system", "what it is", "SSIM ↑"]);
  await close(page);
});

test("ranks and differences are sorted as numbers, the largest first", async () => {
  const visitor = visitorOf("metric");
  const page = await visitor.open();
  for (const [table, name, numberOf] of [
    [0, "rank", (text: string) => text.split("–").map(Number).reduce((a, b) => a + b)],
    [1, "value", Number],
  ] as [number, string, (text: string) => number][]) {
    const found = await page.evaluate((place, name) => {
      const table = document.querySelectorAll("table")[place];
      const heading = [...(table?.querySelectorAll("th") ?? [])].find((one) => one.textContent === name);
      heading?.querySelector("button")?.click();
      const rows = [...(table?.tBodies[0]?.rows ?? [])];
      return { sort: heading?.ariaSort, texts: rows.map((row) => row.cells[heading?.cellIndex ?? 0]?.textContent ?? "") };
    }, table, name);
    const numbers = found.texts.map(numberOf);
    assert.equal(found.sort, "descending");
    assert.equal(numbers.length, 3);
    assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a), name);
  }
  await close(page);
});
