// Captions, with the words marked that the other side has too, and those that it does not have.

import { h } from "parts/dom.ts";

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

/** A caption with the words marked that are among `others`; of those that are not, `kind` says what they are. */
export function marked(text: string, others: Set<string>, kind: "missed" | "invented"): HTMLElement {
  const shown = h("p", { class: "caption" });
  let from = 0;
  const mark = (word: string): Node | string => {
    const known = word.toLowerCase();
    if (others.has(known)) return h("mark", {}, word);
    return others.size === 0 || SMALL.has(known) ? word : h("span", { class: kind, title: kind }, word);
  };
  for (const match of text.matchAll(WORD)) {
    shown.append(text.slice(from, match.index), mark(match[0]));
    from = match.index + match[0].length;
  }
  shown.append(text.slice(from));
  return shown;
}

/** What the marks mean. */
export function explainedMarks(): HTMLElement {
  const word = (tag: "mark" | "span", name: string) => h(tag, { class: name }, name);
  return h("p", { class: "quiet" }, "Words of captions: ", word("mark", "matched"), ", ", word("span", "missed"), " by every reconstruction, ", word("span", "invented"), ".");
}
