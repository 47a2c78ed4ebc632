// What the page was made for, as the program wrote it into the page.

/** A question with a word for each point of its scale, the lowest first. */
export interface Question {
  id: string;
  text: string;
  scale: string[];
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
  /** Each picture once, as a data URL. */
  images: string[];
  /** Stimulus and reconstruction of each trial, as places in `images`. */
  trials: [number, number][];
}

export function readData(): SurveyData {
  const held = document.getElementById("data")?.textContent ?? "";
  return JSON.parse(held) as SurveyData;
}
