// The end: the answers leave the page, and then there is the code that shows a platform that somebody is done.

import type { Kept } from "./answers.ts";
import type { SurveyData } from "./data.ts";
import { button, h } from "parts/dom.ts";
import { resultCode, resultText } from "./result.ts";

/** How long a server may take. */
const PATIENCE_MS = 60_000;

let isSending = false;
let failure = "";

/** To be called when something else is shown than the end: the answers are sent again when the end is reached again. */
export function leaveEnd(): void {
  failure = "";
}

export interface Ways {
  /** Shows the page again, with the cursor at what this selects. */
  show: (focus: string) => void;
  look: () => void;
  again: () => void;
}

export function end(data: SurveyData, kept: Kept, ways: Ways): Node[] {
  const text = resultText(data, kept.answers);
  const { handedOver } = kept.answers;
  const isDone = (way: "sent" | "saved") => {
    // Sent is the better of the two.
    if (handedOver !== "sent") kept.answers.handedOver = way;
    kept.save();
    ways.show(data.completion ? "#done" : "#said");
  };
  const isSent = handedOver === "sent";
  if (data.submission && !isSent && !isSending && failure === "") void send(data, kept, text, isDone, () => ways.show("h1"));
  const retry = () => {
    failure = "";
    ways.show("h1");
  };
  const nodes: Node[] = [h("h1", { tabindex: -1 }, "Thank you")];
  if (isSent) nodes.push(h("p", { role: "status", id: "said", tabindex: -1 }, "Your answers have arrived."));
  else if (isSending) nodes.push(h("p", { role: "status" }, "Your answers are being sent. Please leave this page open ..."));
  else if (data.submission && failure !== "") {
    nodes.push(
      h("p", { class: "wrong", role: "alert" }, `Your answers could not be sent: ${failure}`),
      h("p", {}, "Nothing is lost. Please try again. If that does not help, save them as a file, or copy them as text, and send that to the person who asked you."),
      h("div", { class: "buttons" }, button("Try again", retry, { class: "primary" })),
    );
  }
  if (!isSent && !isSending) nodes.push(...byHand(data, kept, text, () => isDone("saved")));
  nodes.push(...completion(data, handedOver !== null));
  const buttons = isSent ? [] : [button("Look at the answers again", ways.look)];
  if (!isSending) nodes.push(h("div", { class: "buttons last" }, ...buttons, button("Start again", ways.again)));
  return nodes;
}

async function send(data: SurveyData, kept: Kept, text: string, done: (way: "sent") => void, show: () => void): Promise<void> {
  const { url = "", datapipe } = data.submission ?? {};
  const body = datapipe === undefined ? text : JSON.stringify({ experimentID: datapipe, filename: fileName(data, kept), data: text });
  // A body that is called text is sent without asking the server first, which few simple servers can answer.
  const type = datapipe === undefined ? "text/plain;charset=utf-8" : "application/json";
  isSending = true;
  try {
    const reply = await fetch(url, { method: "POST", body, headers: { "Content-Type": type }, signal: AbortSignal.timeout(PATIENCE_MS) });
    failure = reply.ok ? "" : `the server answered ${reply.status} ${(await reply.text()).slice(0, 300)}`.trim();
  } catch (error) {
    const isSlow = error instanceof DOMException && error.name === "TimeoutError";
    failure = isSlow ? "the server did not answer in time." : "the server cannot be reached.";
  }
  isSending = false;
  if (failure === "") done("sent");
  else show();
}

/** The code and the way back, once the answers have left the page. */
function completion(data: SurveyData, isHandedOver: boolean): Node[] {
  if (!data.completion) return [];
  const { code, url } = data.completion;
  const what = code === null ? "the way back" : "your completion code";
  if (!isHandedOver) return [h("p", {}, `When your answers are ${data.submission ? "sent, saved" : "saved"} or copied, you will see ${what} here.`)];
  const said = h("span", { class: "quiet", role: "status" });
  const copyCode = () => void navigator.clipboard.writeText(code ?? "").then(() => (said.textContent = "Copied."));
  const nodes: Node[] = [h("h2", { id: "done", tabindex: -1 }, "You are done")];
  if (code !== null) {
    nodes.push(
      h("p", {}, "Your completion code: ", h("strong", { id: "completion-code" }, code)),
      // Without https a page has no clipboard.
      ...(navigator.clipboard ? [h("div", { class: "buttons" }, button("Copy the completion code", copyCode), said)] : []),
    );
  }
  if (url !== null) nodes.push(h("p", {}, h("a", { href: url, id: "completion-link", class: "button" }, "Go back to finish")));
  return nodes;
}

/** As a file, or as a code in a message. */
function byHand(data: SurveyData, kept: Kept, text: string, saved: () => void): Node[] {
  const code = h("textarea", { readonly: true, id: "code" }, resultCode(text));
  code.oncopy = () => void setTimeout(saved);
  const said = h("p", { class: "quiet", role: "status", id: "said", tabindex: -1 }, kept.answers.handedOver === "saved" ? "Saved or copied. Please send that to the person who asked you." : "");
  const copy = async () => {
    code.select();
    try {
      await navigator.clipboard.writeText(code.value);
      saved();
    } catch {
      if (!document.execCommand("copy")) said.textContent = "Please copy the marked text yourself.";
    }
  };
  const save = () => {
    download(text, fileName(data, kept));
    saved();
  };
  const asks = "Please give your answers to the person who asked you: save them as a file and send it, or copy the text below into a message.";
  return [
    ...(data.submission ? [] : [h("p", {}, asks)]),
    h("div", { class: "buttons" }, button("Save the file", save, { class: !data.submission && "primary" }), button("Copy the text", () => void copy())),
    said,
    h("p", {}, h("label", { for: "code" }, "Your answers as text")),
    code,
  ];
}

function fileName(data: SurveyData, kept: Kept): string {
  return `survey-${data.page}-${kept.answers.result.slice(0, 6)}.json`;
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
