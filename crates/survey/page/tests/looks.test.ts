// Tests what a questionnaire looks like. SCREENSHOTS=write makes the pictures again, to be looked at before they are
// committed.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PRINTED_PX, Visitor, assertReadable, scratch } from "parts/browser.ts";
import { neurogauge } from "parts/command.ts";
import { writeSides } from "parts/pictures.ts";
import { TOLERANCE, type View, assertLooks, differs } from "parts/screenshots.ts";

const SCREENSHOTS = "../crates/survey/page/tests/screenshots";
const VIEWS: View[] = [
  { name: "start-wide", hash: "", selector: "main", size: [960, 400] },
  { name: "trial-wide", hash: "", selector: "main", size: [960, 800], click: "button.primary" },
  { name: "trial-dark", hash: "", selector: "main", size: [960, 800], click: "button.primary", dark: true },
  { name: "trial-phone", hash: "", selector: "main", size: [360, 720], click: "button.primary", window: 360 },
  { name: "trial-print", hash: "", selector: "main", size: [PRINTED_PX, 800], click: "button.primary", window: PRINTED_PX, print: true },
];

const folder = scratch();
writeSides(folder, { gt: 0, one: 90 }, [0, 1, 2, 3]);
const survey = join(folder, "survey");
neurogauge("survey", "make", "--gt", join(folder, "gt"), "--recon", `one=${join(folder, "one")}`, "--raters", "1", "--out", survey);
const visitor = new Visitor(join(survey, "pages", "p1.html"));

for (const view of VIEWS) {
  test(`${view.name} looks as it did`, () => assertLooks(visitor, SCREENSHOTS, view));
}

test("without its colours it looks different", async () => {
  for (const view of VIEWS.filter(({ name }) => name !== "start-wide")) {
    const found = await differs(visitor, SCREENSHOTS, view, { style: "* { background: #888 !important }" });
    assert.ok(found > 2 * TOLERANCE, `${view.name}: ${found}`);
  }
});

test("the start can be read by everybody", () => assertReadable({ visitor }));
test("a pair can be read by everybody", () => assertReadable({ visitor, ready: (page) => page.click("button.primary") }));
