// Maps of the differences between a reconstruction and its stimulus, pixel by pixel, computed here from the thumbnails.
// This file does not depend on the page.

/** Grey values or shares of an image, row by row. */
export interface Plane {
  width: number;
  height: number;
  values: Float64Array;
}

/** Mean absolute difference of red, green and blue at each pixel, as a fraction of the largest possible one. */
export function differenceMap(a: ImageData, b: ImageData): Plane {
  const values = new Float64Array(a.width * a.height);
  for (const k of values.keys()) {
    let sum = 0;
    for (let c = 0; c < 3; c += 1) sum += Math.abs((a.data[4 * k + c] ?? 0) - (b.data[4 * k + c] ?? 0));
    values[k] = sum / 3 / 255;
  }
  return { width: a.width, height: a.height, values };
}

/** Grey values in 0..1, with the weights of the metric SSIM. */
export function grey({ width, height, data }: ImageData): Plane {
  const values = new Float64Array(width * height);
  for (const k of values.keys()) {
    const [r = 0, g = 0, b = 0] = data.subarray(4 * k, 4 * k + 3);
    values[k] = (0.2125 * r + 0.7154 * g + 0.0721 * b) / 255;
  }
  return { width, height, values };
}

const SIGMA = 1.5;
const RADIUS = 5;
const [C1, C2] = [0.01 ** 2, 0.03 ** 2];

/** A Gaussian mean around each pixel (11 taps); the image is mirrored at its edges. */
function blurred({ width, height, values }: Plane): Float64Array {
  const weights = Array.from({ length: 2 * RADIUS + 1 }, (_, k) => Math.exp(-0.5 * ((k - RADIUS) / SIGMA) ** 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mirrored = (k: number, n: number): number => {
    const at = ((k % (2 * n)) + 2 * n) % (2 * n);
    return at < n ? at : 2 * n - 1 - at;
  };
  const along = (from: Float64Array, n: number, step: number, lines: number, lineStep: number): Float64Array => {
    const out = new Float64Array(from.length);
    for (let line = 0; line < lines; line += 1) {
      for (let k = 0; k < n; k += 1) {
        let sum = 0;
        for (const [tap, weight] of weights.entries()) sum += weight * (from[line * lineStep + mirrored(k + tap - RADIUS, n) * step] ?? 0);
        out[line * lineStep + k * step] = sum / total;
      }
    }
    return out;
  };
  return along(along(values, width, 1, height, width), height, width, width, 1);
}

/** SSIM around each pixel of two grey images in 0..1 (Wang et al. 2004, equation 13): 1 if they are equal. */
export function ssimMap(a: Plane, b: Plane): Plane {
  const product = (x: Plane, y: Plane): Plane => ({ ...x, values: x.values.map((v, k) => v * (y.values[k] ?? 0)) });
  const [meanA, meanB] = [blurred(a), blurred(b)];
  const [aa, bb, ab] = [blurred(product(a, a)), blurred(product(b, b)), blurred(product(a, b))];
  const values = meanA.map((x, k) => {
    const y = meanB[k] ?? 0;
    const [varA, varB, cov] = [(aa[k] ?? 0) - x * x, (bb[k] ?? 0) - y * y, (ab[k] ?? 0) - x * y];
    return ((2 * x * y + C1) * (2 * cov + C2)) / ((x * x + y * y + C1) * (varA + varB + C2));
  });
  return { width: a.width, height: a.height, values };
}

/** From black over purple and orange to pale yellow; its lightness alone is readable with any colour vision. */
const RAMP = [
  [0, 0, 4],
  [81, 18, 124],
  [183, 55, 121],
  [252, 137, 97],
  [252, 253, 191],
] as const;

/** The colour of a number in 0..1. */
export function ramp(share: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const [low, high] = [RAMP[Math.floor(at)] ?? RAMP[0], RAMP[Math.ceil(at)] ?? RAMP[0]];
  return [0, 1, 2].map((c) => Math.round((low[c] ?? 0) + (at - Math.floor(at)) * ((high[c] ?? 0) - (low[c] ?? 0)))) as [number, number, number];
}

export function mean({ values }: Plane): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}
