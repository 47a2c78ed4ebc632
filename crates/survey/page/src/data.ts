// The content of the page, as the program wrote it.

/** A question with a word for each point of its scale, lowest first. */
export interface Question {
  id: string;
  text: string;
  scale: string[];
}

/** A question about the rater. */
export interface PersonalQuestion {
  id: string;
  text: string;
  kind: "choice" | "number" | "text";
  options?: string[];
  required: boolean;
  min?: number;
  max?: number;
}

/** One side of a pair: an image, a clip, or several of them (views and samples) side by side. */
export interface Picture {
  /** The frames of each part, as indices into `images`; a still has one. */
  parts: number[][];
  /** How long each frame is shown, ms; only for clips. */
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
  /** Which of the two is on the left. */
  left: "stimulus" | "reconstruction";
  /** Each image once, as a data URL. */
  images: string[];
  pictures: Picture[];
  /** Stimulus and reconstruction of each trial, as indices into `pictures`. */
  trials: [number, number][];
  /** The text that people agree to first, and the SHA-256 with which answers refer to it. */
  consent: { text: string; sha256: string } | null;
  demographics: { when: "start" | "end"; questions: PersonalQuestion[] } | null;
  /** Shown to people who have finished. */
  completion: { code: string | null; url: string | null } | null;
  /** Where the answers are sent; `datapipe` is the experiment at DataPipe. */
  submission: { url: string; datapipe?: string } | null;
}

export function readData(): SurveyData {
  const held = document.getElementById("data")?.textContent ?? "";
  return JSON.parse(held) as SurveyData;
}

/** Parameters of the page's address by which platforms identify a person, with their values. */
export function readPlatform(): Record<string, string> {
  const given = new URLSearchParams(location.search);
  const names = ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "workerId", "assignmentId", "hitId"];
  return Object.fromEntries(names.flatMap((name) => (given.get(name) ? [[name, (given.get(name) ?? "").slice(0, 200)]] : [])));
}
