// Runs the program that writes the pages.

import { execFileSync } from "node:child_process";

export const binary = process.env["NEUROGAUGE_BINARY"] ?? "../target/debug/neurogauge";

export function neurogauge(...args: string[]): string {
  return execFileSync(binary, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
