// The list of pairs, sorted and filtered, with the menus for that.

import { Component, type RefObject } from "preact";
import { type Child, type Option, button, field, h, menu } from "parts/view.ts";
import type { ReportData } from "./data.ts";
import { hasNames, modes } from "./failures.ts";
import { metricMenu, systemMenu } from "./menus.ts";
import { categories, metricsShown } from "./order.ts";
import { PairList } from "./pair_list.ts";
import { pairMap } from "./pair_map.ts";
import { explained } from "./placeholders.ts";
import { Picked } from "./selection.ts";
import { type Page, type SortBy, type State, TILES } from "./state.ts";

interface PairsProps {
  page: Page;
  state: State;
  order: number[];
  list: RefObject<PairList | null>;
}

export class Pairs extends Component<PairsProps> {
  private readonly picked = new Set<number>();
  private readonly names = categories(this.props.page.data).map((name) => ({ value: name, label: name }));
  private readonly modes = modes(this.props.page.data);

  render() {
    const { page, state, order, list } = this.props;
    const { data } = page;
    const { length } = data.stems;
    const pick = (pairs: number[]) => {
      this.picked.clear();
      for (const pair of pairs) this.picked.add(pair);
      this.forceUpdate();
    };
    const box = (pair: number) => {
      const picked = this.picked.has(pair);
      const changed = () => pick(picked ? [...this.picked].filter((other) => other !== pair) : [...this.picked, pair]);
      return h("label", {}, h("input", { type: "checkbox", "aria-label": `pick ${data.stems[pair] ?? ""}`, checked: picked, onChange: changed }));
    };
    return [
      this.controls(),
      h("p", { class: "quiet", role: "status" }, order.length === length ? `${length} pairs` : `${order.length} of ${length} pairs`),
      h("div", {}, explained(metricsShown(state).map((metric) => data.metrics[metric]))),
      h(PairList, { page, state, order, box, list }),
      h("div", {}, ...(state.layout === "map" ? pairMap(page, state, order) : [])),
      h(Picked, { data, picked: this.picked, shown: order, metric: state.metric, pick }),
      h("p", { class: "quiet" }, "Keys: j and k move, Enter opens a pair, Escape closes it."),
    ];
  }

  private controls(): Child {
    const { page, state } = this.props;
    const { data, update } = page;
    const { sort } = state;
    const sorts: (Option | false)[] = [
      { value: "metric", label: "a metric" },
      data.systems.length > 1 && { value: "difference", label: "the difference of two systems" },
      data.metrics.length > 1 && { value: "disagreement", label: "the disagreement of two metrics" },
      data.human !== null && { value: "human", label: "people's rating" },
      { value: "stem", label: "the stem" },
    ];
    const [worst, best] = ends(data, state);
    const orders = [{ value: "worst", label: worst }, { value: "best", label: best }];
    // Choosing another metric keeps the range of values until it is removed.
    const metric = (name: string, key: "metric" | "metric2") => metricMenu(name, key, page, state, {});
    const system = (name: string, key: "system" | "system2") => systemMenu(name, key, page, state, {});
    return h(
      "div",
      { class: "controls" },
      menu("Sort by", sorts.filter((one) => one !== false), sort, (chosen) => update({ sort: chosen as SortBy })),
      metric(sort === "disagreement" ? "Bad by" : "Metric", "metric"),
      sort === "disagreement" && metric("Good by", "metric2"),
      (sort !== "stem" || state.failure !== "" || state.layout !== "rows") && system("System", "system"),
      sort === "difference" && system("Minus", "system2"),
      sort !== "stem" && menu("First", orders, state.order, (order) => update({ order: order as State["order"] })),
      this.textField(),
      ...this.failureMenus(),
      this.undefinedMenu(),
      ...this.rangeFields(),
      ...this.layoutFields(),
    );
  }

  /** Smallest and largest value of the chosen metric and system; a range of another metric stays until it is removed. */
  private rangeFields(): Child[] {
    const { page, state } = this.props;
    const { data, update } = page;
    const { within: range, metric, system } = state;
    const label = data.metrics[metric]?.label ?? "";
    const own = range && range.x === metric && range.y === metric && range.system === system ? range.from : null;
    const input = (end: 0 | 1, name: string) => {
      const value = own && Math.abs(own[end]) < NO_END ? own[end] : "";
      const changed = (event: Event) => {
        const typed = (event.currentTarget as HTMLInputElement).valueAsNumber;
        const from: [number, number] = own ? [...own] : [-NO_END, NO_END];
        from[end] = Number.isNaN(typed) ? [-NO_END, NO_END][end] ?? 0 : typed;
        update({ within: from.every((v) => Math.abs(v) >= NO_END) ? null : { system, x: metric, y: metric, from, to: from } });
      };
      return field(`${label} ${name}`, h("input", { type: "number", step: "any", value, onChange: changed }));
    };
    const other = range && !own ? [...new Set([range.x, range.y])].map((place) => data.metrics[place]?.label ?? "").join(" and ") : null;
    return [
      input(0, "from"),
      input(1, "to"),
      range && button(other ? `Remove the range of ${other}` : "Remove the range", () => update({ within: null })),
    ];
  }

  private layoutFields(): Child[] {
    const { page, state } = this.props;
    const { layout, tile } = state;
    const layouts = ["rows", "tiles"].map((name) => ({ value: name, label: name }));
    if (page.data.map) layouts.push({ value: "map", label: "a map" });
    const sized = (event: Event) => page.update({ tile: (event.currentTarget as HTMLInputElement).valueAsNumber });
    return [
      menu("As", layouts, layout, (value) => page.update({ layout: value as State["layout"] })),
      layout === "tiles" && field("Size", h("input", { type: "range", min: TILES[0], max: TILES[1], step: 8, value: tile, onChange: sized })),
    ];
  }

  private textField(): Child {
    const { data, update } = this.props.page;
    const has = [data.stimuli, ...data.reconstructions].some((side) => side.captions !== null);
    const changed = (event: Event) => update({ text: (event.currentTarget as HTMLInputElement).value.trim() });
    return field(has ? "Stem or caption has" : "Stem has", h("input", { type: "search", value: this.props.state.text, maxlength: 200, onChange: changed }));
  }

  /** Menus for how the system fails, at what, and what is found instead; without a failure, for what is in the pair. */
  private failureMenus(): Child[] {
    const { page, state } = this.props;
    const { data, update } = page;
    const any = { value: "", label: "any object" };
    const of = data.near_misses[state.system];
    const others = new Set((of?.found ?? []).flatMap(([, , instead]) => instead.map((place) => of?.names[place] ?? "")));
    const instead = [any, ...[...others].sort().map((name) => ({ value: name, label: name }))];
    const failures = [{ value: "", label: "fails or does not" }, ...this.modes];
    const chosen = (failure: string) => update({ failure, instead: "", category: hasNames(failure) ? state.category : "" });
    const named = (category: string) => update({ category });
    return [
      this.modes.length > 0 && menu(data.systems.length > 1 ? "Where the system" : "Failure", failures, state.failure, chosen),
      this.names.length > 0 && menu(hasNames(state.failure) ? "Failing at" : "With", [any, ...this.names], state.category, named),
      state.failure === "near" && menu("Instead", instead, state.instead, (instead) => update({ instead })),
    ];
  }

  private undefinedMenu(): Child {
    const { page, state } = this.props;
    const { data, update } = page;
    const found = new Set(data.scores.flatMap((metrics) => metrics[state.metric]?.undefined.map(([, why]) => why) ?? []));
    if (found.size === 0 && state.undefined === "") return null;
    const reasons = [...found].map((why) => data.reasons[why] ?? "").map((why) => ({ value: why, label: `undefined: ${why}` }));
    const options = [{ value: "", label: "any value" }, { value: "any", label: "undefined for any reason" }, ...reasons];
    return menu("And", options, state.undefined, (chosen) => update({ undefined: chosen }));
  }
}

/** Stands for an open end of a range. */
const NO_END = 1e9;

/** The names of the first pairs in either order. With a placeholder, no pair is the best. */
function ends(data: ReportData, { sort, metric }: State): [string, string] {
  if (sort === "disagreement") return ["as said", "the other way round"];
  const chosen = data.metrics[metric];
  if (sort === "human" || !chosen?.stand_in) return ["the worst", "the best"];
  return chosen.direction === "lower" ? ["the largest values", "the smallest values"] : ["the smallest values", "the largest values"];
}
