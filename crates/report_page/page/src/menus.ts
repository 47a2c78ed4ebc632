// The menus that choose a metric and a system, and what a choice changes besides.

import type { ReportData } from "./data.ts";
import { menu } from "parts/dom.ts";
import type { State } from "./state.ts";

type Update = (changes: Partial<State>) => void;

/** A menu of the metrics, or of some of them. A selection of pairs is by the metric that was chosen before, so it ends. */
export function metricMenu(name: string, key: "metric" | "metric2", data: ReportData, state: State, update: Update, among = data.metrics): HTMLElement {
  const options = among.map(({ id, label }) => ({ value: id, label }));
  return menu(name, options, data.metrics[state[key]]?.id ?? "", (id) => {
    update({ [key]: data.metrics.findIndex((metric) => metric.id === id), within: null });
  });
}

/** A menu of the systems; `null` where there is one. */
export function systemMenu(name: string, key: "system" | "system2", data: ReportData, state: State, update: Update): HTMLElement | null {
  if (data.systems.length < 2) return null;
  const options = data.systems.map((label, place) => ({ value: String(place), label }));
  return menu(name, options, String(state[key]), (chosen) => {
    update(key === "system" ? { system: Number(chosen), within: null } : { system2: Number(chosen) });
  });
}
