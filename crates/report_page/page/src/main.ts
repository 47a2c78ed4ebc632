// The page: reads the document, shows what the address says, and keeps the address in step.

import { Card } from "./card.ts";
import { Comparison } from "./comparison.ts";
import { LAYOUT, type ReportData } from "./data.ts";
import { Distributions } from "./distributions.ts";
import { addButtons } from "./methods.ts";
import { shown } from "./order.ts";
import { Pairs } from "./pairs.ts";
import { Pictures } from "./pictures.ts";
import { withDaggers } from "./placeholders.ts";
import { type State, read, written } from "./state.ts";
import { Strip } from "./strip.ts";

function start(data: ReportData): void {
  document.documentElement.classList.add("js");
  const sections = new Map([...document.querySelectorAll<HTMLElement>("main > section")].map((one) => [one.id, one]));
  let state = read(location.hash, data);
  let order: number[] = [];
  /** What each view showed last. */
  const drawn = new Map<string, string>();

  const pictures = new Pictures(data);
  const pairs = new Pairs(data, pictures, state, update);
  const distributions = new Distributions(data, state, update);
  const strips = [...document.querySelectorAll<HTMLElement>("[data-strip]")].map((place) => new Strip(place, data, pictures, update));
  sections.get("pairs")?.append(pairs.element);
  sections.get("distributions")?.append(distributions.element);
  const comparison = new Comparison(data, pictures, update);
  sections.get("comparison")?.append(comparison.element);
  const card = new Card(data, pictures, {
    closed: () => {
      const { pair } = state;
      update({ pair: null });
      if (pair !== null && state.view === "pairs") pairs.goTo(pair);
    },
    moved: (by) => {
      const next = order[order.indexOf(state.pair ?? -1) + by];
      if (next !== undefined) update({ pair: next });
    },
    opened: (pair) => update({ pair }),
  });
  document.body.append(card.element);

  function update(changes: Partial<State>): void {
    state = { ...state, ...changes };
    history.replaceState(null, "", written(state, data));
    render();
  }

  function render(): void {
    if (!sections.has(state.view)) state.view = "overview";
    for (const [id, section] of sections) section.hidden = id !== state.view;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${state.view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // The open pair and the view are no reason to draw a list anew.
    const content = written({ ...state, pair: null, view: "" }, data);
    const draw = (view: string, show: () => void) => {
      const isSeen = state.view === view || (view === "pairs" && state.pair !== null);
      if (!isSeen || drawn.get(view) === content) return;
      drawn.set(view, content);
      show();
    };
    draw("pairs", () => {
      order = shown(data, state);
      pairs.show(state, order);
    });
    draw("overview", () => strips.forEach((strip) => strip.show(state)));
    draw("comparison", () => comparison.show(state));
    draw("distributions", () => distributions.show(state));
    const place = state.pair === null ? -1 : order.indexOf(state.pair);
    const told = place < 0 ? "not among the pairs shown" : `pair ${place + 1} of ${order.length} shown`;
    card.show(state.pair, told);
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
    render();
  });
  document.addEventListener("keydown", (event) => {
    if (state.view === "pairs" && state.pair === null) pairs.key(event);
  });
  addButtons(data);
  render();
}

const data = JSON.parse(document.getElementById("data")?.textContent ?? "null") as ReportData | null;
if (data && data.layout === LAYOUT) start(withDaggers(data));
