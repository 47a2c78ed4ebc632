// The buttons in the section on methods, which copy texts and save files.

import { Fragment, render } from "preact";
import { useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { ReportData } from "./data.ts";

/**
 * A CSV field, written like the program's `csv_cell`: spreadsheets do not take it for a formula, and it is quoted if
 * necessary.
 */
export function field(text: string): string {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const guarded = /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * Every score of every system: system, pair, and a column for each metric, which is empty if there is no value. If
 * metrics depend on placeholders, the last column `stand_in` has their ids, as in a run's `scores.csv`.
 */
export function csv(data: ReportData): string {
  const placeholders = data.metrics.filter(({ stand_in }) => stand_in).map(({ id }) => id);
  const mark = (words: string) => (placeholders.length > 0 ? [words] : []);
  const lines = [["system", "pair", ...data.metrics.map(({ id }) => id), ...mark("stand_in")]];
  for (const [system, name] of data.systems.entries()) {
    for (const [pair, stem] of data.stems.entries()) {
      const values = data.metrics.map((_, metric) => data.scores[system]?.[metric]?.values[pair] ?? "");
      lines.push([name, stem, ...values.map(String), ...mark(placeholders.join(" "))]);
    }
  }
  return lines.map((line) => line.map(field).join(",") + "\n").join("");
}

export function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // If a page opened from a file may not use the clipboard, the older way often works.
    const area = Object.assign(document.createElement("textarea"), { readOnly: true, className: "offscreen", ariaHidden: "true", value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function Copy({ text }: { text: string }): Child {
  const [told, tell] = useState("");
  const clicked = async () => tell((await copy(text)) ? " copied" : " could not be copied; select the text instead");
  return h(Fragment, {}, button("Copy", () => void clicked()), h("span", { role: "status" }, told));
}

/** Adds the buttons where the page has places for them. */
export function addButtons(data: ReportData): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    const text = data.copies[place.dataset["copy"] ?? ""];
    if (text !== undefined) render(h(Copy, { text }), place);
  }
  const whole = () => document.getElementById("data")?.textContent ?? "";
  const files = [
    button("Scores as CSV", () => save("scores.csv", "text/csv", csv(data))),
    button("All numbers as JSON", () => save("report.json", "application/json", whole())),
    ...Object.values(data.downloads).map(({ name, text }) => button(name, () => save(name, "application/octet-stream", text))),
  ];
  for (const place of document.querySelectorAll("[data-downloads]")) render(files, place);
}
