// Tests clips and samples in a questionnaire.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { Visitor, close, cutOff, scratch } from "parts/browser.ts";
import { neurogauge } from "parts/command.ts";
import { writePicture } from "parts/pictures.ts";
import type { Page } from "puppeteer-core";
import { answerAll, assertAccessible, heading, press } from "./visitor.ts";

const N_FRAMES = 4;
const folder = scratch();

before(() => {
  for (let i = 0; i < 4; i++) {
    for (const [side, shade] of [["gt", 0], ["recon", 90]] as [string, number][]) {
      mkdirSync(join(folder, side, `${i}`), { recursive: true });
      for (let frame = 0; frame < N_FRAMES; frame++) {
        writePicture(join(folder, side, `${i}`, `${frame}.png`), [shade, 40 * i, 200 - 40 * i], 8 * frame);
      }
    }
    for (const side of ["stills", "samples"]) mkdirSync(join(folder, side), { recursive: true });
    writePicture(join(folder, "stills", `${i}.png`), [0, 40 * i, 90], 8 * i);
    for (let sample = 0; sample < 3; sample++) writePicture(join(folder, "samples", `${i}_${sample}.png`), [40 * (sample + 1), 40 * i, 90], 8 * i);
  }
  make("clips", "gt", "recon", "frame", "--clip-seconds", "0.8");
  make("several", "stills", "samples", "{item}_{sample}");
});

function make(out: string, gt: string, recon: string, parts: string, ...more: string[]): void {
  const inputs = ["--gt", join(folder, gt), "--recon", `one=${join(folder, recon)}`, "--parts", parts];
  neurogauge("survey", "make", ...inputs, ...more, "--raters", "1", "--attention-checks", "0", "--out", join(folder, out));
}

const page = (survey: string) => join(folder, survey, "pages", "p1.html");
const sources = (page: Page) => page.$$eval("figure img", (all) => all.map((image) => image.getAttribute("src") ?? ""));
const label = (page: Page) => page.$eval("#play", (button) => button.textContent);
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** What is shown of both clips within `milliseconds`; each pair of frames once. */
async function seen(page: Page, milliseconds: number): Promise<string[][]> {
  const found = new Map<string, string[]>();
  for (const end = Date.now() + milliseconds; Date.now() < end; await pause(20)) {
    const now = await sources(page);
    found.set(now.join(), now);
  }
  return [...found.values()];
}

test("the clips of a pair play together until they are paused", async () => {
  const own = await new Visitor(page("clips")).open();
  assert.match(await own.$eval("main", (main) => main.textContent ?? ""), /pairs of clips\. .*p pauses the clips/);
  await own.click("button.primary");
  assert.equal(await label(own), "Pause (p)");
  // A frame of one clip is always beside the same frame of the other.
  const frames = await seen(own, 2000);
  assert.equal(new Set(frames.map(([left]) => left)).size, N_FRAMES);
  assert.equal(new Set(frames.map(([, right]) => right)).size, N_FRAMES);
  assert.equal(frames.length, N_FRAMES);
  await assertAccessible(own);
  assert.deepEqual(await cutOff(own), []);
  await press(own, "p");
  assert.equal(await label(own), "Play (p)");
  assert.equal((await seen(own, 500)).length, 1);
  // The next pair plays from its start, and ratings work as for stills.
  await press(own, "3", "3", "Enter");
  assert.match(await heading(own), /^Pair 2/);
  assert.equal(await label(own), "Pause (p)");
  await own.click("#play");
  assert.equal((await seen(own, 500)).length, 1);
  await own.click("#play");
  assert.equal((await seen(own, 2000)).length, N_FRAMES);
  await answerAll(own, () => 2);
  assert.equal(await heading(own), "Thank you");
  await close(own);
});

test("nothing moves by itself for people who want less motion", async () => {
  const prepare = (page: Page) => page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  const own = await new Visitor(page("clips")).open("", prepare);
  await own.click("button.primary");
  assert.equal(await label(own), "Play (p)");
  assert.equal((await seen(own, 500)).length, 1);
  await press(own, "p");
  assert.equal((await seen(own, 2000)).length, N_FRAMES);
  await close(own);
});

test("samples are next to each other and rated as a whole", async () => {
  const own = await new Visitor(page("several")).open();
  assert.equal(await own.$eval("#several", (note) => note.textContent), "Where one side of a pair has several pictures, rate them as a whole.");
  await own.click("button.primary");
  const names = await own.$$eval("figure img", (all) => all.map((image) => image.getAttribute("alt")));
  assert.deepEqual(names, ["Seen picture", "Reconstruction, 1 of 3", "Reconstruction, 2 of 3", "Reconstruction, 3 of 3"]);
  assert.equal(await own.$("#play"), null);
  assert.equal(new Set(await sources(own)).size, 4);
  await assertAccessible(own);
  for (const width of [360, 960]) {
    await own.setViewport({ width, height: 800 });
    assert.deepEqual(await cutOff(own), []);
  }
  await close(own);
});
