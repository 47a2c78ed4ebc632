// The page of a document with hostile texts, five systems and a thousand pairs.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "puppeteer-core";
import { disagreements, spearman } from "../src/agreement.ts";
import { goodness } from "../src/order.ts";
import { Visitor, complaintsOfAxe, cutOff, texts } from "./browser.ts";
import { HOSTILE, page as pageOf, sampleData, sampleImages } from "./sample.ts";

const [SYSTEMS, PAIRS] = [5, 1000];
const data = sampleData(SYSTEMS, PAIRS);

let visitor: Visitor;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "report-page-"));
  const file = join(folder, "report.html");
  writeFileSync(file, pageOf(data, sampleImages(SYSTEMS, PAIRS)));
  visitor = await Visitor.of(file);
});

after(async () => {
  await visitor?.leave();
  rmSync(folder, { recursive: true, force: true });
});

const open: Visitor["open"] = (hash, prepare) => visitor.open(hash, prepare);
const close: Visitor["close"] = (page) => visitor.close(page);
const stemsShown = (page: Page) => texts(page, "#pairs .row:not(.head) [role=rowheader] button");
const status = async (page: Page) => (await texts(page, "#pairs [role=status]"))[0] ?? "";

/** Chooses in the menu of this name. */
async function choose(page: Page, label: string, value: string): Promise<void> {
  const fields = await page.$$("section:not([hidden]) label.field");
  for (const field of fields) {
    const name = await field.$eval("span", (one) => one.textContent);
    const list = await field.$("select");
    if (name === label && list) {
      await list.select(value);
      return;
    }
  }
  assert.fail(`there is no menu ${label}`);
}

test("the assets are small", () => {
  const bytes = ["page.js", "page.css", "page.html"].map((name) => statSync(new URL(`../dist/${name}`, import.meta.url)).size);
  assert.ok(bytes.reduce((sum, n) => sum + n) < 90_000, String(bytes));
});

test("five systems of a thousand pairs can be used within two seconds", async () => {
  const from = Date.now();
  const page = await open("#view=pairs");
  await page.waitForSelector("#pairs .row:not(.head) img");
  const ms = Date.now() - from;
  assert.ok(ms < 2000, `${ms} ms`);
  // Only the rows in sight are in the document.
  assert.ok((await stemsShown(page)).length < 30);
  await close(page);
});

test("pairs are sorted by the menus and by the heads of the columns", async () => {
  const page = await open("#view=pairs");
  const worst = (system: number, metric: number) => {
    const values = data.scores[system]?.[metric]?.values ?? [];
    const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
    const order = [...values.keys()].filter((pair) => values[pair] !== null);
    return order.sort((a, b) => sign * (values[a] ?? 0) - sign * (values[b] ?? 0) || a - b).map((pair) => data.stems[pair]);
  };
  assert.deepEqual((await stemsShown(page)).slice(0, 5), worst(0, 0).slice(0, 5));
  await choose(page, "Metric", "effnet");
  await (await page.$$(".row.head button"))[3]?.click();
  assert.deepEqual((await stemsShown(page)).slice(0, 5), worst(2, 3).slice(0, 5));
  await (await page.$$(".row.head button"))[3]?.click();
  assert.deepEqual((await stemsShown(page))[0], worst(2, 3).at(-1));
  const sorts = await page.$$eval(".row.head [role=columnheader]", (heads) => heads.map((head) => head.getAttribute("aria-sort")));
  // The best of a distance is the smallest.
  assert.deepEqual(sorts, ["none", null, "none", "none", "ascending", "none", "none"]);
  await choose(page, "Sort by", "human");
  const people = data.human?.values[2] ?? [];
  const liked = [...people.keys()].sort((a, b) => (people[b] ?? 0) - (people[a] ?? 0));
  assert.equal((await stemsShown(page))[0], data.stems[liked[0] ?? 0]);
  // The view is in the address.
  const hash = await page.evaluate("location.hash");
  const again = await open(String(hash));
  assert.deepEqual(await stemsShown(again), await stemsShown(page));
  await close(again);
  await close(page);
});

test("filters keep the pairs that they name", async () => {
  const page = await open("#view=pairs&metric=object_f1");
  await choose(page, "And", "any");
  const n = data.stems.filter((_, pair) => data.scores.some((scores) => scores[4]?.undefined.some(([p]) => p === pair))).length;
  assert.equal(await status(page), `${n} of ${PAIRS} pairs`);
  assert.equal((await texts(page, "#pairs .row .none"))[0], "undefined");
  await choose(page, "And", "");
  await page.type("#pairs input[type=search]", "onerror\n");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#pairs [role=status]")?.textContent?.startsWith("1 of"));
  assert.deepEqual(await stemsShown(page), [HOSTILE[1]]);
  await close(page);
});

test("a range of any metric filters, and stays while another metric sorts", async () => {
  const page = await open("#view=pairs&metric=ssim&system=System A");
  const type = (label: string, text: string) =>
    page.evaluate(
      (label, text) => {
        const field = [...document.querySelectorAll("#pairs label.field")].find((one) => one.firstChild?.textContent === label);
        const input = field?.querySelector("input");
        if (input) input.value = text;
        input?.dispatchEvent(new Event("change"));
      },
      label,
      text,
    );
  await type("SSIM from", "0.6");
  const values = data.scores[0]?.[1]?.values ?? [];
  const n = (keep: (v: number) => boolean) => values.filter((v) => v !== null && keep(v)).length;
  assert.equal(await status(page), `${n((v) => v >= 0.6)} of ${PAIRS} pairs`);
  await type("SSIM to", "0.7");
  assert.equal(await status(page), `${n((v) => v >= 0.6 && v <= 0.7)} of ${PAIRS} pairs`);
  await choose(page, "Metric", "seed");
  assert.equal(await status(page), `${n((v) => v >= 0.6 && v <= 0.7)} of ${PAIRS} pairs`);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLButtonElement>("#pairs button")) if (one.textContent === "Remove the range of SSIM") one.click();
  });
  assert.equal(await status(page), `${PAIRS} pairs`);
  await close(page);
});

test("tiles of any size show the pairs of one system in the same order", async () => {
  const page = await open("#view=pairs&sort=stem&layout=tiles&tile=120");
  await page.waitForSelector("#pairs .tile img");
  const names = () => texts(page, "#pairs .tile button");
  assert.deepEqual((await names()).slice(0, 30), data.stems.slice(0, 30));
  const inRow = () => page.$eval("#pairs .tiles", (row) => row.children.length);
  const narrow = await inRow();
  const larger = await open("#view=pairs&sort=stem&layout=tiles&tile=480");
  await larger.waitForSelector("#pairs .tile img");
  assert.ok(narrow > 8 && (await larger.$eval("#pairs .tiles", (row) => row.children.length)) === 2, String(narrow));
  await close(larger);
  // Nothing of a tile is cut off by its row.
  const cut = await page.$$eval("#pairs .tiles", (rows) => rows.filter((row) => row.scrollHeight > row.clientHeight + 1).length);
  assert.equal(cut, 0);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [HOSTILE[1]]);
  await close(page);
});

test("a map has a mark for each pair with features, which opens it", async () => {
  const page = await open("#view=pairs&layout=map&metric=ssim");
  await page.waitForSelector("#pairs canvas");
  assert.equal(await page.$eval(".scroll", (list) => (list as HTMLElement).offsetHeight), 0);
  const words = await page.$eval("#pairs canvas", (plot) => plot.getAttribute("aria-label") ?? "");
  const n = data.map?.at.filter((at) => at !== null).length;
  assert.ok(words.startsWith(`Map of ${n} pairs by the features of CLIP, coloured by SSIM`), words);
  const box = await (await page.$("#pairs canvas"))?.boundingBox();
  assert.ok(box);
  // The marks are on an ellipse; its leftmost ones are at half its height.
  await page.mouse.click(box.x + 60 + (box.width - 76) * 0.038, box.y + 24 + (480 - 66) / 2);
  await page.waitForSelector("dialog[open]", { timeout: 3000 });
  await close(page);
});

test("picked pairs become a list of ids and a command for their figure", async () => {
  const page = await open("#view=pairs&sort=stem&metric=ssim");
  const click = (text: string) =>
    page.evaluate((text) => [...document.querySelectorAll<HTMLButtonElement>("#pairs button")].find((one) => one.textContent === text)?.click(), text);
  for (const place of [0, 2, 1]) await (await page.$$("#pairs .row input[type=checkbox]"))[place]?.click();
  assert.ok((await texts(page, "#pairs [aria-live]")).includes("3 picked"));
  const kept = await page.evaluate(async () => {
    let made: Blob | undefined;
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => create.call(URL, (made = blob as Blob));
    HTMLAnchorElement.prototype.click = () => {};
    [...document.querySelectorAll<HTMLButtonElement>("#pairs button")].find((one) => one.textContent === "Ids as CSV")?.click();
    return made?.text();
  });
  assert.equal(kept, `pair\n${HOSTILE[0]}\n"${HOSTILE[1]?.replaceAll('"', '""')}"\n${HOSTILE[2]}\n`);
  await page.evaluate(() => {
    document.execCommand = () => false;
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await click("Copy the command for a figure");
  const told = (await texts(page, "#pairs [role=note]"))[0] ?? "";
  assert.equal(told, `neurogauge gallery --recon 'A=a b' --pick '${HOSTILE.slice(0, 3).join(",")}' --metric ssim --out gallery.pdf`);
  await click("Pick all shown");
  assert.ok((await texts(page, "#pairs [aria-live]")).includes(`${PAIRS} picked`));
  assert.equal(await page.$$eval("#pairs .row input:not(:checked)", (all) => all.length), 0);
  await click("Pick none");
  assert.equal(await page.$$eval("#pairs .row input:checked", (all) => all.length), 0);
  await close(page);
});

test("systems and metrics are compared, and lead to the pairs where metrics disagree", async () => {
  const page = await open("#view=comparison&metric=seed&metric2=ssim");
  await page.waitForSelector("#comparison table");
  const differences = await texts(page, "#comparison [aria-label='Paired differences'] tbody tr:first-child td");
  assert.equal(differences.length, SYSTEMS);
  assert.equal(differences[0], "");
  const found = data.differences.find(({ metric, a, b }) => metric === "seed" && a === 0 && b === 1);
  const text = (v: number | null | undefined) => (v ?? 0).toFixed(3).replace("-", "−");
  assert.equal(differences[1], `${text(found?.difference)}${text(found?.interval?.[0])} to ${text(found?.interval?.[1])}`);
  const back = await texts(page, "#comparison [aria-label='Paired differences'] tbody tr:nth-child(2) td:first-of-type > :first-child");
  assert.equal(back[0], text(-(found?.difference ?? 0)));
  // The best system is alone, then those whose ranks overlap.
  const ranks = await texts(page, "#comparison [aria-label='Possible ranks'] tbody tr:first-child li");
  assert.equal(ranks[0], `${data.systems[4]} 1 [1]`);
  assert.ok(ranks.filter((one) => one === "|").length >= 1, ranks.join());
  const rho = await texts(page, "#comparison [aria-label='Agreement of metrics'] tbody tr:first-child td");
  assert.equal(rho[1], (spearman(goodness(data, 0, 0), goodness(data, 0, 1)) ?? 9).toFixed(2).replace("-", "−"));
  const tiles = await texts(page, "#comparison .tile button");
  const expected = disagreements(data, 0, 0, 1);
  assert.deepEqual(tiles.slice(0, 4), expected.slice(0, 4).map(({ pair }) => data.stems[pair]));
  assert.equal(tiles[4], data.stems[expected.at(-1)?.pair ?? 0]);
  await (await page.$("#comparison .tile button"))?.click();
  await page.waitForSelector("dialog[open]");
  await close(page);
});

test("scrolling shows the rows further down", async () => {
  const page = await open("#view=pairs&sort=stem");
  await page.$eval(".scroll", (list) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.waitForFunction((stem) => document.querySelector("#pairs .space")?.textContent?.includes(stem), {}, data.stems.at(-1) ?? "");
  assert.ok((await stemsShown(page)).length < 30);
  const places = await page.$$eval("#pairs .space .row", (rows) => rows.map((row) => Number(row.getAttribute("aria-rowindex"))));
  assert.deepEqual(places, [...places].sort((a, b) => a - b));
  await close(page);
});

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
  // The keyboard goes on where the card was, once the browser has said that it is closed.
  await page.waitForFunction((stem) => document.activeElement?.textContent === stem, { timeout: 5000 }, HOSTILE[0] ?? "");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), HOSTILE[0]);
  await close(page);
});

test("a card shows what is known of its pair, and texts stay texts", async () => {
  const pair = 40;
  const page = await open(`#view=pairs&pair=${data.stems[pair]}`);
  await page.waitForSelector("dialog[open] .pictures img");
  assert.equal((await page.$$("dialog .pictures img")).length, SYSTEMS + 1);
  const ranks = goodness(data, 0, 0);
  const n = ranks.filter((rank) => rank !== null).length;
  const first = (await texts(page, "dialog .numbers tbody tr:first-child td small"))[0] ?? "";
  assert.ok(first.startsWith(`rank ${ranks[pair]} of ${n} · better than`), first);
  const lists = await texts(page, "dialog .level:first-of-type h5");
  assert.deepEqual(lists, ["= matched (1)", "− missed (1)", "+ invented (1)"]);
  // Words that both captions have are marked, small words are not.
  const marks = (await texts(page, "dialog mark")).map((word) => word.toLowerCase());
  assert.ok(marks.includes("red") && marks.includes("street") && !marks.includes("a"), marks.join());
  await page.keyboard.press("b");
  assert.equal((await page.$$("dialog svg.boxes")).length, SYSTEMS + 1);
  await page.keyboard.press("m");
  assert.equal((await page.$$("dialog canvas.masks")).length, SYSTEMS + 1);
  // Runs go down the columns: 18 pixels are two columns of eight and two pixels, then four belong to the mask.
  const covered = await page.$eval("dialog canvas.masks", (layer) => {
    const { data, width } = (layer as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, 8, 8);
    const places: [number, number][] = [];
    for (let k = 0; k < data.length; k += 4) if (data[k + 3]) places.push([(k / 4) % width, Math.floor(k / 4 / width)]);
    return places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  });
  assert.deepEqual(covered, [2, 3].flatMap((x) => [2, 3, 4, 5].map((y) => [x, y])));
  const hidden = await page.$eval("dialog input[type=range]", (slider) => {
    const input = slider as HTMLInputElement;
    input.value = "1";
    input.dispatchEvent(new Event("input"));
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

test("the first screen has pairs from the best to the worst by a metric that can be chosen", async () => {
  const page = await open();
  await page.waitForSelector("#overview .strip img");
  const worstFirst = (system: number, metric: number) => {
    const values = data.scores[system]?.[metric]?.values ?? [];
    const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
    return [...values.keys()].sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
  };
  const shown = () => texts(page, "#overview .strip thead button");
  const expected = (system: number, metric: number) => [999, 749, 500, 250, 0].map((k) => data.stems[worstFirst(system, metric)[k] ?? 0]);
  assert.deepEqual(await shown(), expected(0, 0));
  assert.equal((await page.$$("#overview .strip img")).length, 5 * (1 + SYSTEMS));
  await choose(page, "From best to worst by", "effnet");
  assert.deepEqual(await shown(), expected(0, 3));
  await choose(page, "of", "2");
  assert.deepEqual(await shown(), expected(2, 3));
  const values = await texts(page, "#overview .strip .chosen td span");
  const numbers = values.map(Number);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await (await page.$("#overview .strip td[data-pair]"))?.click();
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await texts(page, "#card-title"), [expected(2, 3)[0]]);
  await close(page);
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
  const cut = await page.$eval("dialog [data-wipe] input", (slider) => {
    const input = slider as HTMLInputElement;
    input.value = "25";
    input.dispatchEvent(new Event("input"));
    return getComputedStyle(document.querySelector("dialog .over")!).clipPath;
  });
  assert.match(cut, /75%/);
  await page.keyboard.press("d");
  await page.waitForSelector("dialog .map");
  assert.deepEqual(await pressed(), ["d"]);
  await page.keyboard.press("j");
  await page.waitForFunction((n) => document.querySelectorAll("dialog .map").length === n, {}, SYSTEMS);
  assert.deepEqual(await texts(page, "#card-title"), [data.stems[31]]);
  // The mean of the map that is said is that of the pixels.
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
  // A bar of each cell with a value is the pair's own.
  const cells = data.metrics.flatMap((_, metric) => data.systems.filter((_, system) => (data.scores[system]?.[metric]?.values[pair] ?? null) !== null));
  assert.equal((await page.$$("dialog .spread .own")).length, cells.length);
  await close(page);
});

for (const width of [360, 768, 1280, 2560]) {
  test(`nothing is cut at ${width} pixels`, async () => {
    for (const hash of ["#overview", "#view=pairs", "#view=pairs&layout=tiles", "#view=pairs&layout=map", "#view=distributions", "#comparison", "#methods", `#pair=${data.stems[30]}`]) {
      const page = await open(hash, (page) => page.setViewport({ width, height: 800 }));
      assert.deepEqual(await cutOff(page), [], `${hash} at ${width}`);
      await close(page);
    }
  });
}

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

test("a rectangle in the scatter plot selects pairs in every view", async () => {
  const page = await open("#view=distributions&metric=seed&metric2=ssim");
  await page.waitForSelector("#distributions canvas");
  const plots = await page.$$("#distributions canvas");
  assert.equal(plots.length, 4);
  const scatter = plots[2];
  await scatter?.evaluate((plot) => plot.scrollIntoView({ block: "center" }));
  const box = await scatter?.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 260, { steps: 4 });
  await page.mouse.up();
  const told = (await texts(page, "#distributions [role=status]"))[0] ?? "";
  const [, ...numbers] = /within=seed%2C([-\d.]+)%2C([-\d.]+)%2Cssim%2C([-\d.]+)%2C([-\d.]+)/.exec(String(await page.evaluate("location.hash"))) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map(Number);
  const [x, y] = [data.scores[0]?.[0]?.values ?? [], data.scores[0]?.[1]?.values ?? []];
  const inside = data.stems.filter((_, pair) => {
    const [v, w] = [x[pair] ?? -1, y[pair] ?? -1];
    return v >= a && v <= b && w >= c && w <= d;
  });
  assert.ok(inside.length > 10, `${inside.length} of ${String(await page.evaluate("location.hash"))}`);
  assert.equal(told, `${inside.length} pairs selected`);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("button")) if (one.textContent === "Show them as pairs") one.click();
  });
  assert.equal(await status(page), `${inside.length} of ${PAIRS} pairs`);
  await close(page);
});

test("a mark of a plot opens its pair", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions canvas");
  const plot = await page.$("#distributions canvas");
  const box = await plot?.boundingBox();
  assert.ok(box);
  // The first strip is full of marks around its middle.
  await page.mouse.click(box.x + 480, box.y + 48);
  await page.waitForSelector("dialog[open]", { timeout: 2000 });
  await close(page);
});

test("a thing that is missed leads to its pairs", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions td.words");
  const names = await texts(page, "#distributions table:last-of-type th button");
  assert.ok(names.includes("person"), names.join());
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLButtonElement>("#distributions th button")) if (one.textContent === "person") one.click();
  });
  const isMissed = (pair: number) => data.details[0]?.[pair]?.["object_f1"]?.["categories"]?.missed[0]?.reference === "person";
  const n = data.stems.filter((_, pair) => isMissed(pair)).length;
  assert.ok(n > 50 && n < PAIRS / 2, String(n));
  assert.equal(await status(page), `${n} of ${PAIRS} pairs`);
  // The menus say so, and choosing another name shows its pairs.
  await choose(page, "Failing at", "boat");
  const boats = data.stems.filter((_, pair) => JSON.stringify(data.details[0]?.[pair]).includes('"missed":[{"reference":"boat"'));
  assert.equal(await status(page), `${boats.length} of ${PAIRS} pairs`);
  await choose(page, "Where the system", "");
  await choose(page, "With", "");
  assert.equal(await status(page), `${PAIRS} pairs`);
  await close(page);
});

test("a near miss leads to its pairs", async () => {
  const page = await open("#view=distributions");
  await page.waitForSelector("#distributions .confusion");
  assert.deepEqual(await texts(page, "#distributions .confusion tbody th"), ["cat", "dog", "car"]);
  assert.deepEqual(await texts(page, "#distributions .confusion thead th"), ["Missing", "cat", "dog", "boat"]);
  const of = (missed: number, other: number) =>
    data.near_misses[0]?.found.filter(([, row, instead]) => row === missed && instead.includes(other)).length ?? 0;
  // Rows and columns: cat, dog, car by cat, dog, boat.
  const cells = await texts(page, "#distributions .confusion td");
  assert.deepEqual(cells, ["", String(of(2, 1)), "", String(of(1, 2)), "", "", "", "", String(of(3, 4))]);
  await (await page.$("#distributions .confusion button"))?.click();
  assert.equal(await status(page), `${of(2, 1)} of ${PAIRS} pairs`);
  await choose(page, "System", "3");
  assert.equal(await status(page), `0 of ${PAIRS} pairs`);
  await close(page);
});

test("a card has the rank among others and leads to the nearest", async () => {
  const page = await open(`#view=pairs&sort=stem&pair=${data.stems[42]}`);
  await page.waitForSelector("dialog .ranks");
  const of = (system: number) => texts(page, `dialog .ranks td:nth-of-type(${system + 1}) > *`);
  // (42 + 0) % 4 others are nearer.
  assert.deepEqual((await of(0)).slice(0, 2), [`rank 3 of ${PAIRS}`, "own similarity 0.500"]);
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

test("numbers of placeholder models have a dagger in every view, and are never bold or best", async () => {
  const marked = sampleData(2, 8);
  for (const metric of marked.metrics) metric.stand_in = ["seed", "alexnet5"].includes(metric.id);
  const file = join(folder, "placeholders.html");
  writeFileSync(file, pageOf(marked, sampleImages(2, 8)));
  const other = await Visitor.of(file);
  const means = /rests on a placeholder model/;

  const card = await other.open(`#view=pairs&pair=${marked.stems[7]}`);
  await card.waitForSelector("dialog[open]");
  const rows = await card.$$eval("dialog .numbers tbody tr", (rows) =>
    rows.map((row) => ({
      head: row.querySelector("th")?.textContent ?? "",
      cells: [...row.querySelectorAll("td")].map((cell) => cell.firstChild?.textContent ?? ""),
      bold: row.querySelectorAll("b").length,
      small: row.querySelector("small")?.textContent ?? "",
    })),
  );
  assert.deepEqual(rows.map(({ head }) => head).slice(0, 3), ["SEED† ↑", "SSIM ↑", "AlexNet(5)† ↑"]);
  for (const [place, { cells, bold, small }] of rows.slice(0, 3).entries()) {
    const isPlaceholder = place !== 1;
    assert.ok(cells.every((cell) => (isPlaceholder ? /^0\.\d{3}†$/ : /^0\.\d{3}$/).test(cell)), cells.join());
    assert.equal(bold, isPlaceholder ? 0 : 2);
    assert.equal(small.includes("better than"), !isPlaceholder);
  }
  assert.match((await texts(card, "dialog .ranks td")).join(), /^rank \d+ of 8.*own similarity 0\.500†.*, 0\.550†/);
  assert.deepEqual(await texts(card, "dialog .ranks b"), []);
  assert.match((await texts(card, "dialog p.quiet")).join(), means);
  await other.close(card);

  const pairs = await other.open("#view=pairs&metric=seed");
  await pairs.waitForSelector("#pairs .row:not(.head) .value");
  assert.ok((await texts(pairs, "#pairs .row:not(.head) .value")).every((text) => /^0\.\d{3}†$/.test(text)));
  assert.match((await texts(pairs, "#pairs p")).join(), means);
  const menus = await texts(pairs, "#pairs label.field option");
  assert.ok(menus.includes("SEED†") && menus.includes("the smallest values"), menus.join());
  assert.ok(!menus.some((text) => /the (best|worst)/.test(text)), menus.join());
  await other.close(pairs);

  const plots = await other.open("#view=distributions&metric=seed&metric2=ssim&system=0&system2=1");
  await plots.waitForSelector("#distributions table");
  const numbers = await texts(plots, "#distributions [aria-label=Quartiles] tbody tr:first-child td:nth-child(n + 4)");
  assert.ok(numbers.length > 5 && numbers.every((text) => /^\d\.\d{3}†( to \d\.\d{3}†)?$/.test(text)), numbers.join());
  assert.match((await texts(plots, "#distributions p")).join(), means);
  assert.match((await texts(plots, "#distributions h3")).join(), /^SEED†: values.*SEED† against SSIM/);
  assert.match((await texts(plots, "#distributions p")).join(), /Mean difference −?\d\.\d{3}†/);
  const words = await plots.$$eval("#distributions canvas", (found) => found.map((one) => one.getAttribute("aria-label") ?? ""));
  assert.ok(words.every((text) => text.includes("SEED†")), words.join());
  await other.close(plots);

  const without = await other.open("#view=pairs&metric=ssim");
  await without.waitForSelector("#pairs .row:not(.head) .value");
  assert.ok(!(await texts(without, "#pairs p, #pairs .value")).join().includes("†"));
  assert.deepEqual(await complaintsOfAxe(without), []);
  await other.close(without);
  await other.leave();
});

test("two metrics that disagree order the pairs", async () => {
  const page = await open("#view=pairs&metric=seed&metric2=effnet");
  await choose(page, "Sort by", "disagreement");
  const [one, other] = [goodness(data, 0, 0), goodness(data, 0, 3)];
  const gap = (pair: number) => (other[pair] ?? 0) - (one[pair] ?? 0);
  const order = [...data.stems.keys()].sort((a, b) => gap(a) - gap(b) || a - b);
  assert.deepEqual((await stemsShown(page)).slice(0, 6), order.slice(0, 6).map((pair) => data.stems[pair]));
  assert.equal((await texts(page, "#pairs .row:not(.head) .value:first-of-type"))[0]?.includes("."), true);
  await choose(page, "First", "best");
  assert.equal((await stemsShown(page))[0], data.stems[order.at(-1) ?? 0]);
  await close(page);
});

test("numbers can be kept as files", async () => {
  const page = await open("#methods");
  const names = await texts(page, "#methods [data-downloads] button");
  assert.deepEqual(names, ["Scores as CSV", "All numbers as JSON", "run.json"]);
  const kept = await page.evaluate(async () => {
    let made: Blob | undefined;
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => create.call(URL, (made = blob as Blob));
    HTMLAnchorElement.prototype.click = () => {};
    document.querySelector<HTMLButtonElement>("#methods [data-downloads] button")?.click();
    return (await made?.text())?.split("\n").length;
  });
  assert.equal(kept, 1 + SYSTEMS * PAIRS + 1);
  assert.equal((await texts(page, "#methods [data-copy] button")).length, 1);
  await close(page);
});

test("without a script, and in print, there is what the program wrote", async () => {
  const plain = await open("", (page) => page.setJavaScriptEnabled(false));
  const seen = await plain.$$eval("main > section", (all) => all.map((one) => (one as HTMLElement).offsetHeight > 0));
  assert.deepEqual(seen, [true, true, true, true, true]);
  assert.ok(await plain.$eval("#pairs .static img", (image) => (image as HTMLImageElement).naturalWidth > 0));
  await plain.close();

  const page = await open("#view=pairs");
  await page.emulateMediaType("print");
  const printed = await page.evaluate(() => {
    const seen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].some((one) => one.offsetHeight > 0);
    return [seen("#overview"), seen("#methods"), seen("#pairs .static"), seen(".live"), seen("nav")];
  });
  assert.deepEqual(printed, [true, true, true, false, false]);
  assert.ok((await page.pdf()).length > 1000);
  await close(page);
});

for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing in ${scheme} colours`, async () => {
    const views = ["#overview", "#view=pairs", "#view=pairs&layout=tiles", "#view=pairs&layout=map", "#view=distributions", "#comparison", "#methods", `#view=pairs&pair=${data.stems[30]}`];
    for (const hash of views) {
      const page = await open(hash, (page) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]));
      if (hash.includes("pair=")) for (const key of ["b", "s"] as const) await page.keyboard.press(key);
      assert.deepEqual(await complaintsOfAxe(page), [], hash);
      await close(page);
    }
  });
}
