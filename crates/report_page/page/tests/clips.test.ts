// Tests items of several images.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, complaintsOfAxe, cutOff, texts } from "parts/browser.ts";
import { sampleClips, sampleData, visitorOf } from "./sample.ts";

test("clips play together when they are asked to, and samples are a strip", async () => {
  const few = sampleData(2, 12);
  const clips = sampleClips(2, 12);
  const own = visitorOf(few, clips);
  const page = await own.open(`#view=pairs&sort=stem&pair=${few.stems[8]}`);
  await page.waitForSelector("dialog[open] .player:not([hidden])");
  const seen = () => page.$$eval("dialog .frame img:not(.over)", (all) => all.map((one) => one.getAttribute("src")?.split(",")[1]));
  const still = await seen();
  assert.deepEqual(still, [clips.stimuli, ...clips.reconstructions].map((column) => column[8]));
  // Nothing moves unasked.
  await new Promise((done) => setTimeout(done, 450));
  assert.deepEqual(await seen(), still);
  const step = (frame: number) =>
    page.$eval(
      "dialog .player input",
      (slider, frame) => {
        (slider as HTMLInputElement).valueAsNumber = frame;
        slider.dispatchEvent(new Event("input"));
      },
      frame,
    );
  await step(3);
  const image = (place: number) => clips.parts?.images[place];
  // The last frame of the stimulus, and of each system's second sample of two.
  assert.deepEqual(await seen(), [image(8 + 2), image(8 + 5 + 2), image(8 + 6 + 2)]);
  assert.deepEqual(await texts(page, "dialog .player output, dialog .player .quiet"), ["3 of 3", "3 of 9 frames are on this page."]);
  assert.deepEqual(await texts(page, "dialog figure:nth-of-type(2) .parts button"), ["sample 1", "sample 2"]);
  await (await page.$("dialog figure:nth-of-type(2) .parts button"))?.click();
  assert.deepEqual(await seen(), [image(8 + 2), image(8 + 1 + 2), image(8 + 6 + 2)]);
  // The wipe stays while clips play, and blinking ends it.
  await page.keyboard.press("w");
  await step(1);
  assert.equal((await seen())[0], image(8));
  assert.equal(await page.$eval("dialog .over", (one) => one.getAttribute("src")?.split(",")[1]), image(8));
  await page.keyboard.press("p");
  await page.waitForFunction((first) => !document.querySelector("dialog .frame img")?.getAttribute("src")?.endsWith(first), {}, image(8) ?? "");
  await page.keyboard.press("f");
  assert.equal(await page.$eval("dialog [data-key=p]", (one) => one.getAttribute("aria-pressed")), "false");
  await page.keyboard.press("f");
  assert.deepEqual(await complaintsOfAxe(page), []);
  assert.deepEqual(await cutOff(page), []);
  await page.keyboard.press("j");
  assert.deepEqual(await seen(), [clips.stimuli, ...clips.reconstructions].map((column) => column[9]));
  await close(page);

  // The strip on the first screen also plays.
  const first = await own.open("#overview");
  const shown = () => first.$$eval(".strip img", (all) => all.map((one) => one.getAttribute("src")));
  const before = await shown();
  await first.click("[data-strip] .player button");
  assert.notDeepEqual(await shown(), before);
  await first.click("[data-strip] .player button");
  await close(first);
});
