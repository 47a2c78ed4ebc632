// Sorts tables by the clicked heading, and hides tables of other test sets and subjects, and columns of other metrics.

function valueOf(row: HTMLTableRowElement, column: number): number | string {
  const cell = row.cells[column];
  const number = cell?.dataset["v"];
  return number === undefined ? (cell?.textContent ?? "") : Number(number);
}

/** Sorts numbers from the largest on, then names alphabetically. */
function order(x: number | string, y: number | string): number {
  if (typeof x === "number" && typeof y === "number") return y - x;
  if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
  return x < y ? -1 : x > y ? 1 : 0;
}

function sortBy(heading: HTMLTableCellElement): void {
  const body = heading.closest("table")?.tBodies[0];
  const column = heading.cellIndex;
  const turned = heading.ariaSort === "descending" ? -1 : 1;
  for (const other of heading.closest("tr")?.cells ?? []) other.ariaSort = null;
  heading.ariaSort = turned === 1 ? "descending" : "ascending";
  const rows = [...(body?.rows ?? [])];
  body?.append(...rows.sort((a, b) => turned * order(valueOf(a, column), valueOf(b, column))));
}

for (const heading of document.querySelectorAll<HTMLTableCellElement>("th[data-n]")) {
  const button = document.createElement("button");
  button.append(...heading.childNodes);
  heading.append(button);
  button.onclick = () => sortBy(heading);
}

const filters = document.querySelector<HTMLFormElement>("#filters");
if (filters) {
  filters.hidden = false;
  filters.oninput = () => {
    const chosen = new FormData(filters);
    const is = (name: string, value: string | undefined) => [null, "", value ?? ""].includes(chosen.get(name) as string | null);
    for (const table of document.querySelectorAll<HTMLElement>("[data-subject]")) {
      table.hidden = !(is("subject", table.dataset["subject"]) && is("protocol", table.dataset["protocol"]));
    }
    for (const cell of document.querySelectorAll<HTMLElement>("[data-m]")) cell.hidden = !is("metric", cell.dataset["m"]);
  };
}
