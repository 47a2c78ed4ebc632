// The answers so far, which the browser keeps, so that a closed page can be opened again.

import { readPlatform, type SurveyData } from "./data.ts";

export interface Answers {
  /** Distinguishes this sitting from all others on the same page. */
  result: string;
  rater: string;
  /** The current trial, or the number of trials at the end; -1 before the first. */
  place: number;
  /** For each trial a rating for each question; the lowest point is 1. */
  ratings: (number | null)[][];
  /** How long each trial was viewed, s. */
  seconds: number[];
  /** The text to which the person agreed, and when. */
  consent: { sha256: string; time: string } | null;
  /** Answers about the person, once all are given. */
  demographics: Record<string, string | number | null> | null;
  /** The person's ids on the platform that they came from. */
  platform: Record<string, string>;
  /** How the answers left the page, if they did. */
  handedOver: "sent" | "saved" | null;
}

export class Kept {
  readonly answers: Answers;
  /** False if the browser keeps nothing, as some do for files. */
  isSafe = true;
  private readonly key: string;

  constructor(private readonly data: SurveyData) {
    this.key = `neurogauge-survey/${data.survey}/${data.page}`;
    this.answers = this.earlier() ?? this.none();
    this.save();
  }

  /** Stores the answers, unless the person has not agreed to that. */
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

  /** The stored answers, if they belong to this page and this person and are complete. */
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

/** A page that is opened again without parameters belongs to the earlier person. */
function isSamePerson(earlier: Record<string, string>, now: Record<string, string>): boolean {
  return ["PROLIFIC_PID", "workerId"].every((name) => now[name] === undefined || now[name] === earlier[name]);
}
