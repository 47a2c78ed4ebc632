// A list of many rows of one height, of which only those in sight are in the document.

import { h } from "parts/dom.ts";

const MARGIN = 4;

export class VirtualList {
  readonly element: HTMLElement;
  private readonly rows = new Map<number, HTMLElement>();
  private readonly space: HTMLElement;
  private n = 0;

  /** `header` stays in sight above the rows. */
  constructor(
    header: HTMLElement,
    private rowHeight: number,
    private readonly make: (place: number) => HTMLElement,
  ) {
    this.space = h("div", { class: "space", role: "rowgroup" });
    this.element = h("div", { class: "scroll", role: "table", tabindex: 0 }, header, this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Shows `n` rows of this height from the first on. */
  show(n: number, rowHeight = this.rowHeight): void {
    this.n = n;
    this.rowHeight = rowHeight;
    this.space.style.height = `${n * this.rowHeight}px`;
    this.rows.clear();
    this.space.replaceChildren();
    this.element.scrollTop = 0;
    this.draw();
  }

  /** Scrolls as far as needed to see a row. */
  reveal(place: number): void {
    const top = place * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    // The header of columns covers the top of the rows.
    const covered = this.space.offsetTop;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight + covered > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.rowHeight + covered - clientHeight;
    }
    this.draw();
  }

  row(place: number): HTMLElement | undefined {
    return this.rows.get(place);
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - MARGIN);
    const last = Math.min(this.n, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + MARGIN);
    for (const [place, row] of this.rows) {
      if (place < first || place >= last) {
        // A row that has the focus stays, or the keyboard would lose its place.
        if (row.contains(document.activeElement)) continue;
        row.remove();
        this.rows.delete(place);
      }
    }
    for (let place = last - 1; place >= first; place -= 1) {
      if (this.rows.has(place)) continue;
      const row = this.make(place);
      row.style.transform = `translateY(${place * this.rowHeight}px)`;
      row.style.height = `${this.rowHeight}px`;
      this.rows.set(place, row);
      // In the order of the places, which is the one that a screen reader follows.
      this.space.insertBefore(row, this.rows.get(place + 1) ?? null);
    }
  }
}
