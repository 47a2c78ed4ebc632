// Tests a page of only an alignment, which the program wrote; RECOVERY_PAGE is its path. It has no script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Visitor, assertLegible, assertReadable, close, texts } from "parts/browser.ts";
import { type View, assertLooks } from "parts/screenshots.ts";
import { SCREENSHOTS } from "./sample.ts";

const file = process.env["RECOVERY_PAGE"];

/** SCREENSHOTS=write makes the pictures again, to be looked at before they are committed. */
const VIEWS: View[] = [
  { name: "recovery-wide", hash: "", selector: "#recovery", size: [1280, 640] },
  { name: "recovery-dark", hash: "", selector: "#recovery", size: [1280, 640], dark: true },
  { name: "recovery-phone", hash: "", selector: "#recovery", size: [320, 800], window: 360 },
  { name: "recovery-print", hash: "", selector: "#recovery", size: [640, 800], window: 700, print: true },
  { name: "recovery-accuracy", hash: "", selector: "#accuracy", size: [1280, 640] },
];

test("a page of an alignment", { skip: file ? false : "RECOVERY_PAGE names no page" }, async (t) => {
  const html = readFileSync(file ?? "", "utf8");
  const visitor = new Visitor(file ?? "");

  await t.test("asks and answers before it shows numbers", async () => {
    const page = await visitor.open();
    const asked = await texts(page, "section:not(#methods) > h3:first-of-type");
    assert.ok(asked.length >= 5 && asked.every((text) => text.endsWith("?")), asked.join());
    const answers = await texts(page, "#recovery > .answer, #accuracy > .answer, #directions > .answer, #controls > .answer");
    assert.ok(answers.length === 4 && answers.every((text) => /\d/.test(text)), answers.join());
    // Each view is short, and its figure is in front of its table.
    const heights = await page.$$eval("main > section", (all) => all.map((one) => (one as HTMLElement).offsetHeight));
    assert.ok(heights.every((px) => px <= 2500), heights.join());
    const tops = await page.$$eval(".lead-part", (parts) =>
      parts.map((part) => ["img", "table"].map((one) => part.querySelector(one)?.getBoundingClientRect().top)),
    );
    // A view without pictures has no figure.
    const drawn = tops.filter(([figure]) => typeof figure === "number");
    assert.ok(drawn.length >= 4 && drawn.every(([figure, table]) => Number(figure) < Number(table)), String(tops));
    assert.equal((await texts(page, "details[open]")).length, 0);
    await close(page);
  });

  for (const view of VIEWS) {
    await t.test(`${view.name} looks as it did`, () => assertLooks(visitor, SCREENSHOTS, view));
  }

  await t.test("can be read by everybody", () => assertReadable({ visitor }));

  await t.test("has figures whose labels are neither cut nor over each other", () => assertLegible(visitor, html, 8));
});
