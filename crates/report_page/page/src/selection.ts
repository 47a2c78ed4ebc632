// Pairs that were picked by hand: their ids as a file, and the command for a figure of them.

import { useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { ReportData } from "./data.ts";
import { copy, field, save } from "./methods.ts";

/** A word of a command, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w/.=:,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The command for a figure of these pairs with the scores of a metric; `null` if a stem contains a comma, which the
 * command cannot express.
 */
function galleryCommand(data: ReportData, pairs: number[], metric: number): string | null {
  const stems = pairs.map((pair) => data.stems[pair] ?? "").filter((stem) => !stem.includes(","));
  const begin = data.copies["gallery"];
  if (begin === undefined || stems.length === 0) return null;
  return `${begin} --pick ${quoted(stems.join(","))} --metric ${data.metrics[metric]?.id ?? ""} --out gallery.pdf`;
}

/** The stems of these pairs below a heading, one per line. */
function idsAsCsv(data: ReportData, pairs: number[]): string {
  return ["pair", ...pairs.map((pair) => data.stems[pair] ?? "")].map((stem) => `${field(stem)}\n`).join("");
}

interface PickedProps {
  data: ReportData;
  picked: Set<number>;
  /** The pairs in the list, in order. */
  shown: number[];
  /** The metric whose scores a figure shows. */
  metric: number;
  pick: (pairs: number[]) => void;
}

/** What can be done with the picked pairs. Those in the list come first, in its order, then the others. */
export function Picked({ data, picked, shown, metric, pick }: PickedProps): Child {
  const [told, tell] = useState({ of: "", text: "" });
  const pairs = [...new Set([...shown.filter((pair) => picked.has(pair)), ...picked])];
  const command = galleryCommand(data, pairs, metric) ?? "";
  const copied = async () => tell({ of: command, text: (await copy(command)) ? "Copied." : command });
  return h(
    "div",
    { class: "controls" },
    h("span", { "aria-live": "polite" }, `${pairs.length} picked`),
    button("Pick all shown", () => pick(shown)),
    pairs.length > 0 && button("Pick none", () => pick([])),
    pairs.length > 0 && button("Ids as CSV", () => save("pairs.csv", "text/csv", idsAsCsv(data, pairs))),
    command !== "" && button("Copy the command for a figure", () => void copied()),
    h("span", { role: "note" }, told.of === command ? told.text : ""),
  );
}
