// Sorts tables by the clicked heading, and hides tables of other test sets and subjects, and columns of other metrics.
for (const heading of document.querySelectorAll("th[data-n]")) {
  const button = document.createElement("button");
  button.append(...heading.childNodes);
  heading.append(button);
  button.onclick = () => {
    const body = heading.closest("table").tBodies[0];
    const value = (row) => {
      const cell = row.cells[heading.cellIndex];
      return cell.dataset.v === undefined ? cell.textContent : +cell.dataset.v;
    };
    // Numbers: the largest first. Names: from a to z.
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
      return typeof x === "number" ? y - x : x < y ? -1 : x > y ? 1 : 0;
    };
    const turned = heading.ariaSort === "descending" ? -1 : 1;
    for (const other of heading.parentNode.cells) other.ariaSort = null;
    heading.ariaSort = turned === 1 ? "descending" : "ascending";
    body.append(...[...body.rows].sort((a, b) => turned * order(a, b)));
  };
}
const filters = document.getElementById("filters");
if (filters) {
  filters.hidden = false;
  filters.oninput = () => {
    const chosen = Object.fromEntries(new FormData(filters));
    const is = (name, value) => chosen[name] === undefined || chosen[name] === "" || chosen[name] === value;
    for (const table of document.querySelectorAll("[data-subject]"))
      table.hidden = !(is("subject", table.dataset.subject) && is("protocol", table.dataset.protocol));
    for (const cell of document.querySelectorAll("[data-m]")) cell.hidden = !is("metric", cell.dataset.m);
  };
}
