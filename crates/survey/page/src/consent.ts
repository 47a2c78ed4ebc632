// Before anything else: the text that people agree to, and the way out.

import type { Kept } from "./answers.ts";
import type { SurveyData } from "./data.ts";
import { button, h } from "parts/dom.ts";

let hasRefused = false;

/** What is shown as long as nobody has agreed; `show` shows what comes next. */
export function consent(text: string, sha256: string, kept: Kept, show: () => void): Node[] {
  if (hasRefused) return refusal(show);
  const tick = h("input", { type: "checkbox", id: "agree", "aria-describedby": "wrong" });
  const wrong = h("p", { class: "wrong", role: "alert", id: "wrong" });
  tick.onchange = () => (wrong.textContent = "");
  const go = () => {
    if (!tick.checked) {
      wrong.textContent = "Please tick the box to go on, or choose \u201cI do not want to take part\u201d.";
      tick.focus();
      return;
    }
    kept.answers.consent = { sha256, time: new Date().toISOString() };
    kept.save();
    show();
  };
  const refuse = () => {
    hasRefused = true;
    kept.forget();
    show();
  };
  return [
    ...paragraphs(text),
    h("label", { class: "tick" }, tick, h("span", {}, "I have read this and agree to take part")),
    wrong,
    h("div", { class: "buttons" }, button("Continue", go, { class: "primary" }), button("I do not want to take part", refuse)),
  ];
}

function refusal(show: () => void): Node[] {
  const back = () => {
    hasRefused = false;
    show();
  };
  return [
    h("h1", { tabindex: -1 }, "You are not taking part"),
    h("p", {}, "Thank you for reading. Nothing about you was stored or sent. You can close this page."),
    h("p", {}, "If you came from a platform that pays for this task, please return the task there."),
    h("div", { class: "buttons" }, button("Back to the text", back)),
  ];
}

/** Paragraphs, headings (`#`) and lists (`- `); a first heading is there in any case, for those who hear the page. */
function paragraphs(text: string): Node[] {
  const blocks = text.trim().split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/).flatMap(block);
  const hasHeading = blocks[0]?.nodeName === "H1";
  return hasHeading ? blocks : [h("h1", { tabindex: -1 }, "Before you begin"), ...blocks];
}

function block(text: string, place: number): Node[] {
  const lines = text.split(/\r?\n/);
  const nodes: Node[] = [];
  let words: string[] = [];
  let list: HTMLUListElement | null = null;
  const close = () => {
    if (words.length > 0) nodes.push(h("p", {}, words.join(" ")));
    words = [];
  };
  for (const line of lines) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line.trim())?.[1];
    const item = /^\s*[-*]\s+(.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      close();
      list = null;
      const isFirst = place === 0 && nodes.length === 0;
      nodes.push(isFirst ? h("h1", { tabindex: -1 }, heading) : h("h2", {}, heading));
    } else if (item !== undefined) {
      close();
      if (!list) nodes.push((list = h("ul", {})));
      list.append(h("li", {}, item));
    } else if (list?.lastElementChild) {
      list.lastElementChild.append(` ${line.trim()}`);
    } else {
      words.push(line.trim());
    }
  }
  close();
  return nodes;
}

export function needsConsent(data: SurveyData, kept: Kept): boolean {
  return data.consent !== null && kept.answers.consent?.sha256 !== data.consent.sha256;
}
