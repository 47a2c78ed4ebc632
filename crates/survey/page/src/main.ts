// The questionnaire: consent, questions about the person, a start, a trial at a time, and an end where the result is handed over.

import { Kept } from "./answers.ts";
import { Clips } from "./clips.ts";
import { consent, needsConsent } from "./consent.ts";
import { readData } from "./data.ts";
import { button, h, replace } from "parts/dom.ts";
import { end, leaveEnd } from "./end.ts";
import { person } from "./person.ts";

const data = readData();
const kept = new Kept(data);
const { answers } = kept;
const root = document.getElementById("survey") as HTMLElement;
const nTrials = data.trials.length;
const clips = new Clips(data.images);
const hasClips = data.pictures.some(({ ms }) => ms);
const hasSeveral = data.pictures.some(({ parts }) => parts.length > 1);

/** The question that a digit answers. */
let active = 0;
let since = performance.now();

function show(focus: string): void {
  clips.clear();
  replace(root, ...screen());
  const first = root.querySelector<HTMLElement>("h1");
  (root.querySelector<HTMLElement>(focus) ?? first)?.focus();
}

/** What comes next. */
function screen(): (Node | null | false)[] {
  if (data.consent && needsConsent(data, kept)) return consent(data.consent.text, data.consent.sha256, kept, () => show("h1"));
  const asked = answers.demographics === null ? data.demographics : null;
  if (asked && (asked.when === "start" || answers.place >= nTrials)) {
    return person(asked.questions, (given) => {
      answers.demographics = given;
      kept.save();
      show("h1");
    });
  }
  if (answers.place >= nTrials) return last();
  leaveEnd();
  return answers.place < 0 ? start() : trial();
}

function start(): (Node | false)[] {
  const rater = h("input", { type: "text", id: "rater", maxlength: 80, value: answers.rater });
  const hasAnswers = answers.ratings.flat().some((rating) => rating !== null);
  const platformId = answers.platform["PROLIFIC_PID"] ?? answers.platform["workerId"];
  rater.autocomplete = "off";
  rater.oninput = () => {
    answers.rater = rater.value.trim();
    kept.save();
  };
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

function storageNote(): Node {
  const keeping = kept.isSafe
    ? "Your answers are kept in this browser, so you can close the page and go on later."
    : "This browser does not keep answers of this page: please answer all pairs in one go.";
  const sending = data.submission ? `At the end they are sent to ${new URL(data.submission.url).host}.` : "Nothing is sent anywhere.";
  const note = `${keeping} ${sending}`;
  return h("p", { class: "quiet", id: "storage" }, note);
}

function trial(): (Node | null)[] {
  const { place } = answers;
  const [stimulus, reconstruction] = data.trials[place] ?? [0, 0];
  const figure = (name: string, picture: number) => clips.figure(name, data.pictures[picture] ?? { parts: [] });
  const pictures = [figure(data.stimulus, stimulus), figure(data.reconstruction, reconstruction)];
  if (data.left === "reconstruction") pictures.reverse();
  active = firstOpen();
  const isLast = place === nTrials - 1;
  const finish = data.submission && data.demographics?.when !== "end" ? "Finish and send" : "Finish";
  return [
    h("h1", { tabindex: -1 }, `Pair ${place + 1} of ${nTrials}`),
    bar(),
    h("div", { class: "pair" }, ...pictures),
    clips.controls(),
    ...data.questions.map((_, q) => question(q)),
    h("p", { class: "wrong", role: "alert" }),
    h(
      "div",
      { class: "buttons" },
      button("Back", () => go(place - 1)),
      button(isLast ? finish : "Next", next, { class: "primary" }),
    ),
  ];
}

function bar(): Node {
  const done = data.trials.filter((_, t) => kept.isAnswered(t)).length;
  const progress = h("progress", { max: nTrials, value: done, "aria-label": "Pairs answered" });
  return h("div", { class: "progress" }, progress, h("span", {}, `${done} answered`));
}

function question(q: number): Node {
  const { id, text, scale } = data.questions[q] ?? { id: "", text: "", scale: [] };
  const given = answers.ratings[answers.place]?.[q] ?? null;
  const points = scale.map((word, point) => {
    const input = h("input", { type: "radio", name: id, value: `${point + 1}`, checked: given === point + 1 });
    input.onchange = () => rate(q, point + 1);
    input.onfocus = () => mark(q);
    return h("label", {}, input, h("span", {}, `${point + 1}`), h("small", {}, word));
  });
  const set = h("fieldset", { class: q === active && "active", id: `question-${q}` }, h("legend", {}, text));
  set.append(h("div", { class: "scale" }, ...points));
  return set;
}

/** The first question of this trial without an answer; the first of all where there is none. */
function firstOpen(): number {
  const open = answers.ratings[answers.place]?.indexOf(null) ?? 0;
  return Math.max(open, 0);
}

function mark(q: number): void {
  active = q;
  data.questions.forEach((_, other) => {
    document.getElementById(`question-${other}`)?.classList.toggle("active", other === q);
  });
}

function rate(q: number, rating: number): void {
  const row = answers.ratings[answers.place];
  if (!row) return;
  row[q] = rating;
  root.querySelector(".progress")?.replaceWith(bar());
  warn("");
  kept.save();
}

function warn(text: string): void {
  const place = root.querySelector(".wrong");
  if (place) place.textContent = text;
}

function next(): void {
  if (kept.isAnswered(answers.place)) {
    go(answers.place + 1);
    return;
  }
  warn(data.questions.length === 1 ? "Please answer the question first." : "Please answer every question first.");
  focusOn(firstOpen());
}

function focusOn(q: number): void {
  mark(q);
  const given = `#question-${q} input`;
  (root.querySelector<HTMLElement>(`${given}:checked`) ?? root.querySelector<HTMLElement>(given))?.focus();
}

/** Shows another place, and counts the time that this one was looked at. */
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

function last(): (Node | null)[] {
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
    clips.press();
    return;
  }
  const points = data.questions[active]?.scale.length ?? 0;
  const rating = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (rating < 1 || rating > points) return;
  event.preventDefault();
  const input = root.querySelector<HTMLInputElement>(`#question-${active} input[value="${rating}"]`);
  if (input) input.checked = true;
  rate(active, rating);
  if (active + 1 < data.questions.length) focusOn(active + 1);
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
