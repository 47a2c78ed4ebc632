// A page that the program wrote of real runs; REPORT_PAGE names it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { ReportData } from "../src/data.ts";
import { Visitor, complaintsOfAxe, texts } from "./browser.ts";

const file = process.env["REPORT_PAGE"];

test("a page that the program wrote", { skip: file ? false : "REPORT_PAGE names no page" }, async (t) => {
  let visitor: Visitor;
  const html = readFileSync(file ?? "", "utf8");
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "null";
  const data = JSON.parse(text) as ReportData;
  before(async () => {
    visitor = await Visitor.of(file ?? "");
  });
  after(() => visitor.leave());

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
    await visitor.close(page);
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
    assert.ok((await texts(page, "dialog .ranks b")).every((text) => /^rank \d+ of \d+/.test(text)));
    await visitor.close(page);
  });

  await t.test("can be read without a script", async () => {
    const page = await visitor.open("", (page) => page.setJavaScriptEnabled(false));
    const words = (await texts(page, "#overview"))[0] ?? "";
    for (const name of [...data.systems, ...data.metrics.map(({ label }) => label)]) assert.ok(words.includes(name), name);
    assert.ok((await page.$$("#pairs .static img")).length > 0);
    assert.ok(((await texts(page, "#methods"))[0] ?? "").includes("@software{neurogauge"));
    await page.close();
  });

  for (const scheme of ["light", "dark"]) {
    await t.test(`has nothing that axe finds in ${scheme} colours`, async () => {
      const views = [...html.matchAll(/<a href="#([a-z]+)">/g)].map(([, id]) => `#${id}`);
      assert.ok(views.length >= 4);
      for (const hash of [...views, "#view=pairs&pair=" + encodeURIComponent(data.stems[0] ?? "")]) {
        const page = await visitor.open(hash, (page) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]));
        assert.deepEqual(await complaintsOfAxe(page), [], hash);
        await visitor.close(page);
      }
    });
  }
});
