// What the page looks like. SCREENSHOTS=write makes the pictures anew, to be looked at before they are committed.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "puppeteer-core";
import { Visitor } from "./browser.ts";
import { page as pageOf, sampleData, sampleImages } from "./sample.ts";
import { difference, squaresIn, squaresOf, written } from "./screenshots.ts";

const data = sampleData(2, 60);
/** The share of squares that may look different. */
const TOLERANCE = 0.005;

interface View {
  name: string;
  hash: string;
  /** Which element, and which of them. */
  selector: string;
  place?: number;
  size: [number, number];
  dark?: boolean;
  keys?: string;
}

const VIEWS: View[] = [
  { name: "pairs", hash: "#view=pairs&sort=stem", selector: ".scroll", size: [640, 400] },
  { name: "pairs-dark", hash: "#view=pairs&sort=stem", selector: ".scroll", size: [640, 400], dark: true },
  { name: "card", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".pictures", size: [920, 300], keys: "bm" },
  { name: "strips", hash: "#view=distributions", selector: ".plot", size: [960, 170] },
  { name: "scatter", hash: "#view=distributions&within=seed,0.4,0.6,ssim,0.4,0.7,System A", selector: ".plot", place: 2, size: [960, 420] },
  { name: "near-misses", hash: "#view=distributions", selector: ".confusion tbody", size: [240, 100] },
];

let visitor: Visitor;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "report-page-"));
  const file = join(folder, "report.html");
  writeFileSync(file, pageOf(data, sampleImages(2, 60, true)));
  visitor = await Visitor.of(file);
});

after(async () => {
  await visitor?.leave();
  rmSync(folder, { recursive: true, force: true });
});

/** Another style, or another view under the same name. */
interface Damage {
  style?: string;
  hash?: string;
}

async function shot({ hash, selector, place, size, dark, keys }: View, style = ""): ReturnType<typeof squaresOf> {
  const page: Page = await visitor.open(hash, async (page) => {
    await page.setBypassCSP(style !== "");
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  });
  if (style !== "") await page.addStyleTag({ content: style });
  await page.waitForSelector(selector);
  for (const key of keys ?? "") await page.keyboard.press(key as "b");
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

/** Against the committed picture. */
async function differs(view: View, damage: Damage | null = null): Promise<number> {
  const found = await shot({ ...view, hash: damage?.hash ?? view.hash }, damage?.style);
  const page = await visitor.open();
  const path = new URL(`../tests/screenshots/${view.name}.png`, import.meta.url);
  if (process.env["SCREENSHOTS"] === "write" && damage === null) writeFileSync(path, await written(page, found));
  const expected = await squaresIn(page, readFileSync(path));
  await visitor.close(page);
  return difference(expected, found);
}

for (const view of VIEWS) {
  test(`${view.name} looks as it did`, async () => {
    const found = await differs(view);
    assert.ok(found <= TOLERANCE, `${(100 * found).toFixed(1)} % of it looks different`);
  });
}

test("a wider or narrower font makes no difference", async () => {
  for (const view of VIEWS) {
    for (const width of ["0.3px", "-0.3px"]) {
      const found = await differs(view, { style: `* { letter-spacing: ${width} !important; font-family: serif !important }` });
      assert.ok(found <= TOLERANCE, `${view.name}, ${width}: ${found}`);
    }
  }
});

test("what is missing, misplaced or of another colour makes one", async () => {
  const damage: [string, Damage][] = [
    ["pairs", { style: "img { visibility: hidden }" }],
    ["pairs", { style: ".row { grid-template-columns: 11rem 12rem 12rem 12rem !important }" }],
    ["pairs", { hash: "#view=pairs&sort=metric" }],
    ["pairs-dark", { style: ".row { background: #fff !important }" }],
    ["card", { style: ".boxes { display: none }" }],
    ["card", { style: ".masks { display: none }" }],
    ["strips", { hash: "#view=distributions&metric=effnet" }],
    ["scatter", { hash: "#view=distributions" }],
    ["near-misses", { style: ".confusion td { background: none !important }" }],
  ];
  for (const [name, change] of damage) {
    const view = VIEWS.find((view) => view.name === name);
    assert.ok(view);
    const found = await differs(view, change);
    assert.ok(found > 2 * TOLERANCE, `${name}, ${JSON.stringify(change)}: ${found}`);
  }
});
