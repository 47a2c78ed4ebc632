// Fills the strip, which the program drew, with the pairs from the best to the worst by another metric and system.

import { Player, SeenParts } from "./clips.ts";
import type { Metric, ReportData } from "./data.ts";
import { button, h, redrawn, replace } from "parts/dom.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { sorted, value } from "./order.ts";
import type { Pictures } from "./pictures.ts";
import { score } from "./placeholders.ts";
import type { State } from "./state.ts";

/** The names of the columns, and their places among the pairs in quarters of the way from the worst to the best. */
const COLUMNS: [string, number][] = [
  ["Best", 4],
  ["Upper quartile", 3],
  ["Median", 2],
  ["Lower quartile", 1],
  ["Worst", 0],
];

/** The pairs of the columns; fewer if there are not as many. The ends and the middle keep their names. */
export function columns(worstFirst: number[]): [string, number][] {
  const last = worstFirst.length - 1;
  const found: (number | undefined)[] = [];
  for (const column of [0, 4, 2, 1, 3]) {
    const pair = worstFirst[Math.floor((last * (COLUMNS[column]?.[1] ?? 0) + 2) / 4)];
    if (!found.includes(pair)) found[column] = pair;
  }
  return COLUMNS.flatMap(([name], column): [string, number][] => {
    const pair = found[column];
    return pair === undefined ? [] : [[name, pair]];
  });
}

/** Metrics whose order of the pairs means something. */
export function meaningful(data: ReportData): Metric[] {
  return data.metrics.filter((metric) => !metric.stand_in);
}

export class Strip {
  private readonly controls = h("div", { class: "live" });
  private readonly seen: SeenParts;

  constructor(
    private readonly place: HTMLElement,
    private readonly data: ReportData,
    pictures: Pictures,
    private readonly update: (changes: Partial<State>) => void,
  ) {
    this.seen = new SeenParts(pictures, new Player(() => this.seen.redraw()), () => {});
    place.prepend(this.controls);
  }

  show(state: State): void {
    const { data, seen, update } = this;
    const metrics = meaningful(data);
    const chosen = data.metrics[state.metric];
    const metric = chosen && metrics.includes(chosen) ? state.metric : data.headline;
    const isOrdered = metrics.length > 0;
    const known = [...data.stems.keys()].filter((pair) => value(data, state.system, metric, pair) !== null);
    const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
    const by = data.stems.map((_, pair) => sign * (value(data, state.system, metric, pair) ?? 0));
    const shown: [string, number][] = isOrdered
      ? columns(sorted(known, by, "worst"))
      : [...data.stems.keys()].slice(0, COLUMNS.length).map((pair) => ["", pair]);
    const menus = isOrdered
      ? [
          metricMenu("From best to worst by", "metric", data, { ...state, metric }, update, { within: null }, metrics),
          systemMenu("of", "system", data, state, update),
        ]
      : [];
    seen.forget();
    seen.show(shown.map(([, pair]) => pair));
    redrawn(this.controls, () => replace(this.controls, h("div", { class: "controls" }, ...menus), seen.player.controls));
    const told = this.place.querySelector("p.static");
    if (told && isOrdered) told.textContent = `From the best to the worst pair by ${data.metrics[metric]?.label} of ${data.systems[state.system]}.`;
    this.fill(shown, isOrdered ? metric : null, state.system);
  }

  /** Puts these pairs into the columns of the table: names, the stimuli, then the reconstructions of each system. */
  private fill(shown: [string, number][], metric: number | null, chosen: number): void {
    const { data, seen } = this;
    const open = (pair: number) => () => this.update({ pair });
    const [head, ...rows] = this.place.querySelectorAll("tr");
    const refill = (line: HTMLElement | undefined, cells: Node[]) => line?.replaceChildren(...[...line.children].slice(0, 1), ...cells);
    refill(head, shown.map(([name, pair]) => h("th", { scope: "col" }, name, h("small", {}, button(data.stems[pair] ?? "", open(pair))))));
    for (const [at, line] of rows.entries()) {
      // The first line is of the stimuli.
      const system = at === 0 ? null : at - 1;
      line.classList.toggle("chosen", metric !== null && data.systems.length > 1 && system === chosen);
      const number = (pair: number) =>
        system === null || metric === null ? null : h("span", {}, score(data.metrics[metric], value(data, system, metric, pair)));
      refill(line, shown.map(([, pair]) => h("td", { "data-pair": pair, click: open(pair) }, seen.image(system, pair), number(pair))));
    }
  }
}
