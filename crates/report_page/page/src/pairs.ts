// The list of pairs: the stimulus and a column for each system, sorted and filtered.

import type { ReportData } from "./data.ts";
import { type Option, button, decimal, h, menu, replace } from "./dom.ts";
import { hasNames, modes } from "./failures.ts";
import { categories, reason, value } from "./order.ts";
import type { Pictures } from "./pictures.ts";
import { explained, score } from "./placeholders.ts";
import type { SortBy, State } from "./state.ts";
import { VirtualList } from "./virtual_list.ts";

/** As the style sheet has it. */
const ROW_PX = 148;

export class Pairs {
  readonly element = h("div", { class: "live" });
  private readonly controls = h("div", { class: "controls" });
  private readonly counted = h("p", { class: "quiet", role: "status" });
  private readonly told = h("div");
  private readonly header = h("div", { class: "row head", role: "row" });
  private readonly list: VirtualList;
  private readonly names: Option[];
  private readonly modes: Option[];
  private order: number[] = [];
  private state: State;
  private at = 0;

  constructor(
    private readonly data: ReportData,
    private readonly pictures: Pictures,
    state: State,
    private readonly update: (changes: Partial<State>) => void,
  ) {
    this.state = state;
    this.names = categories(data).map((name) => ({ value: name, label: name }));
    this.modes = modes(data);
    this.list = new VirtualList(h("div", { class: "heads", role: "rowgroup" }, this.header), ROW_PX, (place) => this.row(place));
    this.list.element.setAttribute("aria-label", "Pairs");
    this.list.element.style.setProperty("--systems", String(data.systems.length));
    const keys = "Keys: j and k move, Enter opens a pair, Escape closes it.";
    this.element.append(this.controls, this.counted, this.told, this.list.element, h("p", { class: "quiet" }, keys));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows these pairs; `changed` says whether anything but the open pair is new. */
  show(state: State, order: number[], changed: boolean): void {
    this.state = state;
    if (!changed) return;
    this.order = order;
    this.at = 0;
    this.drawControls();
    this.drawHeader();
    const { length } = this.data.stems;
    replace(this.told, explained(this.metricsShown().map((metric) => this.data.metrics[metric])));
    this.counted.textContent = order.length === length ? `${length} pairs` : `${order.length} of ${length} pairs`;
    this.list.element.setAttribute("aria-rowcount", String(order.length + 1));
    this.list.show(order.length);
  }

  /** Makes the row of a pair the one that the keyboard is at. */
  goTo(pair: number): void {
    const place = this.order.indexOf(pair);
    if (place >= 0) this.focus(place);
  }

  /** Acts on a key, also when nothing of the list has the focus. */
  key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onRow = target.closest(".row:not(.head)") !== null;
    if (event.key === "j") this.focus(onRow ? this.at + 1 : this.at);
    else if (event.key === "k") this.focus(this.at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focus(place: number): void {
    if (this.order.length === 0) return;
    this.at = Math.max(0, Math.min(this.order.length - 1, place));
    this.list.reveal(this.at);
    this.list.row(this.at)?.querySelector("button")?.focus({ preventScroll: true });
  }

  private row(place: number): HTMLElement {
    const { data, pictures, state } = this;
    const pair = this.order[place] ?? 0;
    const open = button(data.stems[pair] ?? "", () => {
      this.at = place;
      this.update({ pair });
    });
    const human = data.human?.values[state.system]?.[pair];
    const first = h(
      "div",
      { role: "rowheader" },
      open,
      human === null || human === undefined ? null : h("small", {}, `people on ${data.systems[state.system] ?? ""}: ${decimal(human, 2)}`),
    );
    const cells = data.systems.map((_, system) =>
      h("div", { role: "cell" }, pictures.reconstructionImage(system, pair), this.numbers(system, pair)),
    );
    const stimulus = h("div", { role: "cell" }, pictures.stimulusImage(pair));
    return h("div", { class: "row", role: "row", "aria-rowindex": place + 2 }, first, stimulus, ...cells);
  }

  private metricsShown(): number[] {
    const { sort, metric, metric2 } = this.state;
    return sort === "disagreement" ? [metric, metric2] : [metric];
  }

  private numbers(system: number, pair: number): HTMLElement {
    const { data } = this;
    const texts = this.metricsShown().map((metric) => {
      const found = value(data, system, metric, pair);
      if (found !== null) return h("span", {}, score(data.metrics[metric], found));
      const why = reason(data, system, metric, pair);
      return h("span", { class: "none", title: why ?? "" }, why === null ? "–" : "undefined");
    });
    return h("div", { class: "value" }, ...texts);
  }

  private drawHeader(): void {
    const { data, state } = this;
    const sorts = state.sort === "metric";
    const sorting = (on: boolean) => (on ? (isAscending(data, state) ? "ascending" : "descending") : "none");
    const byStem = button("Pair", () => this.update({ sort: "stem" }));
    const heads = data.systems.map((name, system) => {
      const on = sorts && state.system === system;
      const turned = state.order === "worst" ? "best" : "worst";
      const clicked = () => this.update({ sort: "metric", system, order: on ? turned : state.order });
      const arrow = on ? (isAscending(data, state) ? " ▲" : " ▼") : "";
      return h("div", { role: "columnheader", "aria-sort": sorting(on) }, button(name + arrow, clicked));
    });
    replace(
      this.header,
      h("div", { role: "columnheader", "aria-sort": state.sort === "stem" ? "ascending" : "none" }, byStem),
      h("div", { role: "columnheader" }, "Stimulus"),
      ...heads,
    );
    this.header.setAttribute("aria-rowindex", "1");
  }

  private drawControls(): void {
    const { data, state } = this;
    const had = this.controls.contains(document.activeElement) ? document.activeElement : null;
    const label = had?.closest("label")?.firstChild?.textContent ?? null;
    const several = data.systems.length > 1;
    const sorts: Option[] = [
      { value: "metric", label: "a metric" },
      ...(several ? [{ value: "difference", label: "the difference of two systems" }] : []),
      ...(data.metrics.length > 1 ? [{ value: "disagreement", label: "the disagreement of two metrics" }] : []),
      ...(data.human ? [{ value: "human", label: "people's rating" }] : []),
      { value: "stem", label: "the stem" },
    ];
    const metrics = data.metrics.map(({ id, label }) => ({ value: id, label }));
    const systems = data.systems.map((name, place) => ({ value: String(place), label: name }));
    const place = (id: string) => Math.max(0, data.metrics.findIndex((metric) => metric.id === id));
    const { sort } = state;
    const [worst, best] = ends(data, state);
    const metric = (name: string, key: "metric" | "metric2") =>
      menu(name, metrics, data.metrics[state[key]]?.id ?? "", (id) => this.update({ [key]: place(id) }));
    const system = (name: string, key: "system" | "system2") =>
      menu(name, systems, String(state[key]), (chosen) => this.update({ [key]: Number(chosen) }));
    const fields = [
      menu("Sort by", sorts, sort, (chosen) => this.update({ sort: chosen as SortBy })),
      metric(sort === "disagreement" ? "Bad by" : "Metric", "metric"),
      sort === "disagreement" ? metric("Good by", "metric2") : null,
      several && (sort !== "stem" || state.failure !== "") ? system("System", "system") : null,
      several && sort === "difference" ? system("Minus", "system2") : null,
      sort === "stem"
        ? null
        : menu(
            "First",
            [
              { value: "worst", label: worst },
              { value: "best", label: best },
            ],
            state.order,
            (order) => this.update({ order: order as State["order"] }),
          ),
      this.textField(),
      ...this.failureMenus(),
      this.undefinedMenu(),
      state.within ? button("Remove the selection of the scatter plot", () => this.update({ within: null })) : null,
    ];
    replace(this.controls, ...fields);
    // The field that was used keeps the focus.
    if (label !== null) {
      for (const made of this.controls.querySelectorAll<HTMLElement>("select, input")) {
        if (made.closest("label")?.firstChild?.textContent === label) made.focus();
      }
    }
  }

  private textField(): HTMLElement {
    const has = [this.data.stimuli, ...this.data.reconstructions].some((side) => side.captions !== null);
    const input = h("input", { type: "search", value: this.state.text, maxlength: 200 });
    input.addEventListener("change", () => this.update({ text: input.value.trim() }));
    return h("label", { class: "field" }, h("span", {}, has ? "Stem or caption has" : "Stem has"), input);
  }

  /** How the system fails, at what, and what is there instead; without a failure, what is in the pair. */
  private failureMenus(): (HTMLElement | null)[] {
    const { data, state, names } = this;
    const several = data.systems.length > 1;
    const any = { value: "", label: "any object" };
    const of = data.near_misses[state.system];
    const others = new Set((of?.found ?? []).flatMap(([, , instead]) => instead.map((place) => of?.names[place] ?? "")));
    const instead = [any, ...[...others].sort().map((name) => ({ value: name, label: name }))];
    const chosen = (failure: string) => this.update({ failure, instead: "", category: hasNames(failure) ? state.category : "" });
    return [
      this.modes.length > 0
        ? menu(several ? "Where the system" : "Failure", [{ value: "", label: "fails or does not" }, ...this.modes], state.failure, chosen)
        : null,
      names.length > 0
        ? menu(hasNames(state.failure) ? "Failing at" : "With", [any, ...names], state.category, (category) => this.update({ category }))
        : null,
      state.failure === "near" ? menu("Instead", instead, state.instead, (instead) => this.update({ instead })) : null,
    ];
  }

  private undefinedMenu(): HTMLElement | null {
    const { data, state } = this;
    const found = new Set(data.scores.flatMap((metrics) => metrics[state.metric]?.undefined.map(([, why]) => why) ?? []));
    if (found.size === 0 && state.undefined === "") return null;
    const reasons = [...found].map((why) => data.reasons[why] ?? "").map((why) => ({ value: why, label: `undefined: ${why}` }));
    const options = [{ value: "", label: "any value" }, { value: "any", label: "undefined for any reason" }, ...reasons];
    return menu("And", options, state.undefined, (chosen) => this.update({ undefined: chosen }));
  }
}

/** Do the values of the metric grow down the list? */
function isAscending(data: ReportData, state: State): boolean {
  const higherIsBetter = data.metrics[state.metric]?.direction !== "lower";
  return higherIsBetter === (state.order === "worst");
}

/** What the first pairs are called in either order. By a placeholder none is the best. */
function ends(data: ReportData, { sort, metric }: State): [string, string] {
  if (sort === "disagreement") return ["as said", "the other way round"];
  const chosen = data.metrics[metric];
  if (sort === "human" || !chosen?.stand_in) return ["the worst", "the best"];
  return chosen.direction === "lower" ? ["the largest values", "the smallest values"] : ["the smallest values", "the largest values"];
}
