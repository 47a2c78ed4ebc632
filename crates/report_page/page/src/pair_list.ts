// The visible pairs of a long list: rows with the stimulus and a column for each system, or tiles of one system.

import { Component, type RefObject, createRef } from "preact";
import { type Child, button, decimal, h } from "parts/view.ts";
import { isAscending, metricsShown, reason, value } from "./order.ts";
import { score } from "./placeholders.ts";
import type { Page, State } from "./state.ts";

/** The height in the style sheet. */
const ROW_PX = 148;
/** Space around the pictures of a tile: horizontally, and for its name and score vertically. */
const TILE_EDGE_PX = [8, 60] as const;
/** Number of rows beyond the visible ones that are in the document. */
const MARGIN = 4;

interface ListProps {
  page: Page;
  state: State;
  /** The pairs, in their order. */
  order: number[];
  /** The box that picks a pair. */
  box: (pair: number) => Child;
  /** Set to the list, for other components. */
  list: RefObject<PairList | null>;
}

export class PairList extends Component<ListProps> {
  private readonly element = createRef<HTMLDivElement>();
  /** Index of the pair that has the keyboard focus. */
  private at = 0;
  /** Number of pairs in a row. */
  private columns = 1;
  private rowPx = ROW_PX;

  override componentDidMount(): void {
    this.props.list.current = this;
    new ResizeObserver(() => this.forceUpdate()).observe(this.element.current as HTMLElement);
    this.forceUpdate();
  }

  override componentDidUpdate(previous: ListProps): void {
    if (previous.state === this.props.state) return;
    this.at = 0;
    this.element.current?.scrollTo(0, 0);
  }

  render() {
    const { page, state, order } = this.props;
    const { scrollTop = 0, clientHeight = 0, clientWidth = 0 } = this.element.current ?? {};
    const isTiled = state.layout === "tiles";
    const room = clientWidth || window.innerWidth - 40;
    this.columns = isTiled ? Math.max(1, Math.floor(room / (state.tile + TILE_EDGE_PX[0]))) : 1;
    // A tile has two pictures side by side.
    this.rowPx = isTiled ? (room / this.columns - TILE_EDGE_PX[0]) / 2 + TILE_EDGE_PX[1] : ROW_PX;
    const nRows = Math.ceil(order.length / this.columns);
    const first = Math.max(0, Math.floor(scrollTop / this.rowPx) - MARGIN);
    const last = Math.min(nRows, Math.ceil((scrollTop + clientHeight) / this.rowPx) + MARGIN);
    const seen = new Set(Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k));
    // A row with the focus stays in the document, so that the keyboard keeps its position.
    const focused = document.activeElement?.closest(".space > [aria-rowindex]");
    if (focused && this.element.current?.contains(focused)) seen.add(Math.min(nRows - 1, Number(focused.ariaRowIndex) - 2));
    // In the order of positions, which screen readers follow.
    const rows = [...seen].sort((a, b) => a - b).map((row) => {
      const style = { transform: `translateY(${row * this.rowPx}px)`, height: `${this.rowPx}px` };
      const cells = isTiled ? this.tiles(row) : this.cells(row);
      return h("div", { key: row, class: isTiled ? "tiles" : "row", role: "row", "aria-rowindex": row + 2, style }, ...cells);
    });
    return h(
      "div",
      {
        class: "scroll",
        role: "table",
        tabindex: 0,
        hidden: state.layout === "map",
        "aria-label": "Pairs",
        "aria-rowcount": nRows + 1,
        style: { "--systems": page.data.systems.length, "--columns": this.columns },
        ref: this.element,
        onScroll: () => this.forceUpdate(),
      },
      h("div", { class: "heads", role: "rowgroup" }, this.head()),
      h("div", { class: "space", role: "rowgroup", style: { height: `${nRows * this.rowPx}px` } }, rows),
    );
  }

  /** Moves the keyboard to the row of a pair. */
  goTo(pair: number): void {
    const place = this.props.order.indexOf(pair);
    if (place >= 0) this.focus(place);
  }

  /** Handles a key, even if nothing in the list has the focus. */
  key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onRow = target.closest(".row:not(.head), .tile") !== null;
    if (event.key === "j") this.focus(onRow ? this.at + 1 : this.at);
    else if (event.key === "k") this.focus(this.at - 1);
    else return;
    event.preventDefault();
  }

  private focus(place: number): void {
    const [list, { order }] = [this.element.current, this.props];
    if (!list || order.length === 0) return;
    this.at = Math.max(0, Math.min(order.length - 1, place));
    const row = Math.floor(this.at / this.columns);
    const top = row * this.rowPx;
    // The column headings cover the top of the rows.
    const covered = list.querySelector<HTMLElement>(".space")?.offsetTop ?? 0;
    const beyond = top + this.rowPx + covered - list.clientHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (beyond > list.scrollTop) list.scrollTop = beyond;
    this.forceUpdate(() => {
      const buttons = list.querySelectorAll<HTMLElement>(`.space [aria-rowindex="${row + 2}"] button`);
      buttons[this.at % this.columns]?.focus({ preventScroll: true });
    });
  }

  private opener(place: number, pair: number): Child {
    const { data, update } = this.props.page;
    return button(data.stems[pair] ?? "", () => {
      this.at = place;
      update({ pair });
    });
  }

  private tiles(row: number): Child[] {
    const { page, state, order, box } = this.props;
    const { pictures } = page;
    const first = row * this.columns;
    return order.slice(first, first + this.columns).map((pair, column) =>
      h(
        "div",
        { class: "tile", role: "cell" },
        h("div", {}, this.opener(first + column, pair), box(pair)),
        h("div", {}, pictures.image(null, pair), pictures.image(state.system, pair)),
        this.numbers(state.system, pair),
      ),
    );
  }

  private cells(place: number): Child[] {
    const { page, state, order, box } = this.props;
    const { data, pictures } = page;
    const pair = order[place] ?? 0;
    const human = data.human?.values[state.system]?.[pair] ?? null;
    return [
      h(
        "div",
        { role: "rowheader" },
        this.opener(place, pair),
        box(pair),
        human === null ? null : h("small", {}, `people on ${data.systems[state.system] ?? ""}: ${decimal(human, 2)}`),
      ),
      h("div", { role: "cell" }, pictures.image(null, pair)),
      ...data.systems.map((_, system) => h("div", { role: "cell" }, pictures.image(system, pair), this.numbers(system, pair))),
    ];
  }

  private numbers(system: number, pair: number): Child {
    const { page, state } = this.props;
    const texts = metricsShown(state).map((metric) => {
      const found = value(page.data, system, metric, pair);
      if (found !== null) return h("span", {}, score(page.data.metrics[metric], found));
      const why = reason(page.data, system, metric, pair);
      return h("span", { class: "none", title: why ?? "" }, why === null ? "–" : "undefined");
    });
    return h("div", { class: "value" }, ...texts);
  }

  private head(): Child {
    const { page, state } = this.props;
    const { data, update } = page;
    const ascends = isAscending(data, state);
    const heads = data.systems.map((name, system) => {
      const on = state.sort === "metric" && state.system === system;
      const turned = state.order === "worst" ? "best" : "worst";
      const clicked = () => update({ sort: "metric", system, order: on ? turned : state.order });
      const sort = on ? (ascends ? "ascending" : "descending") : "none";
      return h("div", { role: "columnheader", "aria-sort": sort }, button(name + (on ? (ascends ? " ▲" : " ▼") : ""), clicked));
    });
    return h(
      "div",
      { class: "row head", role: "row", "aria-rowindex": 1, hidden: state.layout === "tiles" },
      h("div", { role: "columnheader", "aria-sort": state.sort === "stem" ? "ascending" : "none" }, button("Pair", () => update({ sort: "stem" }))),
      h("div", { role: "columnheader" }, "Stimulus"),
      ...heads,
    );
  }
}
