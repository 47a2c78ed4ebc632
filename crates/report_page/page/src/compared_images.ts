// Layers over a reconstruction that compare it with its stimulus: a wipe, and maps of what differs.

import { decimal, h } from "parts/dom.ts";
import { type Plane, differenceMap, grey, mean, ramp, ssimMap } from "./maps.ts";

/** How a pair is looked at, by the key that turns it on. */
export const MODES = {
  f: "Blink",
  w: "Wipe",
  d: "Difference",
  s: "Local SSIM",
} as const;
export type Mode = keyof typeof MODES;

/** The stimulus over the left part of the reconstruction, as wide as `--wipe` says. */
export function wipeLayer(stimulus: string): HTMLElement[] {
  return [h("img", { class: "over", src: stimulus, alt: "" }), h("div", { class: "edge" })];
}

async function pixels(address: string, size?: { width: number; height: number }): Promise<ImageData> {
  const image = h("img", { src: address });
  await image.decode();
  const canvas = h("canvas", { width: size?.width ?? image.naturalWidth, height: size?.height ?? image.naturalHeight });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function drawn(plane: Plane, shareOf: (value: number) => number): HTMLCanvasElement {
  const layer = h("canvas", { class: "map", width: plane.width, height: plane.height, "aria-hidden": "true" });
  const context = layer.getContext("2d");
  const image = context?.createImageData(plane.width, plane.height);
  if (!context || !image) return layer;
  for (const [k, value] of plane.values.entries()) image.data.set([...ramp(shareOf(value)), 255], 4 * k);
  context.putImageData(image, 0, 0);
  return layer;
}

/** A map of two thumbnails and its mean in words; `null` where a browser hides the pixels of linked images from the page. */
export async function mapLayer(
  mode: "d" | "s",
  stimulus: string,
  reconstruction: string,
): Promise<{ layer: HTMLElement; told: string } | null> {
  try {
    const a = await pixels(stimulus);
    const b = await pixels(reconstruction, a);
    if (mode === "d") {
      const map = differenceMap(a, b);
      // Few differences are larger than a half; these have the lightest colour too.
      return { layer: drawn(map, (value) => 2 * value), told: `mean difference ${(100 * mean(map)).toFixed(1)} %` };
    }
    const map = ssimMap(grey(a), grey(b));
    return { layer: drawn(map, (value) => 1 - value), told: `mean ${decimal(mean(map), 3)}` };
  } catch {
    return null;
  }
}

/** What the colours of a map mean. */
export function legend(mode: "d" | "s"): HTMLElement {
  const bar = h("canvas", { class: "ramp", width: 64, height: 1, role: "img", "aria-label": "from dark to light" });
  const context = bar.getContext("2d");
  for (let k = 0; k < 64; k += 1) {
    if (context) context.fillStyle = `rgb(${ramp(k / 63).join(" ")})`;
    context?.fillRect(k, 0, 1, 1);
  }
  const [low, high, what] =
    mode === "d"
      ? ["0 ", " 50 % or more", "Mean absolute difference of red, green and blue, in % of the largest possible one. "]
      : ["1 ", " 0 or less", "SSIM of the grey images in a window around each pixel (Gaussian, σ 1.5 px): dark where they are alike. "];
  return h("p", { class: "quiet" }, what, h("span", { class: "scale" }, low, bar, high), ". Computed here, of the thumbnails; the scores are of the images.");
}
