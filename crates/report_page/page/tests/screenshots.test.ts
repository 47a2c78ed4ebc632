// Tests what the page looks like. SCREENSHOTS=write makes the pictures again, to be looked at before they are
// committed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENSHOTS, sampleData, sampleImages, visitorOf } from "./sample.ts";
import { type Damage, TOLERANCE, type View, assertLooks, differs } from "parts/screenshots.ts";

const data = sampleData(2, 60);
const VIEWS: View[] = [
  { name: "pairs", hash: "#view=pairs&sort=stem", selector: ".scroll", size: [640, 400] },
  { name: "pairs-dark", hash: "#view=pairs&sort=stem", selector: ".scroll", size: [640, 400], dark: true },
  { name: "card", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".pictures", size: [920, 300], keys: "bm" },
  { name: "wipe", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".pictures", size: [920, 300], keys: "w" },
  { name: "difference", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".pictures", size: [920, 300], keys: "d" },
  { name: "strip", hash: "#overview", selector: ".strip", size: [800, 480] },
  { name: "map", hash: "#view=pairs&layout=map&metric=ssim", selector: "#pairs canvas", size: [960, 480] },
  { name: "strips", hash: "#view=distributions", selector: ".plot", size: [960, 170] },
  { name: "scatter", hash: "#view=distributions&within=seed,0.4,0.6,ssim,0.4,0.7,System A", selector: ".plot", place: 2, size: [960, 420] },
  { name: "near-misses", hash: "#view=distributions", selector: ".confusion tbody", size: [240, 100] },
];
/** Views that are mostly text, whose lines break at other places in another font. */
const WORDS: View[] = [
  { name: "pairs-phone", hash: "#view=pairs&sort=stem", selector: ".scroll", size: [328, 400], window: 360 },
  { name: "pairs-tiles", hash: "#view=pairs&sort=stem&layout=tiles", selector: ".scroll", size: [960, 400] },
  { name: "card-dark", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".card", size: [960, 720], dark: true },
  { name: "card-phone", hash: `#view=pairs&pair=${data.stems[20]}`, selector: ".card", size: [352, 720], window: 360 },
  { name: "comparison", hash: "#comparison", selector: "#comparison", size: [960, 640] },
  { name: "comparison-dark", hash: "#comparison", selector: "#comparison", size: [960, 640], dark: true },
  { name: "comparison-phone", hash: "#comparison", selector: "#comparison", size: [328, 640], window: 360 },
  { name: "distributions-phone", hash: "#view=distributions", selector: "#distributions", size: [328, 640], window: 360 },
];

const visitor = visitorOf(data, sampleImages(2, 60, true));

for (const view of [...VIEWS, ...WORDS]) {
  test(`${view.name} looks as it did`, () => assertLooks(visitor, SCREENSHOTS, view));
}

test("a wider or narrower font makes no difference", async () => {
  for (const view of VIEWS) {
    for (const width of ["0.3px", "-0.3px"]) {
      const found = await differs(visitor, SCREENSHOTS, view, { style: `* { letter-spacing: ${width} !important; font-family: serif !important }` });
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
    ["wipe", { style: ".frame .over { display: none }" }],
    ["difference", { style: ".frame .map { display: none }" }],
    ["strip", { hash: "#view=overview&metric=ssim" }],
    ["map", { style: "#pairs canvas { transform: scale(0.9) }" }],
    ["strips", { hash: "#view=distributions&metric=effnet" }],
    ["scatter", { hash: "#view=distributions" }],
    ["near-misses", { style: ".confusion td { background: none !important }" }],
    ["pairs-phone", { style: "img { visibility: hidden }" }],
    ["pairs-tiles", { hash: "#view=pairs&sort=metric&layout=tiles" }],
    ["card-phone", { style: ".pictures { display: block !important }" }],
    ["comparison-dark", { style: "table { visibility: hidden }" }],
    ["distributions-phone", { style: "canvas { visibility: hidden }" }],
  ];
  for (const [name, change] of damage) {
    const view = [...VIEWS, ...WORDS].find((view) => view.name === name);
    assert.ok(view);
    const found = await differs(visitor, SCREENSHOTS, view, change);
    assert.ok(found > 2 * TOLERANCE, `${name}, ${JSON.stringify(change)}: ${found}`);
  }
});
