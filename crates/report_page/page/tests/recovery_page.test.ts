// A page of a finished alignment alone, which the program wrote; RECOVERY_PAGE names it. It has no script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { PRINTED_PX, Visitor, WIDTHS, complaintsOfAxe, cutLabels, cutOff, texts } from "parts/browser.ts";
import { TOLERANCE, type View, differs } from "parts/screenshots.ts";
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
  let visitor: Visitor;
  const html = readFileSync(file ?? "", "utf8");
  before(async () => {
    visitor = await Visitor.of(file ?? "");
  });
  after(() => visitor.leave());

  await t.test("asks and answers before it shows numbers", async () => {
    const page = await visitor.open();
    const asked = await texts(page, "section:not(#methods) > h3:first-of-type");
    assert.ok(asked.length >= 5 && asked.every((text) => text.endsWith("?")), asked.join());
    const answers = await texts(page, "#recovery > .answer, #accuracy > .answer, #directions > .answer, #controls > .answer");
    assert.ok(answers.length === 4 && answers.every((text) => /\d\.\d/.test(text)), answers.join());
    // Figures are beside their tables, on the left.
    const places = await page.$$eval(".beside", (parts) =>
      parts.map((part) => [...part.children].map((one) => one.getBoundingClientRect()).map(({ left, top }) => [left, top])),
    );
    assert.ok(places.length >= 4);
    for (const [one = [], other = []] of places) assert.ok((one[0] ?? 0) < (other[0] ?? 0) && one[1] === other[1], String(places));
    await visitor.close(page);
  });

  for (const view of VIEWS) {
    await t.test(`${view.name} looks as it did`, async () => {
      const found = await differs(visitor, SCREENSHOTS, view);
      assert.ok(found <= TOLERANCE, `${(100 * found).toFixed(1)} % of it looks different`);
    });
  }

  await t.test("has nothing cut in print", async () => {
    const page = await visitor.open("", (page) => page.setViewport({ width: PRINTED_PX, height: 800 }));
    await page.emulateMediaType("print");
    assert.deepEqual(await cutOff(page), []);
    await visitor.close(page);
  });

  for (const width of WIDTHS) {
    await t.test(`has nothing cut at ${width} pixels`, async () => {
      const page = await visitor.open("", (page) => page.setViewport({ width, height: 800 }));
      assert.deepEqual(await cutOff(page), []);
      await visitor.close(page);
    });
  }

  await t.test("has figures whose labels are neither cut nor over each other", async () => {
    const figures = [...html.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)];
    assert.ok(figures.length >= 8);
    const page = await visitor.open();
    for (const [place, [, figure]] of figures.entries()) {
      assert.deepEqual(await cutLabels(page, Buffer.from(figure ?? "", "base64").toString("utf8")), [], `figure ${place}`);
    }
    await visitor.close(page);
  });

  for (const scheme of ["light", "dark"]) {
    await t.test(`has nothing that axe finds in ${scheme} colours`, async () => {
      const page = await visitor.open("", (page) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]));
      assert.deepEqual(await complaintsOfAxe(page), []);
      await visitor.close(page);
    });
  }
});
