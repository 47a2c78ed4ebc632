// Questions about the person who rates.

import type { PersonalQuestion } from "./data.ts";
import { button, h } from "parts/dom.ts";

type Given = string | number | null;

/** One question on the page: its nodes, its answer, and what is wrong with it. */
interface Field {
  id: string;
  node: HTMLElement;
  /** Where the cursor goes if something is wrong. */
  input: HTMLElement;
  answer: () => Given;
  fault: () => string;
  say: (text: string) => void;
}

const OPEN = "no answer";

/** The form; `done` gets the answers once all are sound. */
export function person(questions: PersonalQuestion[], done: (answers: Record<string, Given>) => void): Node[] {
  const fields = questions.map((question) => (question.kind === "choice" ? choice(question) : typed(question)));
  const next = () => {
    fields.forEach((field) => field.say(field.fault()));
    const wrong = fields.find((field) => field.fault() !== "");
    if (wrong) wrong.input.focus();
    else done(Object.fromEntries(fields.map((field) => [field.id, field.answer()])));
  };
  return [
    h("h1", { tabindex: -1 }, "About you"),
    h("div", { class: "person" }, ...fields.map((field) => field.node)),
    h("div", { class: "buttons" }, button("Continue", next, { class: "primary" })),
  ];
}

function choice(question: PersonalQuestion): Field {
  const options = [...(question.options ?? []), ...(question.required ? [] : [OPEN])];
  const inputs = options.map((_, place) => h("input", { type: "radio", name: question.id, value: `${place}` }));
  const labels = options.map((option, place) => h("label", { class: "tick" }, inputs[place] as Node, h("span", {}, option)));
  const place = () => inputs.findIndex((input) => input.checked);
  const { wrong, say } = faultOf(question.id, inputs);
  inputs.forEach((input) => (input.onchange = () => say("")));
  return {
    id: question.id,
    node: h("fieldset", {}, h("legend", {}, question.text), ...labels, wrong),
    input: inputs[0] as HTMLElement,
    answer: () => question.options?.[place()] ?? null,
    fault: () => (question.required && place() < 0 ? "Please choose an answer." : ""),
    say,
  };
}

function typed(question: PersonalQuestion): Field {
  const isNumber = question.kind === "number";
  const input = h("input", { type: "text", id: `person-${question.id}`, autocomplete: "off", maxlength: isNumber ? 20 : 1000 });
  if (isNumber) input.inputMode = "decimal";
  const { wrong, say } = faultOf(question.id, [input]);
  input.oninput = () => say("");
  const text = () => input.value.trim();
  const number = () => Number(text().replace(",", "."));
  const { min = -Infinity, max = Infinity } = question;
  const range = Number.isFinite(min) && Number.isFinite(max) ? ` from ${min} to ${max}` : Number.isFinite(min) ? ` of at least ${min}` : Number.isFinite(max) ? ` of at most ${max}` : "";
  const fault = () => {
    if (text() === "") return question.required ? "Please answer this question." : "";
    const isSound = !isNumber || (Number.isFinite(number()) && number() >= min && number() <= max);
    return isSound ? "" : `Please write a number${range}.`;
  };
  return {
    id: question.id,
    node: h("div", { class: "field" }, h("label", { for: input.id }, question.text), input, wrong),
    input,
    answer: () => (text() === "" ? null : isNumber ? number() : text()),
    fault,
    say,
  };
}

/** Where a fault is said, so that it is read out with the question. */
function faultOf(id: string, inputs: HTMLInputElement[]): { wrong: HTMLElement; say: (text: string) => void } {
  const wrong = h("p", { class: "wrong", id: `wrong-${id}` });
  const say = (text: string) => {
    wrong.textContent = text;
    inputs.forEach((input) => {
      input.setAttribute("aria-invalid", `${text !== ""}`);
      input.setAttribute("aria-describedby", wrong.id);
    });
  };
  return { wrong, say };
}
