"use strict";
// The theme of the reader's system, until the button is used.
{
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });
}

// The number that a cell begins with; cells without one come last in either order.
function cellNumber(text) {
  const found = text.replaceAll("−", "-").replaceAll(",", "").match(/^[^\d.+-]*([+-]?\d*\.?\d+(e[+-]?\d+)?)/i);
  return found ? parseFloat(found[1]) : NaN;
}

function sortTable(head) {
  const table = head.closest("table");
  const column = [...head.parentNode.children].indexOf(head);
  const isNumber = head.classList.contains("n");
  const first = isNumber ? "descending" : "ascending";
  const other = isNumber ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === first ? other : first;
  for (const one of head.parentNode.children) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const text = row => (row.children[column] ? row.children[column].textContent.trim() : "");
  const compare = (one, next) => {
    const [a, b] = [text(one), text(next)];
    if (!isNumber) return (a === "") - (b === "") || sign * a.localeCompare(b);
    const [x, y] = [cellNumber(a), cellNumber(b)];
    return isNaN(x) - isNaN(y) || (isNaN(x) ? 0 : sign * (x - y));
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compare));
}

// Marks the tables that are wider than their place.
const fit = new ResizeObserver(entries => {
  for (const { target } of entries) target.classList.toggle("scrolls", target.scrollWidth > target.clientWidth + 1);
});

// Makes the heads of the sortable tables within an element into buttons.
function makeSortable(within) {
  for (const wide of within.querySelectorAll(".wide")) fit.observe(wide);
  for (const head of within.querySelectorAll(".sortable th")) {
    if (head.querySelector("button") || !head.textContent.trim()) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortTable(head));
    head.append(button);
  }
}
makeSortable(document);

for (const input of document.querySelectorAll("input[data-filter]")) {
  const table = document.getElementById(input.dataset.filter);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of table.querySelectorAll("tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
