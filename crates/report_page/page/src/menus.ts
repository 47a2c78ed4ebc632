// Menus for metrics and systems; `also` is what else a choice changes.

import { type Child, menu } from "parts/view.ts";
import type { Page, State } from "./state.ts";

/** A selection of pairs ends when another metric or system is chosen. */
const ENDED: Partial<State> = { within: null };

/** A menu of the metrics, or of some of them. */
export function metricMenu(name: string, key: "metric" | "metric2", { data, update }: Page, state: State, also = ENDED, among = data.metrics): Child {
  const options = among.map(({ id, label }) => ({ value: id, label }));
  const chosen = (id: string) => update({ [key]: data.metrics.findIndex((metric) => metric.id === id), ...also });
  return menu(name, options, data.metrics[state[key]]?.id ?? "", chosen);
}

/** A menu of the systems; `null` if there is only one. */
export function systemMenu(name: string, key: "system" | "system2", { data, update }: Page, state: State, also = key === "system" ? ENDED : {}): Child {
  if (data.systems.length < 2) return null;
  const options = data.systems.map((label, place) => ({ value: String(place), label }));
  return menu(name, options, String(state[key]), (chosen) => update({ [key]: Number(chosen), ...also }));
}
