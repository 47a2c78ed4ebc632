// Makes small PNG files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";

const SIZE = 48;

/** Writes a picture of one colour with a square in it. */
export function writePicture(path: string, colour: [number, number, number], corner: number): void {
  const isSquare = (x: number, y: number) => x >= corner && x < corner + 12 && y >= corner && y < corner + 12;
  writeFileSync(path, png(SIZE, (x, y, channel) => (isSquare(x, y) ? 255 : (colour[channel] ?? 0))));
}

/** Writes a folder of pictures with these stems for each side; the colours of a pair have a channel in common. */
export function writeSides(folder: string, sides: Record<string, number>, stems: (string | number)[]): void {
  const step = 160 / stems.length;
  for (const [side, shade] of Object.entries(sides)) {
    mkdirSync(join(folder, side));
    for (const [i, stem] of stems.entries()) writePicture(join(folder, side, `${stem}.png`), [shade, step * i, 200 - step * i], (step / 5) * i);
  }
}

/** The bytes of a square picture; `valueOf` gives the value of each channel of each pixel. */
export function png(side: number, valueOf: (x: number, y: number, channel: number) => number): Buffer {
  const made = new PNG({ width: side, height: side });
  for (const k of made.data.keys()) {
    made.data[k] = k % 4 === 3 ? 255 : valueOf(Math.floor(k / 4) % side, Math.floor(k / 4 / side), k % 4);
  }
  return PNG.sync.write(made, { colorType: 2 });
}
