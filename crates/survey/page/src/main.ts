// The questionnaire: consent, questions about the person, a start, one trial at a time, and an end where the answers
// are handed over.

import { Fragment, render } from "preact";
import { type Child, button, h } from "parts/view.ts";
import { Kept } from "./answers.ts";
import { Pair } from "./clips.ts";
import { Consent, needsConsent, refusal } from "./consent.ts";
import { type Picture, type Question, readData } from "./data.ts";
import { end, leaveEnd } from "./end.ts";
import { Person } from "./person.ts";

const data = readData();
const kept = new Kept(data);
const { answers } = kept;
const root = document.getElementById("survey") as HTMLElement;
const nTrials = data.trials.length;
const hasClips = data.pictures.some(({ ms }) => ms);
const hasSeveral = data.pictures.some(({ parts }) => parts.length > 1);

/** Number of screens shown so far. */
let nShown = 0;
let hasRefused = false;
/** The question that a digit answers; `null` stands for the first unanswered one. */
let active: number | null = null;
let warning = "";
let since = performance.now();

/** Shows the next screen, and moves the cursor to what this selector finds. */
function show(focus: string): void {
  nShown += 1;
  [active, warning] = [null, ""];
  draw();
  const first = root.querySelector<HTMLElement>("h1");
  (root.querySelector<HTMLElement>(focus) ?? first)?.focus();
}

/** Draws the current screen again; a different one is built from scratch. */
function draw(): void {
  render(h(Fragment, { key: nShown }, ...screen()), root);
}

function screen(): Child[] {
  const { consent } = data;
  if (consent && needsConsent(data, kept)) {
    const turn = (refused: boolean) => () => {
      hasRefused = refused;
      if (refused) kept.forget();
      show("h1");
    };
    if (hasRefused) return refusal(turn(false));
    const agree = () => {
      answers.consent = { sha256: consent.sha256, time: new Date().toISOString() };
      kept.save();
      show("h1");
    };
    return [h(Consent, { text: consent.text, agree, refuse: turn(true) })];
  }
  const asked = answers.demographics === null ? data.demographics : null;
  if (asked && (asked.when === "start" || answers.place >= nTrials)) {
    const done = (given: typeof answers.demographics) => {
      answers.demographics = given;
      kept.save();
      show("h1");
    };
    return [h(Person, { questions: asked.questions, done })];
  }
  if (answers.place >= nTrials) return last();
  leaveEnd();
  return answers.place < 0 ? start() : trial();
}

function start(): Child[] {
  const hasAnswers = answers.ratings.flat().some((rating) => rating !== null);
  const platformId = answers.platform["PROLIFIC_PID"] ?? answers.platform["workerId"];
  const named = (event: Event) => {
    answers.rater = (event.currentTarget as HTMLInputElement).value.trim();
    kept.save();
  };
  const rater = h("input", { type: "text", id: "rater", maxlength: 80, autocomplete: "off", value: answers.rater, onInput: named });
  return [
    h("h1", { tabindex: -1 }, data.title),
    ...data.instructions.map((text) => h("p", {}, text)),
    hasSeveral && h("p", { id: "several" }, "Where one side of a pair has several pictures, rate them as a whole."),
    h(
      "p",
      {},
      `${nTrials} pairs of ${hasClips ? "clips" : "pictures"}. Keys: a number answers the marked question, the arrows left and right change the pair${hasClips ? ", p pauses the clips" : ""}.`,
    ),
    storageNote(),
    platformId === undefined
      ? h("p", {}, h("label", { for: "rater" }, "Your name or code, if you were given one "), rater)
      : h("p", {}, `You take part as ${platformId}.`),
    h("div", { class: "buttons" }, button("Start", () => go(0), { class: "primary" }), ...(hasAnswers ? [button("Start again", again)] : [])),
  ];
}

function storageNote(): Child {
  const keeping = kept.isSafe
    ? "Your answers are kept in this browser, so you can close the page and go on later."
    : "This browser does not keep answers of this page: please answer all pairs in one go.";
  const sending = data.submission ? `At the end they are sent to ${new URL(data.submission.url).host}.` : "Nothing is sent anywhere.";
  return h("p", { class: "quiet", id: "storage" }, `${keeping} ${sending}`);
}

function trial(): Child[] {
  const { place } = answers;
  const [stimulus, reconstruction] = data.trials[place] ?? [0, 0];
  const side = (name: string, picture: number): [string, Picture] => [name, data.pictures[picture] ?? { parts: [] }];
  const sides = [side(data.stimulus, stimulus), side(data.reconstruction, reconstruction)];
  if (data.left === "reconstruction") sides.reverse();
  const isLast = place === nTrials - 1;
  const finish = data.submission && data.demographics?.when !== "end" ? "Finish and send" : "Finish";
  const done = data.trials.filter((_, t) => kept.isAnswered(t)).length;
  const progress = h("progress", { max: nTrials, value: done, "aria-label": "Pairs answered" });
  return [
    h("h1", { tabindex: -1 }, `Pair ${place + 1} of ${nTrials}`),
    h("div", { class: "progress" }, progress, h("span", {}, `${done} answered`)),
    h(Pair, { images: data.images, sides }),
    ...data.questions.map(question),
    h("p", { class: "wrong", role: "alert" }, warning),
    h(
      "div",
      { class: "buttons" },
      button("Back", () => go(place - 1)),
      button(isLast ? finish : "Next", next, { class: "primary" }),
    ),
  ];
}

function question({ id, text, scale }: Question, q: number): Child {
  const given = answers.ratings[answers.place]?.[q] ?? null;
  const points = scale.map((word, point) => {
    const props = { type: "radio", name: id, value: `${point + 1}`, checked: given === point + 1, onChange: () => rate(q, point + 1), onFocus: () => mark(q) };
    return h("label", {}, h("input", props), h("span", {}, `${point + 1}`), h("small", {}, word));
  });
  const set = { class: q === activeQuestion() && "active", id: `question-${q}` };
  return h("fieldset", set, h("legend", {}, text), h("div", { class: "scale" }, ...points));
}

/** The first unanswered question of this trial, or the first question. */
function firstOpen(): number {
  const open = answers.ratings[answers.place]?.indexOf(null) ?? 0;
  return Math.max(open, 0);
}

function activeQuestion(): number {
  return (active ??= firstOpen());
}

function mark(q: number): void {
  active = q;
  draw();
}

function rate(q: number, rating: number): void {
  const row = answers.ratings[answers.place];
  if (!row) return;
  row[q] = rating;
  warning = "";
  kept.save();
  draw();
}

function next(): void {
  if (kept.isAnswered(answers.place)) {
    go(answers.place + 1);
    return;
  }
  warning = data.questions.length === 1 ? "Please answer the question first." : "Please answer every question first.";
  focusOn(firstOpen());
}

function focusOn(q: number): void {
  mark(q);
  const given = `#question-${q} input`;
  (root.querySelector<HTMLElement>(`${given}:checked`) ?? root.querySelector<HTMLElement>(given))?.focus();
}

/** Goes to another trial, and adds the time for which the current one was viewed. */
function go(place: number): void {
  countTime();
  answers.place = Math.min(Math.max(place, -1), nTrials);
  kept.save();
  show("h1");
}

function countTime(): void {
  const now = performance.now();
  if (answers.place >= 0 && answers.place < nTrials) {
    answers.seconds[answers.place] = (answers.seconds[answers.place] ?? 0) + (now - since) / 1000;
  }
  since = now;
}

function last(): Child[] {
  const missing = data.trials.findIndex((_, t) => !kept.isAnswered(t));
  if (missing >= 0) {
    answers.place = missing;
    return trial();
  }
  return end(data, kept, { show, look: () => go(nTrials - 1), again });
}

function again(): void {
  if (!confirm("Forget all answers of this page and start again?")) return;
  kept.forget();
  show("h1");
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text";
  const isOnTrial = answers.place >= 0 && answers.place < nTrials;
  if (!isOnTrial || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    event.preventDefault();
    if (event.key === "ArrowRight") next();
    else go(answers.place - 1);
    return;
  }
  if (event.key === "p") {
    document.getElementById("play")?.click();
    return;
  }
  const q = activeQuestion();
  const points = data.questions[q]?.scale.length ?? 0;
  const rating = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (rating < 1 || rating > points) return;
  event.preventDefault();
  rate(q, rating);
  if (q + 1 < data.questions.length) focusOn(q + 1);
  else root.querySelector<HTMLElement>("button.primary")?.focus();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    countTime();
    kept.save();
  } else {
    since = performance.now();
  }
});

show("h1");
