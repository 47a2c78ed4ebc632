// How a system fails: what it misses, what it invents, what it confuses with something similar, and where only details
// are wrong.

import type { Entry, LevelDetails, ReportData } from "./data.ts";
import type { Option } from "parts/view.ts";
import type { State } from "./state.ts";

/** If details depend on the score of a detector, lower scores are ignored. */
export const THRESHOLD = 0.3;

/** The metric that is 1 if the objects are right but the rest is not. */
const DETAIL_MISS = "sdm";

export interface Failure {
  name: string;
  /** Number of pairs whose stimulus has the category. */
  seen: number;
  /** Number of those whose reconstruction lacks it. */
  missed: number;
  /**
   * What the reconstructions of those pairs have but the stimuli do not, with the number of pairs; the most frequent
   * first.
   */
  instead: [string, number][];
}

/** The levels at which there are details: `metric` and `level` of each. */
export function levels(data: ReportData): { metric: string; level: string }[] {
  const found = new Map<string, { metric: string; level: string }>();
  for (const pair of data.details.flat()) {
    for (const [metric, of] of Object.entries(pair ?? {})) {
      for (const level of Object.keys(of)) found.set(`${metric}/${level}`, { metric, level });
    }
  }
  return [...found.values()];
}

/** A level in words. */
export function levelLabel(data: ReportData, { metric, level }: { metric: string; level: string }): string {
  return `${data.metrics.find(({ id }) => id === metric)?.label ?? metric}, ${level}`;
}

/** The names of the entries that are valid at the threshold. */
function names(entries: Entry[], side: "reference" | "reconstruction"): Set<string> {
  const holds = entries.filter(({ threshold }) => threshold === undefined || threshold >= THRESHOLD);
  return new Set(holds.flatMap((entry) => entry[side] ?? []));
}

/**
 * What is matched, missed and invented at the threshold. An entry that is matched up to some threshold may be missed
 * above it.
 */
function atThreshold(found: LevelDetails): { matched: Set<string>; missed: string[]; invented: string[] } {
  const matched = names(found.matched, "reference");
  const has = names(found.matched, "reconstruction");
  return {
    matched,
    missed: [...names(found.missed, "reference")].filter((name) => !matched.has(name)),
    invented: [...names(found.invented, "reconstruction")].filter((name) => !has.has(name)),
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What a system misses at a level, the most missed first. */
export function failures(data: ReportData, system: number, metric: string, level: string): Failure[] {
  const seen = new Map<string, number>();
  const lacking = new Map<string, number>();
  const instead = new Map<string, Map<string, number>>();
  for (const pair of data.details[system] ?? []) {
    const found = pair?.[metric]?.[level];
    if (!found) continue;
    const { matched, missed, invented } = atThreshold(found);
    for (const name of matched) add(seen, name);
    for (const name of missed) {
      add(seen, name);
      add(lacking, name);
      const of = instead.get(name) ?? new Map<string, number>();
      for (const other of invented) add(of, other);
      instead.set(name, of);
    }
  }
  const byCount = (a: [string, number], b: [string, number]) => b[1] - a[1] || a[0].localeCompare(b[0]);
  return [...lacking].sort(byCount).map(([name, n]) => ({
    name,
    seen: seen.get(name) ?? 0,
    missed: n,
    instead: [...(instead.get(name) ?? [])].sort(byCount),
  }));
}

/** The kinds of failures in the document, as options of a menu. */
export function modes(data: ReportData): Option[] {
  const found: Option[] = [];
  if (data.near_misses.some((of) => of !== null)) found.push({ value: "near", label: "near miss: another of its kind instead" });
  if (data.metrics.some(({ id }) => id === DETAIL_MISS)) found.push({ value: "detail", label: "right objects, wrong details" });
  for (const of of levels(data)) {
    const label = levelLabel(data, of);
    found.push({ value: `missed/${of.metric}/${of.level}`, label: `misses something (${label})` });
    found.push({ value: `invented/${of.metric}/${of.level}`, label: `invents something (${label})` });
  }
  return found;
}

/** Does this kind of failure have names? */
export function hasNames(mode: string): boolean {
  return mode !== "" && mode !== "detail";
}

/** Does the system fail at a pair in the way that the state selects? */
export function fails(data: ReportData, state: State, pair: number): boolean {
  const { system, failure, category, instead } = state;
  if (failure === "detail") {
    const metric = data.metrics.findIndex(({ id }) => id === DETAIL_MISS);
    return data.scores[system]?.[metric]?.values[pair] === 1;
  }
  if (failure === "near") {
    const of = data.near_misses[system];
    const is = (place: number, name: string) => name === "" || of?.names[place] === name;
    return of?.found.some(([p, missed, others]) => p === pair && is(missed, category) && others.some((other) => is(other, instead))) ?? false;
  }
  const [kind, metric = "", level = ""] = failure.split("/");
  const found = data.details[system]?.[pair]?.[metric]?.[level];
  if (!found) return false;
  const { missed, invented } = atThreshold(found);
  const failed = kind === "missed" ? missed : invented;
  return category === "" ? failed.length > 0 : failed.includes(category);
}
