// Compares metrics with each other: the agreement of their orders, and the pairs on which two disagree.

import { type Child, button, h, row, table } from "parts/view.ts";
import { agreement, disagreements } from "./agreement.ts";
import type { Metric } from "./data.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { value } from "./order.ts";
import { explained, score } from "./placeholders.ts";
import type { Page, State } from "./state.ts";
import { meaningful } from "./strip.ts";

/** Number of pairs shown for each of the two directions of disagreement. */
const OF_EACH = 4;
const SHADES = 4;

export function comparison(page: Page, state: State): Child[] {
  const { data, update } = page;
  const known = meaningful(data);
  const shown = (known.length > 1 ? known : data.metrics).map((metric) => data.metrics.indexOf(metric));
  if (data.metrics.length < 2) return [];
  const found = agreement(data, state.system, shown);
  const cell = (row: number, column: number) => {
    const rho = found[row]?.[column] ?? null;
    const [one, other] = [data.metrics[shown[row] ?? 0], data.metrics[shown[column] ?? 0]];
    if (row === column) return h("td");
    if (rho === null) return h("td", { class: "none" }, "–");
    const text = score({ ...one, decimals: 2, stand_in: one?.stand_in === true || other?.stand_in === true } as Metric, rho);
    const clicked = () => update({ view: "distributions", metric: shown[row] ?? 0, metric2: shown[column] ?? 0, within: null });
    const shade = Math.ceil(Math.max(0, rho) * SHADES);
    return h("td", { class: `shade-${shade}` }, button(text, clicked, { "aria-label": `${one?.label} and ${other?.label}: ${text}` }));
  };
  const heads = shown.map((metric) => data.metrics[metric]?.label ?? "");
  const rows = heads.map((label, at) => row(label, ...shown.map((_, column) => cell(at, column))));
  const ofSystem = systemMenu("Pairs of", "system", page, state);
  return [
    h("h3", {}, "Do the metrics agree?"),
    h("div", { class: "controls" }, ofSystem),
    h("p", { class: "quiet" }, "Spearman's rank correlation over pairs; 1: two metrics order the pairs alike. A number leads to its scatter plot."),
    table("Agreement of metrics", "numbers confusion", ["", ...heads], rows),
    ...disagreement(page, state),
  ];
}

function disagreement(page: Page, state: State): Child[] {
  const { data, pictures, update } = page;
  const [one, other] = [data.metrics[state.metric], data.metrics[state.metric2]];
  if (!one || !other || one === other) return [];
  const gaps = disagreements(data, state.system, state.metric, state.metric2);
  const tile = (pair: number) =>
    h(
      "li",
      { class: "tile" },
      button(data.stems[pair] ?? "", () => update({ pair })),
      h("div", {}, pictures.image(null, pair), pictures.image(state.system, pair)),
      `${one.label} ${score(one, value(data, state.system, state.metric, pair))}`,
      h("br"),
      `${other.label} ${score(other, value(data, state.system, state.metric2, pair))}`,
    );
  const tiles = (title: string, pairs: { pair: number }[]) => [
    h("h4", {}, title),
    h("ul", { class: "grid" }, ...pairs.slice(0, OF_EACH).map(({ pair }) => tile(pair))),
  ];
  const all = () => update({ view: "pairs", sort: "disagreement", order: "worst", within: null });
  return [
    h("h3", {}, "Where do two metrics disagree most?"),
    h(
      "div",
      { class: "controls" },
      metricMenu("Metric", "metric", page, state),
      metricMenu("Against", "metric2", page, state),
      button("All pairs in this order", all),
    ),
    explained([one, other]),
    ...tiles(`Bad by ${one.label}, good by ${other.label}`, gaps.filter(({ gap }) => gap > 0)),
    ...tiles(`Good by ${one.label}, bad by ${other.label}`, [...gaps].reverse().filter(({ gap }) => gap < 0)),
  ];
}
