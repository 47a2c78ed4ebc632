// The images of pairs, with boxes and masks over them.

import { type Child, h, painted } from "parts/view.ts";
import type { Box, Images, Mask, Observed, Part, ReportData } from "./data.ts";

export class Pictures {
  private loaded: Images | null | undefined;

  constructor(private readonly data: ReportData) {}

  /** The document of images, which is parsed when the first image is shown; `null` for a page without images. */
  private get images(): Images | null {
    if (this.loaded === undefined) {
      const text = document.getElementById("images")?.textContent ?? "";
      this.loaded = text.trim() === "" ? null : (JSON.parse(text) as Images);
    }
    return this.loaded;
  }

  get any(): boolean {
    return this.images !== null;
  }

  /** The address of an image; `system` is `null` for the stimulus, here and below. */
  picture(system: number | null, pair: number): string | null {
    return this.address(system === null ? this.images?.stimuli[pair] : this.images?.reconstructions[system]?.[pair]);
  }

  /** The parts of an item on one side. */
  parts(system: number | null, pair: number): Part[] {
    const all = this.images?.parts;
    return (system === null ? all?.stimuli[pair] : all?.reconstructions[system]?.[pair]) ?? [];
  }

  /** The address of a part's image. */
  part(place: number): string | null {
    return this.address(this.images?.parts?.images[place]);
  }

  /** All parts of a pair. */
  partsOf(pair: number): Part[] {
    return [null, ...this.data.systems.keys()].flatMap((system) => this.parts(system, pair));
  }

  private address(text: string | null | undefined): string | null {
    return text === null || text === undefined ? null : (this.images?.prefix ?? "") + text;
  }

  /** An image, by default the pair's, or a word if there is none. */
  image(system: number | null, pair: number, src = this.picture(system, pair)): Child {
    if (src === null) return h("span", { class: "no-image" }, "no image");
    const of = this.data.stems[pair] ?? "";
    const alt = system === null ? `stimulus of ${of}` : `reconstruction of ${of} by ${this.data.systems[system] ?? ""}`;
    return h("img", { src, alt, decoding: "async" });
  }
}

/** Boxes with at least this score; those whose name the other side lacks are dashed. */
export function boxLayer(boxes: Box[], others: Box[], threshold: number): Child {
  const counts = (box: Box) => box.score === null || box.score >= threshold;
  const known = new Set(others.filter(counts).map((box) => box.name));
  const shapes = boxes.filter(counts).flatMap((box) => {
    const [left, top, right, bottom] = box.at.map((share) => 100 * share) as Box["at"];
    const shape = { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
    const score = box.score === null ? "" : ` ${box.score.toFixed(2)}`;
    const own = h("rect", { ...shape, class: known.has(box.name) ? "both" : "one" }, h("title", {}, box.name + score));
    return [h("rect", { ...shape, class: "halo" }), own];
  });
  return h("svg", { class: "boxes", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...shapes);
}

/** Lists the boxes in words. */
export function boxList(boxes: Box[], threshold: number): string {
  const counted = new Map<string, number>();
  for (const box of boxes) {
    if (box.score === null || box.score >= threshold) counted.set(box.name, (counted.get(box.name) ?? 0) + 1);
  }
  const named = [...counted].map(([name, n]) => (n === 1 ? name : `${n} × ${name}`));
  return named.length === 0 ? "none" : named.join(", ");
}

/** Colours of masks in order: blue, orange, green, purple, yellow, each half transparent. */
const MASK_COLOURS = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [240, 228, 66],
] as const;

/** Masks in the colours of their names. */
export function maskLayer(masks: Mask[]): Child {
  const [width, height] = [masks[0]?.width ?? 1, masks[0]?.height ?? 1];
  const names = [...new Set(masks.map((mask) => mask.name))];
  return painted({ class: "masks", width, height, "aria-hidden": "true" }, (context) => {
    const drawn = context.createImageData(width, height);
    for (const mask of masks.filter((mask) => mask.width === width && mask.height === height)) {
      const colour = MASK_COLOURS[names.indexOf(mask.name) % MASK_COLOURS.length] ?? MASK_COLOURS[0];
      let at = 0;
      for (const [place, run] of mask.runs.entries()) {
        for (let k = at; place % 2 === 1 && k < at + run; k += 1) {
          const [x, y] = [Math.floor(k / height), k % height];
          drawn.data.set([...colour, 140], 4 * (y * width + x));
        }
        at += run;
      }
    }
    context.putImageData(drawn, 0, 0);
  });
}

/** Does one side of any pair have boxes (or masks)? */
export function has(kind: "boxes" | "masks", data: ReportData): boolean {
  const sides: Observed[] = [data.stimuli, ...data.reconstructions];
  return sides.some((side) => side[kind] !== null);
}
