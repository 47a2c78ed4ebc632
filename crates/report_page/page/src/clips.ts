// Items of several images: clips are played frame by frame; views and samples are shown as a strip.

import { type Child, field, h, toggle } from "parts/view.ts";
import type { Part } from "./data.ts";
import type { Pictures } from "./pictures.ts";

/** How long each frame is shown, ms: fewer than three changes a second are safe for everybody. */
const FRAME_MS = 350;

/**
 * Which parts of items are shown: the current frame, and the chosen view or sample of each image. The clips of some
 * pairs play together; each is stretched to the length of the one with most frames.
 */
export class SeenParts {
  /** By system, with -1 for the stimulus: the index of the chosen part. */
  private readonly chosen = new Map<number, number>();
  private timer: number | undefined;
  /** The largest number of frames in a clip, on this page and in the files. */
  private n = 1;
  private of = 1;
  /** The current frame, from 0; `null` until somebody asks for one. */
  private at: number | null = null;

  /** `changed` is called when something else should be shown, `started` before clips begin to move. */
  constructor(
    private readonly pictures: Pictures,
    private readonly changed: () => void,
    private readonly started: () => void = () => {},
  ) {}

  /** Changes to other pairs. */
  show(pairs: number[]): void {
    this.stop();
    this.chosen.clear();
    const parts = pairs.flatMap((pair) => this.pictures.partsOf(pair));
    const most = (number: (part: Part) => number) => Math.max(1, ...parts.map(number));
    [this.n, this.of, this.at] = [most(({ frames }) => frames.length), most(({ of }) => of), null];
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The controls of clips; hidden if there is nothing to play. */
  controls(): Child {
    const { n, of } = this;
    const value = (this.at ?? Math.floor(n / 2)) + 1;
    const play = (on: boolean) => {
      this.stop();
      if (!on) return this.changed();
      this.started();
      this.goTo(0);
      this.timer = window.setInterval(() => this.goTo(((this.at ?? 0) + 1) % this.n), FRAME_MS);
      this.changed();
    };
    const slid = (event: Event) => {
      this.stop();
      this.goTo((event.currentTarget as HTMLInputElement).valueAsNumber - 1);
    };
    return h(
      "div",
      { class: "tools player", hidden: n < 2 },
      toggle("p", "Play", this.timer !== undefined, play),
      field("Frame", h("input", { type: "range", min: 1, max: n, value, onInput: slid }), h("output", {}, `${value} of ${n}`)),
      h("span", { class: "quiet" }, of > n ? `${n} of ${of} frames are on this page.` : ""),
    );
  }

  /** The address of the image that is currently shown; `system` is `null` for the stimulus. */
  address(system: number | null, pair: number): string | null {
    const parts = this.pictures.parts(system, pair);
    const chosen = this.chosen.get(system ?? -1);
    const part = parts[chosen ?? Math.floor(parts.length / 2)];
    const frame = part ? (this.frameOf(part) ?? (chosen === undefined ? null : middle(part))) : null;
    return frame === null ? this.pictures.picture(system, pair) : this.pictures.part(frame);
  }

  /** The image that is currently shown, or the one at `address`. */
  image(system: number | null, pair: number, address = this.address(system, pair)): Child {
    return this.pictures.image(system, pair, address);
  }

  /** A strip of an image's views or samples to choose from; `null` if there is only one. */
  strip(system: number | null, pair: number, about: string): Child {
    const parts = this.pictures.parts(system, pair);
    if (parts.length < 2) return null;
    const chosen = this.chosen.get(system ?? -1);
    const buttons = parts.map((part, place) => {
      const src = this.pictures.part(this.frameOf(part) ?? middle(part) ?? 0);
      const choose = () => {
        this.chosen.set(system ?? -1, place);
        this.changed();
      };
      const props = { type: "button", "aria-pressed": String(place === chosen), onClick: choose };
      return h("li", {}, h("button", props, h("img", { src, alt: "", decoding: "async" }), part.name));
    });
    return h("ul", { class: "parts", "aria-label": about }, ...buttons);
  }

  /** The index of the image to show for a part; `null` for the item's own picture. */
  private frameOf(part: Part): number | null {
    return this.at === null ? null : (part.frames[Math.floor((this.at * part.frames.length) / this.n)] ?? null);
  }

  private goTo(frame: number): void {
    this.at = frame;
    this.changed();
  }
}

function middle(part: Part): number | null {
  return part.frames[Math.floor(part.frames.length / 2)] ?? null;
}
