// Stimuli above their reconstructions, from the best pair to the worst by a metric and a system that can be chosen.

import { Player, SeenParts } from "./clips.ts";
import type { Metric, ReportData } from "./data.ts";
import { button, h, menu, replace } from "parts/dom.ts";
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
  readonly element = h("div", { class: "live" });
  private readonly seen: SeenParts;

  constructor(
    private readonly data: ReportData,
    pictures: Pictures,
    private readonly update: (changes: Partial<State>) => void,
  ) {
    this.seen = new SeenParts(pictures, new Player(() => this.seen.redraw()), () => {});
  }

  show(state: State): void {
    const { data } = this;
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
    const place = (id: string) => data.metrics.findIndex((one) => one.id === id);
    const systems = data.systems.map((name, at) => ({ value: String(at), label: name }));
    const controls = h(
      "div",
      { class: "controls" },
      isOrdered
        ? menu("From best to worst by", metrics.map(({ id, label }) => ({ value: id, label })), data.metrics[metric]?.id ?? "", (id) =>
            this.update({ metric: place(id), within: null }),
          )
        : null,
      isOrdered && systems.length > 1
        ? menu("of", systems, String(state.system), (at) => this.update({ system: Number(at), within: null }))
        : null,
    );
    const had = this.element.contains(document.activeElement) ? document.activeElement?.closest("label")?.textContent : null;
    this.seen.forget();
    this.seen.show(shown.map(([, pair]) => pair));
    replace(this.element, controls, this.seen.player.controls, this.table(shown, isOrdered ? metric : null, state.system));
    if (had) [...this.element.querySelectorAll("label")].find((one) => one.textContent === had)?.querySelector("select")?.focus();
  }

  private table(shown: [string, number][], metric: number | null, chosen: number): HTMLElement {
    const { data, seen } = this;
    const open = (pair: number) => () => this.update({ pair });
    const heads = shown.map(([name, pair]) =>
      h("th", { scope: "col" }, name, h("small", {}, button(data.stems[pair] ?? "", open(pair)))),
    );
    const row = (name: string, cell: (pair: number) => (Node | null)[], isChosen = false) =>
      h(
        "tr",
        { class: isChosen ? "chosen" : null },
        h("th", { scope: "row" }, name),
        ...shown.map(([, pair]) => h("td", { "data-pair": pair, click: open(pair) }, ...cell(pair))),
      );
    const rows = data.systems.map((name, system) =>
      row(
        name,
        (pair) => [
          seen.image(system, pair),
          metric === null ? null : h("span", {}, score(data.metrics[metric], value(data, system, metric, pair))),
        ],
        metric !== null && data.systems.length > 1 && system === chosen,
      ),
    );
    return h(
      "table",
      { class: "strip" },
      h("thead", {}, h("tr", {}, h("td"), ...heads)),
      h("tbody", {}, row("Stimulus", (pair) => [seen.image(null, pair)]), ...rows),
    );
  }
}
