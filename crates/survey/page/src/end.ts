// The last screen: the answers leave the page, and then it shows the code that proves to a platform that somebody has
// finished.

import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { type Child, button, h } from "parts/view.ts";
import type { Kept } from "./answers.ts";
import type { SurveyData } from "./data.ts";
import { resultCode, resultText } from "./result.ts";

/** How long to wait for a server, ms. */
const PATIENCE_MS = 60_000;

let isSending = false;
let failure = "";

/** Must be called when another screen is shown than the end, so that the answers are sent again at the end. */
export function leaveEnd(): void {
  failure = "";
}

export interface Ways {
  /** Shows the page again, and moves the cursor to what this selector finds. */
  show: (focus: string) => void;
  look: () => void;
  again: () => void;
}

export function end(data: SurveyData, kept: Kept, ways: Ways): Child[] {
  const text = resultText(data, kept.answers);
  const { handedOver } = kept.answers;
  const isDone = (way: "sent" | "saved") => {
    // "sent" is kept, since it is better than "saved".
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
  const nodes: Child[] = [h("h1", { tabindex: -1 }, "Thank you")];
  if (isSent) nodes.push(h("p", { role: "status", id: "said", tabindex: -1 }, "Your answers have arrived."));
  else if (isSending) nodes.push(h("p", { role: "status" }, "Your answers are being sent. Please leave this page open ..."));
  else if (data.submission && failure !== "") {
    nodes.push(
      h("p", { class: "wrong", role: "alert" }, `Your answers could not be sent: ${failure}`),
      h("p", {}, "Nothing is lost. Please try again. If that does not help, save them as a file, or copy them as text, and send that to the person who asked you."),
      h("div", { class: "buttons" }, button("Try again", retry, { class: "primary" })),
    );
  }
  if (!isSent && !isSending) nodes.push(h(ByHand, { data, kept, text, saved: () => isDone("saved") }));
  nodes.push(h(Completion, { data, isHandedOver: handedOver !== null }));
  const buttons = isSent ? [] : [button("Look at the answers again", ways.look)];
  if (!isSending) nodes.push(h("div", { class: "buttons last" }, ...buttons, button("Start again", ways.again)));
  return nodes;
}

async function send(data: SurveyData, kept: Kept, text: string, done: (way: "sent") => void, show: () => void): Promise<void> {
  const { url = "", datapipe } = data.submission ?? {};
  const body = datapipe === undefined ? text : JSON.stringify({ experimentID: datapipe, filename: fileName(data, kept), data: text });
  // A body declared as text is sent without a preflight request, which few simple servers can answer.
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
function Completion({ data, isHandedOver }: { data: SurveyData; isHandedOver: boolean }): Child {
  const [said, say] = useState("");
  if (!data.completion) return null;
  const { code, url } = data.completion;
  const what = code === null ? "the way back" : "your completion code";
  if (!isHandedOver) return h("p", {}, `When your answers are ${data.submission ? "sent, saved" : "saved"} or copied, you will see ${what} here.`);
  const copyCode = () => void navigator.clipboard.writeText(code ?? "").then(() => say("Copied."));
  const copied = [button("Copy the completion code", copyCode), h("span", { class: "quiet", role: "status" }, said)];
  return h(
    Fragment,
    {},
    h("h2", { id: "done", tabindex: -1 }, "You are done"),
    code !== null && h("p", {}, "Your completion code: ", h("strong", { id: "completion-code" }, code)),
    // Without https, a page has no clipboard.
    code !== null && navigator.clipboard && h("div", { class: "buttons" }, ...copied),
    url !== null && h("p", {}, h("a", { href: url, id: "completion-link", class: "button" }, "Go back to finish")),
  );
}

interface ByHandProps {
  data: SurveyData;
  kept: Kept;
  text: string;
  saved: () => void;
}

/** Hands over the answers as a file, or as a code in a message. */
function ByHand({ data, kept, text, saved }: ByHandProps): Child {
  const code = useRef<HTMLTextAreaElement>(null);
  const [said, say] = useState(kept.answers.handedOver === "saved" ? "Saved or copied. Please send that to the person who asked you." : "");
  const copy = async () => {
    code.current?.select();
    try {
      await navigator.clipboard.writeText(code.current?.value ?? "");
      saved();
    } catch {
      if (!document.execCommand("copy")) say("Please copy the marked text yourself.");
    }
  };
  const save = () => {
    download(text, fileName(data, kept));
    saved();
  };
  const asks = "Please give your answers to the person who asked you: save them as a file and send it, or copy the text below into a message.";
  return h(
    Fragment,
    {},
    data.submission ? null : h("p", {}, asks),
    h("div", { class: "buttons" }, button("Save the file", save, { class: !data.submission && "primary" }), button("Copy the text", () => void copy())),
    h("p", { class: "quiet", role: "status", id: "said", tabindex: -1 }, said),
    h("p", {}, h("label", { for: "code" }, "Your answers as text")),
    h("textarea", { readonly: true, id: "code", ref: code, value: resultCode(text), onCopy: () => void setTimeout(saved) }),
  );
}

function fileName(data: SurveyData, kept: Kept): string {
  return `survey-${data.page}-${kept.answers.result.slice(0, 6)}.json`;
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
