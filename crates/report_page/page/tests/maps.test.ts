// Tests maps of differences against scikit-image and by hand, and bars of scores.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Plane, differenceMap, mean, ramp, ssimMap } from "../src/maps.ts";
import { bins } from "../src/spread.ts";

const plane = (rows: number[][]): Plane => ({ width: rows[0]?.length ?? 0, height: rows.length, values: Float64Array.from(rows.flat()) });

test("the SSIM map is scikit-image's", () => {
  // reference/report_page_ssim_map.py
  const golden = "../reference/golden/report_page_ssim_map.json";
  const { one, other, ssim } = JSON.parse(readFileSync(golden, "utf8")) as Record<"one" | "other" | "ssim", number[][]>;
  const found = ssimMap(plane(one), plane(other));
  assert.deepEqual([found.width, found.height], [12, 9]);
  for (const [k, expected] of ssim.flat().entries()) {
    // The golden has twelve decimals.
    assert.ok(Math.abs((found.values[k] ?? 9) - expected) < 1e-11, `${k}: ${found.values[k]}, ${expected}`);
  }
  assert.ok(ssimMap(plane(one), plane(one)).values.every((v) => Math.abs(v - 1) < 1e-12));
});

test("a difference is the mean over red, green and blue, as a share of the largest possible one", () => {
  const image = (pixels: number[][]) => ({ width: pixels.length, height: 1, data: Uint8ClampedArray.from(pixels.flat()) }) as ImageData;
  const map = differenceMap(image([[0, 0, 0, 255], [10, 20, 30, 255]]), image([[255, 255, 255, 255], [10, 20, 183, 255]]));
  assert.deepEqual([...map.values], [1, 153 / 3 / 255]);
  assert.equal(mean(map), (1 + 0.2) / 2);
});

test("colours of maps grow lighter from 0 to 1", () => {
  const lightness = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const [r, g, b] = ramp(share);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
  assert.deepEqual(lightness, [...lightness].sort((a, b) => a - b));
  assert.deepEqual([ramp(-1), ramp(2)], [ramp(0), ramp(1)]);
});

test("bars count pairs from the worst to the best", () => {
  const values = [0, 0, 0.5, 1];
  const higher = bins(values, "higher");
  assert.deepEqual([higher.counts[0], higher.counts[8], higher.counts[15], higher.of(1)], [2, 1, 1, 15]);
  const lower = bins(values, "lower");
  assert.deepEqual([lower.counts[15], lower.counts[0], lower.of(1)], [2, 1, 0]);
  assert.deepEqual(bins([0.3, 0.3], "higher").counts[0], 2);
});
