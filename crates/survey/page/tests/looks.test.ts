// What a questionnaire looks like: SCREENSHOTS=write makes the pictures again, to be looked at before they are committed.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PRINTED_PX, Visitor, WIDTHS, cutOff } from "parts/browser.ts";
import { neurogauge } from "parts/command.ts";
import { writePicture } from "parts/pictures.ts";
import { TOLERANCE, type View, assertLooks, differs } from "parts/screenshots.ts";

const SCREENSHOTS = "../crates/survey/page/tests/screenshots";
const VIEWS: View[] = [
  { name: "start-wide", hash: "", selector: "main", size: [960, 400] },
  { name: "trial-wide", hash: "", selector: "main", size: [960, 800], click: "button.primary" },
  { name: "trial-dark", hash: "", selector: "main", size: [960, 800], click: "button.primary", dark: true },
  { name: "trial-phone", hash: "", selector: "main", size: [360, 720], click: "button.primary", window: 360 },
  { name: "trial-print", hash: "", selector: "main", size: [PRINTED_PX, 800], click: "button.primary", window: PRINTED_PX, print: true },
];

let visitor: Visitor;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "looks-"));
  for (const [side, shade] of [["gt", 0], ["one", 90]] as [string, number][]) {
    mkdirSync(join(folder, side));
    for (let i = 0; i < 4; i++) writePicture(join(folder, side, `${i}.png`), [shade, 40 * i, 200 - 40 * i], 8 * i);
  }
  const survey = join(folder, "survey");
  neurogauge("survey", "make", "--gt", join(folder, "gt"), "--recon", `one=${join(folder, "one")}`, "--raters", "1", "--out", survey);
  visitor = await Visitor.of(join(survey, "pages", "p1.html"));
});

after(async () => {
  await visitor?.leave();
  rmSync(folder, { recursive: true, force: true });
});

for (const view of VIEWS) {
  test(`${view.name} looks as it did`, () => assertLooks(visitor, SCREENSHOTS, view));
}

test("without its colours it looks different", async () => {
  for (const view of VIEWS.filter(({ name }) => name !== "start-wide")) {
    const found = await differs(visitor, SCREENSHOTS, view, { style: "* { background: #888 !important }" });
    assert.ok(found > 2 * TOLERANCE, `${view.name}: ${found}`);
  }
});

for (const width of WIDTHS) {
  test(`nothing is cut at ${width} pixels`, async () => {
    const page = await visitor.open("", (page) => page.setViewport({ width, height: 800 }));
    assert.deepEqual(await cutOff(page), []);
    await page.click("button.primary");
    assert.deepEqual(await cutOff(page), []);
    await visitor.close(page);
  });
}

test("nothing is cut in print", async () => {
  const page = await visitor.open("", (page) => page.setViewport({ width: PRINTED_PX, height: 800 }));
  await page.emulateMediaType("print");
  assert.deepEqual(await cutOff(page), []);
  await page.click("button.primary");
  assert.deepEqual(await cutOff(page), []);
  await visitor.close(page);
});
