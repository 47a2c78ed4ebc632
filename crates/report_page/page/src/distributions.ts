// How values spread: each system's, one metric against another, and paired differences. All plots show the same selection.

import type { ReportData } from "./data.ts";
import { button, h, menu, redrawn, replace, row, table } from "parts/dom.ts";
import { THRESHOLD, failures, levelLabel, levels } from "./failures.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { nearMisses } from "./near_misses.ts";
import { filtered, value } from "./order.ts";
import { explained, score } from "./placeholders.ts";
import { Plot, type Scale, extent, jitter, quantile, scale } from "./plots.ts";
import type { Selection, State } from "./state.ts";

/** Room for the names of systems beside a plot. */
const beside = (plot: Plot): number => Math.min(150, 0.3 * plot.width);
const STRIP_PX = 54;

export class Distributions {
  readonly element = h("div", { class: "live" });
  private state: State;
  private selected = new Set<number>();
  private level = 0;
  private scatterScales: { x: Scale; y: Scale } | null = null;

  constructor(
    private readonly data: ReportData,
    state: State,
    private readonly update: (changes: Partial<State>) => void,
  ) {
    this.state = state;
  }

  show(state: State): void {
    this.state = state;
    const { data } = this;
    this.selected = new Set(state.within ? filtered(data, { ...state, text: "", category: "", failure: "", undefined: "" }) : []);
    const metric = data.metrics[state.metric];
    if (!metric) return replace(this.element, h("p", {}, "There is no metric."));
    const parts = [
      this.controls(),
      explained([metric, state.metric === state.metric2 ? undefined : data.metrics[state.metric2]]),
      h("h3", {}, `${metric.label}: values of all pairs`),
      h("p", { class: "quiet" }, "A mark is a pair and opens it. The box holds the middle half of the pairs; the line in it is the median."),
      this.strips(),
      this.quartiles(),
      h("h3", {}, `${metric.label}: share of pairs up to a value`),
      this.ecdf(),
      ...this.scatter(),
      ...this.differences(),
      ...this.failures(),
      ...nearMisses(data, state, this.update),
    ];
    redrawn(this.element, () => replace(this.element, ...parts));
  }

  private controls(): HTMLElement {
    const { data, state, update } = this;
    return h(
      "div",
      { class: "controls" },
      metricMenu("Metric", "metric", data, state, update),
      data.metrics.length > 1 ? metricMenu("Against", "metric2", data, state, update) : null,
      systemMenu("System", "system", data, state, update),
      systemMenu("Minus", "system2", data, state, update),
    );
  }

  private values(system: number, metric = this.state.metric): { pair: number; v: number }[] {
    return [...this.data.stems.keys()].flatMap((pair) => {
      const v = value(this.data, system, metric, pair);
      return v === null ? [] : [{ pair, v }];
    });
  }

  private open = (pair: number): void => this.update({ pair });

  /** Marks of a row; those of the selection on top. */
  private marks(plot: Plot, x: Scale, y: number, values: { pair: number; v: number }[], series: number): void {
    const { context } = plot;
    context.globalAlpha = values.length > 200 ? 0.45 : 0.8;
    const spread = STRIP_PX * 0.32;
    const draw = (chosen: boolean) => {
      const colour = chosen ? plot.colours.marked : plot.colour(series);
      for (const { pair, v } of values) {
        if (this.selected.has(pair) !== chosen) continue;
        plot.spot(x(v), y + spread * jitter(pair), pair, series, colour, chosen ? 3.6 : 2.4);
      }
    };
    draw(false);
    context.globalAlpha = 1;
    draw(true);
  }

  private strips(): HTMLElement {
    const { data, state } = this;
    const rows = data.systems.map((_, system) => this.values(system));
    const chance = data.metrics[state.metric]?.chance ?? null;
    const label = data.metrics[state.metric]?.label ?? "";
    const all = rows.flat().map(({ v }) => v);
    const height = 20 + STRIP_PX * rows.length + 42;
    const words = `Strip plot of ${label} for ${data.systems.length} systems; the table below has the quartiles`;
    const plot = new Plot(words, height, (plot) => {
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
        const sorted = values.map(({ v }) => v).sort((a, b) => a - b);
        const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
        if (low === null || low === undefined || middle === null || middle === undefined || high === null || high === undefined) continue;
        const [top, foot] = [y - STRIP_PX * 0.38, y + STRIP_PX * 0.38];
        const corners: [number, number][] = [[x(low), top], [x(high), top], [x(high), foot], [x(low), foot], [x(low), top]];
        plot.line(corners, plot.colours.text, 1.5);
        plot.line([[x(middle), top], [x(middle), foot]], plot.colours.text, 3);
      }
    }, this.open);
    return plot.canvas;
  }

  private quartiles(): HTMLElement {
    const { data, state } = this;
    const metric = data.metrics[state.metric];
    const body = data.systems.map((name, system) => {
      const sorted = this.values(system).map(({ v }) => v).sort((a, b) => a - b);
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

  private ecdf(): HTMLElement {
    const { data, state } = this;
    const label = data.metrics[state.metric]?.label ?? "";
    const rows = data.systems.map((_, system) => this.values(system).map(({ v }) => v).sort((a, b) => a - b));
    const height = 300;
    const plot = new Plot(`Cumulative distribution of ${label}, a line for each system`, height, (plot) => {
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
    }, this.open);
    return plot.canvas;
  }

  private scatter(): HTMLElement[] {
    const { data, state } = this;
    const [one, other] = [data.metrics[state.metric], data.metrics[state.metric2]];
    if (!one || !other || state.metric === state.metric2) return [];
    const points = this.values(state.system).flatMap(({ pair, v }) => {
      const w = value(data, state.system, state.metric2, pair);
      return w === null ? [] : [{ pair, v, w }];
    });
    const name = data.systems[state.system] ?? "";
    const height = 420;
    const words = `Scatter plot of ${one.label} against ${other.label} for ${name}; fields below select ranges`;
    const plot = new Plot(words, height, (plot) => {
      const x = scale(extent(points.map(({ v }) => v)), [60, plot.width - 16]);
      const y = scale(extent(points.map(({ w }) => w)), [height - 42, 24]);
      this.scatterScales = { x, y };
      plot.xAxis(x, height - 42, 24, one.label);
      plot.yAxis(y, 60, plot.width - 16, other.label);
      plot.context.globalAlpha = points.length > 200 ? 0.5 : 0.85;
      for (const chosen of [false, true]) {
        const colour = chosen ? plot.colours.marked : plot.colour(state.system);
        for (const { pair, v, w } of points) {
          if (this.selected.has(pair) === chosen) plot.spot(x(v), y(w), pair, state.system, colour, chosen ? 4 : 2.8);
        }
        plot.context.globalAlpha = 1;
      }
      const range = state.within;
      if (range && range.x === state.metric && range.y === state.metric2 && range.system === state.system) {
        const [a, b, c, d] = [x(range.from[0]), x(range.from[1]), y(range.to[0]), y(range.to[1])];
        plot.line([[a, c], [b, c], [b, d], [a, d], [a, c]], plot.colours.marked, 2, [4, 3]);
      }
    }, this.open);
    this.selectByDragging(plot);
    return [
      h("h3", {}, `${name}: ${one.label} against ${other.label}`),
      h("p", { class: "quiet" }, "Drag a rectangle, or fill in the fields, to select pairs. The selection is marked in every plot."),
      plot.canvas,
      this.rangeFields(),
    ];
  }

  private selectByDragging(plot: Plot): void {
    let from: [number, number] | null = null;
    const at = (event: PointerEvent): [number, number] => {
      const box = plot.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    plot.canvas.addEventListener("pointerdown", (event) => {
      from = at(event);
      plot.canvas.setPointerCapture(event.pointerId);
    });
    plot.canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = at(event);
      plot.draw();
      plot.line([from, [to[0], from[1]], to, [from[0], to[1]], from], plot.colours.marked, 2);
    });
    plot.canvas.addEventListener("pointerup", (event) => {
      const scales = this.scatterScales;
      const [start, end] = [from, at(event)];
      from = null;
      // A shorter way is a click.
      if (!start || !scales || Math.hypot(end[0] - start[0], end[1] - start[1]) < 6) return;
      // The click that follows must not open the pair where the drag ended.
      plot.spots = [];
      const span = (a: number, b: number): [number, number] => [round(Math.min(a, b)), round(Math.max(a, b))];
      this.select(
        span(scales.x.back(start[0]), scales.x.back(end[0])),
        span(scales.y.back(start[1]), scales.y.back(end[1])),
      );
    });
  }

  private select(from: [number, number], to: [number, number]): void {
    const within: Selection = { system: this.state.system, x: this.state.metric, y: this.state.metric2, from, to };
    this.update({ within });
  }

  private rangeFields(): HTMLElement {
    const { data, state } = this;
    const range = state.within;
    const labels = [data.metrics[state.metric]?.label ?? "", data.metrics[state.metric2]?.label ?? ""];
    const now = range ? [...range.from, ...range.to] : ["", "", "", ""];
    const fields = now.map((value, place) => {
      const name = `${labels[place < 2 ? 0 : 1] ?? ""} ${place % 2 === 0 ? "from" : "to"}`;
      const input = h("input", { type: "number", step: "any", value });
      return { input, label: h("label", { class: "field" }, h("span", {}, name), input) };
    });
    const apply = () => {
      const typed = fields.map(({ input }, place) => {
        const v = input.valueAsNumber;
        return Number.isNaN(v) ? (place % 2 === 0 ? -1e9 : 1e9) : v;
      });
      this.select([typed[0] ?? -1e9, typed[1] ?? 1e9], [typed[2] ?? -1e9, typed[3] ?? 1e9]);
    };
    return h(
      "div",
      { class: "controls" },
      ...fields.map(({ label }) => label),
      button("Select", apply),
      h("span", { role: "status" }, range ? `${this.selected.size} pairs selected` : "nothing selected"),
      range ? button("Show them as pairs", () => this.update({ view: "pairs" })) : null,
      range ? button("Select nothing", () => this.update({ within: null })) : null,
    );
  }

  private differences(): HTMLElement[] {
    const { data, state } = this;
    const metric = data.metrics[state.metric];
    if (!metric || state.system === state.system2) return [];
    const pairs = this.values(state.system).flatMap(({ pair, v }) => {
      const w = value(data, state.system2, state.metric, pair);
      return w === null ? [] : [{ pair, v: v - w }];
    });
    const [one, other] = [data.systems[state.system] ?? "", data.systems[state.system2] ?? ""];
    const found = data.differences.find(
      ({ metric: id, a, b }) =>
        id === metric.id && [a, b].includes(state.system) && [a, b].includes(state.system2),
    );
    const sign = found?.a === state.system ? 1 : -1;
    const mean = found?.difference === null || found === undefined ? null : sign * found.difference;
    const ends = found?.interval ? found.interval.map((end) => sign * end).sort((a, b) => a - b) : null;
    const [low, high] = [ends?.[0] ?? null, ends?.[1] ?? null];
    const height = 200;
    const words = `${metric.label} of ${one} minus ${other}, a mark for each pair, with the mean and its interval`;
    const plot = new Plot(words, height, (plot) => {
      const also = [0, low ?? 0, high ?? 0];
      const x = scale(extent(pairs.map(({ v }) => v), also), [24, plot.width - 24]);
      const bottom = height - 42;
      plot.xAxis(x, bottom, 10, `${metric.label}: ${one} − ${other}`);
      plot.line([[x(0), 4], [x(0), bottom]], plot.colours.text, 1.5);
      this.marks(plot, x, 50, pairs, state.system);
      if (mean !== null && low !== null && high !== null) {
        plot.line([[x(low), 115], [x(high), 115]], plot.colours.text, 3);
        plot.spot(x(mean), 115, -1, 3, plot.colours.text, 6);
        plot.spots.pop();
      }
    }, this.open);
    const p = found?.p_holm === null || found === undefined ? "" : `, p = ${found.p_holm.toPrecision(2)} after Holm's correction`;
    const interval = low === null ? "" : ` (${score(metric, low)} to ${score(metric, high)})`;
    // The differences are of the pairs that all systems have, not only these two.
    const isCompared = (pair: number) => data.systems.every((_, system) => value(data, system, state.metric, pair) !== null);
    const n = pairs.filter(({ pair }) => isCompared(pair)).length;
    const over = n === pairs.length ? "" : `, over the ${n} in which every system has a value`;
    const sentence = mean === null ? "" : ` Mean difference ${score(metric, mean)}${interval}${p}${over}.`;
    return [
      h("h3", {}, `${metric.label}: ${one} minus ${other}`),
      h("p", {}, `${pairs.length} pairs have a value of both.${sentence}`),
      plot.canvas,
    ];
  }

  /** What is missed most, and what is invented in its place. A name shows its pairs. */
  private failures(): HTMLElement[] {
    const { data, state } = this;
    const known = levels(data);
    const chosen = known[this.level];
    if (!chosen) return [];
    const system = data.systems[state.system] ?? "";
    const options = known.map((level, place) => ({ value: String(place), label: levelLabel(data, level) }));
    const failure = `missed/${chosen.metric}/${chosen.level}`;
    const found = failures(data, state.system, chosen.metric, chosen.level);
    const rows = found.slice(0, MOST_FAILURES).map(({ name, seen, missed, instead }) =>
      row(
        button(name, () => this.update({ view: "pairs", failure, category: name, instead: "" })),
        h("td", {}, String(seen)),
        h("td", {}, `${missed} (${Math.round((100 * missed) / seen)} %)`),
        h("td", { class: "words" }, instead.slice(0, 5).map(([other, n]) => `${other} ${n}`).join(", ")),
      ),
    );
    const shown = table("What is missed", "numbers", ["Seen", "Pairs", "Missed", "Invented in these pairs"], rows);
    shown.querySelector("thead th:last-child")?.classList.add("words");
    const told = `Detections count from a score of ${THRESHOLD} on. The ${Math.min(found.length, MOST_FAILURES)} names that are missed in most pairs.`;
    return [
      h("h3", {}, `${system}: what is missed, and what is invented in its place`),
      menu("By", options, String(this.level), (place) => {
        this.level = Number(place);
        this.show(this.state);
      }),
      h("p", { class: "quiet" }, told),
      shown,
    ];
  }
}

/** Rows of the table of failures. */
const MOST_FAILURES = 25;

/** Enough digits for a range that was drawn by hand. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
