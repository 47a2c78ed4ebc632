// Makes elements. Texts become text nodes, so no text of a user is ever read as markup.

type Child = Node | string | null | undefined | false;
type Props = Record<string, string | number | boolean | ((event: Event) => void) | null | undefined>;

/** An element with attributes, listeners (functions, by the event's name) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, props);
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  set(element, props);
  append(element, children);
  return element;
}

function set(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

export interface Option {
  value: string;
  label: string;
}

/** A labelled menu. */
export function menu(label: string, options: Option[], chosen: string, changed: (value: string) => void): HTMLElement {
  const list = h("select", { change: () => changed(list.value) });
  for (const { value, label } of options) list.append(h("option", { value }, label));
  list.value = chosen;
  return h("label", { class: "field" }, h("span", {}, label), list);
}

export function button(label: string, clicked: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", click: clicked, ...props }, label);
}

/** A button that is on or off. */
export function toggle(label: string, on: boolean, changed: (on: boolean) => void): HTMLButtonElement {
  const made = button(label, () => {
    const now = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(now));
    changed(now);
  });
  made.setAttribute("aria-pressed", String(on));
  return made;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Draws anew what is in an element; the field that was used keeps the focus. */
export function redrawn(element: Element, draw: () => void): void {
  const name = (label: Element | null | undefined) => label?.firstChild?.textContent ?? null;
  const had = element.contains(document.activeElement) ? name(document.activeElement?.closest("label")) : null;
  draw();
  const again = had === null ? undefined : [...element.querySelectorAll("label")].find((label) => name(label) === had);
  again?.querySelector<HTMLElement>("select, input")?.focus();
}

/** A row of a table; its first cell is its heading. */
export function row(heading: Child, ...cells: Node[]): HTMLElement {
  return h("tr", {}, h("th", { scope: "row" }, heading), ...cells);
}

/** A table that scrolls by itself where it is wide. An empty heading of a column is a cell. */
export function table(label: string, kind: string, heads: string[], rows: Node[], caption: Child = null): HTMLElement {
  const head = heads.map((text) => (text === "" ? h("td") : h("th", { scope: "col" }, text)));
  const made = h("table", { class: kind }, caption, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, made);
}

/** A value with a metric's decimals. What rounds to zero has no sign. */
export function decimal(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(decimals);
  return text.replace("-", Number(text) === 0 ? "" : "−");
}
