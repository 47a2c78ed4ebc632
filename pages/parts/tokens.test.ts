// Tests the palette: in both themes text is readable on its background, and both themes define the same names.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const text = readFileSync("parts/tokens.css", "utf8");
const [light = "", dark = ""] = text.split("@media screen");
const colours = (part: string) => new Map([...part.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]));
const themes: [string, Map<string, string>][] = [
  ["light", colours(light)],
  ["dark", colours(dark)],
];

/** Relative luminance by WCAG 2.2. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("the contrast of black on white is 21, of the documented example 4.54", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  // By https://www.w3.org/WAI/WCAG22/Techniques/general/G18, #767676 is the lightest grey that passes on white.
  assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.005);
});

for (const [theme, palette] of themes) {
  test(`text of the ${theme} theme can be read`, () => {
    const of = (name: string) => palette.get(name) ?? assert.fail(`${name} has no colour`);
    const series = [1, 2, 3, 4, 5].map((k) => `--series-${k}`);
    const onBack = ["--text", "--quiet", "--link", "--wrong", "--marked", ...series];
    const pairs = [
      ...onBack.map((name) => [name, "--back"]),
      ...["--text", "--quiet", "--link"].map((name) => [name, "--panel"]),
      ["--on-link", "--link"],
      ["--text", "--warn-back"],
      ["--text", "--mark-back"],
    ];
    for (const [front = "", back = ""] of pairs) {
      const found = contrast(of(front), of(back));
      assert.ok(found >= 4.5, `${front} on ${back}: ${found.toFixed(2)}`);
    }
    // The edges of controls and of notes.
    for (const name of ["--edge", "--warn-edge"]) assert.ok(contrast(of(name), of("--back")) >= 3, name);
  });
}

test("both themes have the same colours", () => {
  assert.deepEqual([...themes[0]![1].keys()].sort(), [...themes[1]![1].keys()].sort());
});
