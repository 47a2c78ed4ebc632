// What the page was made for, as the program wrote it into the page.

/** A question with a word for each point of its scale, the lowest first. */
export interface Question {
  id: string;
  text: string;
  scale: string[];
}

/** A question about the person who rates. */
export interface PersonalQuestion {
  id: string;
  text: string;
  kind: "choice" | "number" | "text";
  options?: string[];
  required: boolean;
  min?: number;
  max?: number;
}

/** What is shown on one side of a pair: an image, a clip, or several of them (views and samples) next to each other. */
export interface Picture {
  /** The frames of each, as places in `images`; a still has one. */
  parts: number[][];
  /** How long each frame is shown, in milliseconds, if it is a clip. */
  ms?: number[];
}

export interface SurveyData {
  survey: string;
  page: string;
  title: string;
  instructions: string[];
  questions: Question[];
  stimulus: string;
  reconstruction: string;
  /** Which of the two stands on the left. */
  left: "stimulus" | "reconstruction";
  /** Each image once, as a data URL. */
  images: string[];
  pictures: Picture[];
  /** Stimulus and reconstruction of each trial, as places in `pictures`. */
  trials: [number, number][];
  /** What people agree to first, and the SHA-256 by which answers name it. */
  consent: { text: string; sha256: string } | null;
  demographics: { when: "start" | "end"; questions: PersonalQuestion[] } | null;
  /** What is shown to people who are done. */
  completion: { code: string | null; url: string | null } | null;
  /** Where the answers are sent; `datapipe` is the experiment there. */
  submission: { url: string; datapipe?: string } | null;
}

export function readData(): SurveyData {
  const held = document.getElementById("data")?.textContent ?? "";
  return JSON.parse(held) as SurveyData;
}

/** Parameters of the page's address by which platforms name a person, with what they hold. */
export function readPlatform(): Record<string, string> {
  const given = new URLSearchParams(location.search);
  const names = ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "workerId", "assignmentId", "hitId"];
  return Object.fromEntries(names.flatMap((name) => (given.get(name) ? [[name, (given.get(name) ?? "").slice(0, 200)]] : [])));
}
