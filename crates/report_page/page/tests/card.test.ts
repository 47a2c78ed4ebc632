// Tests the card of a pair.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, texts } from "parts/browser.ts";
import type { Page } from "puppeteer-core";
import { entryText } from "../src/card.ts";
import { goodness, ordinal } from "../src/order.ts";
import { HOSTILE } from "./sample.ts";
import { PAIRS, SYSTEMS, data, open } from "./sample_page.ts";

test("a pair's card opens, moves and closes by the keyboard", async () => {
  const page = await open("#view=pairs&sort=stem");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[1]]);
  await page.keyboard.press("j");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[2]]);
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[0]]);
  await page.keyboard.press("Escape");
  assert.equal(await page.$("dialog[open]"), null);
  // After the browser has closed the card, the keyboard is where it was before.
  await page.waitForFunction((stem) => document.activeElement?.textContent === stem, { timeout: 5000 }, HOSTILE[0] ?? "");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), HOSTILE[0]);
  await close(page);
});

test("a card shows what is known of its pair, and texts stay texts", async () => {
  const pair = 40;
  const page = await open(`#view=pairs&pair=${data.stems[pair]}`);
  await page.waitForSelector("dialog[open] .pictures img");
  assert.equal((await page.$$("dialog .pictures img")).length, SYSTEMS + 1);
  // There is nothing to play.
  assert.ok(await page.$eval("dialog .player", (one) => (one as HTMLElement).offsetHeight === 0));
  const ranks = goodness(data, 0, 0);
  const n = ranks.filter((rank) => rank !== null).length;
  const first = (await texts(page, "dialog .numbers tbody tr:first-child td small"))[0] ?? "";
  assert.ok(first.startsWith(`${ordinal(ranks[pair] ?? 0)} of ${n} · better than`), first);
  const lists = await texts(page, "dialog .level:first-of-type h5");
  assert.deepEqual(lists, ["= matched (1)", "− missed (1)", "+ invented (1)"]);
  // Words that both captions have are marked, except for small words.
  const marks = (await texts(page, "dialog mark")).map((word) => word.toLowerCase());
  assert.ok(marks.includes("red") && marks.includes("street") && !marks.includes("a"), marks.join());
  await page.keyboard.press("b");
  assert.equal((await page.$$("dialog svg.boxes")).length, SYSTEMS + 1);
  await page.keyboard.press("m");
  assert.equal((await page.$$("dialog canvas.masks")).length, SYSTEMS + 1);
  // Runs go down the columns: 18 pixels are two columns of eight and two pixels; the next four belong to the mask.
  const covered = await page.$eval("dialog canvas.masks", (layer) => {
    const { data, width } = (layer as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, 8, 8);
    const places: [number, number][] = [];
    for (let k = 0; k < data.length; k += 4) if (data[k + 3]) places.push([(k / 4) % width, Math.floor(k / 4 / width)]);
    return places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  });
  assert.deepEqual(covered, [2, 3].flatMap((x) => [2, 3, 4, 5].map((y) => [x, y])));
  const hidden = await page.$eval("dialog input[type=range]", async (slider) => {
    const input = slider as HTMLInputElement;
    input.value = "1";
    input.dispatchEvent(new Event("input"));
    await Promise.resolve();
    return document.querySelectorAll("dialog svg.boxes rect").length;
  });
  assert.equal(hidden, 0);
  assert.equal((await page.$$("dialog script, dialog [onerror], dialog b[onmouseover]")).length, 0);
  await close(page);

  const other = await open(`#view=pairs&pair=${encodeURIComponent(HOSTILE[1] ?? "")}`);
  await other.waitForSelector("dialog[open]");
  assert.deepEqual((await texts(other, "dialog .caption")).slice(0, 1), [HOSTILE[1]]);
  const missing = data.scores[1]?.[4]?.undefined.find(([p]) => p === 1);
  assert.ok(missing);
  const told = await texts(other, "dialog .numbers td.none");
  assert.ok(told.includes(`undefined: ${data.reasons[missing[1]]}`), told.join());
  assert.ok(told.includes("not in this run"));
  await close(other);
});

test("a pair has a short address of its own", async () => {
  const page = await open(`#pair=${encodeURIComponent(HOSTILE[3] ?? "")}`);
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[3]]);
  await close(page);
});

test("a wipe and maps compare stimulus and reconstruction, and stay on from pair to pair", async () => {
  const page = await open(`#view=pairs&sort=stem&pair=${data.stems[30]}`);
  await page.waitForSelector("dialog[open]");
  const pressed = () => page.$$eval("dialog [data-key][aria-pressed=true]", (all) => all.map((one) => (one as HTMLElement).dataset["key"]));
  await page.keyboard.press("w");
  assert.deepEqual(await pressed(), ["w"]);
  const addresses = (selector: string) => page.$$eval(selector, (all) => all.map((one) => one.getAttribute("src")));
  const [stimulus] = await addresses("dialog figure:first-child img");
  assert.deepEqual(await addresses("dialog .over"), Array.from({ length: SYSTEMS }, () => stimulus));
  const cut = await page.$eval("dialog [data-wipe] input", async (slider) => {
    const input = slider as HTMLInputElement;
    input.value = "25";
    input.dispatchEvent(new Event("input"));
    await Promise.resolve();
    return getComputedStyle(document.querySelector("dialog .over")!).clipPath;
  });
  assert.match(cut, /75%/);
  await page.keyboard.press("d");
  await page.waitForSelector("dialog .map");
  assert.deepEqual(await pressed(), ["d"]);
  await page.keyboard.press("j");
  await page.waitForFunction((n) => document.querySelectorAll("dialog .map").length === n, {}, SYSTEMS);
  assert.deepEqual(await texts(page, "#card-title"), [data.stems[31]]);
  // The stated mean of the map must be the mean of its pixels.
  const { told, expected } = await page.evaluate(async () => {
    const pixels = async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [one, other] = [...document.querySelectorAll<HTMLImageElement>("dialog figure img")];
    const [a, b] = [await pixels(one!), await pixels(other!)];
    let [sum, n] = [0, 0];
    for (let k = 0; k < a.length; k += 1) if (k % 4 < 3) [sum, n] = [sum + Math.abs(a[k]! - b[k]!), n + 1];
    return { told: document.querySelectorAll("dialog figcaption .quiet")[1]?.textContent, expected: (100 * sum) / n / 255 };
  });
  assert.equal(told, ` mean difference ${expected.toFixed(1)} %`);
  await page.keyboard.press("s");
  await page.waitForFunction(() => /mean [−\d.]+/.test(document.querySelectorAll("dialog figcaption .quiet")[1]?.textContent ?? ""));
  assert.match((await texts(page, "dialog .figures > p"))[0] ?? "", /of the thumbnails/);
  await page.keyboard.press("s");
  assert.deepEqual([await pressed(), (await page.$$("dialog .map")).length], [[], 0]);
  await close(page);
});

test("captions have their missed and invented words marked, and scores have bars", async () => {
  const pair = 41;
  const page = await open(`#pair=${data.stems[pair]}`);
  await page.waitForSelector("dialog[open] .spread");
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]+/g));
  const of = (captions: string[][] | null | undefined) => words((captions?.[pair] ?? []).join(" "));
  const stimulus = of(data.stimuli.captions);
  const others = words(data.reconstructions.map((side) => side.captions?.[pair]?.join(" ")).join(" "));
  const marked = (selector: string) => texts(page, selector);
  for (const word of await marked("dialog .caption .missed")) assert.ok(stimulus.has(word.toLowerCase()) && !others.has(word.toLowerCase()), word);
  const invented = await marked("dialog .caption .invented");
  assert.ok(invented.length > 0);
  for (const word of invented) assert.ok(!stimulus.has(word.toLowerCase().replace(/[^a-z]/g, "")), word);
  // In each cell with a value, one bar is the pair's own.
  const cells = data.metrics.flatMap((_, metric) => data.systems.filter((_, system) => (data.scores[system]?.[metric]?.values[pair] ?? null) !== null));
  assert.equal((await page.$$("dialog .spread .own")).length, cells.length);
  await close(page);
});

test("flicker alternates, and stands still where motion is reduced", async () => {
  const sources = (page: Page) => page.$$eval("dialog .frame img", (images) => images.map((image) => image.getAttribute("src")));
  for (const value of ["no-preference", "reduce"]) {
    const page = await open(`#view=pairs&pair=${data.stems[30]}`, (page) =>
      page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value }]),
    );
    await page.waitForSelector("dialog[open]");
    const own = await sources(page);
    assert.notEqual(own[1], own[0]);
    await page.keyboard.press("f");
    assert.equal((await sources(page))[1], own[0]);
    await new Promise((done) => setTimeout(done, 700));
    assert.equal((await sources(page))[1], value === "reduce" ? own[0] : own[1]);
    await page.keyboard.press("f");
    assert.deepEqual(await sources(page), own);
    await close(page);
  }
});

test("a card has the rank among others and leads to the nearest", async () => {
  const page = await open(`#view=pairs&sort=stem&pair=${data.stems[42]}`);
  await page.waitForSelector("dialog .ranks");
  const of = (system: number) => texts(page, `dialog .ranks td:nth-of-type(${system + 1}) > *`);
  // (42 + 0) % 4 others are nearer.
  assert.deepEqual((await of(0)).slice(0, 2), [`3rd of ${PAIRS}`, "own similarity 0.500"]);
  const near = await texts(page, "dialog .ranks td:first-of-type li small");
  assert.deepEqual(near, ["nearer, 0.550", "nearer, 0.500", "further, 0.450"]);
  assert.deepEqual(await of(1), []);
  const lacking = await texts(page, "dialog p.none");
  assert.deepEqual(lacking, [`${data.systems[1]}, AlexNet(5), not shown: ${data.identification[1]?.not_shown}`]);
  assert.ok(await page.$eval("dialog .ranks li img", (image) => (image as HTMLImageElement).naturalWidth > 0));
  await (await page.$("dialog .ranks li button"))?.click();
  assert.deepEqual(await texts(page, "#card-title"), [data.stems[43]]);
  assert.equal((await page.$$("dialog [onerror]")).length, 0);
  await close(page);
});

test("ranks are words", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112, 1898].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "1898th"]);
});

test("an entry says what it is about, unless that is an object", () => {
  const dimensions = (reference_dimension: string, reconstruction_dimension: string) => ({ reference_dimension, reconstruction_dimension });
  const red = { reference: "red", reconstruction: "scarlet", how: "synonym" as const };
  assert.equal(entryText({ ...red, ...dimensions("colour", "colour") }), "red = scarlet (colour, synonym)");
  assert.equal(entryText({ ...red, ...dimensions("colour", "other_attribute") }), "red = scarlet (colour, other attribute, synonym)");
  assert.equal(entryText({ reference: "dog", reference_dimension: "object" }), "dog");
});
