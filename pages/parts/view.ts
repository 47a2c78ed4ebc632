// Elements of pages that are drawn again as a whole when their state changes. Texts become text nodes, so no text of a user is read as markup.
/*! Made with Preact, Copyright (c) 2015-present Jason Miller, under the MIT licence. */

import { type ComponentChild, type ComponentType, type Fragment, type VNode, h as create } from "preact";

export type Child = ComponentChild;

interface Create {
  (tag: string | typeof Fragment, props?: Record<string, any> | null, ...children: Child[]): VNode;
  <P extends object>(component: ComponentType<P>, props: P): VNode;
}
export const h = create as Create;

/** An input below its label. */
export function field(name: string, ...inputs: Child[]): VNode {
  return h("label", { class: "field" }, h("span", {}, name), ...inputs);
}

export interface Option {
  value: string;
  label: string;
}

/** A labelled menu. */
export function menu(label: string, options: Option[], chosen: string, changed: (value: string) => void): VNode {
  const list = options.map(({ value, label }) => h("option", { value }, label));
  return field(label, h("select", { value: chosen, onChange: (event: Event) => changed((event.currentTarget as HTMLSelectElement).value) }, list));
}

export function button(label: Child, clicked: () => void, props: Record<string, unknown> = {}): VNode {
  return h("button", { type: "button", onClick: clicked, ...props }, label);
}

/** A button that is on or off, with the key that presses it. */
export function toggle(key: string, label: string, on: boolean, changed: (on: boolean) => void): VNode {
  return button(`${label} (${key})`, () => changed(!on), { "data-key": key, "aria-pressed": String(on) });
}

/** A row of a table; its first cell is the row's heading. */
export function row(heading: Child, ...cells: Child[]): VNode {
  return h("tr", {}, h("th", { scope: "row" }, heading), ...cells);
}

/** A table that scrolls by itself if it is too wide. A column without a heading has an ordinary cell there. */
export function table(label: string, kind: string, heads: Child[], rows: Child[], caption: Child = null): VNode {
  const head = heads.map((text) => (text === "" ? h("td") : h("th", { scope: "col" }, text)));
  const made = h("table", { class: kind }, caption, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, made);
}

/** A value with a metric's decimals. A value that rounds to zero has no sign. */
export function decimal(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(decimals);
  return text.replace("-", Number(text) === 0 ? "" : "−");
}

/** A canvas on which `paint` draws whenever the page is rendered. */
export function painted(props: Record<string, unknown>, paint: (context: CanvasRenderingContext2D) => void): VNode {
  const ref = (canvas: HTMLCanvasElement | null) => {
    const context = canvas?.getContext("2d");
    if (context) paint(context);
  };
  return h("canvas", { ...props, ref });
}
