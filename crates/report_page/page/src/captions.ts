// Captions, with the words marked that the other side has too.

import { h } from "./dom.ts";

/** Words that say nothing about what is seen. */
const SMALL = new Set(
  ("a an the and or of in on at to with by for from is are was were be been being it its this that these those there " +
    "his her their as into over under up down out near next some one has have which who").split(" "),
);

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

export function words(text: string): Set<string> {
  const found = (text.match(WORD) ?? []).map((word) => word.toLowerCase());
  return new Set(found.filter((word) => !SMALL.has(word)));
}

/** A caption with the words marked that are among `others`. */
export function marked(text: string, others: Set<string>): HTMLElement {
  const shown = h("p", { class: "caption" });
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    shown.append(text.slice(from, match.index));
    shown.append(others.has(word.toLowerCase()) ? h("mark", {}, word) : word);
    from = match.index + word.length;
  }
  shown.append(text.slice(from));
  return shown;
}
