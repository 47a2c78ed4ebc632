// The page: reads the document, shows the state in the address, and keeps the address up to date.

import { createRef, render } from "preact";
import { type Child, h } from "parts/view.ts";
import { Card } from "./card.ts";
import { comparison } from "./comparison.ts";
import { LAYOUT, type ReportData } from "./data.ts";
import { distributions } from "./distributions.ts";
import { addButtons } from "./methods.ts";
import { shown } from "./order.ts";
import type { PairList } from "./pair_list.ts";
import { Pairs } from "./pairs.ts";
import { Pictures } from "./pictures.ts";
import { withDaggers } from "./placeholders.ts";
import { type Page, type State, read, written } from "./state.ts";
import { strip } from "./strip.ts";

/** Adds an element for the script's own content at the end of `parent`. */
function placeIn(parent: Element, kind: string): HTMLElement {
  const place = document.createElement("div");
  place.className = kind;
  parent.append(place);
  return place;
}

function start(data: ReportData): void {
  document.documentElement.classList.add("js");
  const sections = new Map([...document.querySelectorAll<HTMLElement>("main > section")].map((one) => [one.id, one]));
  let state = read(location.hash, data);
  let order: number[] = [];
  /** The state that each view last showed. */
  const drawn = new Map<string, string>();
  const page: Page = { data, pictures: new Pictures(data), update };
  const list = createRef<PairList>();
  const strips = [...document.querySelectorAll<HTMLElement>("[data-strip]")].map((place) => strip(place, page));
  const inSection = (view: string, shown: (state: State) => Child): [string, (state: State) => void] => {
    const section = sections.get(view);
    const place = section && placeIn(section, "live");
    return [view, (state) => place && render(shown(state), place)];
  };
  const views = new Map([
    inSection("pairs", (state) => {
      order = shown(data, state);
      return h(Pairs, { page, state, order, list });
    }),
    ["overview", (state) => strips.forEach((show) => show(state))],
    inSection("comparison", (state) => comparison(page, state)),
    inSection("distributions", (state) => distributions(page, state)),
  ]);
  const card = placeIn(document.body, "");

  function closed(): void {
    const { pair } = state;
    update({ pair: null });
    if (pair !== null && state.view === "pairs") list.current?.goTo(pair);
  }

  function moved(by: 1 | -1): void {
    const next = order[order.indexOf(state.pair ?? -1) + by];
    if (next !== undefined) update({ pair: next });
  }

  function update(changes: Partial<State>): void {
    state = { ...state, ...changes };
    history.replaceState(null, "", written(state, data));
    draw();
  }

  function draw(): void {
    if (!sections.has(state.view)) state.view = "overview";
    for (const [id, section] of sections) section.hidden = id !== state.view;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${state.view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // A change of the open pair or the view does not require drawing a list again.
    const content = written({ ...state, pair: null, view: "" }, data);
    for (const [view, show] of views) {
      const isSeen = state.view === view || (view === "pairs" && state.pair !== null);
      if (!isSeen || drawn.get(view) === content) continue;
      drawn.set(view, content);
      show(state);
    }
    const { pair } = state;
    const at = pair === null ? -1 : order.indexOf(pair);
    const place = at < 0 ? "not among the pairs shown" : `pair ${at + 1} of ${order.length} shown`;
    render(h(Card, { page, pair, place, closed, moved }), card);
  }

  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      update({ view: (link.getAttribute("href") ?? "").slice(1) });
      window.scrollTo(0, 0);
    });
  }
  window.addEventListener("hashchange", () => {
    state = read(location.hash, data);
    draw();
  });
  // Plots are as wide as their section, which must be seen while they are drawn.
  window.addEventListener("beforeprint", () => {
    for (const section of sections.values()) section.hidden = false;
    views.get("distributions")?.(state);
  });
  window.addEventListener("afterprint", draw);
  document.addEventListener("keydown", (event) => {
    if (state.view === "pairs" && state.pair === null) list.current?.key(event);
  });
  addButtons(data);
  draw();
}

const data = JSON.parse(document.getElementById("data")?.textContent ?? "null") as ReportData | null;
if (data && data.layout === LAYOUT) start(withDaggers(data));
