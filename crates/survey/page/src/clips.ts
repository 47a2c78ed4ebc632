// The pictures of a pair: stills, clips that play together again and again, and several of either side by side.

import type { Picture } from "./data.ts";
import { button, h } from "parts/dom.ts";

interface Moving {
  image: HTMLImageElement;
  frames: string[];
  ms: number[];
}

const PLAY = "Play (p)";
const PAUSE = "Pause (p)";

export class Clips {
  private readonly button = button(PLAY, () => this.press(), { id: "play" });
  private moving: Moving[] = [];
  private timer = 0;
  /** When the clips began, and how much of them was over when they were paused, in milliseconds. */
  private began = 0;
  private over = 0;

  constructor(private readonly images: string[]) {}

  /** Ends what is shown, before another pair. */
  clear(): void {
    this.pause();
    this.moving = [];
    this.over = 0;
  }

  /** One side of a pair. */
  figure(name: string, picture: Picture): HTMLElement {
    const n = picture.parts.length;
    const images = picture.parts.map((places, part) => {
      const frames = places.map((place) => this.images[place] ?? "");
      const alt = n > 1 ? `${name}, ${part + 1} of ${n}` : name;
      const image = h("img", { src: frames[0] ?? "", alt, decoding: "sync" });
      if (frames.length > 1 && picture.ms) this.moving.push({ image, frames, ms: picture.ms });
      return image;
    });
    return h("figure", {}, n > 1 ? h("div", { class: "parts" }, ...images) : (images[0] ?? null), h("figcaption", {}, name));
  }

  /** The button that pauses the clips, which then play unless the browser asks for less motion; nothing if none moves. */
  controls(): HTMLElement | null {
    if (this.moving.length === 0) return null;
    this.button.textContent = PLAY;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
    return h("div", { class: "player" }, this.button);
  }

  /** Plays or pauses. */
  press(): void {
    if (this.timer) this.pause();
    else if (this.moving.length > 0) this.play();
  }

  private play(): void {
    this.button.textContent = PAUSE;
    this.began = performance.now() - this.over;
    const step = (now: number) => {
      this.over = Math.max(now - this.began, 0);
      this.draw();
      this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  private pause(): void {
    this.button.textContent = PLAY;
    cancelAnimationFrame(this.timer);
    this.timer = 0;
  }

  /** Both clips of a pair last as long as the first one. */
  private draw(): void {
    const length = sum(this.moving[0]?.ms ?? []);
    const share = (this.over % length) / length;
    for (const { image, frames, ms } of this.moving) {
      const now = frames[frameAt(share, ms, frames.length)] ?? "";
      if (image.getAttribute("src") !== now) image.setAttribute("src", now);
    }
  }
}

/** The frame that is shown after this share of the clip; a part with another number of frames shows them equally long. */
function frameAt(share: number, ms: number[], n: number): number {
  if (ms.length !== n) return Math.floor(share * n);
  let left = share * sum(ms);
  const found = ms.findIndex((own) => (left -= own) < 0);
  return found < 0 ? n - 1 : found;
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
