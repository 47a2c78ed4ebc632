// Questions about the rater.

import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { PersonalQuestion } from "./data.ts";

type Answer = string | number | null;

interface PersonProps {
  questions: PersonalQuestion[];
  /** Called with the answers once all are valid. */
  done: (answers: Record<string, Answer>) => void;
}

const OPEN = "no answer";

/** The form. */
export function Person({ questions, done }: PersonProps): Child {
  /** What was typed, or the index of the chosen option. */
  const [given, give] = useState<Record<string, string>>({});
  const [faults, tell] = useState<Record<string, string>>({});
  const form = useRef<HTMLDivElement>(null);
  const byQuestion = <T>(of: (question: PersonalQuestion, given: string) => T): Record<string, T> =>
    Object.fromEntries(questions.map((question) => [question.id, of(question, (given[question.id] ?? "").trim())]));
  const next = () => {
    const found = byQuestion(faultOf);
    tell(found);
    const wrong = questions.findIndex(({ id }) => found[id] !== "");
    if (wrong < 0) done(byQuestion(answerOf));
    else form.current?.children[wrong]?.querySelector("input")?.focus();
  };
  const field = (question: PersonalQuestion) => {
    const { id, text, kind, required } = question;
    const fault = faults[id] ?? "";
    const changed = (event: Event) => {
      give({ ...given, [id]: (event.currentTarget as HTMLInputElement).value });
      tell({ ...faults, [id]: "" });
    };
    // Screen readers read the fault with the question.
    const told = { "aria-invalid": String(fault !== ""), "aria-describedby": `wrong-${id}` };
    const wrong = h("p", { class: "wrong", id: `wrong-${id}` }, fault);
    if (kind === "choice") {
      const options = [...(question.options ?? []), ...(required ? [] : [OPEN])].map((option, place) => {
        const input = h("input", { type: "radio", name: id, value: `${place}`, checked: given[id] === `${place}`, onChange: changed, ...told });
        return h("label", { class: "tick" }, input, h("span", {}, option));
      });
      return h("fieldset", {}, h("legend", {}, text), ...options, wrong);
    }
    const size = kind === "number" ? { maxlength: 20, inputmode: "decimal" } : { maxlength: 1000 };
    const input = h("input", { type: "text", id: `person-${id}`, autocomplete: "off", value: given[id] ?? "", onInput: changed, ...size, ...told });
    return h("div", { class: "field" }, h("label", { for: `person-${id}` }, text), input, wrong);
  };
  return h(
    Fragment,
    {},
    h("h1", { tabindex: -1 }, "About you"),
    h("div", { class: "person", ref: form }, ...questions.map(field)),
    h("div", { class: "buttons" }, button("Continue", next, { class: "primary" })),
  );
}

function answerOf({ kind, options }: PersonalQuestion, given: string): Answer {
  if (kind === "choice") return options?.[given === "" ? -1 : Number(given)] ?? null;
  if (given === "") return null;
  return kind === "number" ? Number(given.replace(",", ".")) : given;
}

/** What is wrong with an answer; empty if it is valid. */
function faultOf(question: PersonalQuestion, given: string): string {
  const { kind, required, min = -Infinity, max = Infinity } = question;
  if (given === "") return !required ? "" : kind === "choice" ? "Please choose an answer." : "Please answer this question.";
  const answer = Number(answerOf(question, given));
  if (kind !== "number" || (Number.isFinite(answer) && answer >= min && answer <= max)) return "";
  const range = Number.isFinite(min) && Number.isFinite(max) ? ` from ${min} to ${max}` : Number.isFinite(min) ? ` of at least ${min}` : Number.isFinite(max) ? ` of at most ${max}` : "";
  return `Please write a number${range}.`;
}
