// A document of a page as `neurogauge report` writes it: five systems, a thousand pairs, and texts that look like
// markup.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor, scratch } from "parts/browser.ts";
import { png } from "parts/pictures.ts";
import { type Identification, type Images, LAYOUT, type NearMisses, type Observed, type PairDetails, type Part, type ReportData, type Scores } from "../src/data.ts";

export const HOSTILE = [
  `</script><script>window.pwned = 1</script>`,
  `<img src=x onerror="window.pwned = 1">`,
  `<!--<script>window.pwned = 1</script>`,
  `"><svg onload=window.pwned=1>`,
  `javascript:window.pwned=1`,
  `{{script}} {{data}}`,
];
/** The folder of the page, relative to where its tests run. */
export const PAGE = "../crates/report_page/page";
export const SCREENSHOTS = `${PAGE}/tests/screenshots`;
const NAMES = ["person", "dog", "cat", "car", "boat", "tree", `<b onmouseover="window.pwned=1">bench</b>`];

/** A generator that gives the same numbers on every call. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function sampleData(nSystems: number, nPairs: number): ReportData {
  const next = random(7);
  const stems = Array.from({ length: nPairs }, (_, pair) => HOSTILE[pair] ?? `shared${String(pair).padStart(4, "0")}`);
  const systems = Array.from({ length: nSystems }, (_, system) => (system === 1 ? `B ${HOSTILE[1]}` : `System ${"ABCDE"[system]}`));
  const metric = (id: string, label: string, direction: "higher" | "lower", chance: number | null) => ({
    id,
    label,
    about: `What ${label} measures.`,
    direction,
    chance,
    decimals: 3,
    stand_in: false,
  });
  const metrics = [
    metric("seed", "SEED", "higher", null),
    metric("ssim", "SSIM", "higher", null),
    metric("alexnet5", "AlexNet(5)", "higher", 0.5),
    metric("effnet", "EffNet", "lower", null),
    metric("object_f1", "Object F1", "higher", null),
  ];
  const reasons = ["no object on either side", `a reason with ${HOSTILE[1]}`];
  const scores = systems.map((_, system) =>
    metrics.map(({ id }): Scores | null => {
      if (id === "effnet" && system === nSystems - 1 && nSystems > 1) return null;
      const values = stems.map((): number | null => Math.min(1, Math.max(0, 0.5 + system * 0.05 + (next() + next() - 1) * 0.4)));
      const undefined_: [number, number][] = [];
      for (const pair of stems.keys()) {
        if (id === "object_f1" && pair % 17 === system % 17) {
          values[pair] = null;
          undefined_.push([pair, pair % 2]);
        }
      }
      const known = values.filter((v) => v !== null);
      const mean = known.reduce((sum, v) => sum + v, 0) / known.length;
      return { values, undefined: undefined_, mean, interval: [mean - 0.01, mean + 0.01] };
    }),
  );
  const strip = (of: Scores | null, sign: number): [string, number][] => {
    const known = [...(of?.values ?? []).entries()].flatMap(([pair, v]) => (v === null ? [] : [{ pair, v: sign * v }]));
    const ordered = known.sort((a, b) => a.v - b.v || a.pair - b.pair);
    return ["Best", "Upper quartile", "Median", "Lower quartile", "Worst"].flatMap((name, k): [string, number][] => {
      const found = ordered[Math.floor(((ordered.length - 1) * (4 - k) + 2) / 4)];
      return found ? [[name, found.pair]] : [];
    });
  };
  const differences = metrics.flatMap(({ id }, m) =>
    systems.flatMap((_, a) =>
      systems.slice(a + 1).map((_, k) => {
        const b = a + 1 + k;
        const [one, other] = [scores[a]?.[m]?.mean, scores[b]?.[m]?.mean];
        const difference = one === undefined || other === undefined || one === null || other === null ? null : one - other;
        const interval = difference === null ? null : ([difference - 0.02, difference + 0.02] as [number, number]);
        return { metric: id, a, b, difference, interval, p_holm: difference === null ? null : 0.01 };
      }),
    ),
  );
  const pick = () => NAMES[Math.floor(next() * NAMES.length)] ?? "";
  const observed = (): Observed => ({
    captions: stems.map((_, pair) => [HOSTILE[pair] ?? `A ${pick()} near a red ${pick()} on the street`]),
    boxes: stems.map(() =>
      [0, 1, 2].map(() => {
        const [x, y] = [next() * 0.6, next() * 0.6];
        return { at: [x, y, x + 0.3, y + 0.3] as [number, number, number, number], name: pick(), score: next() };
      }),
    ),
    masks: stems.map(() => [{ name: "dog", width: 8, height: 8, runs: [18, 4, 4, 4, 34] }]),
  });
  const details = systems.map(() =>
    stems.map(
      (): PairDetails => ({
        object_f1: {
          categories: {
            matched: [{ reference: "dog", reconstruction: "dog", threshold: 0.41 }],
            missed: [{ reference: pick() }],
            invented: [{ reconstruction: pick(), similarity: 0.7, how: "embedding" }],
          },
        },
      }),
    ),
  );
  const ranked = (system: number): Identification => ({
    system,
    metric: 2,
    direction: "reconstruction",
    pool: null,
    pairs: stems.map((_, pair) => ({
      rank: 1 + ((pair + system) % 4),
      tied: pair % 3 === 2 ? 1 : 0,
      others: nPairs - 1,
      own: 0.5,
      nearest: [1, 2, 3].map((k): [number, number] => [(pair + k) % nPairs, 0.6 - k * 0.05]),
    })),
    not_shown: null,
  });
  const lacking = { pairs: [], not_shown: `the features are not there any more: /runs/${HOSTILE[1]}/clip.npy` };
  const identification = systems.map((_, system) =>
    system === 1 ? { ...ranked(system), ...lacking } : ranked(system),
  );
  const nearMisses = (system: number): NearMisses => ({
    names: [...NAMES],
    groups: [0, 1, 1, 2, 2, 3, 4],
    found: [...stems.keys()].flatMap((pair): [number, number, number[]][] => {
      const kind = Math.floor(next() * 8);
      if (kind === 0) return [[pair, 1, [2]]];
      if (kind === 1) return [[pair, 2, [1]], [pair, 3 + (system % 2), [4 - (system % 2)]]];
      return [];
    }),
    n_pairs: nPairs,
  });
  return {
    identification,
    near_misses: systems.map((_, system) => (system === 3 ? null : nearMisses(system))),
    layout: LAYOUT,
    title: `Sample ${HOSTILE[0]}`,
    systems,
    stems,
    metrics,
    headline: 0,
    reasons,
    scores,
    differences,
    strips: scores.map((metricsOf) => metricsOf.map((of, m) => strip(of, metrics[m]?.direction === "lower" ? -1 : 1))),
    human: { label: "people's rating", values: systems.map(() => stems.map(() => 1 + 4 * next())) },
    stimuli: observed(),
    reconstructions: systems.map(observed),
    details,
    map: { features: "CLIP", at: stems.map((_, pair) => (pair % 11 === 3 ? null : [Math.cos(pair), Math.sin(pair) / 2])), shares: [0.6, 0.2] },
    copies: { gallery: "neurogauge gallery --recon 'A=a b'", bibtex: "@software{neurogauge}", methods: "Scores were computed with Neurogauge." },
    downloads: { run: { name: "run.json", text: "{}" } },
  };
}

/** A PNG of noise, about as large as a thumbnail, or of two colours, one above the other. */
function picture(seed: number, side: number, plain: boolean): string {
  const next = random(seed + 1);
  const colours = Array.from({ length: 6 }, () => next() * 256);
  const plainly = (y: number, channel: number) => colours[channel + (y < side / 2 ? 0 : 3)] ?? 0;
  return png(side, (_, y, channel) => (plain ? plainly(y, channel) : next() * 256)).toString("base64");
}

export function sampleImages(nSystems: number, nPairs: number, plain = false): Images {
  // Forty pictures of 2.4 KB, repeated: the page cannot know that they are equal.
  const pictures = Array.from({ length: 40 }, (_, seed) => picture(seed, 28, plain));
  const of = (shift: number) => Array.from({ length: nPairs }, (_, pair) => pictures[(pair * 7 + shift) % 40] ?? null);
  const reconstructions = Array.from({ length: nSystems }, (_, system) => of(system + 1));
  return { prefix: "data:image/png;base64,", stimuli: of(0), reconstructions, parts: null };
}

/** The same as clips of three frames, with two samples from each system. */
export function sampleClips(nSystems: number, nPairs: number): Images {
  const images = Array.from({ length: 40 }, (_, seed) => picture(seed, 28, true));
  const part = (name: string, first: number): Part => ({ name, frames: [0, 1, 2].map((k) => (first + k) % 40), of: 9 });
  const pairs = Array.from({ length: nPairs }, (_, pair) => pair);
  const ofSystem = (system: number) => pairs.map((pair) => [part("sample 1", pair + system + 1), part("sample 2", pair + system + 5)]);
  const reconstructions = Array.from({ length: nSystems }, (_, system) => ofSystem(system));
  return { ...sampleImages(nSystems, nPairs, true), parts: { images, stimuli: pairs.map((pair) => [part("", pair)]), reconstructions } };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The differences and ranks of systems, as the program writes them. */
function compared(systems: string[]): string {
  const names = systems.map(escaped);
  const found = `<td><b>0.050</b><small> <span class="ends">0.030 to 0.070</span> <span class="ends">p 0.0100</span></small></td>`;
  const table = (kind: string, head: string, rows: string[]) =>
    `<div class="wide" tabindex="0" role="group" aria-label="Table"><table class="${kind}"><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${row}</tr>`).join("")}</tbody></table></div>`;
  const row = (name: string, at: number) => `<th scope="row">${name}</th>${names.map((_, column) => (column === at ? "<td></td>" : found)).join("")}`;
  const matrix = table("numbers", `<td></td>${names.map((name) => `<th scope="col">${name}</th>`).join("")}`, names.map(row));
  const ranked = names.map((name, at) => `<li>${name} ${at + 1} [${at + 1}]</li>`).join(`<li class="bar" aria-label="above">|</li>`);
  const ranks = table("words", `<th scope="col">Metric</th><th scope="col">From the best to the worst</th>`, [`<th scope="row">SEED</th><td><ul class="clusters">${ranked}</ul></td>`]);
  return `<h3>Which system is better, and by how much?</h3><p class="quiet">Row minus column</p><details open><summary>SEED ↑: positive is better</summary>${matrix}</details>
<details><summary>SSIM ↑: positive is better</summary>${matrix.replace("Table", "Another table")}</details><h3>Which ranks are possible?</h3>${ranks.replace('"Table"', '"Ranks"')}`;
}

/** Assembles the page as the program does. */
function page(data: ReportData, images: Images | null): string {
  const read = (name: string) => readFileSync(`${PAGE}/dist/${name}`, "utf8");
  const [script, style] = [read("page.js"), read("page.css")];
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const json = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
  const first = images ? images.prefix + images.stimuli[0] : "";
  const views: [string, string, string][] = [
    ["overview", "Overview", `<p>Static summary of ${escaped(data.systems.join(", "))}</p><div data-strip><p class="static">From the best</p><table class="strip"><thead><tr><td></td></tr></thead><tbody>${["Stimulus", ...data.systems].map((name) => `<tr><th scope="row">${escaped(name)}</th></tr>`).join("")}</tbody></table></div>`],
    [
      "pairs",
      "Pairs",
      `<div class="static"><h3>Worst, median and best</h3><ul class="grid"><li>${escaped(data.stems[0] ?? "")} <img src="${first}" alt="stimulus"></li></ul></div>`,
    ],
    ["distributions", "Distributions", `<div class="static"><p>Figures</p></div>`],
    ["comparison", "Comparison", compared(data.systems)],
    ["methods", "Methods", `<h3>BibTeX</h3><pre>@software{neurogauge}</pre><p data-copy="bibtex"></p><p data-downloads></p>`],
  ];
  const policy = `default-src 'none'; img-src data: blob:; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  const nav = views.map(([id, name]) => `<a href="#${id}">${name}</a>`).join("");
  const section = ([id, name, body]: [string, string, string]) =>
    `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${name}</h2>${body}</section>`;
  const title = escaped(data.title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body>
<header class="top"><h1>${title}</h1><nav aria-label="Sections">${nav}</nav></header><main>${views.map(section).join("")}</main>
<script type="application/json" id="data">${json(data)}</script>
<script type="application/json" id="images">${images ? json(images) : ""}</script><script>${script}</script></body></html>`;
}

/** A visitor of the page of a document. */
export function visitorOf(data: ReportData, images: Images): Visitor {
  const file = join(scratch(), "report.html");
  writeFileSync(file, page(data, images));
  return new Visitor(file);
}
