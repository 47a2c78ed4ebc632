// Metrics that depend on placeholder models: their names and numbers have a dagger, nothing is bold, and nothing is
// called best.

import { type Child, decimal, h } from "parts/view.ts";
import type { Metric, ReportData } from "./data.ts";

const DAGGER = "†";

/** The same document with a dagger after the names of these metrics. */
export function withDaggers(data: ReportData): ReportData {
  const metrics = data.metrics.map((metric) => ({ ...metric, label: metric.stand_in ? metric.label + DAGGER : metric.label }));
  return { ...data, metrics };
}

/** A metric's value with its decimals, and a dagger if it depends on a placeholder. */
export function score(metric: Metric | undefined, value: number | null | undefined): string {
  const text = decimal(value, metric?.decimals ?? 3);
  return metric?.stand_in && value !== null && value !== undefined ? text + DAGGER : text;
}

/** Emphasises a text in a cell, unless the metric depends on a placeholder. */
export function strong(metric: Metric | undefined, text: string): Child {
  return h(metric?.stand_in ? "span" : "b", {}, text);
}

/** Explains the dagger, if one of the metrics has it. */
export function explained(metrics: (Metric | undefined)[]): Child {
  const told = `${DAGGER} rests on a placeholder model: the numbers show that the pipeline runs and mean nothing else.`;
  return metrics.some((metric) => metric?.stand_in) ? h("p", { class: "quiet" }, told) : null;
}
