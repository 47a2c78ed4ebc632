// The answers as a file, and as a code for a message. `neurogauge survey read` reads both.

import type { Answers } from "./answers.ts";
import type { SurveyData } from "./data.ts";

export function resultText(data: SurveyData, answers: Answers): string {
  const of = (q: number) => answers.ratings.map((row) => row[q] ?? null);
  return JSON.stringify({
    format: "neurogauge-survey-result",
    version: 1,
    survey: data.survey,
    page: data.page,
    result: answers.result,
    rater: answers.rater,
    ratings: Object.fromEntries(data.questions.map((question, q) => [question.id, of(q)])),
    seconds: answers.seconds.map((seconds) => Math.round(seconds * 10) / 10),
    // Parts that this survey does not ask for are left out.
    ...(answers.consent && { consent: answers.consent }),
    ...(answers.demographics && { demographics: answers.demographics }),
    ...(Object.keys(answers.platform).length > 0 && { platform: answers.platform }),
    ...(data.completion?.code && { completion_code: data.completion.code }),
  });
}

/** The file's bytes in letters that survive a message, with a checksum at the end. */
export function resultCode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const body = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `neurogauge1.${body}.${checksum(bytes)}`;
}

/** The 32-bit FNV-1a hash in hexadecimal. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
