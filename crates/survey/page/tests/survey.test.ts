// Tests the way from two folders of pictures to the table of `neurogauge meta`, through the questionnaire in a real
// browser.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { Visitor, close, scratch } from "parts/browser.ts";
import { neurogauge } from "parts/command.ts";
import { writeSides } from "parts/pictures.ts";
import { answerAll, assertAccessible, heading, press } from "./visitor.ts";

const STEMS = ["a", "b", "c", "d", "e", "f", "<b>g", 'h" onerror="x'];
const HOSTILE = "</script><script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'>";

const folder = scratch();

before(() => {
  writeSides(folder, { gt: 0, one: 60, two: 120 }, STEMS);
  const systems = ["--recon", `one=${join(folder, "one")}`, `two=${join(folder, "two")}`];
  const size = ["--raters", "2", "--pairs-per-page", "8", "--repeats", "2", "--attention-checks", "2"];
  neurogauge("survey", "make", "--gt", join(folder, "gt"), ...systems, ...size, "--out", join(folder, "survey"));
});

const pages = () => readdirSync(join(folder, "survey", "pages")).sort();
const first = () => new Visitor(join(folder, "survey", "pages", pages()[0] as string));

interface Trial {
  page: string;
  stimulus: string;
  reconstruction: string;
  system: string;
  kind: string;
}

/** The rating of a careful rater. */
function rated(trial: Trial): number {
  if (trial.kind === "identical") return 5;
  if (trial.kind === "mismatched") return 1;
  return 1 + (STEMS.indexOf(trial.stimulus) % 5);
}

function plan(): Map<string, Trial[]> {
  const record = JSON.parse(readFileSync(join(folder, "survey", "survey.json"), "utf8"));
  return new Map(record.pages.map((page: { id: string; trials: Trial[] }) => [page.id, page.trials]));
}

test("from the pages to the table of meta", async () => {
  const results = join(folder, "results");
  mkdirSync(results);
  const trials = plan();
  assert.equal(pages().length, trials.size);
  for (const [number, name] of pages().entries()) {
    const page = await new Visitor(join(folder, "survey", "pages", name)).open();
    const own = trials.get(name.replace(".html", "")) ?? [];
    if (number === 0) await assertAccessible(page);
    await page.type("#rater", `rater ${number}`);
    await page.click("button.primary");
    if (number === 0) await assertAccessible(page);
    await answerAll(page, (trial) => rated(own[trial] as Trial));
    assert.equal(await heading(page), "Thank you");
    if (number === 0) await assertAccessible(page);
    if (number % 2 === 0) {
      // The answers as a file.
      const session = await page.createCDPSession();
      await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: results, browserContextId: page.browserContext().id as string });
      const before = readdirSync(results).length;
      await page.click("button.primary");
      while (readdirSync(results).filter((file) => file.endsWith(".json") || file.endsWith(".txt")).length === before) {
        await new Promise((done) => setTimeout(done, 20));
      }
    } else {
      // The answers as a code, wrapped and quoted as by a mail program.
      const code = await page.$eval("#code", (area) => (area as HTMLTextAreaElement).value);
      writeFileSync(join(results, `${number}.txt`), `Hello,\n> ${code.match(/.{1,70}/g)?.join("\n> ")}\nBye\n`);
    }
    await close(page);
  }
  const read = join(folder, "read");
  const files = readdirSync(results).map((file) => join(results, file));
  const said = neurogauge("survey", "read", ...files, "--survey", join(folder, "survey"), "--out", read);
  assert.match(said, /rater 0/);
  const record = JSON.parse(readFileSync(join(read, "read.json"), "utf8"));
  assert.deepEqual(record.raters.map((rater: { is_kept: boolean }) => rater.is_kept), Array(trials.size).fill(true));
  const scores = STEMS.flatMap((stem, i) => ["one", "two"].map((system) => `"${stem.replaceAll('"', '""')}/${system}",${i % 5}`));
  writeFileSync(join(folder, "scores.csv"), `item,metric\n${scores.join("\n")}\n`);
  const ratings = ["--human", join(read, "ratings.csv"), "--value-column", "semantic,perceptual"];
  neurogauge("meta", ...ratings, "--metrics", join(folder, "scores.csv"), "--no-figures", "--out", join(folder, "meta"));
  const meta = JSON.parse(readFileSync(join(folder, "meta", "semantic", "meta.json"), "utf8"));
  const [metric] = meta.result.metrics;
  assert.equal(metric.n_items, 2 * STEMS.length);
  const pearson = metric.statistics.find((s: { statistic: string }) => s.statistic === "pearson");
  assert.ok(Math.abs(pearson.value - 1) < 1e-12, `${pearson.value}`);
});

test("answers are kept while the page is closed, and can be changed", async () => {
  const page = await first().open();
  await page.click("button.primary");
  await press(page, "4", "ArrowRight");
  assert.match(await page.$eval(".wrong", (p) => p.textContent ?? ""), /answer every question/);
  await press(page, "3", "ArrowRight", "1");
  await page.reload();
  assert.match(await heading(page), /^Pair 2 of/);
  await press(page, "ArrowLeft");
  const checked = () => page.$$eval("input:checked", (inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  assert.deepEqual(await checked(), ["4", "3"]);
  await press(page, "2");
  assert.deepEqual(await checked(), ["2", "3"]);
  await press(page, "ArrowRight");
  assert.deepEqual(await checked(), ["1"]);
  // The mouse works too.
  await page.click("#question-1 input[value='5']");
  assert.deepEqual(await checked(), ["1", "5"]);
  await close(page);
});

test("a browser that keeps nothing says so and works all the same", async () => {
  const forbid = () => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  };
  const page = await first().open("", (page) => page.evaluateOnNewDocument(forbid));
  assert.match(await page.$eval("#storage", (p) => p.textContent ?? ""), /does not keep/);
  await page.click("button.primary");
  await answerAll(page, () => 3);
  assert.equal(await heading(page), "Thank you");
  await close(page);
});

test("texts of others are text", async () => {
  const questions = {
    format: "neurogauge-survey-questions",
    version: 1,
    id: "hostile",
    language: "en",
    title: HOSTILE,
    instructions: [HOSTILE],
    stimulus: HOSTILE,
    reconstruction: HOSTILE,
    questions: [{ id: "likeness", text: HOSTILE, scale: [HOSTILE, "2", "3"] }],
  };
  writeFileSync(join(folder, "questions.json"), JSON.stringify(questions));
  const args = ["--gt", join(folder, "gt"), "--recon", `one=${join(folder, "one")}`, "--questions", join(folder, "questions.json")];
  neurogauge("survey", "make", ...args, "--raters", "1", "--out", join(folder, "hostile"));
  const page = await new Visitor(join(folder, "hostile", "pages", "p1.html")).open();
  assert.equal(await heading(page), HOSTILE);
  await page.click("button.primary");
  assert.equal(await page.$eval("legend", (legend) => legend.textContent), HOSTILE);
  assert.equal(await page.$$eval("main img", (images) => images.length), 2);
  await close(page);
});

test("nothing but the page's own script runs", async () => {
  const page = await first().open();
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 1";
    document.body.append(script);
    return (window as unknown as { pwned?: number }).pwned;
  });
  assert.equal(ran, undefined);
});
