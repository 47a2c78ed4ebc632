// The pictures of a pair: stills, clips that play together in a loop, or several pictures side by side.

import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { Picture } from "./data.ts";

interface PairProps {
  /** Each image once, as a data URL. */
  images: string[];
  /** Name and picture of the left and the right side. */
  sides: [string, Picture][];
}

/** Clips play until they are paused, unless the browser asks for less motion. */
export function Pair({ images, sides }: PairProps): Child {
  const moving = sides.map(([, picture]) => picture).find(({ parts, ms }) => ms && parts.some((frames) => frames.length > 1));
  const [isPlaying, play] = useState(moving !== undefined && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  /** Elapsed time of the clips, ms. */
  const [over, setOver] = useState(0);
  useEffect(() => {
    if (!isPlaying) return;
    const began = performance.now() - over;
    const step = (now: number) => {
      setOver(Math.max(now - began, 0));
      timer = requestAnimationFrame(step);
    };
    let timer = requestAnimationFrame(step);
    return () => cancelAnimationFrame(timer);
  }, [isPlaying]);
  // Both clips of a pair last as long as the first one.
  const length = sum(moving?.ms ?? []);
  const share = length > 0 ? (over % length) / length : 0;
  const figure = ([name, { parts, ms }]: [string, Picture]) => {
    const n = parts.length;
    const shown = parts.map((frames, part) => {
      const frame = ms && frames.length > 1 ? frameAt(share, ms, frames.length) : 0;
      return h("img", { src: images[frames[frame] ?? -1] ?? "", alt: n > 1 ? `${name}, ${part + 1} of ${n}` : name, decoding: "sync" });
    });
    return h("figure", {}, n > 1 ? h("div", { class: "parts" }, ...shown) : shown[0], h("figcaption", {}, name));
  };
  const player = button(isPlaying ? "Pause (p)" : "Play (p)", () => play(!isPlaying), { id: "play" });
  return h(Fragment, {}, h("div", { class: "pair" }, ...sides.map(figure)), moving && h("div", { class: "player" }, player));
}

/** The frame at this fraction of the clip; a part with another number of frames shows each for equally long. */
function frameAt(share: number, ms: number[], n: number): number {
  if (ms.length !== n) return Math.floor(share * n);
  let left = share * sum(ms);
  const found = ms.findIndex((own) => (left -= own) < 0);
  return found < 0 ? n - 1 : found;
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
