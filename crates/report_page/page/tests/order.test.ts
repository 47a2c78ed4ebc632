// Tests orders and filters with pairs that can be checked by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agreement, disagreements, spearman } from "../src/agreement.ts";
import type { ReportData, Scores } from "../src/data.ts";
import { goodness, ranks, reason, shown } from "../src/order.ts";
import { initial, read, written } from "../src/state.ts";
import { relation } from "../src/confusers.ts";
import { failures, levels, modes } from "../src/failures.ts";
import { confusion } from "../src/near_misses.ts";
import { csv, field } from "../src/methods.ts";
import { decimal } from "parts/view.ts";
import { sampleData } from "./sample.ts";

const none = { captions: null, boxes: null, masks: null };

function document(): ReportData {
  const scores = (values: (number | null)[], undefined_: [number, number][] = []): Scores => ({ values, undefined: undefined_, mean: null, interval: null });
  const sample = sampleData(2, 4);
  const metric = (id: string, direction: "higher" | "lower") => ({ ...sample.metrics[0]!, id, label: id, direction, decimals: 2 });
  return {
    ...sample,
    systems: ["A", "B, the second"],
    stems: ["one", "two", "three", "=four"],
    metrics: [metric("up", "higher"), metric("down", "lower")],
    reasons: ["nothing there"],
    scores: [
      [scores([0.2, 0.9, null, 0.5], [[2, 0]]), scores([1, 2, 3, 4])],
      [scores([0.9, 0.8, 0.7, null]), scores([4, 3, 2, 1])],
    ],
    human: { label: "people", values: [[3, 1, 2, null], [1, 1, 1, 1]] },
    stimuli: { ...none, captions: [["a red dog"], ["a dog"], ["a Cat"], ["a red cat"]] },
    reconstructions: [none, { ...none, boxes: [[], [{ at: [0, 0, 1, 1], name: "car", score: null }], [], []] }],
    details: [
      [null, null, { m: { l: { matched: [], missed: [{ reference: "car" }], invented: [] } } }, null],
      [null, null, null, null],
    ],
    near_misses: [
      { names: ["cat", "dog", "car"], groups: [1, 1, 0], found: [[0, 0, [1]], [3, 0, [1]], [3, 2, [1]]], n_pairs: 4 },
      null,
    ],
  };
}

test("ranks share places and leave out what has no value", () => {
  assert.deepEqual(ranks([0.3, null, 0.1, 0.3]), [2.5, null, 1, 2.5]);
  // For the second metric, smaller is better.
  assert.deepEqual(goodness(document(), 0, 1), [1, 2, 3, 4]);
  assert.deepEqual(goodness(document(), 0, 0), [3, 1, null, 2]);
});

test("pairs are sorted by what is asked for, those without a value last", () => {
  const data = document();
  const base = initial(data);
  assert.deepEqual(shown(data, base), [0, 3, 1, 2]);
  assert.deepEqual(shown(data, { ...base, order: "best" }), [1, 3, 0, 2]);
  assert.deepEqual(shown(data, { ...base, metric: 1 }), [3, 2, 1, 0]);
  assert.deepEqual(shown(data, { ...base, sort: "stem" }), [0, 1, 2, 3]);
  // A − B is -0.7, 0.1, and undefined twice.
  assert.deepEqual(shown(data, { ...base, sort: "difference", system2: 1 }), [0, 1, 2, 3]);
  // Ranks by "up" are 3, 1, -, 2 and by "down" 1, 2, 3, 4: the first pair is bad by the first and good by the second.
  assert.deepEqual(shown(data, { ...base, sort: "disagreement" }), [0, 1, 3, 2]);
  assert.deepEqual(shown(data, { ...base, sort: "human" }), [1, 2, 0, 3]);
});

test("filters keep what they say", () => {
  const data = document();
  const base = { ...initial(data), sort: "stem" as const };
  assert.deepEqual(shown(data, { ...base, text: "RED cat" }), [3]);
  assert.deepEqual(shown(data, { ...base, text: "three" }), [2]);
  assert.deepEqual(shown(data, { ...base, category: "car" }), [1, 2]);
  assert.deepEqual(shown(data, { ...base, undefined: "any" }), [2]);
  assert.deepEqual(shown(data, { ...base, undefined: "nothing there" }), [2]);
  assert.deepEqual(shown(data, { ...base, undefined: "another" }), []);
  const within = { system: 0, x: 0, y: 1, from: [0.4, 1] as [number, number], to: [2, 9] as [number, number] };
  assert.deepEqual(shown(data, { ...base, within }), [1, 3]);
  assert.equal(reason(data, 0, 0, 2), "nothing there");
  // There is neither a value nor a reason, since the run does not have the pair.
  assert.equal(reason(data, 1, 0, 3), null);
});

test("pairs are filtered by how a system fails at them", () => {
  const data = document();
  const base = { ...initial(data), sort: "stem" as const };
  assert.deepEqual(modes(data).map(({ value }) => value), ["near", "missed/m/l", "invented/m/l"]);
  assert.deepEqual(shown(data, { ...base, failure: "near" }), [0, 3]);
  assert.deepEqual(shown(data, { ...base, failure: "near", category: "car" }), [3]);
  assert.deepEqual(shown(data, { ...base, failure: "near", category: "cat", instead: "dog" }), [0, 3]);
  assert.deepEqual(shown(data, { ...base, failure: "near", category: "cat", instead: "car" }), []);
  // Nothing is known about the other system.
  assert.deepEqual(shown(data, { ...base, failure: "near", system: 1 }), []);
  assert.deepEqual(shown(data, { ...base, failure: "missed/m/l" }), [2]);
  assert.deepEqual(shown(data, { ...base, failure: "missed/m/l", category: "dog" }), []);
  assert.deepEqual(shown(data, { ...base, failure: "invented/m/l" }), []);
  // A detail miss has no names, so a name selects what is in the pair.
  data.metrics[1] = { ...data.metrics[0]!, id: "sdm" };
  data.scores[0]![1]!.values = [1, 1, 0, null];
  assert.deepEqual(shown(data, { ...base, failure: "detail" }), [0, 1]);
  assert.deepEqual(shown(data, { ...base, failure: "detail", category: "car" }), [1]);
});

test("near misses are counted by what is missed and what is there instead", () => {
  const data = document();
  const found = confusion(data.near_misses[0]!);
  // Names of the same supercategory are adjacent.
  assert.deepEqual(found.rows, [2, 0]);
  assert.deepEqual(found.columns, [1]);
  assert.deepEqual([...found.counts], [["0/1", 2], ["2/1", 1]]);
  assert.equal(found.nPairs, 2);
});

test("others are nearer, as near or further", () => {
  const standing = { rank: 2, tied: 1, others: 9, own: 0.5, nearest: [] };
  assert.deepEqual([0, 1, 2].map((place) => relation(standing, place)), ["nearer", "as near", "further"]);
});

test("the address says what is shown, and is read back", () => {
  const data = document();
  const within = { system: 1, x: 1, y: 0, from: [-1.5, 2] as [number, number], to: [0, 1e-7] as [number, number] };
  const state = { ...initial(data), view: "pairs", sort: "difference" as const, metric: 1, system: 1, text: "a&b #=", failure: "near", instead: "a/b", within, pair: 3 };
  assert.deepEqual(read(written(state, data), data), state);
  assert.equal(read("#methods", data).view, "methods");
  // Unknown values are ignored.
  assert.deepEqual(read("#metric=nothing&sort=nonsense&within=up,1,x&pair=none", data), initial(data));
});

test("CSV has quotes where it needs them", () => {
  const lines = csv(document()).trimEnd().split("\n");
  assert.equal(lines[0], "system,pair,up,down");
  assert.equal(lines[3], "A,three,,3");
  assert.equal(lines[5], '"B, the second",one,0.9,4');
  assert.equal(lines.length, 9);
});

test("CSV has no formulas for a spreadsheet", () => {
  assert.match(csv(document()), /^A,'=four,/m);
  assert.deepEqual(["-im2", '=HYPERLINK("x")', "@im|b", "-0.5", "+1e-7", "a-b"].map(field), ["'-im2", `"'=HYPERLINK(""x"")"`, "'@im|b", "-0.5", "+1e-7", "a-b"]);
});

test("what rounds to zero has no sign", () => {
  assert.deepEqual([-0.0004, -0.0006, 0.0004].map((value) => decimal(value, 3)), ["0.000", "−0.001", "0.000"]);
});

test("what is missed is counted with what is invented in its place", () => {
  const data = document();
  const level = (matched: object[], missed: object[], invented: object[]) => ({ m: { l: { matched, missed, invented } } });
  const dog = { reference: "dog", reconstruction: "dog" };
  data.details[0] = [
    level([], [{ reference: "dog" }], [{ reconstruction: "cat" }, { reconstruction: "boat", threshold: 0.1 }]),
    level([dog], [{ reference: "cup" }], []),
    // An entry may be matched up to one threshold and missed from there to another; below 0.3 nothing counts.
    level([{ ...dog, threshold: 0.4 }], [{ reference: "dog", threshold: 0.8 }, { reference: "hat", threshold: 0.2 }], []),
    level([{ ...dog, threshold: 0.2 }], [{ reference: "dog", threshold: 0.8 }], [{ reconstruction: "cat", threshold: 0.5 }]),
  ];
  assert.deepEqual(levels(data), [{ metric: "m", level: "l" }]);
  assert.deepEqual(failures(data, 0, "m", "l"), [
    { name: "dog", seen: 4, missed: 2, instead: [["cat", 2]] },
    { name: "cup", seen: 1, missed: 1, instead: [] },
  ]);
  assert.deepEqual(failures(data, 1, "m", "l"), []);
});

test("metrics agree as their orders do", () => {
  // Without ties: 1 - 6 * (squared differences of ranks) / (n * (n² - 1)). With ties: scipy.stats.spearmanr.
  assert.equal(spearman([1, 2, 3, 4, 5], [2, 1, 5, 3, 4]), 1 - (6 * 8) / 120);
  assert.ok(Math.abs((spearman([1, 2, 2, 4], [3, 1, 4, 4]) ?? 9) - 0.5) < 1e-12);
  assert.equal(spearman([1, 2, null, 4], [1, null, 3, 4]), null);
  assert.equal(spearman([1, 1, 1], [1, 2, 3]), null);
  // For `down`, smaller is better: both metrics order A's pairs alike where both have values.
  assert.deepEqual(agreement(document(), 1, [0, 1]), [[1, -1], [-1, 1]]);
});

test("pairs whose ranks are furthest apart come first", () => {
  // Ranks of A by up: 3, 1, -, 2; by down: 1, 2, 3, 4.
  assert.deepEqual(disagreements(document(), 0, 0, 1), [{ pair: 0, gap: 2 }, { pair: 1, gap: -1 }, { pair: 3, gap: -2 }]);
});
