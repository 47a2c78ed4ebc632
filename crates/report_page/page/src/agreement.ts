// How well metrics agree on the order of a system's pairs. This file does not depend on the page.

import type { ReportData } from "./data.ts";
import { goodness, ranks } from "./order.ts";

/**
 * Spearman's rank correlation of two lists over the indices where both have a value; `null` for fewer than three, or if
 * one is constant.
 */
export function spearman(a: (number | null)[], b: (number | null)[]): number | null {
  const both = a.flatMap((v, k) => (v === null || b[k] === null || b[k] === undefined ? [] : [k]));
  if (both.length < 3) return null;
  const of = (list: (number | null)[]) => ranks(both.map((k) => list[k] ?? null)).map((rank) => rank ?? 0);
  const [x, y] = [of(a), of(b)];
  const middle = (both.length + 1) / 2;
  let [xy, xx, yy] = [0, 0, 0];
  for (const [k, rank] of x.entries()) {
    const [u, v] = [rank - middle, (y[k] ?? 0) - middle];
    [xy, xx, yy] = [xy + u * v, xx + u * u, yy + v * v];
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** Rank correlations of these metrics over a system's pairs; the sign is such that larger is better. */
export function agreement(data: ReportData, system: number, metrics: number[]): (number | null)[][] {
  const orders = metrics.map((metric) => goodness(data, system, metric));
  return orders.map((one) => orders.map((other) => spearman(one, other)));
}

/** The pairs whose ranks by two metrics differ most; pairs that are good by `other` and bad by `one` come first. */
export function disagreements(data: ReportData, system: number, one: number, other: number): { pair: number; gap: number }[] {
  const [a, b] = [goodness(data, system, one), goodness(data, system, other)];
  const gaps = [...data.stems.keys()].flatMap((pair) => {
    const [x, y] = [a[pair] ?? null, b[pair] ?? null];
    return x === null || y === null ? [] : [{ pair, gap: x - y }];
  });
  return gaps.sort((p, q) => q.gap - p.gap || p.pair - q.pair);
}
