// Fills the strip, which the program drew, with the pairs from the best to the worst by another metric and system.

import { render } from "preact";
import { type Child, button, h } from "parts/view.ts";
import { SeenParts } from "./clips.ts";
import type { Metric, ReportData } from "./data.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { sorted, value } from "./order.ts";
import { score } from "./placeholders.ts";
import type { Page, State } from "./state.ts";

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

/** A strip in its place; what is returned shows a state. */
export function strip(place: HTMLElement, page: Page): (state: State) => void {
  const { data, pictures, update } = page;
  const controls = document.createElement("div");
  controls.className = "live";
  place.prepend(controls);
  const told = place.querySelector("p.static");
  const [head, ...lines] = place.querySelectorAll("tr");
  const metrics = meaningful(data);
  let draw = () => {};
  const seen = new SeenParts(pictures, () => draw());
  return (state) => {
    const { system: chosen } = state;
    const own = data.metrics[state.metric];
    // `null` where no order means something.
    const metric = metrics.length === 0 ? null : own && metrics.includes(own) ? state.metric : data.headline;
    const shown = metric === null ? [...data.stems.keys()].slice(0, COLUMNS.length).map((pair): [string, number] => ["", pair]) : ordered(data, chosen, metric);
    const open = (pair: number) => () => update({ pair });
    const cell = (system: number | null, pair: number): Child => {
      const number = system === null || metric === null ? null : h("span", {}, score(data.metrics[metric], value(data, system, metric, pair)));
      return h("td", { "data-pair": pair, onClick: open(pair) }, seen.image(system, pair), number);
    };
    const stem = (pair: number) => h("small", {}, button(data.stems[pair] ?? "", open(pair)));
    const menus =
      metric !== null &&
      h(
        "div",
        { class: "controls" },
        metricMenu("From best to worst by", "metric", page, { ...state, metric }, { within: null }, metrics),
        systemMenu("of", "system", page, state),
      );
    draw = () => {
      render([menus, seen.controls()], controls);
      if (head) render([h("td"), ...shown.map(([name, pair]) => h("th", { scope: "col" }, name, stem(pair)))], head);
      for (const [at, line] of lines.entries()) {
        // The first line is of the stimuli.
        const system = at === 0 ? null : at - 1;
        const name = system === null ? "Stimulus" : data.systems[system];
        line.classList.toggle("chosen", metric !== null && data.systems.length > 1 && system === chosen);
        render([h("th", { scope: "row" }, name), ...shown.map(([, pair]) => cell(system, pair))], line);
      }
    };
    if (told && metric !== null) told.textContent = `From the best to the worst pair by ${data.metrics[metric]?.label} of ${data.systems[chosen]}.`;
    seen.show(shown.map(([, pair]) => pair));
    draw();
  };
}

/** The pairs of the columns by a metric of a system. */
function ordered(data: ReportData, system: number, metric: number): [string, number][] {
  const known = [...data.stems.keys()].filter((pair) => value(data, system, metric, pair) !== null);
  const sign = data.metrics[metric]?.direction === "lower" ? -1 : 1;
  const by = data.stems.map((_, pair) => sign * (value(data, system, metric, pair) ?? 0));
  return columns(sorted(known, by, "worst"));
}
