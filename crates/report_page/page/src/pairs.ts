// The pairs, sorted and filtered: as rows with the stimulus and a column for each system, or as tiles of one system.

import type { ReportData } from "./data.ts";
import { type Option, button, decimal, h, menu, redrawn, replace } from "parts/dom.ts";
import { hasNames, modes } from "./failures.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { categories, reason, value } from "./order.ts";
import { pairMap } from "./pair_map.ts";
import type { Pictures } from "./pictures.ts";
import { explained, score } from "./placeholders.ts";
import { PickedPairs } from "./selection.ts";
import { type SortBy, type State, TILES } from "./state.ts";
import { VirtualList } from "./virtual_list.ts";

/** As the style sheet has it. */
const ROW_PX = 148;
/** What is around the pictures of a tile: its name, its score and the space to its neighbours. */
const TILE_EDGE_PX = [8, 60] as const;

export class Pairs {
  readonly element = h("div", { class: "live" });
  private readonly controls = h("div", { class: "controls" });
  private readonly counted = h("p", { class: "quiet", role: "status" });
  private readonly told = h("div");
  private readonly header = h("div", { class: "row head", role: "row" });
  private readonly list: VirtualList;
  private readonly map = h("div");
  private readonly picked: PickedPairs;
  private readonly names: Option[];
  private readonly modes: Option[];
  private order: number[] = [];
  private state: State;
  private at = 0;
  /** Pairs in a row of the list. */
  private columns = 1;

  constructor(
    private readonly data: ReportData,
    private readonly pictures: Pictures,
    state: State,
    private readonly update: (changes: Partial<State>) => void,
  ) {
    this.state = state;
    this.names = categories(data).map((name) => ({ value: name, label: name }));
    this.modes = modes(data);
    this.list = new VirtualList(h("div", { class: "heads", role: "rowgroup" }, this.header), ROW_PX, (place) => this.row(place));
    this.list.element.setAttribute("aria-label", "Pairs");
    this.list.element.style.setProperty("--systems", String(data.systems.length));
    this.picked = new PickedPairs(data, () => this.redraw());
    const keys = "Keys: j and k move, Enter opens a pair, Escape closes it.";
    const below = h("p", { class: "quiet" }, keys);
    this.element.append(this.controls, this.counted, this.told, this.list.element, this.map, this.picked.element, below);
    window.addEventListener("resize", () => this.state.layout === "tiles" && this.state.view === "pairs" && this.redraw());
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  show(state: State, order: number[]): void {
    this.state = state;
    this.order = order;
    this.at = 0;
    this.drawControls();
    this.drawHeader();
    const { length } = this.data.stems;
    replace(this.told, explained(this.metricsShown().map((metric) => this.data.metrics[metric])));
    this.counted.textContent = order.length === length ? `${length} pairs` : `${order.length} of ${length} pairs`;
    this.picked.show(order, state.metric);
    this.redraw();
  }

  /** Draws the list again from its first row on. */
  private redraw(): void {
    const { order, state } = this;
    const isTiled = state.layout === "tiles";
    const room = this.list.element.clientWidth || window.innerWidth - 40;
    this.columns = isTiled ? Math.max(1, Math.floor(room / (state.tile + TILE_EDGE_PX[0]))) : 1;
    this.header.hidden = isTiled;
    this.list.element.hidden = state.layout === "map";
    replace(this.map, ...(state.layout === "map" ? pairMap(this.data, state, order, (pair) => this.update({ pair })) : []));
    if (this.list.element.hidden) return;
    this.list.element.style.setProperty("--columns", String(this.columns));
    const nRows = Math.ceil(order.length / this.columns);
    this.list.element.setAttribute("aria-rowcount", String(nRows + 1));
    // Two pictures beside each other in a tile.
    this.list.show(nRows, isTiled ? (room / this.columns - TILE_EDGE_PX[0]) / 2 + TILE_EDGE_PX[1] : ROW_PX);
  }

  /** Makes the row of a pair the one that the keyboard is at. */
  goTo(pair: number): void {
    const place = this.order.indexOf(pair);
    if (place >= 0) this.focus(place);
  }

  /** Acts on a key, also when nothing of the list has the focus. */
  key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onRow = target.closest(".row:not(.head), .tile") !== null;
    if (event.key === "j") this.focus(onRow ? this.at + 1 : this.at);
    else if (event.key === "k") this.focus(this.at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focus(place: number): void {
    if (this.order.length === 0) return;
    this.at = Math.max(0, Math.min(this.order.length - 1, place));
    const row = Math.floor(this.at / this.columns);
    this.list.reveal(row);
    this.list.row(row)?.querySelectorAll("button")[this.at % this.columns]?.focus({ preventScroll: true });
  }

  private opener(place: number, pair: number): HTMLElement {
    return button(this.data.stems[pair] ?? "", () => {
      this.at = place;
      this.update({ pair });
    });
  }

  private tiles(row: number): HTMLElement {
    const { pictures, state } = this;
    const first = row * this.columns;
    const tiles = this.order.slice(first, first + this.columns).map((pair, column) =>
      h(
        "div",
        { class: "tile", role: "cell" },
        h("div", {}, this.opener(first + column, pair), this.picked.box(pair)),
        h("div", {}, pictures.image(null, pair), pictures.image(state.system, pair)),
        this.numbers(state.system, pair),
      ),
    );
    return h("div", { class: "tiles", role: "row", "aria-rowindex": row + 2 }, ...tiles);
  }

  private row(place: number): HTMLElement {
    const { data, pictures, state } = this;
    if (state.layout === "tiles") return this.tiles(place);
    const pair = this.order[place] ?? 0;
    const open = this.opener(place, pair);
    const human = data.human?.values[state.system]?.[pair];
    const first = h(
      "div",
      { role: "rowheader" },
      open,
      this.picked.box(pair),
      human === null || human === undefined ? null : h("small", {}, `people on ${data.systems[state.system] ?? ""}: ${decimal(human, 2)}`),
    );
    const cells = data.systems.map((_, system) =>
      h("div", { role: "cell" }, pictures.image(system, pair), this.numbers(system, pair)),
    );
    const stimulus = h("div", { role: "cell" }, pictures.image(null, pair));
    return h("div", { class: "row", role: "row", "aria-rowindex": place + 2 }, first, stimulus, ...cells);
  }

  private metricsShown(): number[] {
    const { sort, metric, metric2 } = this.state;
    return sort === "disagreement" ? [metric, metric2] : [metric];
  }

  private numbers(system: number, pair: number): HTMLElement {
    const { data } = this;
    const texts = this.metricsShown().map((metric) => {
      const found = value(data, system, metric, pair);
      if (found !== null) return h("span", {}, score(data.metrics[metric], found));
      const why = reason(data, system, metric, pair);
      return h("span", { class: "none", title: why ?? "" }, why === null ? "–" : "undefined");
    });
    return h("div", { class: "value" }, ...texts);
  }

  private drawHeader(): void {
    const { data, state } = this;
    const sorts = state.sort === "metric";
    const sorting = (on: boolean) => (on ? (isAscending(data, state) ? "ascending" : "descending") : "none");
    const byStem = button("Pair", () => this.update({ sort: "stem" }));
    const heads = data.systems.map((name, system) => {
      const on = sorts && state.system === system;
      const turned = state.order === "worst" ? "best" : "worst";
      const clicked = () => this.update({ sort: "metric", system, order: on ? turned : state.order });
      const arrow = on ? (isAscending(data, state) ? " ▲" : " ▼") : "";
      return h("div", { role: "columnheader", "aria-sort": sorting(on) }, button(name + arrow, clicked));
    });
    replace(
      this.header,
      h("div", { role: "columnheader", "aria-sort": state.sort === "stem" ? "ascending" : "none" }, byStem),
      h("div", { role: "columnheader" }, "Stimulus"),
      ...heads,
    );
    this.header.setAttribute("aria-rowindex", "1");
  }

  private drawControls(): void {
    const { data, state } = this;
    const several = data.systems.length > 1;
    const sorts: Option[] = [
      { value: "metric", label: "a metric" },
      ...(several ? [{ value: "difference", label: "the difference of two systems" }] : []),
      ...(data.metrics.length > 1 ? [{ value: "disagreement", label: "the disagreement of two metrics" }] : []),
      ...(data.human ? [{ value: "human", label: "people's rating" }] : []),
      { value: "stem", label: "the stem" },
    ];
    const { sort } = state;
    const [worst, best] = ends(data, state);
    // A range of values stays until it is removed.
    const metric = (name: string, key: "metric" | "metric2") => metricMenu(name, key, data, state, this.update, {});
    const system = (name: string, key: "system" | "system2") => systemMenu(name, key, data, state, this.update, {});
    const fields = [
      menu("Sort by", sorts, sort, (chosen) => this.update({ sort: chosen as SortBy })),
      metric(sort === "disagreement" ? "Bad by" : "Metric", "metric"),
      sort === "disagreement" ? metric("Good by", "metric2") : null,
      sort !== "stem" || state.failure !== "" || state.layout !== "rows" ? system("System", "system") : null,
      sort === "difference" ? system("Minus", "system2") : null,
      sort === "stem"
        ? null
        : menu(
            "First",
            [
              { value: "worst", label: worst },
              { value: "best", label: best },
            ],
            state.order,
            (order) => this.update({ order: order as State["order"] }),
          ),
      this.textField(),
      ...this.failureMenus(),
      this.undefinedMenu(),
      ...this.rangeFields(),
      ...this.layoutFields(),
    ];
    redrawn(this.controls, () => replace(this.controls, ...fields));
  }

  /** Smallest and largest value of the metric and system that are chosen; another range stays until it is removed. */
  private rangeFields(): (HTMLElement | null)[] {
    const { data, state } = this;
    const { within: range, metric, system } = state;
    const label = data.metrics[metric]?.label ?? "";
    const own = range && range.x === metric && range.y === metric && range.system === system ? range.from : null;
    const input = (end: 0 | 1, name: string) => {
      const value = own && Math.abs(own[end]) < NO_END ? own[end] : "";
      const made = h("input", { type: "number", step: "any", value });
      made.addEventListener("change", () => {
        const typed = Number.isNaN(made.valueAsNumber) ? [-NO_END, NO_END][end] ?? 0 : made.valueAsNumber;
        const from: [number, number] = own ? [...own] : [-NO_END, NO_END];
        from[end] = typed;
        this.update({ within: from.every((v) => Math.abs(v) >= NO_END) ? null : { system, x: metric, y: metric, from, to: from } });
      });
      return h("label", { class: "field" }, h("span", {}, `${label} ${name}`), made);
    };
    const other = range && !own ? [...new Set([range.x, range.y])].map((place) => data.metrics[place]?.label ?? "").join(" and ") : null;
    return [
      input(0, "from"),
      input(1, "to"),
      range ? button(other ? `Remove the range of ${other}` : "Remove the range", () => this.update({ within: null })) : null,
    ];
  }

  private layoutFields(): HTMLElement[] {
    const { layout, tile } = this.state;
    const layouts = [
      { value: "rows", label: "rows" },
      { value: "tiles", label: "tiles" },
      ...(this.data.map ? [{ value: "map", label: "a map" }] : []),
    ];
    const chosen = menu("As", layouts, layout, (value) => this.update({ layout: value as State["layout"] }));
    if (layout !== "tiles") return [chosen];
    const size = h("input", { type: "range", min: TILES[0], max: TILES[1], step: 8, value: tile });
    size.addEventListener("change", () => this.update({ tile: size.valueAsNumber }));
    return [chosen, h("label", { class: "field" }, h("span", {}, "Size"), size)];
  }

  private textField(): HTMLElement {
    const has = [this.data.stimuli, ...this.data.reconstructions].some((side) => side.captions !== null);
    const input = h("input", { type: "search", value: this.state.text, maxlength: 200 });
    input.addEventListener("change", () => this.update({ text: input.value.trim() }));
    return h("label", { class: "field" }, h("span", {}, has ? "Stem or caption has" : "Stem has"), input);
  }

  /** How the system fails, at what, and what is there instead; without a failure, what is in the pair. */
  private failureMenus(): (HTMLElement | null)[] {
    const { data, state, names } = this;
    const several = data.systems.length > 1;
    const any = { value: "", label: "any object" };
    const of = data.near_misses[state.system];
    const others = new Set((of?.found ?? []).flatMap(([, , instead]) => instead.map((place) => of?.names[place] ?? "")));
    const instead = [any, ...[...others].sort().map((name) => ({ value: name, label: name }))];
    const chosen = (failure: string) => this.update({ failure, instead: "", category: hasNames(failure) ? state.category : "" });
    return [
      this.modes.length > 0
        ? menu(several ? "Where the system" : "Failure", [{ value: "", label: "fails or does not" }, ...this.modes], state.failure, chosen)
        : null,
      names.length > 0
        ? menu(hasNames(state.failure) ? "Failing at" : "With", [any, ...names], state.category, (category) => this.update({ category }))
        : null,
      state.failure === "near" ? menu("Instead", instead, state.instead, (instead) => this.update({ instead })) : null,
    ];
  }

  private undefinedMenu(): HTMLElement | null {
    const { data, state } = this;
    const found = new Set(data.scores.flatMap((metrics) => metrics[state.metric]?.undefined.map(([, why]) => why) ?? []));
    if (found.size === 0 && state.undefined === "") return null;
    const reasons = [...found].map((why) => data.reasons[why] ?? "").map((why) => ({ value: why, label: `undefined: ${why}` }));
    const options = [{ value: "", label: "any value" }, { value: "any", label: "undefined for any reason" }, ...reasons];
    return menu("And", options, state.undefined, (chosen) => this.update({ undefined: chosen }));
  }
}

/** An end that is not given. */
const NO_END = 1e9;

/** Do the values of the metric grow down the list? */
function isAscending(data: ReportData, state: State): boolean {
  const higherIsBetter = data.metrics[state.metric]?.direction !== "lower";
  return higherIsBetter === (state.order === "worst");
}

/** What the first pairs are called in either order. By a placeholder none is the best. */
function ends(data: ReportData, { sort, metric }: State): [string, string] {
  if (sort === "disagreement") return ["as said", "the other way round"];
  const chosen = data.metrics[metric];
  if (sort === "human" || !chosen?.stand_in) return ["the worst", "the best"];
  return chosen.direction === "lower" ? ["the largest values", "the smallest values"] : ["the smallest values", "the largest values"];
}
