// The answers so far, kept by the browser so that a closed page can be opened again.

import { readPlatform, type SurveyData } from "./data.ts";

export interface Answers {
  /** Tells this sitting from every other of the same page. */
  result: string;
  rater: string;
  /** The trial that is shown, or the number of trials at the end; before the first, -1. */
  place: number;
  /** For each trial a rating for each question, the lowest point being 1. */
  ratings: (number | null)[][];
  /** How long each trial was looked at. */
  seconds: number[];
  /** To which text the person agreed, and when. */
  consent: { sha256: string; time: string } | null;
  /** Answers about the person, once all were given. */
  demographics: Record<string, string | number | null> | null;
  /** How a platform that the person came from names them. */
  platform: Record<string, string>;
  /** How the answers left the page, if they did. */
  handedOver: "sent" | "saved" | null;
}

export class Kept {
  readonly answers: Answers;
  /** False where the browser keeps nothing, as some do for files. */
  isSafe = true;
  private readonly key: string;

  constructor(private readonly data: SurveyData) {
    this.key = `neurogauge-survey/${data.survey}/${data.page}`;
    this.answers = this.earlier() ?? this.none();
    this.save();
  }

  /** Keeps nothing of somebody who has not agreed to it. */
  save(): void {
    if (this.data.consent && !this.answers.consent) return;
    try {
      localStorage.setItem(this.key, JSON.stringify(this.answers));
    } catch {
      this.isSafe = false;
    }
  }

  forget(): void {
    Object.assign(this.answers, this.none());
    try {
      localStorage.removeItem(this.key);
    } catch {
      this.isSafe = false;
    }
    this.save();
  }

  isAnswered(trial: number): boolean {
    return this.answers.ratings[trial]?.every((rating) => rating !== null) ?? false;
  }

  private none(): Answers {
    const random = crypto.getRandomValues(new Uint8Array(8));
    return {
      result: [...random].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
      rater: "",
      place: -1,
      ratings: this.data.trials.map(() => this.data.questions.map(() => null)),
      seconds: this.data.trials.map(() => 0),
      consent: null,
      demographics: null,
      platform: readPlatform(),
      handedOver: null,
    };
  }

  /** What was kept, if it is of this page and whole, and of the same person. */
  private earlier(): Answers | null {
    let held: Partial<Answers> | null;
    try {
      held = JSON.parse(localStorage.getItem(this.key) ?? "null") as Partial<Answers> | null;
    } catch {
      return null;
    }
    const { trials, questions } = this.data;
    const isRating = (value: unknown, points: number) =>
      value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= points);
    const isWhole =
      typeof held?.result === "string" &&
      typeof held.rater === "string" &&
      Number.isInteger(held.place) &&
      Number(held.place) >= -1 &&
      Number(held.place) <= trials.length &&
      Array.isArray(held.seconds) &&
      held.seconds.length === trials.length &&
      Array.isArray(held.ratings) &&
      held.ratings.length === trials.length &&
      held.ratings.every(
        (row) =>
          Array.isArray(row) &&
          row.length === questions.length &&
          row.every((value, q) => isRating(value, questions[q]?.scale.length ?? 0)),
      );
    if (!isWhole) return null;
    const known = { ...this.none(), ...held } as Answers;
    return isSamePerson(known.platform, readPlatform()) ? known : null;
  }
}

/** A page that is opened again without parameters goes on as whoever it was. */
function isSamePerson(earlier: Record<string, string>, now: Record<string, string>): boolean {
  return ["PROLIFIC_PID", "workerId"].every((name) => now[name] === undefined || now[name] === earlier[name]);
}
