// Tests what surrounds the ratings, in a real browser: consent, questions about the person, codes, and answers that are
// sent.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Visitor, clickButton, close, complaintsOf, scratch } from "parts/browser.ts";
import { binary, neurogauge } from "parts/command.ts";
import { writeSides } from "parts/pictures.ts";
import type { Page } from "puppeteer-core";
import { answerAll, assertAccessible, heading, press } from "./visitor.ts";

const CONSENT = `# A study of pictures

You will see 8 pairs. It takes
five minutes.

- You can stop at any time.
- <script>window.pwned = 1</script><b>No</b> names are kept.

## Whom to ask
ethics@example.org
`;
const DEMOGRAPHICS = `when = "end"

[[questions]]
id = "age"
text = "How old are you?"
kind = "number"
min = 18
max = 99
required = true

[[questions]]
id = "hand"
text = "Which hand do you <i>write</i> with?"
kind = "choice"
options = ["left", "right"]

[[questions]]
id = "remarks"
text = "Anything to add?"
kind = "text"
`;

const folder = scratch();
const collectors: ChildProcess[] = [];

before(() => {
  writeSides(folder, { gt: 0, one: 60 }, [0, 1, 2, 3]);
  writeFileSync(join(folder, "consent.md"), CONSENT);
  writeFileSync(join(folder, "about.toml"), DEMOGRAPHICS);
});

after(() => collectors.forEach((collector) => collector.kill()));

/** A survey with one page, and the page's file. */
function make(name: string, ...more: string[]): [string, string] {
  const survey = join(folder, name);
  const material = ["--gt", join(folder, "gt"), "--recon", join(folder, "one"), "--repeats", "0", "--attention-checks", "0"];
  const raters = more.includes("--raters") ? [] : ["--raters", "1"];
  neurogauge("survey", "make", ...material, ...raters, ...more, "--out", survey);
  return [survey, join(survey, "pages", "p1.html")];
}

const text = (page: Page, selector: string) => page.$eval(selector, (node) => node.textContent ?? "");
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage).length);
const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Presses Tab until the element that this selects has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await press(page, "Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

/** Moves to the button that leads on, and presses it. */
async function goOn(page: Page): Promise<void> {
  await tabTo(page, "button.primary");
  await press(page, "Enter");
}

/** Copies the answers as text, which makes the code appear. */
async function copyAnswers(page: Page): Promise<void> {
  await page.focus("#code");
  await page.keyboard.down("Control");
  await press(page, "a", "c");
  await page.keyboard.up("Control");
  await page.waitForSelector("#completion-code");
}

/** What the page would save, decoded from the code at the end. */
async function result(page: Page): Promise<Record<string, unknown>> {
  const code = await page.$eval("#code", (area) => (area as HTMLTextAreaElement).value);
  return JSON.parse(Buffer.from(code.split(".")[1] ?? "", "base64url").toString("utf8"));
}

test("nobody goes on without consent, and a refusal leaves nothing", async () => {
  const [, file] = make("refused", "--consent", join(folder, "consent.md"), "--demographics", "standard");
  const page = await new Visitor(file).open();
  await page.setViewport({ width: 400, height: 800 });
  assert.equal(await heading(page), "A study of pictures");
  assert.deepEqual(await page.$$eval("main p, main li, main h2", (nodes) => nodes.map((node) => node.textContent).filter((t) => t !== "")), [
    "You will see 8 pairs. It takes five minutes.",
    "You can stop at any time.",
    "<script>window.pwned = 1</script><b>No</b> names are kept.",
    "Whom to ask",
    "ethics@example.org",
  ]);
  assert.equal(await isWide(page), false);
  await assertAccessible(page);
  await page.click("button.primary");
  assert.match(await text(page, ".wrong"), /tick the box/);
  assert.equal(await heading(page), "A study of pictures");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "agree");
  assert.equal(await stored(page), 0);
  await page.click("button:not(.primary)");
  assert.equal(await heading(page), "You are not taking part");
  assert.equal(await stored(page), 0);
  await assertAccessible(page);
  await page.reload();
  assert.equal(await heading(page), "A study of pictures");
  await close(page);
});

test("with the keyboard alone, from consent to the code and the way back", async () => {
  const completion = ["--completion-secret", "a long secret", "--completion-url", "https://app.prolific.com/submissions/complete?cc={CODE}"];
  const about = ["--consent", join(folder, "consent.md"), "--demographics", join(folder, "about.toml")];
  const [survey, file] = make("whole", ...about, ...completion);
  const page = await new Visitor(file).open("?PROLIFIC_PID=5f00ab&STUDY_ID=s1&SESSION_ID=x9&other=1");
  await page.setViewport({ width: 400, height: 800 });
  await tabTo(page, "#agree");
  await press(page, "Space");
  await goOn(page);
  assert.equal(await stored(page), 1);
  assert.match(await text(page, "main"), /You take part as 5f00ab/);
  assert.equal(await page.$("#rater"), null);
  await goOn(page);
  await answerAll(page, () => 3);
  assert.equal(await heading(page), "About you");
  assert.equal(await text(page, "legend"), "Which hand do you <i>write</i> with?");
  assert.equal(await isWide(page), false);
  await assertAccessible(page);
  const wrong = (id: string) => text(page, `#wrong-${id}`);
  await goOn(page);
  assert.equal(await wrong("age"), "Please answer this question.");
  await page.keyboard.type("17");
  await goOn(page);
  assert.equal(await wrong("age"), "Please write a number from 18 to 99.");
  assert.equal(await page.$eval("#person-age", (input) => input.getAttribute("aria-invalid")), "true");
  await assertAccessible(page);
  await press(page, "Backspace");
  await page.keyboard.type("8,5");
  assert.equal(await wrong("age"), "");
  await tabTo(page, "[name=hand]");
  await press(page, "ArrowDown");
  await goOn(page);
  assert.equal(await heading(page), "Thank you");
  // The answers leave the page before the code is shown.
  assert.equal(await page.$("#completion-code"), null);
  const given = await result(page);
  const sha256 = createHash("sha256").update(CONSENT).digest("hex");
  assert.equal((given["consent"] as { sha256: string }).sha256, sha256);
  assert.ok(Math.abs(Date.parse((given["consent"] as { time: string }).time) - Date.now()) < 600_000);
  assert.deepEqual(given["demographics"], { age: 18.5, hand: "right", remarks: null });
  assert.deepEqual(given["platform"], { PROLIFIC_PID: "5f00ab", STUDY_ID: "s1", SESSION_ID: "x9" });
  const answers = join(folder, "whole-answers");
  mkdirSync(answers);
  writeFileSync(join(answers, "p1.txt"), await page.$eval("#code", (area) => (area as HTMLTextAreaElement).value));
  await copyAnswers(page);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "done");
  const code = await text(page, "#completion-code");
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.equal(given["completion_code"], code);
  assert.equal(await page.$eval("#completion-link", (link) => (link as HTMLAnchorElement).href), `https://app.prolific.com/submissions/complete?cc=${code}`);
  assert.equal(await isWide(page), false);
  await assertAccessible(page);
  await page.reload();
  assert.equal(await text(page, "#completion-code"), code);
  await close(page);
  neurogauge("survey", "read", answers, "--survey", survey, "--out", join(folder, "whole-read"));
  const [header, line] = readFileSync(join(folder, "whole-read", "participants.csv"), "utf8").split("\n");
  const time = (given["consent"] as { time: string }).time;
  assert.equal(header, "rater,pages,PROLIFIC_PID,STUDY_ID,SESSION_ID,consent_time,age,hand,remarks,completion_code,code,counts,approve,why_not");
  assert.equal(line, `p1,p1,5f00ab,s1,x9,${time},18.5,right,,${code},right,yes,no,one answer to everything`);
});

test("somebody else on the same machine begins again", async () => {
  const [, file] = make("shared");
  const page = await new Visitor(file).open("?PROLIFIC_PID=a");
  await page.click("button.primary");
  assert.match(await heading(page), /^Pair 1/);
  const address = page.url();
  await page.goto(address.replace("=a", "=b"));
  assert.match(await text(page, "main"), /You take part as b/);
  await page.click("button.primary");
  await page.goto(address.replace("?PROLIFIC_PID=a", ""));
  assert.match(await heading(page), /^Pair 1/);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const port = (server.address() as { port: number }).port;
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts the server for a survey. */
async function collect(answers: string, survey: string, url: string): Promise<void> {
  const collector = spawn(binary, ["survey", "collect", answers, "--survey", survey, "--port", new URL(url).port], { stdio: ["ignore", "ignore", "pipe"] });
  collectors.push(collector);
  const said = new Promise<string>((done) => collector.stderr?.once("data", (line) => done(String(line))));
  assert.match(await said, /receiving answers at/);
}

test("answers are sent, again if need be, and never lost", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const [survey, file] = make("sent", "--submit-url", url, "--completion-code", "DONE-1");
  const page = await new Visitor(file, url).open();
  assert.match(await text(page, "#storage"), /At the end they are sent to 127\.0\.0\.1:/);
  await page.click("button.primary");
  assert.equal(await text(page, "button.primary"), "Next");
  await press(page, "3", "3", "Enter", "3", "3", "Enter", "3", "3", "Enter");
  assert.equal(await text(page, "button.primary"), "Finish and send");
  await answerAll(page, () => 3);
  // No server is listening yet.
  await page.waitForSelector("[role=alert]");
  assert.match(await text(page, "[role=alert]"), /could not be sent: the server cannot be reached/);
  assert.equal(await page.$("#completion-code"), null);
  await assertAccessible(page);
  const given = await result(page);
  const refused = complaintsOf(page);
  assert.ok(refused.length > 0 && refused.every((one) => one.includes("ERR_CONNECTION_REFUSED")), refused.join());
  // Saving by hand also counts.
  await copyAnswers(page);
  const answers = join(folder, "sent-answers");
  await collect(answers, survey, url);
  await page.click("button.primary");
  await page.waitForFunction(() => document.body.textContent?.includes("Your answers have arrived"));
  assert.equal(await text(page, "#completion-code"), "DONE-1");
  assert.equal(await page.$("#code"), null);
  await assertAccessible(page);
  const files = readdirSync(answers);
  assert.equal(files.length, 1);
  const { received, ...kept } = JSON.parse(readFileSync(join(answers, files[0] as string), "utf8"));
  assert.deepEqual(kept, given);
  assert.equal(received.number, 1);
  await page.reload();
  assert.match(await text(page, "main"), /have arrived/);
  assert.deepEqual(complaintsOf(page), []);
  // The page cannot reach any other address.
  const blocked = await page.evaluate(async (other) => fetch(other).then(() => "reached", () => "blocked"), url.replace("127.0.0.1", "localhost"));
  assert.equal(blocked, "blocked");
  assert.ok(complaintsOf(page).some((one) => one.includes("Content Security Policy")));
});

test("one address gives each person a page, the same each time", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const [survey] = make("served", "--submit-url", url, "--raters", "2");
  const answers = join(folder, "served-answers");
  await collect(answers, survey, url);
  const pages: string[] = [];
  for (const pid of ["a", "b"]) {
    const first = await new Visitor(url, url).open(`?PROLIFIC_PID=${pid}`);
    const address = first.url();
    await close(first);
    const page = await new Visitor(url, url).open(`?PROLIFIC_PID=${pid}`);
    assert.equal(page.url(), address);
    const name = /\/(p\d)\.html\?PROLIFIC_PID=/.exec(address)?.[1];
    assert.ok(name && address.endsWith(`=${pid}`), address);
    pages.push(`${name}-`);
    assert.match(await text(page, "main"), new RegExp(`You take part as ${pid}`));
    await page.click("button.primary");
    await answerAll(page, () => 3);
    await page.waitForFunction(() => document.body.textContent?.includes("Your answers have arrived"));
    await close(page);
  }
  assert.deepEqual(readdirSync(answers).map((file) => file.slice(0, 3)).sort(), pages.sort());
});

test("DataPipe gets what its documentation asks for", async () => {
  const [, file] = make("piped", "--datapipe", "AbC123");
  const bodies: Record<string, string>[] = [];
  const prepare = async (page: Page) => {
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (!request.url().startsWith("https:")) return void request.continue();
      const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
      if (request.method() === "POST") bodies.push(JSON.parse(request.postData() ?? "null"));
      const isTaken = bodies.length === 1;
      void request.respond({ status: isTaken ? 400 : 201, headers, body: isTaken ? '{"error":"OSF_FILE_EXISTS"}' : '{"message":"Success"}' });
    });
  };
  const page = await new Visitor(file, "https:").open("", prepare);
  await page.click("button.primary");
  await answerAll(page, () => 3);
  await page.waitForSelector("[role=alert]");
  assert.match(await text(page, "[role=alert]"), /the server answered 400 .*OSF_FILE_EXISTS/);
  const given = await result(page);
  await page.click("button.primary");
  await page.waitForFunction(() => document.body.textContent?.includes("Your answers have arrived"));
  for (const body of bodies) {
    assert.deepEqual(Object.keys(body).sort(), ["data", "experimentID", "filename"]);
    assert.equal(body["experimentID"], "AbC123");
    assert.match(body["filename"] ?? "", /^survey-p1-[0-9a-f]{6}\.json$/);
    assert.deepEqual(JSON.parse(body["data"] ?? ""), given);
  }
});

test("sending is tried each time the end is reached", async () => {
  const [, file] = make("again", "--datapipe", "AbC123");
  let n = 0;
  const prepare = async (page: Page) => {
    await page.setRequestInterception(true);
    page.on("dialog", (dialog) => void dialog.accept());
    page.on("request", (request) => {
      if (!request.url().startsWith("https:")) return void request.continue();
      const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
      const isPost = request.method() === "POST";
      if (isPost) n += 1;
      void request.respond({ status: isPost && n < 3 ? 500 : 201, headers, body: "{}" });
    });
  };
  const page = await new Visitor(file, "https:").open("", prepare);
  await page.click("button.primary");
  await answerAll(page, () => 3);
  await page.waitForSelector("[role=alert]");
  assert.equal(n, 1);
  await clickButton(page, "Look at the answers again");
  assert.match(await heading(page), /^Pair 4/);
  await page.click("button.primary");
  await page.waitForFunction(() => document.body.textContent?.includes("could not be sent"));
  assert.equal(n, 2, "after another look at the answers");
  // Somebody else uses the same machine.
  await clickButton(page, "Start again");
  await page.click("button.primary");
  await answerAll(page, () => 4);
  await page.waitForFunction(() => document.body.textContent?.includes("Your answers have arrived"));
  assert.equal(n, 3);
});
