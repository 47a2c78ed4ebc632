// The first screen: the text that people agree to, and the way out.

import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { Kept } from "./answers.ts";
import type { SurveyData } from "./data.ts";

interface ConsentProps {
  text: string;
  agree: () => void;
  refuse: () => void;
}

export function Consent({ text, agree, refuse }: ConsentProps): Child {
  const tick = useRef<HTMLInputElement>(null);
  const [wrong, tell] = useState("");
  const go = () => {
    if (tick.current?.checked) return agree();
    tell("Please tick the box to go on, or choose \u201cI do not want to take part\u201d.");
    tick.current?.focus();
  };
  return h(
    Fragment,
    {},
    ...paragraphs(text),
    h(
      "label",
      { class: "tick" },
      h("input", { type: "checkbox", id: "agree", "aria-describedby": "wrong", ref: tick, onChange: () => tell("") }),
      h("span", {}, "I have read this and agree to take part"),
    ),
    h("p", { class: "wrong", role: "alert", id: "wrong" }, wrong),
    h("div", { class: "buttons" }, button("Continue", go, { class: "primary" }), button("I do not want to take part", refuse)),
  );
}

/** The screen for somebody who refused. */
export function refusal(back: () => void): Child[] {
  return [
    h("h1", { tabindex: -1 }, "You are not taking part"),
    h("p", {}, "Thank you for reading. Nothing about you was stored or sent. You can close this page."),
    h("p", {}, "If you came from a platform that pays for this task, please return the task there."),
    h("div", { class: "buttons" }, button("Back to the text", back)),
  ];
}

const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;

/** Paragraphs, headings (`#`) and lists (`- `); there is always a first heading, for people who listen to the page. */
function paragraphs(text: string): Child[] {
  const nodes: Child[] = [];
  let [words, items]: [string[], string[]] = [[], []];
  const close = () => {
    if (words.length > 0) nodes.push(h("p", {}, words.join(" ")));
    if (items.length > 0) nodes.push(h("ul", {}, ...items.map((item) => h("li", {}, item))));
    [words, items] = [[], []];
  };
  const lines = text.trim().split(/\r?\n/).map((line) => line.trim());
  if (!HEADING.test(lines[0] ?? "")) lines.unshift("# Before you begin");
  for (const line of lines) {
    const heading = HEADING.exec(line)?.[1];
    const item = /^[-*]\s+(.*)$/.exec(line)?.[1];
    if (heading !== undefined || line === "" || words.length > 0 && item !== undefined) close();
    if (heading !== undefined) nodes.push(nodes.length === 0 ? h("h1", { tabindex: -1 }, heading) : h("h2", {}, heading));
    else if (item !== undefined) items.push(item);
    else if (items.length > 0) items.push(`${items.pop() ?? ""} ${line}`);
    else if (line !== "") words.push(line);
  }
  close();
  return nodes;
}

export function needsConsent(data: SurveyData, kept: Kept): boolean {
  return data.consent !== null && kept.answers.consent?.sha256 !== data.consent.sha256;
}
