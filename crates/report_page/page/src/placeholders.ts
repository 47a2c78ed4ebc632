// Metrics that rest on placeholder models: a dagger at their names and numbers, nothing bold, no best.

import { type Child, decimal, h } from "parts/view.ts";
import type { Metric, ReportData } from "./data.ts";

const DAGGER = "†";

/** The same document, with a dagger after the names of these metrics. */
export function withDaggers(data: ReportData): ReportData {
  const metrics = data.metrics.map((metric) => ({ ...metric, label: metric.stand_in ? metric.label + DAGGER : metric.label }));
  return { ...data, metrics };
}

/** A value of a metric with its decimals, and the dagger of a placeholder. */
export function score(metric: Metric | undefined, value: number | null | undefined): string {
  const text = decimal(value, metric?.decimals ?? 3);
  return metric?.stand_in && value !== null && value !== undefined ? text + DAGGER : text;
}

/** What stands out in a cell; a placeholder's does not. */
export function strong(metric: Metric | undefined, text: string): Child {
  return h(metric?.stand_in ? "span" : "b", {}, text);
}

/** What the dagger means, where one of the metrics has it. */
export function explained(metrics: (Metric | undefined)[]): Child {
  const told = `${DAGGER} rests on a placeholder model: the numbers show that the pipeline runs and mean nothing else.`;
  return metrics.some((metric) => metric?.stand_in) ? h("p", { class: "quiet" }, told) : null;
}
