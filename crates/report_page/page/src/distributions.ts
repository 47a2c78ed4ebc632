// Distributions of values: each system's, one metric against another, and paired differences. All plots show the same
// selection.

import { Fragment, createRef } from "preact";
import { useState } from "preact/hooks";
import { type Child, button, field, h, menu, row, table } from "parts/view.ts";
import type { Metric, ReportData } from "./data.ts";
import { THRESHOLD, failures, levelLabel, levels } from "./failures.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { nearMisses } from "./near_misses.ts";
import { difference, filtered, value } from "./order.ts";
import { explained, score } from "./placeholders.ts";
import { Plot, type Scale, extent, jitter, quantile, scale } from "./plots.ts";
import type { Page, State } from "./state.ts";

/** Width for the names of systems beside a plot. */
const beside = (plot: Plot): number => Math.min(150, 0.3 * plot.width);
const STRIP_PX = 54;

export function distributions(page: Page, state: State): Child[] {
  const metric = page.data.metrics[state.metric];
  return metric ? new Distributions(page, state, metric).parts() : [h("p", {}, "There is no metric.")];
}

/** The distributions for a state. */
class Distributions {
  private readonly data: ReportData;
  private readonly selected: Set<number>;

  constructor(
    private readonly page: Page,
    private readonly state: State,
    private readonly metric: Metric,
  ) {
    this.data = page.data;
    this.selected = new Set(state.within ? filtered(page.data, { ...state, text: "", category: "", failure: "", undefined: "" }) : []);
  }

  parts(): Child[] {
    const { page, state, data, metric } = this;
    return [
      h(
        "div",
        { class: "controls" },
        metricMenu("Metric", "metric", page, state),
        data.metrics.length > 1 && metricMenu("Against", "metric2", page, state),
        systemMenu("System", "system", page, state),
        systemMenu("Minus", "system2", page, state),
      ),
      explained([metric, state.metric === state.metric2 ? undefined : data.metrics[state.metric2]]),
      h("h3", {}, `${metric.label}: values of all pairs`),
      h("p", { class: "quiet" }, "A mark is a pair and opens it. The box holds the middle half of the pairs; the line in it is the median."),
      this.strips(),
      this.quartiles(),
      h("h3", {}, `${metric.label}: share of pairs up to a value`),
      this.ecdf(),
      ...this.scatter(),
      ...this.differences(),
      h(Failures, { page, state }),
      ...nearMisses(page, state),
    ];
  }

  private plot(label: string, height: number, drawn: (plot: Plot) => void, more: Partial<Plot["props"]> = {}): Child {
    return h(Plot, { label, height, drawn, update: this.page.update, ...more });
  }

  private values(system: number, metric = this.state.metric): { pair: number; v: number }[] {
    return [...this.data.stems.keys()].flatMap((pair) => {
      const v = value(this.data, system, metric, pair);
      return v === null ? [] : [{ pair, v }];
    });
  }

  private sorted(system: number): number[] {
    return this.values(system).map(({ v }) => v).sort((a, b) => a - b);
  }

  /** Draws the marks of a row, the selected ones on top. */
  private marks(plot: Plot, x: Scale, y: number, values: { pair: number; v: number }[], series: number): void {
    const { pen } = plot;
    pen.globalAlpha = values.length > 200 ? 0.45 : 0.8;
    const spread = STRIP_PX * 0.32;
    const draw = (chosen: boolean) => {
      const colour = chosen ? plot.colours.marked : plot.colour(series);
      for (const { pair, v } of values) {
        if (this.selected.has(pair) !== chosen) continue;
        plot.spot(x(v), y + spread * jitter(pair), pair, series, colour, chosen ? 3.6 : 2.4);
      }
    };
    draw(false);
    pen.globalAlpha = 1;
    draw(true);
  }

  private strips(): Child {
    const { data } = this;
    const { chance, label } = this.metric;
    const rows = data.systems.map((_, system) => this.values(system));
    const all = rows.flat().map(({ v }) => v);
    const height = 20 + STRIP_PX * rows.length + 42;
    const words = `Strip plot of ${label} for ${data.systems.length} systems; the table below has the quartiles`;
    return this.plot(words, height, (plot) => {
      const x = scale(extent(all, chance === null ? [] : [chance]), [beside(plot), plot.width - 16]);
      const bottom = height - 42;
      plot.xAxis(x, bottom, 10, label);
      if (chance !== null) {
        plot.line([[x(chance), 10], [x(chance), bottom]], plot.colours.text, 1.5, [5, 4]);
        plot.text("chance", x(chance) + 4, 8, "left", plot.colours.quiet);
      }
      for (const [system, values] of rows.entries()) {
        const y = 20 + STRIP_PX * (system + 0.5);
        plot.text(data.systems[system] ?? "", beside(plot) - 12, y, "right", plot.colours.text, beside(plot) - 16);
        this.marks(plot, x, y, values, system);
        const [low = null, middle = null, high = null] = [0.25, 0.5, 0.75].map((share) => quantile(this.sorted(system), share));
        if (low === null || middle === null || high === null) continue;
        const [top, foot] = [y - STRIP_PX * 0.38, y + STRIP_PX * 0.38];
        const corners: [number, number][] = [[x(low), top], [x(high), top], [x(high), foot], [x(low), foot], [x(low), top]];
        plot.line(corners, plot.colours.text, 1.5);
        plot.line([[x(middle), top], [x(middle), foot]], plot.colours.text, 3);
      }
    });
  }

  private quartiles(): Child {
    const { data, state, metric } = this;
    const body = data.systems.map((name, system) => {
      const sorted = this.sorted(system);
      const scores = data.scores[system]?.[state.metric];
      const [low, high] = scores?.interval ?? [null, null];
      const cells = [
        String(sorted.length),
        String(scores?.undefined.length ?? 0),
        score(metric, scores?.mean),
        low === null ? "–" : `${score(metric, low)} to ${score(metric, high)}`,
        ...[0, 0.25, 0.5, 0.75, 1].map((share) => score(metric, quantile(sorted, share))),
      ];
      return row(name, ...cells.map((cell) => h("td", {}, cell)));
    });
    const heads = ["System", "Pairs", "Undefined", "Mean", "Interval", "Smallest", "Lower quartile", "Median", "Upper quartile", "Largest"];
    return table("Quartiles", "numbers", heads, body);
  }

  private ecdf(): Child {
    const { data } = this;
    const { label } = this.metric;
    const rows = data.systems.map((_, system) => this.sorted(system));
    const height = 300;
    return this.plot(`Cumulative distribution of ${label}, a line for each system`, height, (plot) => {
      const x = scale(extent(rows.flat()), [60, plot.width - beside(plot)]);
      const y = scale([0, 1], [height - 42, 32]);
      plot.xAxis(x, height - 42, 32, label);
      plot.yAxis(y, 60, plot.width - beside(plot), "share of pairs");
      for (const [system, sorted] of rows.entries()) {
        const points: [number, number][] = [];
        for (const [place, v] of sorted.entries()) {
          points.push([x(v), y(place / sorted.length)], [x(v), y((place + 1) / sorted.length)]);
        }
        plot.line(points, plot.colour(system), 2, plot.dash(system));
        const keyY = 42 + 22 * system;
        const from = plot.width - beside(plot) + 8;
        plot.line([[from, keyY], [from + 24, keyY]], plot.colour(system), 2, plot.dash(system));
        plot.text(data.systems[system] ?? "", from + 30, keyY, "left", plot.colours.text, beside(plot) - 38);
      }
    });
  }

  private scatter(): Child[] {
    const { data, state, metric: one } = this;
    const other = data.metrics[state.metric2];
    if (!other || state.metric === state.metric2) return [];
    const points = this.values(state.system).flatMap(({ pair, v }) => {
      const w = value(data, state.system, state.metric2, pair);
      return w === null ? [] : [{ pair, v, w }];
    });
    const name = data.systems[state.system] ?? "";
    const height = 420;
    const words = `Scatter plot of ${one.label} against ${other.label} for ${name}; fields below select ranges`;
    let scales: { x: Scale; y: Scale } | null = null;
    const drawn = (plot: Plot) => {
      const x = scale(extent(points.map(({ v }) => v)), [60, plot.width - 16]);
      const y = scale(extent(points.map(({ w }) => w)), [height - 42, 24]);
      scales = { x, y };
      plot.xAxis(x, height - 42, 24, one.label);
      plot.yAxis(y, 60, plot.width - 16, other.label);
      plot.pen.globalAlpha = points.length > 200 ? 0.5 : 0.85;
      for (const chosen of [false, true]) {
        const colour = chosen ? plot.colours.marked : plot.colour(state.system);
        for (const { pair, v, w } of points) {
          if (this.selected.has(pair) === chosen) plot.spot(x(v), y(w), pair, state.system, colour, chosen ? 4 : 2.8);
        }
        plot.pen.globalAlpha = 1;
      }
      const range = state.within;
      if (range && range.x === state.metric && range.y === state.metric2 && range.system === state.system) {
        const [a, b, c, d] = [x(range.from[0]), x(range.from[1]), y(range.to[0]), y(range.to[1])];
        plot.line([[a, c], [b, c], [b, d], [a, d], [a, c]], plot.colours.marked, 2, [4, 3]);
      }
    };
    const span = (a: number, b: number): [number, number] => [round(Math.min(a, b)), round(Math.max(a, b))];
    const selected = (from: [number, number], to: [number, number]) => {
      if (!scales) return;
      const { x, y } = scales;
      this.select(span(x.back(from[0]), x.back(to[0])), span(y.back(from[1]), y.back(to[1])));
    };
    return [
      h("h3", {}, `${name}: ${one.label} against ${other.label}`),
      h("p", { class: "quiet" }, "Drag a rectangle, or fill in the fields, to select pairs. The selection is marked in every plot."),
      this.plot(words, height, drawn, { selected }),
      this.rangeFields([one.label, other.label]),
    ];
  }

  private select(from: [number, number], to: [number, number]): void {
    const { system, metric: x, metric2: y } = this.state;
    this.page.update({ within: { system, x, y, from, to } });
  }

  private rangeFields(labels: [string, string]): Child {
    const { page } = this;
    const range = this.state.within;
    const now = range ? [...range.from, ...range.to] : ["", "", "", ""];
    const inputs = now.map(() => createRef<HTMLInputElement>());
    const fields = now.map((value, place) =>
      field(`${labels[place < 2 ? 0 : 1]} ${place % 2 === 0 ? "from" : "to"}`, h("input", { type: "number", step: "any", value, ref: inputs[place] })),
    );
    const apply = () => {
      const [a = -NO_END, b = NO_END, c = -NO_END, d = NO_END] = inputs.map(({ current }) => (current?.value ? current.valueAsNumber : undefined));
      this.select([a, b], [c, d]);
    };
    return h(
      "div",
      { class: "controls" },
      ...fields,
      button("Select", apply),
      h("span", { role: "status" }, range ? `${this.selected.size} pairs selected` : "nothing selected"),
      range && button("Show them as pairs", () => page.update({ view: "pairs" })),
      range && button("Select nothing", () => page.update({ within: null })),
    );
  }

  private differences(): Child[] {
    const { data, state, metric } = this;
    if (state.system === state.system2) return [];
    const pairs = this.values(state.system).flatMap(({ pair, v }) => {
      const w = value(data, state.system2, state.metric, pair);
      return w === null ? [] : [{ pair, v: v - w }];
    });
    const [one, other] = [data.systems[state.system] ?? "", data.systems[state.system2] ?? ""];
    const found = difference(data, metric, state.system, state.system2);
    const [low = null, high = null] = found?.ends ?? [];
    const height = 200;
    const words = `${metric.label} of ${one} minus ${other}, a mark for each pair, with the mean and its interval`;
    const drawn = (plot: Plot) => {
      const also = [0, low ?? 0, high ?? 0];
      const x = scale(extent(pairs.map(({ v }) => v), also), [24, plot.width - 24]);
      const bottom = height - 42;
      plot.xAxis(x, bottom, 10, `${metric.label}: ${one} − ${other}`);
      plot.line([[x(0), 4], [x(0), bottom]], plot.colours.text, 1.5);
      this.marks(plot, x, 50, pairs, state.system);
      if (found && low !== null && high !== null) {
        plot.line([[x(low), 115], [x(high), 115]], plot.colours.text, 3);
        plot.spot(x(found.mean), 115, -1, 3, plot.colours.text, 6);
        plot.spots.pop();
      }
    };
    const p = typeof found?.p === "number" ? `, p = ${found.p.toPrecision(2)} after Holm's correction` : "";
    const interval = low === null ? "" : ` (${score(metric, low)} to ${score(metric, high)})`;
    // Differences are over the pairs that all systems have, not only these two.
    const isCompared = (pair: number) => data.systems.every((_, system) => value(data, system, state.metric, pair) !== null);
    const n = pairs.filter(({ pair }) => isCompared(pair)).length;
    const over = n === pairs.length ? "" : `, over the ${n} in which every system has a value`;
    const sentence = found === null ? "" : ` Mean difference ${score(metric, found.mean)}${interval}${p}${over}.`;
    return [
      h("h3", {}, `${metric.label}: ${one} minus ${other}`),
      h("p", {}, `${pairs.length} pairs have a value of both.${sentence}`),
      this.plot(words, height, drawn),
    ];
  }
}

/** What is missed most, and what is invented instead. A click on a name shows its pairs. */
function Failures({ page, state }: { page: Page; state: State }): Child {
  const [level, choose] = useState(0);
  const { data, update } = page;
  const known = levels(data);
  const chosen = known[level];
  if (!chosen) return null;
  const options = known.map((level, place) => ({ value: String(place), label: levelLabel(data, level) }));
  const failure = `missed/${chosen.metric}/${chosen.level}`;
  const found = failures(data, state.system, chosen.metric, chosen.level);
  const rows = found.slice(0, MOST_FAILURES).map(({ name, seen, missed, instead }) =>
    row(
      button(name, () => update({ view: "pairs", failure, category: name, instead: "" })),
      h("td", {}, String(seen)),
      h("td", {}, `${missed} (${Math.round((100 * missed) / seen)} %)`),
      h("td", { class: "words" }, instead.slice(0, 5).map(([other, n]) => `${other} ${n}`).join(", ")),
    ),
  );
  const told = `Detections count from a score of ${THRESHOLD} on. The ${Math.min(found.length, MOST_FAILURES)} names that are missed in most pairs.`;
  return h(
    Fragment,
    {},
    h("h3", {}, `${data.systems[state.system] ?? ""}: what is missed, and what is invented in its place`),
    menu("By", options, String(level), (place) => choose(Number(place))),
    h("p", { class: "quiet" }, told),
    table("What is missed", "numbers", ["Seen", "Pairs", "Missed", "Invented in these pairs"], rows),
  );
}

/** Rows of the table of failures. */
const MOST_FAILURES = 25;
/** Stands for an open end of a range. */
const NO_END = 1e9;

/** Rounds to enough digits for a range that was drawn by hand. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
