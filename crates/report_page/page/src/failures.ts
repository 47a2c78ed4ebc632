// Which things a system misses, and what it invents where it misses them.

import type { Entry, LevelDetails, ReportData } from "./data.ts";

/** Detections below it do not count, where details are told by the scores of a detector. */
export const THRESHOLD = 0.3;

export interface Failure {
  name: string;
  /** Pairs whose stimulus has it. */
  seen: number;
  /** Those whose reconstruction lacks it. */
  missed: number;
  /** What the reconstruction has in those pairs and the stimulus does not, with the number of pairs, the most frequent first. */
  instead: [string, number][];
}

/** The levels that details have: `metric` and `level` of each. */
export function levels(data: ReportData): { metric: string; level: string }[] {
  const found = new Map<string, { metric: string; level: string }>();
  for (const pair of data.details.flat()) {
    for (const [metric, of] of Object.entries(pair ?? {})) {
      for (const level of Object.keys(of)) found.set(`${metric}/${level}`, { metric, level });
    }
  }
  return [...found.values()];
}

/** The names of entries that hold at the threshold. */
function names(entries: Entry[], side: "reference" | "reconstruction"): Set<string> {
  const holds = entries.filter(({ threshold }) => threshold === undefined || threshold >= THRESHOLD);
  return new Set(holds.flatMap((entry) => entry[side] ?? []));
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What a system misses at a level, the most missed first. */
export function failures(data: ReportData, system: number, metric: string, level: string): Failure[] {
  const seen = new Map<string, number>();
  const missed = new Map<string, number>();
  const instead = new Map<string, Map<string, number>>();
  for (const pair of data.details[system] ?? []) {
    const found: LevelDetails | undefined = pair?.[metric]?.[level];
    if (!found) continue;
    const matched = names(found.matched, "reference");
    // What is matched up to one threshold may be missed from there on: below it counts as matched.
    const lacking = [...names(found.missed, "reference")].filter((name) => !matched.has(name));
    const has = names(found.matched, "reconstruction");
    const invented = [...names(found.invented, "reconstruction")].filter((name) => !has.has(name));
    for (const name of matched) add(seen, name);
    for (const name of lacking) {
      add(seen, name);
      add(missed, name);
      const of = instead.get(name) ?? new Map<string, number>();
      for (const other of invented) add(of, other);
      instead.set(name, of);
    }
  }
  const byCount = (a: [string, number], b: [string, number]) => b[1] - a[1] || a[0].localeCompare(b[0]);
  return [...missed].sort(byCount).map(([name, n]) => ({
    name,
    seen: seen.get(name) ?? 0,
    missed: n,
    instead: [...(instead.get(name) ?? [])].sort(byCount),
  }));
}
