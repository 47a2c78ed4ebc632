// Fills the strip, which the program has drawn, with the pairs from the best to the worst by another metric and system.

import { render } from "preact";
import { type Child, button, h } from "parts/view.ts";
import { SeenParts } from "./clips.ts";
import type { Metric, ReportData } from "./data.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { value } from "./order.ts";
import { score } from "./placeholders.ts";
import type { Page, State } from "./state.ts";

/** Number of pairs that are shown if no order is meaningful. */
const MOST = 5;

/** Metrics that give the pairs a meaningful order. */
export function meaningful(data: ReportData): Metric[] {
  return data.metrics.filter((metric) => !metric.stand_in);
}

/** Takes over the strip in `place`; returns a function that shows a state. */
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
    // `null` if no order is meaningful.
    const metric = metrics.length === 0 ? null : own && metrics.includes(own) ? state.metric : data.headline;
    const shown = metric === null ? [...data.stems.keys()].slice(0, MOST).map((pair): [string, number] => ["", pair]) : (data.strips[chosen]?.[metric] ?? []);
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
        // The first line shows the stimuli.
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
