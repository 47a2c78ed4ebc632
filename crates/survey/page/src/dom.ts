// Elements in one call. Text is always set as text, never as mark-up.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function button(text: string, onclick: () => void, className = ""): HTMLButtonElement {
  return element("button", { type: "button", className, onclick }, text);
}
