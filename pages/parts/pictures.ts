// Small PNG files.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

const SIZE = 48;

/** A file of one colour with a square in it. */
export function writePicture(path: string, colour: [number, number, number], corner: number): void {
  const isSquare = (x: number, y: number) => x >= corner && x < corner + 12 && y >= corner && y < corner + 12;
  writeFileSync(path, png(SIZE, (x, y, channel) => (isSquare(x, y) ? 255 : (colour[channel] ?? 0))));
}

/** A folder of pictures with these stems for each side, whose colours have a channel in common. */
export function writeSides(folder: string, sides: Record<string, number>, stems: (string | number)[]): void {
  const step = 160 / stems.length;
  for (const [side, shade] of Object.entries(sides)) {
    mkdirSync(join(folder, side));
    for (const [i, stem] of stems.entries()) writePicture(join(folder, side, `${stem}.png`), [shade, step * i, 200 - step * i], (step / 5) * i);
  }
}

/** The bytes of a square picture, by the value of each channel of each pixel, row by row. */
export function png(side: number, valueOf: (x: number, y: number, channel: number) => number): Buffer {
  const rows = Buffer.alloc(side * (1 + 3 * side));
  for (let k = 0; k < rows.length; k += 1) {
    const [y, column] = [Math.floor(k / (1 + 3 * side)), (k % (1 + 3 * side)) - 1];
    // Each row begins with the filter of its bytes, which is none.
    rows[k] = column < 0 ? 0 : valueOf(Math.floor(column / 3), y, column % 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "ascii"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
  return framed;
}
