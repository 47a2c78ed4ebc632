// Compares systems with each other, and metrics with each other.

import { type Child, button, h, row, table } from "parts/view.ts";
import { agreement, clusters, disagreements } from "./agreement.ts";
import type { Metric, ReportData } from "./data.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { difference, value } from "./order.ts";
import { explained, score } from "./placeholders.ts";
import type { Page, State } from "./state.ts";
import { meaningful } from "./strip.ts";

/** Number of pairs shown for each of the two directions of disagreement. */
const OF_EACH = 4;
const SHADES = 4;

export function comparison(page: Page, state: State): Child[] {
  const parts = [...systems(page, state), ...metrics(page, state)];
  return parts.length > 0 ? parts : [h("p", {}, "There is one system and one metric: nothing to compare.")];
}

function systems(page: Page, state: State): Child[] {
  const { data } = page;
  const metric = data.metrics[state.metric];
  if (data.systems.length < 2 || !metric) return [];
  const better = metric.direction === "higher" ? "positive" : "negative";
  const possible = ranks(data);
  return [
    h("h3", {}, "Which system is better, and by how much?"),
    h("div", { class: "controls" }, metricMenu("By", "metric", page, state)),
    explained([metric]),
    h("p", { class: "quiet" }, `Row minus column, over the pairs in which every system has a value, with intervals; ${better} is better. Bold: p\u00a0≤\u00a00.05 after Holm's correction.`),
    matrix(data, metric),
    ...(possible ? [h("h3", {}, "Which ranks are possible?"), h("p", { class: "quiet" }, "A bar | divides systems where the tests put every one before it above every one behind it. In brackets: the ranks that the tests leave possible."), possible] : []),
  ];
}

function matrix(data: ReportData, metric: Metric): Child {
  const cell = (row: number, column: number) => {
    if (row === column) return h("td");
    const found = difference(data, metric, row, column);
    if (!found) return h("td", { class: "none" }, "not compared");
    const { mean, ends, p } = found;
    const isSure = !metric.stand_in && p !== null && p <= 0.05;
    const interval = ends && h("small", {}, `${score(metric, ends[0])} to ${score(metric, ends[1])}`);
    return h("td", {}, h(isSure ? "b" : "span", {}, score(metric, mean)), interval);
  };
  const rows = data.systems.map((name, at) => row(name, ...data.systems.map((_, column) => cell(at, column))));
  return table("Paired differences", "numbers", ["", ...data.systems], rows);
}

/** A row for each metric with ranks: its systems in clusters, the best first. */
function ranks(data: ReportData): Child {
  const rows = (data.ranks ?? []).flatMap(({ metric: id, systems }) => {
    const found = clusters(systems);
    const label = data.metrics.find((metric) => metric.id === id)?.label ?? id;
    if (!found) return [];
    const item = (system: number) => {
      const [rank, first, last] = systems[system] ?? [0, 0, 0];
      return h("li", {}, `${data.systems[system] ?? ""} ${rank} [${first === last ? first : `${first} to ${last}`}]`);
    };
    const items = found.flatMap((cluster, place) => [...(place > 0 ? [h("li", { class: "bar", "aria-label": "above" }, "|")] : []), ...cluster.map(item)]);
    return [row(label, h("td", {}, h("ul", { class: "clusters" }, ...items)))];
  });
  return rows.length === 0 ? null : table("Possible ranks", "words", ["Metric", "From the best to the worst"], rows);
}

function metrics(page: Page, state: State): Child[] {
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
