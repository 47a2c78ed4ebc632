// What was confused with what within a supercategory: a row for what the stimulus has, a column for what was found
// instead.

import { type Child, button, h, row as line, table } from "parts/view.ts";
import type { NearMisses } from "./data.ts";
import type { Page, State } from "./state.ts";

export interface Confusion {
  /** Indices of the names, sorted by supercategory. */
  rows: number[];
  columns: number[];
  /** Number of pairs by `row/column`. */
  counts: Map<string, number>;
  /** Pairs with any near miss. */
  nPairs: number;
}

export function confusion({ names, groups, found }: NearMisses): Confusion {
  const counts = new Map<string, number>();
  for (const [, missed, instead] of found) {
    for (const other of instead) counts.set(`${missed}/${other}`, (counts.get(`${missed}/${other}`) ?? 0) + 1);
  }
  const byKind = (a: number, b: number) =>
    (groups[a] ?? 0) - (groups[b] ?? 0) || (names[a] ?? "").localeCompare(names[b] ?? "");
  const all = (places: number[]) => [...new Set(places)].sort(byKind);
  return {
    rows: all(found.map(([, missed]) => missed)),
    columns: all(found.flatMap(([, , instead]) => instead)),
    counts,
    nPairs: new Set(found.map(([pair]) => pair)).size,
  };
}

/** Number of shades of the cells' background. */
const SHADES = 4;

/** The matrix of the chosen system. A click on a number shows its pairs. */
export function nearMisses({ data, update }: Page, state: State): Child[] {
  if (data.near_misses.every((of) => of === null)) return [];
  const system = data.systems[state.system] ?? "";
  const title = h("h3", {}, `${system}: near misses`);
  const of = data.near_misses[state.system];
  if (!of) return [title, h("p", { class: "none" }, "Of this system there are none to show: its run has no rate of them, or not its detections.")];
  const { rows, columns, counts, nPairs } = confusion(of);
  const told = `${nPairs} of ${of.n_pairs} pairs have a near miss: something that the stimulus shows is missing, and another of its kind is there.`;
  if (rows.length === 0) return [title, h("p", {}, told)];
  const largest = Math.max(...counts.values());
  const name = (place: number) => of.names[place] ?? "";
  const cell = (row: number, column: number) => {
    const n = counts.get(`${row}/${column}`);
    if (n === undefined) return h("td");
    const show = () => update({ view: "pairs", failure: "near", category: name(row), instead: name(column) });
    const shade = Math.ceil((SHADES * n) / largest);
    return h("td", { class: `shade-${shade}` }, button(String(n), show, { "aria-label": `${name(row)} became ${name(column)}: ${n}` }));
  };
  const body = rows.map((row) => line(name(row), ...columns.map((column) => cell(row, column))));
  const caption = h("caption", {}, "Rows: in the stimulus and missing. Columns: there instead. A number is one of pairs and shows them.");
  return [title, h("p", {}, told), table("Near misses", "numbers confusion", ["Missing", ...columns.map(name)], body, caption)];
}
