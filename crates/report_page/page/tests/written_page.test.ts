// Tests a page that the program wrote from real runs; REPORT_PAGE is its path.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ReportData } from "../src/data.ts";
import { SCREENSHOTS } from "./sample.ts";
import { PRINTED_PX, Visitor, assertLegible, assertReadable, close, texts } from "parts/browser.ts";
import { type View, assertLooks } from "parts/screenshots.ts";

const file = process.env["REPORT_PAGE"];

/** Screenshots of pages, by the beginning of their title: of the demo's run, of a study of it, and of all results.
    SCREENSHOTS=write makes the pictures again, to be looked at before they are committed. */
const VIEWS: Record<string, View[]> = {
  "run-all": [
    { name: "first-wide", hash: "#overview", selector: ".first", size: [1280, 560] },
    { name: "first-dark", hash: "#overview", selector: ".first", size: [1280, 560], dark: true },
    { name: "first-phone", hash: "#overview", selector: ".first", size: [320, 800], window: 360 },
    { name: "first-print", hash: "#overview", selector: ".first", size: [640, 720], window: 700, print: true },
  ],
  Study: [
    { name: "study-wide", hash: "#study", selector: "#study", size: [1280, 720] },
    { name: "study-dark", hash: "#study", selector: "#study", size: [1280, 720], dark: true },
    { name: "study-phone", hash: "#study", selector: "#study", size: [320, 800], window: 360 },
    { name: "study-print", hash: "#study", selector: "#study", size: [640, 720], window: PRINTED_PX, print: true },
  ],
  "All results": [
    { name: "audit-wide", hash: "#audit", selector: "#audit", size: [1280, 720] },
    { name: "audit-dark", hash: "#audit", selector: "#audit", size: [1280, 720], dark: true },
    { name: "audit-phone", hash: "#audit", selector: "#audit", size: [320, 800], window: 360 },
    { name: "audit-print", hash: "#audit", selector: "#audit", size: [640, 720], window: PRINTED_PX, print: true },
  ],
};

test("a page that the program wrote", { skip: file ? false : "REPORT_PAGE names no page" }, async (t) => {
  const html = readFileSync(file ?? "", "utf8");
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "null";
  const data = JSON.parse(text) as ReportData;
  const visitor = new Visitor(file ?? "");

  await t.test("has every pair and shows it", async () => {
    const page = await visitor.open("#view=pairs");
    assert.equal((await texts(page, "#pairs [role=status]"))[0], `${data.stems.length} pairs`);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    const images = await page.$$eval("dialog .pictures img", (all) =>
      all.map((one) => (one as HTMLImageElement).complete && (one as HTMLImageElement).naturalWidth > 0),
    );
    assert.deepEqual(images, Array.from({ length: data.systems.length + 1 }, () => true));
    const rows = await texts(page, "dialog .numbers tbody th");
    assert.equal(rows.length, data.metrics.length + (data.human ? 1 : 0));
    await close(page);
  });

  const views = Object.entries(VIEWS).find(([title]) => data.title.startsWith(title))?.[1] ?? [];
  for (const view of views) {
    await t.test(`${view.name} looks as it did`, () => assertLooks(visitor, SCREENSHOTS, view));
  }

  const sections = [...html.matchAll(/<a href="#([a-z]+)">/g)].map(([, id]) => `#${id}`);
  assert.ok(sections.length >= 4);
  for (const hash of [...sections, `#view=pairs&pair=${encodeURIComponent(data.stems[0] ?? "")}`]) {
    const apart = ".dot-row li, .dot-row p, .dot-row text, .strip th, .strip td > span";
    await t.test(`${hash} can be read by everybody`, () => assertReadable({ visitor, hash }, apart));
  }

  // A page of only runs has no figures as pictures.
  const atLeast = data.title === "All results" ? 1 : 0;
  await t.test("has figures whose labels are neither cut nor over each other", () => assertLegible(visitor, html, atLeast));

  await t.test("draws every metric but those of placeholders, on an axis that holds its intervals", async () => {
    const page = await visitor.open();
    const drawn = await texts(page, ".dot-metric a");
    const meaningful = data.metrics.filter(({ stand_in }) => !stand_in).map(({ label }) => label);
    assert.ok(drawn.length > 0 && drawn.every((label) => meaningful.includes(label)), drawn.join());
    // The best mean of each row decreases down the figure.
    const rightmost = await page.$$eval("#overview .dot-row:not(.dot-axis) .dot-plot", (plots) =>
      plots.map((plot) => Math.max(...[...plot.querySelectorAll("svg")].map((mark) => Number.parseFloat(mark.getAttribute("x") ?? "")))),
    );
    assert.deepEqual(rightmost, [...rightmost].sort((a, b) => b - a));
    const outside = await page.$$eval(".dot-plot [x], .dot-plot [x1]", (marks) =>
      marks.filter((mark) => ["x", "x1", "x2"].some((name) => {
        const at = Number.parseFloat(mark.getAttribute(name) ?? "0");
        return at < 0 || at > 100;
      })).length,
    );
    assert.equal(outside, 0);
    await close(page);
  });

  await t.test("says where each pair stands among others, as its scores do", async () => {
    assert.ok(data.identification.length > 0);
    for (const { system, metric, pairs, not_shown } of data.identification) {
      assert.equal(not_shown, null);
      for (const [pair, standing] of pairs.entries()) {
        const share = standing && 1 - (standing.rank - 1 + standing.tied) / standing.others;
        assert.ok(Math.abs((share ?? -1) - (data.scores[system]?.[metric]?.values[pair] ?? -1)) < 1e-9, data.metrics[metric]?.id);
      }
    }
    const page = await visitor.open(`#view=pairs&pair=${encodeURIComponent(data.stems[0] ?? "")}`);
    assert.ok((await texts(page, "dialog .ranks b")).every((text) => /^\d+(st|nd|rd|th) of \d+/.test(text)));
    await close(page);
  });

  await t.test("can be read without a script", async () => {
    const page = await visitor.open("", (page) => page.setJavaScriptEnabled(false));
    const words = (await texts(page, "#overview"))[0] ?? "";
    for (const name of [...data.systems, ...data.metrics.map(({ label }) => label)]) assert.ok(words.includes(name), name);
    assert.ok((await page.$$("#pairs .static img")).length > 0);
    assert.ok(((await texts(page, "#methods"))[0] ?? "").includes("@software{neurogauge"));
    await page.close();
  });
});
