// Items of several images: clips play frame by frame, and views and samples are a strip.

import type { Part } from "./data.ts";
import { h, toggle } from "parts/dom.ts";
import type { Pictures } from "./pictures.ts";

/** Milliseconds that each frame is seen: less than three changes a second are not dangerous to anybody. */
const FRAME_MS = 350;

/** Plays the clips of some pairs together; each is stretched to the length of the one with most frames. */
export class Player {
  readonly controls = h("div", { class: "tools player", hidden: true });
  private readonly play: HTMLButtonElement;
  private readonly slider = h("input", { type: "range", min: 1, max: 1, value: 1 });
  private readonly told = h("output");
  private readonly kept = h("span", { class: "quiet" });
  private timer: number | undefined;
  private n = 1;
  /** The frame that is seen, from 0; `null` before anybody asked for one. */
  private at: number | null = null;

  /** `moved` is called when other frames are to be seen, `started` before they begin to move. */
  constructor(
    private readonly moved: () => void,
    private readonly started: () => void = () => {},
  ) {
    this.play = toggle("Play (p)", false, (on) => (on ? this.run() : this.stop()));
    this.play.dataset["key"] = "p";
    this.slider.addEventListener("input", () => {
      this.stop();
      this.goTo(this.slider.valueAsNumber - 1);
    });
    this.controls.append(this.play, h("label", { class: "field" }, h("span", {}, "Frame"), this.slider, this.told), this.kept);
  }

  /** Takes up clips of at most `n` frames, of which there are `of` in the files; with one there is nothing to play. */
  show(n: number, of: number): void {
    this.stop();
    this.n = n;
    this.at = null;
    this.slider.max = String(n);
    this.slider.valueAsNumber = Math.floor(n / 2) + 1;
    this.told.textContent = `${this.slider.value} of ${n}`;
    this.kept.textContent = of > n ? `${n} of ${of} frames are on this page.` : "";
    this.controls.hidden = n < 2;
  }

  /** The place of the image that is to be seen of a part; `null` for the item's picture. */
  frameOf(part: Part): number | null {
    return this.at === null ? null : (part.frames[Math.floor((this.at * part.frames.length) / this.n)] ?? null);
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.play.setAttribute("aria-pressed", "false");
  }

  private run(): void {
    this.started();
    this.play.setAttribute("aria-pressed", "true");
    this.goTo(0);
    this.timer = window.setInterval(() => this.goTo(((this.at ?? 0) + 1) % this.n), FRAME_MS);
  }

  private goTo(frame: number): void {
    this.at = frame;
    this.slider.valueAsNumber = frame + 1;
    this.told.textContent = `${frame + 1} of ${this.n}`;
    this.moved();
  }
}

/** What is seen of items of several images: a frame, and of each image the view or sample that was chosen. */
export class SeenParts {
  /** By system, -1 for the stimulus: the place of the chosen part. */
  private readonly chosen = new Map<number, number>();
  /** What shows other frames in the images that are in the document. */
  private redrawn: (() => void)[] = [];

  constructor(
    private readonly pictures: Pictures,
    readonly player: Player,
    private readonly changed: () => void,
  ) {}

  /** Takes up other pairs. */
  show(pairs: number[]): void {
    this.chosen.clear();
    const parts = pairs.flatMap((pair) => this.pictures.partsOf(pair));
    const most = (number: (part: Part) => number) => Math.max(1, ...parts.map(number));
    this.player.show(most(({ frames }) => frames.length), most(({ of }) => of));
  }

  /** Shows the player's frame in every image that was made since the last `forget`. */
  redraw(): void {
    for (const redraw of this.redrawn) redraw();
  }

  forget(): void {
    this.redrawn = [];
  }

  /** The address of an image as it is seen now; `system` is `null` for the stimulus. */
  address(system: number | null, pair: number): string | null {
    const parts = this.pictures.parts(system, pair);
    const chosen = this.chosen.get(system ?? -1);
    const part = parts[chosen ?? Math.floor(parts.length / 2)];
    const frame = part ? (this.player.frameOf(part) ?? (chosen === undefined ? null : middle(part))) : null;
    return frame === null ? this.pictures.picture(system, pair) : this.pictures.part(frame);
  }

  /** An image that follows the player. */
  image(system: number | null, pair: number): HTMLElement {
    const made = this.pictures.image(system, pair);
    this.follow(made, () => this.address(system, pair));
    return made;
  }

  /** Keeps the source of an image at an address that may change. */
  follow(image: Element, address: () => string | null): void {
    const redraw = () => {
      const now = address();
      if (now !== null && image.getAttribute("src") !== now) image.setAttribute("src", now);
    };
    if (!image.matches("img")) return;
    redraw();
    this.redrawn.push(redraw);
  }

  /** The views or samples of an image, of which one can be chosen; `null` if there is only one. */
  strip(system: number | null, pair: number, about: string): HTMLElement | null {
    const parts = this.pictures.parts(system, pair);
    if (parts.length < 2) return null;
    const chosen = this.chosen.get(system ?? -1);
    const buttons = parts.map((part, place) => {
      const image = h("img", { alt: "", decoding: "async" });
      this.follow(image, () => this.pictures.part(this.player.frameOf(part) ?? middle(part) ?? 0));
      const name = `${system ?? -1} ${place}`;
      const choose = () => {
        this.chosen.set(system ?? -1, place);
        this.changed();
      };
      const props = { type: "button", "data-part": name, "aria-pressed": String(place === chosen), click: choose };
      return h("li", {}, h("button", props, image, part.name));
    });
    return h("ul", { class: "parts", "aria-label": about }, ...buttons);
  }
}

function middle(part: Part): number | null {
  return part.frames[Math.floor(part.frames.length / 2)] ?? null;
}
