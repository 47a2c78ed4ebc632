// A map of the pairs, in which similar stimuli are near each other, coloured by a score.

import { type Child, h } from "parts/view.ts";
import { ramp } from "./maps.ts";
import { value } from "./order.ts";
import { score } from "./placeholders.ts";
import { Plot, extent, scale } from "./plots.ts";
import type { Page, State } from "./state.ts";

const HEIGHT_PX = 480;
/** The part of the colour ramp that is visible on both white and black. */
const [DARKEST, LIGHTEST] = [0.2, 0.8];

/** The map of these pairs. A pair without a score is grey, and all pairs are if the metric uses a placeholder. */
export function pairMap({ data, update }: Page, state: State, pairs: number[]): Child[] {
  const { map } = data;
  const metric = data.metrics[state.metric];
  if (!map || !metric) return [];
  const placed = pairs.flatMap((pair) => {
    const at = map.at[pair];
    return at ? [{ pair, at, v: metric.stand_in ? null : value(data, state.system, state.metric, pair) }] : [];
  });
  const [low, high] = extent(placed.flatMap(({ v }) => v ?? []));
  const colour = (v: number) => `rgb(${ramp(DARKEST + ((LIGHTEST - DARKEST) * (v - low)) / (high - low)).join(" ")})`;
  const axis = (k: 0 | 1) => `principal axis ${k + 1} (${Math.round(100 * map.shares[k])} % of the variance)`;
  const words = `Map of ${placed.length} pairs by the features of ${map.features}, coloured by ${metric.label}; rows and tiles have the same pairs`;
  const drawn = (plot: Plot) => {
    const x = scale(extent(placed.map(({ at }) => at[0])), [60, plot.width - 16]);
    const y = scale(extent(placed.map(({ at }) => at[1])), [HEIGHT_PX - 42, 24]);
    plot.xAxis(x, HEIGHT_PX - 42, 24, axis(0));
    plot.yAxis(y, 60, plot.width - 16, axis(1));
    for (const { pair, at, v } of placed) {
      plot.spot(x(at[0]), y(at[1]), pair, 0, plot.colours.quiet, 5.5);
      plot.spot(x(at[0]), y(at[1]), pair, 0, v === null ? plot.colours.line : colour(v), 4.5);
    }
  };
  const ends = metric.stand_in ? "not coloured, since it rests on a placeholder" : `dark ${score(metric, low)}, light ${score(metric, high)}`;
  const told = `Stimuli whose ${map.features} features are alike are near each other. ${metric.label} of ${data.systems[state.system] ?? ""}: ${ends}. A mark opens its pair.`;
  return [h("p", { class: "quiet" }, told), h(Plot, { label: words, height: HEIGHT_PX, drawn, update })];
}
