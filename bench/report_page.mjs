// Measures seconds from the start of loading a report page until its pairs are listed and a key has been answered;
// prints the median of three. Needs the packages of pages/ (npm ci) and Chromium (CHROMIUM, or Debian's).

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../pages/package.json", import.meta.url));
const puppeteer = require("puppeteer-core");
const address = `${pathToFileURL(process.argv[2]).href}#view=pairs`;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const seconds = [];
for (let round = 0; round < 3; round += 1) {
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
  const start = performance.now();
  await page.goto(address, { waitUntil: "domcontentloaded", timeout: 120_000 });
  await page.waitForSelector("#pairs [role=status]");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  seconds.push((performance.now() - start) / 1000);
  await browser.close();
}
console.log(`${seconds.sort((a, b) => a - b)[1].toFixed(2)} s`);
