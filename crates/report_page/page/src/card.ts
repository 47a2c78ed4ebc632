// One pair: its images with what was found in them, captions, scores, and what was matched, missed and invented.

import { explainedMarks, marked, words } from "./captions.ts";
import { Player, SeenParts } from "./clips.ts";
import { MODES, type Mode, legend, mapLayer, wipeLayer } from "./compared_images.ts";
import { confusers } from "./confusers.ts";
import type { Entry, LevelDetails, Observed, ReportData } from "./data.ts";
import { button, decimal, h, replace, row, table, toggle } from "parts/dom.ts";
import { copy } from "./methods.ts";
import { goodness, reason, value } from "./order.ts";
import { type Pictures, boxLayer, boxList, has, maskLayer } from "./pictures.ts";
import { explained, score, strong } from "./placeholders.ts";
import { spread } from "./spread.ts";
import { pairAddress } from "./state.ts";

export interface CardEvents {
  closed: () => void;
  /** One pair on or back. */
  moved: (by: 1 | -1) => void;
  /** Another pair. */
  opened: (pair: number) => void;
}

/** Milliseconds that each of two images is seen: one change in 600 ms is far below what is dangerous. */
const FLICKER_MS = 600;

export class Card {
  readonly element = h("dialog", { class: "card", "aria-labelledby": "card-title" });
  private readonly title = h("h2", { id: "card-title" });
  private readonly placed = h("span", { class: "quiet" });
  private readonly content = h("div");
  private readonly next: HTMLButtonElement;
  private pair: number | null = null;
  private boxes = false;
  private masks = false;
  private threshold = 0.3;
  private timer: number | undefined;
  private mode: Mode | null = null;
  private wiped = 50;
  private readonly seen: SeenParts;
  private ranked = new Map<string, (number | null)[]>();

  constructor(
    private readonly data: ReportData,
    private readonly pictures: Pictures,
    private readonly events: CardEvents,
  ) {
    const player = new Player(
      () => this.moveFrames(),
      () => this.mode === "f" && this.look(null),
    );
    this.seen = new SeenParts(pictures, player, () => this.redrawFigures());
    this.element.addEventListener("close", () => {
      this.still();
      player.stop();
      if (this.pair !== null) {
        this.pair = null;
        events.closed();
      }
    });
    const back = button("Previous", () => events.moved(-1), { "aria-keyshortcuts": "k" });
    this.next = button("Next", () => events.moved(1), { "aria-keyshortcuts": "j" });
    const link: HTMLButtonElement = button("Copy link", () => void this.copied(link));
    const close = button("Close", () => this.element.close(), { "aria-keyshortcuts": "Escape" });
    this.element.append(h("header", {}, this.title, this.placed, link, back, this.next, close), this.tools(), player.controls, this.content);
    // A click beside the card closes it.
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a pair; `place` says which of the shown ones it is. */
  show(pair: number | null, place: string): void {
    if (pair === null) {
      this.pair = null;
      if (this.element.open) this.element.close();
      return;
    }
    // A wipe or a map stays on from pair to pair; nothing moves until it is asked to.
    if (this.mode === "f") this.look(null);
    if (this.pair !== pair) this.seen.show([pair]);
    this.pair = pair;
    this.title.textContent = this.data.stems[pair] ?? "";
    this.placed.textContent = place;
    replace(
      this.content,
      this.figures(pair),
      this.hasCaptions() ? explainedMarks() : null,
      h("h3", {}, "How is it scored?"),
      h("p", { class: "quiet" }, "Bars: all pairs, the worst on the left and the best on the right; this pair is in the coloured one."),
      this.scores(pair),
      explained(this.data.metrics),
      ...confusers(this.data, this.pictures, pair, this.events.opened),
      ...this.details(pair),
    );
    if (!this.element.open) {
      this.element.showModal();
      this.next.focus();
    } else if (!this.element.contains(document.activeElement)) this.next.focus();
    this.element.scrollTop = 0;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = (name: string) => this.element.querySelector<HTMLButtonElement>(`[data-key="${name}"]`)?.click();
    if (event.key === "j" || event.key === "ArrowRight") this.events.moved(1);
    else if (event.key === "k" || event.key === "ArrowLeft") this.events.moved(-1);
    else if (["b", "m", "p", ...Object.keys(MODES)].includes(event.key)) press(event.key);
    else return;
    event.preventDefault();
  }

  private tools(): HTMLElement {
    const tools = h("div", { class: "tools" });
    const add = (key: string, label: string, on: boolean, changed: (on: boolean) => void) => {
      const made = toggle(`${label} (${key})`, on, changed);
      made.dataset["key"] = key;
      tools.append(made);
    };
    if (this.pictures.any) {
      for (const mode of Object.keys(MODES) as Mode[]) add(mode, MODES[mode], false, (on) => this.look(on ? mode : null));
    }
    const redraw = () => this.redrawFigures();
    if (has("boxes", this.data)) {
      add("b", "Boxes", this.boxes, (on) => {
        this.boxes = on;
        redraw();
      });
      const shown = h("output", {}, this.threshold.toFixed(2));
      const slider = h("input", { type: "range", min: 0, max: 1, step: 0.01, value: this.threshold });
      slider.addEventListener("input", () => {
        this.threshold = slider.valueAsNumber;
        shown.textContent = this.threshold.toFixed(2);
        redraw();
      });
      tools.append(h("label", { class: "field" }, h("span", {}, "Boxes with a score of at least"), slider, shown));
      tools.append(h("span", { class: "quiet" }, "Dashed: the other side has no box of this name."));
    }
    if (has("masks", this.data)) {
      add("m", "Masks", this.masks, (on) => {
        this.masks = on;
        redraw();
      });
    }
    const wipe = h("input", { type: "range", min: 0, max: 100, value: this.wiped });
    wipe.addEventListener("input", () => this.wipeTo(wipe.valueAsNumber));
    tools.append(h("label", { class: "field", hidden: true, "data-wipe": "" }, h("span", {}, "Stimulus up to"), wipe));
    return tools;
  }

  private redrawFigures(): void {
    const old = this.element.querySelector(".figures");
    if (old && this.pair !== null) {
      const part = old.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["part"] : undefined;
      old.replaceWith(this.figures(this.pair));
      // The keyboard stays at the button of a sample, which was made again.
      if (part !== undefined) this.element.querySelector<HTMLElement>(`[data-part="${part}"]`)?.focus();
    }
    if (this.mode === "f") this.flicker();
  }

  /** Shows other frames of clips. */
  private moveFrames(): void {
    if (this.mode === "d" || this.mode === "s") this.redrawFigures();
    else this.seen.redraw();
  }

  /** Looks at the pair in another way; `null` for side by side. */
  private look(mode: Mode | null): void {
    const flickered = this.mode === "f";
    this.still();
    this.mode = mode;
    if (mode === "f") this.seen.player.stop();
    for (const key of Object.keys(MODES)) this.element.querySelector(`[data-key="${key}"]`)?.setAttribute("aria-pressed", String(key === mode));
    this.element.querySelector("[data-wipe]")?.toggleAttribute("hidden", mode !== "w");
    if (mode !== "f" || flickered) this.redrawFigures();
    else this.flicker();
  }

  private wipeTo(percent: number): void {
    this.wiped = percent;
    this.element.style.setProperty("--wipe", `${percent}%`);
  }

  private async copied(link: HTMLButtonElement): Promise<void> {
    const { href } = location;
    const done = await copy(href.split("#")[0] + pairAddress(this.data, this.pair ?? 0));
    link.textContent = done ? "Copied" : "The address above has it";
    window.setTimeout(() => (link.textContent = "Copy link"), 2000);
  }

  private hasCaptions(): boolean {
    return [this.data.stimuli, ...this.data.reconstructions].some((side) => side.captions !== null);
  }

  private figures(pair: number): HTMLElement {
    const { data } = this;
    this.seen.forget();
    const captionsOf = (side: Observed | undefined) => side?.captions?.[pair] ?? [];
    const stimulusWords = words(captionsOf(data.stimuli).join(" "));
    const allWords = words(data.reconstructions.flatMap(captionsOf).join(" "));
    const gallery = h("div", { class: "pictures" });
    gallery.style.setProperty("--images", String(1 + data.systems.length));
    const stimulusBoxes = data.stimuli.boxes?.[pair] ?? [];
    const reconstructed = data.reconstructions.flatMap((side) => side.boxes?.[pair] ?? []);
    gallery.append(
      this.figure("Stimulus", this.seen.image(null, pair), data.stimuli, pair, reconstructed, allWords, null),
    );
    for (const [system, name] of data.systems.entries()) {
      const side = data.reconstructions[system];
      if (!side) continue;
      const image = this.seen.image(system, pair);
      gallery.append(this.figure(name, image, side, pair, stimulusBoxes, stimulusWords, system));
    }
    return h("div", { class: "figures" }, this.mode === "d" || this.mode === "s" ? legend(this.mode) : null, gallery);
  }

  private figure(
    name: string,
    image: HTMLElement,
    side: Observed,
    pair: number,
    others: Parameters<typeof boxLayer>[1],
    otherWords: Set<string>,
    system: number | null,
  ): HTMLElement {
    const frame = h("div", { class: "frame" }, image);
    const told = h("span", { class: "quiet" });
    if (system !== null) {
      frame.dataset["system"] = String(system);
      this.compare(frame, told, system, pair);
    }
    const boxes = side.boxes?.[pair] ?? [];
    const masks = side.masks?.[pair] ?? [];
    if (this.masks && masks.length > 0) frame.append(maskLayer(masks));
    if (this.boxes) frame.append(boxLayer(boxes, others, this.threshold));
    const captions = side.captions?.[pair] ?? [];
    return h(
      "figure",
      {},
      frame,
      h(
        "figcaption",
        {},
        h("strong", {}, name),
        told,
        this.seen.strip(system, pair, `${name}: views or samples`),
        ...captions.map((caption) => marked(caption, otherWords, system === null ? "missed" : "invented")),
        this.boxes ? h("p", { class: "quiet" }, `Boxes: ${boxList(boxes, this.threshold)}`) : null,
        this.masks ? h("p", { class: "quiet" }, `Masks: ${masks.map((mask) => mask.name).join(", ") || "none"}`) : null,
      ),
    );
  }

  /** Puts the stimulus or a map over a reconstruction, as the mode says. */
  private compare(frame: HTMLElement, told: HTMLElement, system: number, pair: number): void {
    const { mode } = this;
    const [stimulus, own] = [this.seen.address(null, pair), this.seen.address(system, pair)];
    if (mode === null || mode === "f" || stimulus === null || own === null) return;
    if (mode === "w") {
      this.wipeTo(this.wiped);
      const layers = wipeLayer(stimulus);
      if (layers[0]) this.seen.follow(layers[0], () => this.seen.address(null, pair));
      frame.append(...layers);
      const follow = (event: PointerEvent) => {
        const box = frame.getBoundingClientRect();
        const slider = this.element.querySelector<HTMLInputElement>("[data-wipe] input");
        this.wipeTo(Math.round(Math.min(100, Math.max(0, (100 * (event.clientX - box.left)) / box.width))));
        if (slider) slider.valueAsNumber = this.wiped;
      };
      frame.addEventListener("pointermove", follow);
      return;
    }
    void mapLayer(mode, stimulus, own).then((made) => {
      if (made) frame.querySelector("img")?.after(made.layer);
      told.textContent = ` ${made?.told ?? "no map: browsers hide the pixels of images beside the page from it"}`;
    });
  }

  /** Stops the flickering and shows the reconstructions. */
  private still(): void {
    window.clearInterval(this.timer);
    if (this.mode === "f") this.swap(false);
  }

  private swap(stimulus: boolean): void {
    const { pair } = this;
    if (pair === null) return;
    for (const frame of this.element.querySelectorAll<HTMLElement>(".frame[data-system]")) {
      const image = frame.querySelector("img");
      const address = this.seen.address(stimulus ? null : Number(frame.dataset["system"]), pair);
      if (image && address !== null) image.src = address;
      frame.classList.toggle("swapped", stimulus);
    }
  }

  /** Shows stimulus and reconstruction in turn; with reduced motion, the stimulus as long as the button is on. */
  private flicker(): void {
    window.clearInterval(this.timer);
    this.swap(true);
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let stimulus = true;
    this.timer = window.setInterval(() => {
      stimulus = !stimulus;
      this.swap(stimulus);
    }, FLICKER_MS);
  }

  private rankOf(system: number, metric: number, pair: number): string {
    const key = `${system} ${metric}`;
    const ranks = this.ranked.get(key) ?? goodness(this.data, system, metric);
    this.ranked.set(key, ranks);
    const [rank, n] = [ranks[pair], ranks.filter((rank) => rank !== null).length];
    if (rank === null || rank === undefined) return "";
    // The share of the other pairs that are worse, ties counting half. By a placeholder none is better than another.
    const percentile = n > 1 && !this.data.metrics[metric]?.stand_in ? ` · better than ${Math.floor((100 * (n - rank)) / (n - 1))} %` : "";
    return `rank ${Number.isInteger(rank) ? rank : rank.toFixed(1)} of ${n}${percentile}`;
  }

  private scores(pair: number): HTMLElement {
    const { data } = this;
    const rows = data.metrics.map((metric, place) => {
      const cells = data.systems.map((_, system) => {
        const found = value(data, system, place, pair);
        if (found === null) {
          const why = reason(data, system, place, pair);
          return h("td", { class: "none" }, why === null ? "not in this run" : `undefined: ${why}`);
        }
        const rank = h("small", {}, this.rankOf(system, place, pair));
        return h("td", {}, strong(metric, score(metric, found)), spread(data, system, place, found), rank);
      });
      const arrow = metric.direction === "higher" ? "↑" : "↓";
      const made = row(`${metric.label} ${arrow}`, ...cells);
      made.firstElementChild?.setAttribute("title", metric.about);
      return made;
    });
    if (data.human) {
      const values = data.systems.map((_, system) => data.human?.values[system]?.[pair] ?? null);
      rows.push(row(data.human.label, ...values.map((v) => h("td", {}, decimal(v, 2)))));
    }
    return table("Scores of this pair", "numbers", ["Metric", ...data.systems], rows);
  }

  private details(pair: number): HTMLElement[] {
    const { data } = this;
    const found: HTMLElement[] = [];
    for (const [system, name] of data.systems.entries()) {
      const details = data.details[system]?.[pair];
      for (const [metric, levels] of Object.entries(details ?? {})) {
        const label = data.metrics.find(({ id }) => id === metric)?.label ?? metric;
        for (const [level, entries] of Object.entries(levels)) {
          found.push(this.level(`${name}: ${label}, ${level}`, entries));
        }
      }
    }
    return found.length === 0 ? [] : [h("h3", {}, "What was found"), ...found];
  }

  private level(title: string, { matched, missed, invented }: LevelDetails): HTMLElement {
    const list = (name: "matched" | "missed" | "invented", sign: string, entries: Entry[]) =>
      h(
        "div",
        { class: name },
        h("h5", {}, `${sign} ${name} (${entries.length})`),
        h("ul", {}, ...entries.map((entry) => h("li", {}, entryText(entry)))),
      );
    return h(
      "section",
      { class: "level" },
      h("h4", {}, title),
      h("div", { class: "lists" }, list("matched", "=", matched), list("missed", "−", missed), list("invented", "+", invented)),
    );
  }
}

/** An entry in words: both names where they differ, what they are about, and how they were matched. */
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
