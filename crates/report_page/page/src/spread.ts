// A small histogram that shows where a pair's score lies among all pairs' scores.

import { type Child, h } from "parts/view.ts";
import type { ReportData } from "./data.ts";

const BINS = 16;
const [BAR_PX, HEIGHT_PX] = [5, 20];

/**
 * The number of pairs in each of equally wide bins, from the worst to the best value, and a function that gives the bin
 * of a value.
 */
export function bins(values: number[], direction: "higher" | "lower"): { counts: number[]; of: (value: number) => number } {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) [low, high] = [Math.min(low, v), Math.max(high, v)];
  const of = (value: number) => {
    const at = Math.min(BINS - 1, Math.floor(((value - low) / (high - low || 1)) * BINS));
    return direction === "higher" ? at : BINS - 1 - at;
  };
  const counts = Array.from({ length: BINS }, () => 0);
  for (const v of values) counts[of(v)] = (counts[of(v)] ?? 0) + 1;
  return { counts, of };
}

/** A histogram of a system's scores by a metric, which marks the bar of this value; `null` for a placeholder. */
export function spread(data: ReportData, system: number, metric: number, value: number): Child {
  const { stand_in, direction } = data.metrics[metric] ?? {};
  if (stand_in !== false || direction === undefined) return null;
  const known = (data.scores[system]?.[metric]?.values ?? []).filter((v) => v !== null);
  const { counts, of } = bins(known, direction);
  const largest = Math.max(...counts);
  const bars = counts.map((n, k) => {
    // An empty bin has a bar of one pixel.
    const height = Math.max(1, (n / largest) * HEIGHT_PX);
    return h("rect", { x: k * BAR_PX, y: HEIGHT_PX - height, width: BAR_PX - 1, height, class: k === of(value) ? "own" : null });
  });
  return h("svg", { class: "spread", width: BINS * BAR_PX, height: HEIGHT_PX, "aria-hidden": "true" }, ...bars);
}
