// Captions that mark words that both sides have, and words that the other side lacks.

import { type Child, h } from "parts/view.ts";

/** Words that say nothing about the content of an image. */
const SMALL = new Set(
  ("a an the and or of in on at to with by for from is are was were be been being it its this that these those there " +
    "his her their as into over under up down out near next some one has have which who").split(" "),
);

const WORD = /([\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*)/gu;

export function words(text: string): Set<string> {
  const found = (text.match(WORD) ?? []).map((word) => word.toLowerCase());
  return new Set(found.filter((word) => !SMALL.has(word)));
}

/** A caption that marks the words in `others`; `kind` says what the other words are. */
export function marked(text: string, others: Set<string>, kind: "missed" | "invented"): Child {
  // Words and the characters between them alternate.
  const parts = text.split(WORD).map((part, place) => {
    const known = part.toLowerCase();
    if (place % 2 === 0 || others.size === 0 || SMALL.has(known)) return part;
    return others.has(known) ? h("mark", {}, part) : h("span", { class: kind, title: kind }, part);
  });
  return h("p", { class: "caption" }, ...parts);
}

/** Explains the marks. */
export function explainedMarks(): Child {
  const word = (tag: "mark" | "span", name: string) => h(tag, { class: name }, name);
  return h("p", { class: "quiet" }, "Words of captions: ", word("mark", "matched"), ", ", word("span", "missed"), " by every reconstruction, ", word("span", "invented"), ".");
}
