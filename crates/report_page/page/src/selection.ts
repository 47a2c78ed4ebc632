// Pairs that were picked by hand: their ids as a file, and the command that makes a figure of them.

import type { ReportData } from "./data.ts";
import { button, h, replace } from "parts/dom.ts";
import { copy, field, save } from "./methods.ts";

/** A word of a command, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w/.=:,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command for a figure of these pairs and the scores of a metric. A stem with a comma cannot be named in it. */
export function galleryCommand(data: ReportData, pairs: number[], metric: number): string | null {
  const stems = pairs.map((pair) => data.stems[pair] ?? "").filter((stem) => !stem.includes(","));
  const begin = data.copies["gallery"];
  if (begin === undefined || stems.length === 0) return null;
  return `${begin} --pick ${quoted(stems.join(","))} --metric ${data.metrics[metric]?.id ?? ""} --out gallery.pdf`;
}

/** The stems of these pairs, one a line below their heading. */
export function idsAsCsv(data: ReportData, pairs: number[]): string {
  return ["pair", ...pairs.map((pair) => data.stems[pair] ?? "")].map((stem) => `${field(stem)}\n`).join("");
}

export class PickedPairs {
  readonly element = h("div", { class: "controls" });
  private readonly picked = new Set<number>();
  private shown: number[] = [];
  private metric = 0;

  /** `changed` is called when boxes have to be drawn again. */
  constructor(
    private readonly data: ReportData,
    private readonly changed: () => void,
  ) {}

  /** The pairs in sight, in their order, and the metric that a figure shows. */
  show(shown: number[], metric: number): void {
    [this.shown, this.metric] = [shown, metric];
    this.draw();
  }

  /** The box that picks a pair. */
  box(pair: number): HTMLElement {
    const input = h("input", { type: "checkbox", "aria-label": `pick ${this.data.stems[pair] ?? ""}` });
    input.checked = this.picked.has(pair);
    input.addEventListener("change", () => {
      if (input.checked) this.picked.add(pair);
      else this.picked.delete(pair);
      this.draw();
    });
    return h("label", {}, input);
  }

  /** The picked pairs: those in sight in their order, then the others. */
  private get pairs(): number[] {
    const seen = this.shown.filter((pair) => this.picked.has(pair));
    return [...new Set([...seen, ...this.picked])];
  }

  private draw(): void {
    const { data, pairs } = this;
    const set = (all: number[]) => () => {
      this.picked.clear();
      for (const pair of all) this.picked.add(pair);
      this.draw();
      this.changed();
    };
    const told = h("span", { role: "note" });
    const command = galleryCommand(data, pairs, this.metric);
    const copied = async (text: string) => {
      told.textContent = (await copy(text)) ? "Copied." : text;
    };
    replace(
      this.element,
      h("span", { "aria-live": "polite" }, `${pairs.length} picked`),
      button("Pick all shown", set(this.shown)),
      ...(pairs.length === 0
        ? []
        : [
            button("Pick none", set([])),
            button("Ids as CSV", () => save("pairs.csv", "text/csv", idsAsCsv(data, pairs))),
            command === null ? null : button("Copy the command for a figure", () => void copied(command)),
          ]),
      told,
    );
  }
}
