// How a pair's right image ranks among others, and which others are nearest.

import { type Child, button, h, row, table } from "parts/view.ts";
import type { Identification, Standing } from "./data.ts";
import { ordinal } from "./order.ts";
import { score, strong } from "./placeholders.ts";
import type { Page } from "./state.ts";

/** How near another image is, compared with the right one; nearer images come first, then equally near ones. */
export function relation(standing: Standing, place: number): "nearer" | "as near" | "further" {
  if (place < standing.rank - 1) return "nearer";
  return place < standing.rank - 1 + standing.tied ? "as near" : "further";
}

/** The section of a pair's card. */
export function confusers({ data, pictures, update }: Page, pair: number): Child[] {
  if (data.identification.length === 0) return [];
  const cell = (of: Identification | undefined) => {
    if (!of || of.not_shown !== null) return h("td", { class: "none" }, of ? "not shown" : "not in this run");
    const standing = of.pairs[pair];
    if (!standing) return h("td", { class: "none" }, "no rank: features are missing or all equal");
    const { rank, tied, others, own } = standing;
    // Similarities are shown with three decimals, and with their metric's dagger.
    const metric = data.metrics[of.metric];
    const similarity = (value: number) => score(metric && { ...metric, decimals: 3 }, value);
    const image = (other: number) => pictures.image(of.direction === "stimulus" ? of.system : null, other);
    const items = standing.nearest.map(([other, its], place) => {
      const named = of.pool
        ? [h("span", {}, of.pool[other] ?? "")]
        : [pictures.any ? image(other) : null, button(data.stems[other] ?? "", () => update({ pair: other }))];
      return h("li", {}, ...named, h("small", {}, `${relation(standing, place)}, ${similarity(its)}`));
    });
    const shared = tied > 0 ? `, shared with ${tied}` : "";
    return h(
      "td",
      {},
      strong(metric, `${ordinal(rank)} of ${others + 1}${shared}`),
      h("small", {}, `own similarity ${similarity(own)}`),
      h("ul", { class: "confusers" }, ...items),
    );
  };
  const metrics = [...new Set(data.identification.map(({ metric }) => metric))].sort((a, b) => a - b);
  const rows = metrics.map((metric) => {
    const cells = data.systems.map((_, system) =>
      cell(data.identification.find((of) => of.system === system && of.metric === metric)),
    );
    return row(data.metrics[metric]?.label ?? "", ...cells);
  });
  const reversed = data.identification.some(({ direction }) => direction === "stimulus");
  const told = reversed
    ? "By the correlation of features. Rank 1: no other reconstruction is nearer to the stimulus than its own."
    : "By the correlation of features. Rank 1: no other stimulus is nearer to the reconstruction than its own.";
  const lacking = data.identification.flatMap(({ system, metric, not_shown }) =>
    not_shown === null
      ? []
      : [h("p", { class: "none" }, `${data.systems[system] ?? ""}, ${data.metrics[metric]?.label ?? ""}, not shown: ${not_shown}`)],
  );
  return [
    h("h3", {}, "Rank among others, and the nearest confusers"),
    h("p", { class: "quiet" }, told),
    table("Rank among others", "ranks", ["Metric", ...data.systems], rows),
    ...lacking,
  ];
}
