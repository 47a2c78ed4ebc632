// The state of the page, which is in the address after `#`, so that a view can be sent to somebody who has the file.

import type { ReportData } from "./data.ts";
import type { Pictures } from "./pictures.ts";

export type SortBy = "stem" | "metric" | "difference" | "disagreement" | "human";

export interface State {
  view: string;
  /** Pairs as rows with a column for each system, as tiles of one system (with this width in px), or as a map. */
  layout: "rows" | "tiles" | "map";
  tile: number;
  sort: SortBy;
  /** The metric that pairs are sorted by, and the one that it is compared with. */
  metric: number;
  metric2: number;
  /** The system that pairs are sorted by, and the one that is subtracted. */
  system: number;
  system2: number;
  order: "worst" | "best";
  /** Words that a caption of the stimulus or of any reconstruction must contain. */
  text: string;
  /** A name in boxes or details. */
  category: string;
  /** A kind of failure, as named in `failures.ts`; `category` then is what the system fails at. */
  failure: string;
  /** What was found instead of `category`, in a near miss. */
  instead: string;
  /** "" for all pairs, "any" for pairs without a value, or a reason. */
  undefined: string;
  /** Ranges of two metrics of a system; only pairs inside them are shown. */
  within: Selection | null;
  /** The pair whose card is open. */
  pair: number | null;
}

/** What every view needs: the document, its images, and a function that changes the state. */
export interface Page {
  data: ReportData;
  pictures: Pictures;
  update: (changes: Partial<State>) => void;
}

export interface Selection {
  system: number;
  x: number;
  y: number;
  from: [number, number];
  to: [number, number];
}

const LAYOUTS: State["layout"][] = ["rows", "tiles", "map"];
/** The smallest and the largest width of a tile. */
export const TILES = [96, 480] as const;

/** These fields are in the address unchanged. */
const WORDS = ["text", "category", "failure", "instead", "undefined"] as const;
const SORTS: SortBy[] = ["stem", "metric", "difference", "disagreement", "human"];

export function initial(data: ReportData): State {
  return {
    view: "overview",
    layout: "rows",
    tile: 200,
    sort: "metric",
    metric: data.headline,
    // A metric other than the first, if there is one.
    metric2: data.headline === 0 ? Math.min(1, data.metrics.length - 1) : 0,
    system: 0,
    system2: Math.min(1, data.systems.length - 1),
    order: "worst",
    text: "",
    category: "",
    failure: "",
    instead: "",
    undefined: "",
    within: null,
    pair: null,
  };
}

export function read(hash: string, data: ReportData): State {
  const state = initial(data);
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const place = (name: string, among: string[], otherwise: number): number => {
    const found = among.indexOf(given.get(name) ?? "");
    return found < 0 ? otherwise : found;
  };
  const ids = data.metrics.map((metric) => metric.id);
  // A plain `#methods` is a link that also works without this script.
  const plain = /^#?([a-z]+)$/.exec(hash);
  state.view = plain?.[1] ?? given.get("view") ?? state.view;
  state.layout = LAYOUTS.find((layout) => layout === given.get("layout") && (layout !== "map" || data.map !== null)) ?? "rows";
  const tile = Number.parseInt(given.get("tile") ?? "", 10);
  state.tile = tile >= TILES[0] && tile <= TILES[1] ? tile : state.tile;
  state.sort = SORTS.find((sort) => sort === given.get("sort")) ?? state.sort;
  for (const key of ["metric", "metric2"] as const) state[key] = place(key, ids, state[key]);
  for (const key of ["system", "system2"] as const) state[key] = place(key, data.systems, state[key]);
  state.order = given.get("order") === "best" ? "best" : "worst";
  for (const key of WORDS) state[key] = given.get(key) ?? "";
  state.within = selection(given.get("within"), ids, data.systems);
  const pair = place("pair", data.stems, -1);
  state.pair = pair < 0 ? null : pair;
  return state;
}

export function written(state: State, data: ReportData): string {
  const out = new URLSearchParams();
  const base = initial(data);
  const put = (name: string, value: string, otherwise: string) => {
    if (value !== otherwise) out.set(name, value);
  };
  const id = (metric: number) => data.metrics[metric]?.id ?? "";
  const name = (system: number) => data.systems[system] ?? "";
  put("view", state.view, "");
  for (const key of ["layout", "tile", "sort"] as const) put(key, String(state[key]), String(base[key]));
  for (const key of ["metric", "metric2"] as const) put(key, id(state[key]), id(base[key]));
  for (const key of ["system", "system2"] as const) put(key, name(state[key]), name(base[key]));
  for (const key of ["order", ...WORDS] as const) put(key, state[key], base[key]);
  const within = state.within;
  if (within) put("within", [id(within.x), ...within.from, id(within.y), ...within.to, name(within.system)].join(","), "");
  if (state.pair !== null) put("pair", data.stems[state.pair] ?? "", "");
  return "#" + out.toString();
}

/** The shortest address that opens a pair. */
export function pairAddress(data: ReportData, pair: number): string {
  return `#pair=${encodeURIComponent(data.stems[pair] ?? "")}`;
}

function selection(text: string | null, ids: string[], systems: string[]): Selection | null {
  const parts = (text ?? "").split(",");
  // The name of a system comes last, since it may contain commas.
  const system = systems.indexOf(parts.slice(6).join(","));
  const [x, y] = [ids.indexOf(parts[0] ?? ""), ids.indexOf(parts[3] ?? "")];
  const [a, b, c, d] = [1, 2, 4, 5].map((place) => Number.parseFloat(parts[place] ?? ""));
  if (system < 0 || x < 0 || y < 0 || a === undefined || b === undefined || c === undefined || d === undefined) return null;
  return [a, b, c, d].every(Number.isFinite) ? { system, x, y, from: [a, b], to: [c, d] } : null;
}
