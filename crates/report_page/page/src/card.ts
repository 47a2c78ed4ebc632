// The card of a pair: its images with what was found in them, captions, scores, and what was matched, missed and
// invented.

import { Component, Fragment, createRef } from "preact";
import { type Child, button, decimal, field, h, row, table, toggle } from "parts/view.ts";
import { explainedMarks, marked, words } from "./captions.ts";
import { SeenParts } from "./clips.ts";
import { MODES, type Mode, legend, useCompared } from "./compared_images.ts";
import { confusers } from "./confusers.ts";
import type { Box, Entry, LevelDetails, Observed, ReportData } from "./data.ts";
import { copy } from "./methods.ts";
import { goodness, ordinal, reason, value } from "./order.ts";
import { boxLayer, boxList, has, maskLayer } from "./pictures.ts";
import { explained, score, strong } from "./placeholders.ts";
import { spread } from "./spread.ts";
import { type Page, pairAddress } from "./state.ts";

interface CardProps {
  page: Page;
  pair: number | null;
  /** Which of the shown pairs this is. */
  place: string;
  closed: () => void;
  /** Goes to the next or the previous pair. */
  moved: (by: 1 | -1) => void;
}

interface Look {
  boxes: boolean;
  masks: boolean;
  /** Boxes with a lower score are hidden. */
  threshold: number;
  /** `null` shows the images side by side. */
  mode: Mode | null;
  /** How much of the reconstruction the stimulus covers, in percent. */
  wiped: number;
  /** While blinking: is the stimulus shown instead of the reconstructions? */
  swapped: boolean;
  copied: string;
}

/** How long each of two images is shown, ms: a change every 600 ms is much slower than what is dangerous. */
const FLICKER_MS = 600;
const LINK = "Copy link";

export class Card extends Component<CardProps, Look> {
  override state: Look = { boxes: false, masks: false, threshold: 0.3, mode: null, wiped: 50, swapped: false, copied: LINK };
  private readonly element = createRef<HTMLDialogElement>();
  private readonly next = createRef<HTMLButtonElement>();
  private timer: number | undefined;
  private readonly seen = new SeenParts(this.props.page.pictures, () => this.forceUpdate(), () => this.state.mode === "f" && this.look(null));
  /** What is below the images of a pair; it is kept while these change. */
  private told: { pair: number | null; content: Child } = { pair: null, content: null };

  override componentDidMount(): void {
    this.componentDidUpdate({ pair: null });
  }

  override componentDidUpdate(previous: Pick<CardProps, "pair">): void {
    const [dialog, { pair }] = [this.element.current, this.props];
    if (!dialog || previous.pair === pair) return;
    // A wipe or a map stays from pair to pair, but blinking ends: nothing should move unasked.
    if (this.state.mode === "f") this.look(null);
    if (pair === null) return dialog.close();
    if (!dialog.open) dialog.showModal();
    if (previous.pair === null || !dialog.contains(document.activeElement)) this.next.current?.focus();
    dialog.scrollTop = 0;
  }

  render() {
    const { page, pair, place, closed, moved } = this.props;
    const { mode, wiped, copied } = this.state;
    const close = () => this.element.current?.close();
    if (pair !== this.told.pair) {
      this.told = { pair, content: pair === null ? null : this.below(pair) };
      this.seen.show(pair === null ? [] : [pair]);
    }
    return h(
      "dialog",
      {
        class: "card",
        "aria-labelledby": "card-title",
        ref: this.element,
        style: { "--wipe": `${wiped}%` },
        onClose: () => {
          this.seen.stop();
          if (this.props.pair !== null) closed();
        },
        // A click beside the card closes it.
        onClick: (event: Event) => event.target === this.element.current && close(),
        onKeyDown: (event: KeyboardEvent) => this.key(event),
      },
      h(
        "header",
        {},
        h("h2", { id: "card-title" }, pair === null ? "" : page.data.stems[pair]),
        h("span", { class: "quiet" }, place),
        button(copied, () => void this.copy()),
        button("Previous", () => moved(-1), { "aria-keyshortcuts": "k" }),
        button("Next", () => moved(1), { "aria-keyshortcuts": "j", ref: this.next }),
        button("Close", close, { "aria-keyshortcuts": "Escape" }),
      ),
      this.tools(),
      this.seen.controls(),
      pair !== null && h("div", { class: "figures" }, mode === "d" || mode === "s" ? legend(mode) : null, this.figures(pair)),
      this.told.content,
    );
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "ArrowRight") this.props.moved(1);
    else if (event.key === "k" || event.key === "ArrowLeft") this.props.moved(-1);
    else if (["b", "m", "p", ...Object.keys(MODES)].includes(event.key)) this.element.current?.querySelector<HTMLButtonElement>(`[data-key="${event.key}"]`)?.click();
    else return;
    event.preventDefault();
  }

  private tools(): Child {
    const { data, pictures } = this.props.page;
    const { boxes, masks, mode, threshold, wiped } = this.state;
    const modes = pictures.any ? (Object.keys(MODES) as Mode[]) : [];
    const slider = (value: number, max: number, changed: (value: number) => Partial<Look>) =>
      h("input", { type: "range", min: 0, max, step: max / 100, value, onInput: (event: Event) => this.setState(changed((event.currentTarget as HTMLInputElement).valueAsNumber)) });
    const ofBoxes = h(
      Fragment,
      {},
      toggle("b", "Boxes", boxes, (boxes) => this.setState({ boxes })),
      field("Boxes with a score of at least", slider(threshold, 1, (threshold) => ({ threshold })), h("output", {}, threshold.toFixed(2))),
      h("span", { class: "quiet" }, "Dashed: the other side has no box of this name."),
    );
    return h(
      "div",
      { class: "tools" },
      ...modes.map((key) => toggle(key, MODES[key], mode === key, (on) => this.look(on ? key : null))),
      has("boxes", data) && ofBoxes,
      has("masks", data) && toggle("m", "Masks", masks, (masks) => this.setState({ masks })),
      h("label", { class: "field", hidden: mode !== "w", "data-wipe": "" }, h("span", {}, "Stimulus up to"), slider(wiped, 100, (wiped) => ({ wiped }))),
    );
  }

  /** Changes the mode. Blinking alternates stimulus and reconstruction; with reduced motion it shows only the stimulus.
   * */
  private look(mode: Mode | null): void {
    window.clearInterval(this.timer);
    this.setState({ mode, swapped: mode === "f" });
    if (mode !== "f") return;
    this.seen.stop();
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.timer = window.setInterval(() => this.setState({ swapped: !this.state.swapped }), FLICKER_MS);
  }

  private async copy(): Promise<void> {
    const done = await copy(location.href.split("#")[0] + pairAddress(this.props.page.data, this.props.pair ?? 0));
    this.setState({ copied: done ? "Copied" : "The address above has it" });
    window.setTimeout(() => this.setState({ copied: LINK }), 2000);
  }

  /** The stimulus, then the reconstruction of each system. */
  private figures(pair: number): Child {
    const { data } = this.props.page;
    const captionsOf = (side: Observed) => side.captions?.[pair] ?? [];
    const boxesOf = (side: Observed) => side.boxes?.[pair] ?? [];
    const { stimuli, reconstructions } = data;
    const ofStimulus = [boxesOf(stimuli), words(captionsOf(stimuli).join(" "))] as const;
    const ofSystems = [reconstructions.flatMap(boxesOf), words(reconstructions.flatMap(captionsOf).join(" "))] as const;
    const figure = (system: number | null, name: string, side: Observed, [boxes, words]: typeof ofSystems) =>
      h(Figure, { look: this.state, seen: this.seen, wipe: (wiped) => this.setState({ wiped }), pair, system, name, side, otherBoxes: boxes, otherWords: words });
    const systems = reconstructions.map((side, system) => figure(system, data.systems[system] ?? "", side, ofStimulus));
    return h("div", { class: "pictures", style: { "--images": 1 + data.systems.length } }, figure(null, "Stimulus", stimuli, ofSystems), ...systems);
  }

  private below(pair: number): Child {
    const { page } = this.props;
    const { data } = page;
    return h(
      Fragment,
      {},
      [data.stimuli, ...data.reconstructions].some((side) => side.captions !== null) && explainedMarks(),
      h("h3", {}, "How is it scored?"),
      h("p", { class: "quiet" }, "Bars: all pairs, the worst on the left and the best on the right; this pair is in the coloured one."),
      scores(data, pair),
      explained(data.metrics),
      ...confusers(page, pair),
      ...details(data, pair),
    );
  }
}

interface FigureProps {
  look: Look;
  seen: SeenParts;
  wipe: (percent: number) => void;
  pair: number;
  /** `null` stands for the stimulus. */
  system: number | null;
  name: string;
  side: Observed;
  /** The boxes of the other side. */
  otherBoxes: Box[];
  otherWords: Set<string>;
}

function Figure({ look, seen, wipe, pair, system, name, side, otherBoxes, otherWords }: FigureProps): Child {
  const { mode, swapped, threshold } = look;
  const isSwapped = system !== null && swapped;
  const stimulus = seen.address(null, pair);
  const own = seen.address(system, pair);
  const { layer, told } = useCompared(system === null ? null : mode, stimulus, own);
  const [boxes, masks, captions] = [side.boxes?.[pair] ?? [], side.masks?.[pair] ?? [], side.captions?.[pair] ?? []];
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    wipe(Math.round(Math.min(100, Math.max(0, (100 * (event.clientX - box.left)) / box.width))));
  };
  return h(
    "figure",
    {},
    h(
      "div",
      { class: isSwapped ? "frame swapped" : "frame", onPointerMove: system !== null && mode === "w" ? follow : undefined },
      isSwapped && stimulus !== null && own !== null ? seen.image(system, pair, stimulus) : seen.image(system, pair),
      layer,
      look.masks && masks.length > 0 && maskLayer(masks),
      look.boxes && boxLayer(boxes, otherBoxes, threshold),
    ),
    h(
      "figcaption",
      {},
      h("strong", {}, name),
      h("span", { class: "quiet" }, told),
      seen.strip(system, pair, `${name}: views or samples`),
      ...captions.map((caption) => marked(caption, otherWords, system === null ? "missed" : "invented")),
      look.boxes && h("p", { class: "quiet" }, `Boxes: ${boxList(boxes, threshold)}`),
      look.masks && h("p", { class: "quiet" }, `Masks: ${masks.map((mask) => mask.name).join(", ") || "none"}`),
    ),
  );
}

function scores(data: ReportData, pair: number): Child {
  const rows = data.metrics.map((metric, place) => {
    const cells = data.systems.map((_, system) => {
      const found = value(data, system, place, pair);
      if (found === null) {
        const why = reason(data, system, place, pair);
        return h("td", { class: "none" }, why === null ? "not in this run" : `undefined: ${why}`);
      }
      return h("td", {}, strong(metric, score(metric, found)), spread(data, system, place, found), h("small", {}, rank(data, system, place, pair)));
    });
    const arrow = metric.direction === "higher" ? "↑" : "↓";
    return h("tr", {}, h("th", { scope: "row", title: metric.about }, `${metric.label} ${arrow}`), ...cells);
  });
  const { human } = data;
  const ratings = human && row(human.label, ...data.systems.map((_, system) => h("td", {}, decimal(human.values[system]?.[pair], 2))));
  return table("Scores of this pair", "numbers", ["Metric", ...data.systems], [...rows, ratings]);
}

/** Ranks of all pairs by system and metric, which take long to compute. */
const ranked = new Map<string, (number | null)[]>();

function rank(data: ReportData, system: number, metric: number, pair: number): string {
  const key = `${system} ${metric}`;
  const ranks = ranked.get(key) ?? goodness(data, system, metric);
  ranked.set(key, ranks);
  const [rank, n] = [ranks[pair], ranks.filter((rank) => rank !== null).length];
  if (rank === null || rank === undefined) return "";
  // The share of the other pairs that are worse; ties count half. With a placeholder, no pair is better than another.
  const percentile = n > 1 && !data.metrics[metric]?.stand_in ? ` · better than ${Math.floor((100 * (n - rank)) / (n - 1))} %` : "";
  const first = 1 + ranks.filter((other) => other !== null && other < rank).length;
  const shared = ranks.filter((other) => other === rank).length - 1;
  return `${ordinal(first)} of ${n}${shared > 0 ? `, shared with ${shared}` : ""}${percentile}`;
}

function details(data: ReportData, pair: number): Child[] {
  const found = data.systems.flatMap((name, system) =>
    Object.entries(data.details[system]?.[pair] ?? {}).flatMap(([metric, levels]) => {
      const label = data.metrics.find(({ id }) => id === metric)?.label ?? metric;
      return Object.entries(levels).map(([level, entries]) => levelDetails(`${name}: ${label}, ${level}`, entries));
    }),
  );
  return found.length === 0 ? [] : [h("h3", {}, "What was found"), ...found];
}

function levelDetails(title: string, { matched, missed, invented }: LevelDetails): Child {
  const list = (name: "matched" | "missed" | "invented", sign: string, entries: Entry[]) =>
    h("div", { class: name }, h("h5", {}, `${sign} ${name} (${entries.length})`), h("ul", {}, ...entries.map((entry) => h("li", {}, entryText(entry)))));
  const lists = [list("matched", "=", matched), list("missed", "−", missed), list("invented", "+", invented)];
  return h("section", { class: "level" }, h("h4", {}, title), h("div", { class: "lists" }, ...lists));
}

/** An entry in words: both names if they differ, what they are about, and how they were matched. */
export function entryText(entry: Entry): string {
  const { reference, reconstruction, how, similarity, threshold } = entry;
  const names = [...new Set([reference, reconstruction].filter((name) => name !== undefined))].join(" = ");
  const dimensions = new Set([entry.reference_dimension, entry.reconstruction_dimension]);
  const about = [...dimensions].flatMap((one) => (one === undefined || one === "object" ? [] : [one.replace("_", " ")]));
  const more = [
    ...about,
    how && how !== "exact" ? how : null,
    similarity === undefined ? null : similarity.toFixed(2),
    threshold === undefined ? null : `up to a threshold of ${threshold.toFixed(2)}`,
  ].filter((part) => part !== null);
  return more.length === 0 ? names : `${names} (${more.join(", ")})`;
}
