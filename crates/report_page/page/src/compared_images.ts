// Layers over a reconstruction that compare it with its stimulus: a wipe, and maps of differences.

import { useEffect, useState } from "preact/hooks";
import { type Child, decimal, h, painted } from "parts/view.ts";
import { type Plane, differenceMap, grey, mean, ramp, ssimMap } from "./maps.ts";

/** The modes of comparison, by the keys that switch to them. */
export const MODES = {
  f: "Blink",
  w: "Wipe",
  d: "Difference",
  s: "Local SSIM",
} as const;
export type Mode = keyof typeof MODES;

/** The stimulus over the left part of the reconstruction; `--wipe` is its width. */
export function wipeLayer(stimulus: string): Child[] {
  return [h("img", { class: "over", src: stimulus, alt: "" }), h("div", { class: "edge" })];
}

async function pixels(address: string, size?: { width: number; height: number }): Promise<ImageData> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { width, height } = size ?? { width: image.naturalWidth, height: image.naturalHeight };
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  if (!context) throw new Error("this browser draws no canvas");
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function drawn(plane: Plane, shareOf: (value: number) => number): Child {
  const { width, height, values } = plane;
  return painted({ class: "map", width, height, "aria-hidden": "true" }, (context) => {
    const image = context.createImageData(width, height);
    for (const [k, value] of values.entries()) image.data.set([...ramp(shareOf(value)), 255], 4 * k);
    context.putImageData(image, 0, 0);
  });
}

interface Compared {
  layer: Child;
  told: string;
}

/** A map of two thumbnails, and its mean in words. */
async function mapLayer(mode: "d" | "s", stimulus: string, reconstruction: string): Promise<Compared> {
  try {
    const a = await pixels(stimulus);
    const b = await pixels(reconstruction, a);
    if (mode === "d") {
      const map = differenceMap(a, b);
      // Few differences exceed one half; these also get the lightest colour.
      return { layer: drawn(map, (value) => 2 * value), told: ` mean difference ${(100 * mean(map)).toFixed(1)} %` };
    }
    const map = ssimMap(grey(a), grey(b));
    return { layer: drawn(map, (value) => 1 - value), told: ` mean ${decimal(mean(map), 3)}` };
  } catch {
    return { layer: null, told: " no map: browsers hide the pixels of images beside the page from it" };
  }
}

/** The layer of a mode over a reconstruction, and its description; a map appears once it is computed. */
export function useCompared(mode: Mode | null, stimulus: string | null, own: string | null): Compared {
  const [found, setFound] = useState<Compared & { of: string }>({ of: "", layer: null, told: "" });
  const isMapped = mode === "d" || mode === "s";
  const of = [mode, stimulus, own].join(" ");
  useEffect(() => {
    if (isMapped && stimulus !== null && own !== null) void mapLayer(mode, stimulus, own).then((made) => setFound({ of, ...made }));
  }, [of]);
  if (mode === "w" && stimulus !== null && own !== null) return { layer: wipeLayer(stimulus), told: "" };
  return isMapped && found.of === of ? found : { layer: null, told: "" };
}

/** Explains the colours of a map. */
export function legend(mode: "d" | "s"): Child {
  const bar = painted({ class: "ramp", width: 64, height: 1, role: "img", "aria-label": "from dark to light" }, (context) => {
    for (let k = 0; k < 64; k += 1) {
      context.fillStyle = `rgb(${ramp(k / 63).join(" ")})`;
      context.fillRect(k, 0, 1, 1);
    }
  });
  const [low, high, what] =
    mode === "d"
      ? ["0 ", " 50 % or more", "Mean absolute difference of red, green and blue, in % of the largest possible one. "]
      : ["1 ", " 0 or less", "SSIM of the grey images in a window around each pixel (Gaussian, σ 1.5 px): dark where they are alike. "];
  return h("p", { class: "quiet" }, what, h("span", { class: "scale" }, low, bar, high), ". Computed here, of the thumbnails; the scores are of the images.");
}
