// Which pairs are shown, and in which order. This file does not depend on the page.

import type { Metric, Observed, PairDetails, ReportData } from "./data.ts";
import { fails, hasNames } from "./failures.ts";
import type { State } from "./state.ts";

export function value(data: ReportData, system: number, metric: number, pair: number): number | null {
  return data.scores[system]?.[metric]?.values[pair] ?? null;
}

/**
 * The difference of two systems by a metric, over the pairs in which every system has a value; `null` if they are not
 * compared.
 */
export function difference(data: ReportData, metric: Metric, one: number, other: number): { mean: number; ends: number[] | null; p: number | null } | null {
  const found = data.differences.find(({ metric: id, a, b }) => id === metric.id && [a, b].includes(one) && [a, b].includes(other));
  if (!found || found.difference === null) return null;
  const sign = found.a === one ? 1 : -1;
  const ends = found.interval?.map((end) => sign * end).sort((a, b) => a - b) ?? null;
  return { mean: sign * found.difference, ends, p: found.p_holm };
}

/** Why a pair has no value, in words. */
export function reason(data: ReportData, system: number, metric: number, pair: number): string | null {
  const found = data.scores[system]?.[metric]?.undefined.find(([p]) => p === pair);
  return found ? (data.reasons[found[1]] ?? null) : null;
}

/** Ranks of a list, 1 for the smallest; ties share the mean of their ranks, and entries without a value have no rank. */
export function ranks(values: (number | null)[]): (number | null)[] {
  const found: (number | null)[] = values.map(() => null);
  const sorted = values.flatMap((v, place) => (v === null ? [] : [{ v, place }])).sort((a, b) => a.v - b.v);
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.v === sorted[from]?.v) to += 1;
    for (let k = from; k < to; k += 1) {
      const place = sorted[k]?.place;
      if (place !== undefined) found[place] = (from + 1 + to) / 2;
    }
    from = to;
  }
  return found;
}

/** Rank of each pair by quality, 1 for the best. */
export function goodness(data: ReportData, system: number, metric: number): (number | null)[] {
  const values = data.scores[system]?.[metric]?.values ?? data.stems.map(() => null);
  const sign = data.metrics[metric]?.direction === "lower" ? 1 : -1;
  return ranks(values.map((v) => (v === null ? null : sign * v)));
}

/** The keys by which pairs are sorted; larger is better, and `null` comes last. */
export function keys(data: ReportData, state: State): (number | null)[] {
  const sign = data.metrics[state.metric]?.direction === "lower" ? -1 : 1;
  const both = (a: number | null | undefined, b: number | null | undefined) =>
    a === null || a === undefined || b === null || b === undefined ? null : a - b;
  switch (state.sort) {
    case "stem":
      return data.stems.map(() => 0);
    case "metric":
      return data.stems.map((_, pair) => {
        const found = value(data, state.system, state.metric, pair);
        return found === null ? null : sign * found;
      });
    case "difference":
      return data.stems.map((_, pair) => {
        const of = (system: number) => value(data, system, state.metric, pair);
        const found = both(of(state.system), of(state.system2));
        return found === null ? null : sign * found;
      });
    case "disagreement": {
      const one = goodness(data, state.system, state.metric);
      const other = goodness(data, state.system, state.metric2);
      // Pairs that are good by the second metric and bad by the first come first.
      return data.stems.map((_, pair) => both(other[pair], one[pair]));
    }
    case "human":
      return data.stems.map((_, pair) => data.human?.values[state.system]?.[pair] ?? null);
  }
}

/** Do the metric's values increase down the list? */
export function isAscending(data: ReportData, state: State): boolean {
  const higherIsBetter = data.metrics[state.metric]?.direction !== "lower";
  return higherIsBetter === (state.order === "worst");
}

/** The metrics whose values are shown with the pairs. */
export function metricsShown({ sort, metric, metric2 }: State): number[] {
  return sort === "disagreement" ? [metric, metric2] : [metric];
}

/** Pairs sorted by their keys; pairs without a key come last, and ties are in the order of stems. */
export function sorted(pairs: number[], by: (number | null)[], order: "worst" | "best"): number[] {
  const sign = order === "worst" ? 1 : -1;
  return [...pairs].sort((a, b) => {
    const [x, y] = [by[a] ?? null, by[b] ?? null];
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0) || a - b;
    return sign * (x - y) || a - b;
  });
}

/** The names in a pair's details, of either side. */
export function namesIn(details: PairDetails | null | undefined): string[] {
  const levels = Object.values(details ?? {}).flatMap((levels) => Object.values(levels));
  const entries = levels.flatMap((level) => [...level.matched, ...level.missed, ...level.invented]);
  return entries.flatMap((entry) => [entry.reference ?? [], entry.reconstruction ?? []].flat());
}

/** Every name in boxes or details, in alphabetical order. */
export function categories(data: ReportData): string[] {
  const found = new Set<string>();
  const sides: Observed[] = [data.stimuli, ...data.reconstructions];
  for (const side of sides) for (const boxes of side.boxes ?? []) for (const box of boxes) found.add(box.name);
  for (const details of data.details) for (const pair of details) for (const name of namesIn(pair)) found.add(name);
  return [...found].sort((a, b) => a.localeCompare(b));
}

function hasCategory(data: ReportData, pair: number, category: string): boolean {
  const sides: Observed[] = [data.stimuli, ...data.reconstructions];
  if (sides.some((side) => side.boxes?.[pair]?.some((box) => box.name === category))) return true;
  return data.details.some((details) => namesIn(details[pair]).includes(category));
}

function hasText(data: ReportData, pair: number, words: string[]): boolean {
  const sides: Observed[] = [data.stimuli, ...data.reconstructions];
  const texts = sides.flatMap((side) => side.captions?.[pair] ?? []);
  const all = [data.stems[pair] ?? "", ...texts].join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

function isUndefined(data: ReportData, pair: number, state: State): boolean {
  return data.systems.some((_, system) => {
    const why = reason(data, system, state.metric, pair);
    return state.undefined === "any" ? why !== null : why === state.undefined;
  });
}

function isWithin(data: ReportData, pair: number, state: State): boolean {
  const range = state.within;
  if (!range) return true;
  const x = value(data, range.system, range.x, pair);
  const y = value(data, range.system, range.y, pair);
  const inside = (v: number | null, [low, high]: [number, number]) => v !== null && v >= low && v <= high;
  return inside(x, range.from) && inside(y, range.to);
}

/** The pairs that pass every filter. */
export function filtered(data: ReportData, state: State): number[] {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...data.stems.keys()].filter(
    (pair) =>
      (words.length === 0 || hasText(data, pair, words)) &&
      (state.failure === "" || fails(data, state, pair)) &&
      (state.category === "" || hasNames(state.failure) || hasCategory(data, pair, state.category)) &&
      (state.undefined === "" || isUndefined(data, pair, state)) &&
      isWithin(data, pair, state),
  );
}

/** The shown pairs, in order. */
export function shown(data: ReportData, state: State): number[] {
  return sorted(filtered(data, state), keys(data, state), state.order);
}

/** `1st`, `2nd`, `3rd`, `4th`, ..., `11th`. */
export function ordinal(n: number): string {
  const ending = /1\d$/.test(String(n)) ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}
