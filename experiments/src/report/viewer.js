"use strict";
// Shows a step of a game: the board after it with the new tiles marked, and the moves of the turn. Keys, buttons and the address of the
// page (#t5, or #g2t5 with several games) choose the step.
{
  const { games } = JSON.parse(document.getElementById("viewer-data").textContent);
  const board = document.getElementById("board");
  const tiles = board.querySelector(".tiles");
  const pattern = board.querySelector("defs .tile");
  const panel = document.getElementById("step");
  const counter = document.getElementById("turn");
  const choice = document.getElementById("game");
  const [side, square, edge] = ["side", "square", "edge"].map(name => Number(board.dataset[name]));
  let [game, at] = [0, 0];

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function drawn([place, label, points, isBlank], className) {
    const tile = pattern.cloneNode(true);
    const classes = ["tile", className, isBlank && "blank", [...label].length > 1 && "two"];
    tile.setAttribute("class", classes.filter(Boolean).join(" "));
    const [x, y] = [edge + (place % side) * square, edge + Math.floor(place / side) * square];
    tile.setAttribute("transform", `translate(${x} ${y})`);
    tile.querySelector(".letter").textContent = label;
    tile.querySelector(".points").textContent = isBlank ? "" : points;
    return tile;
  }

  // The tiles on the board before a step.
  function before(step) {
    const lying = new Map(games[game].start.map(tile => [tile[0], tile]));
    for (const { laid, removed } of games[game].steps.slice(0, step)) {
      for (const place of removed || []) lying.delete(place);
      for (const tile of laid) lying.set(tile[0], tile);
    }
    return lying;
  }

  // Draws the board before the current step with these tiles on it.
  function draw(laid, removed, className) {
    const lying = before(at);
    for (const place of removed || []) lying.delete(place);
    const old = [...lying.values()].map(tile => drawn(tile));
    tiles.replaceChildren(...old, ...laid.map(tile => drawn(tile, className)));
  }

  const fresh = step => draw(step.laid, step.removed, games[game].steps.length > 1 ? "fresh" : "tried");

  function tableOf({ heads, moves }) {
    const table = element("table");
    const isNumber = heads.map(head => head.startsWith("#"));
    const top = table.createTHead().insertRow();
    heads.forEach((head, column) => {
      const cell = element("th", head.replace("#", ""), isNumber[column] ? "n" : "");
      cell.scope = "col";
      top.append(cell);
    });
    const body = table.createTBody();
    for (const move of moves) {
      const row = body.insertRow();
      if (move.made) row.className = "made";
      move.cells.forEach((text, column) => {
        const cell = row.insertCell();
        if (isNumber[column]) cell.className = "n";
        if (column > 0) return void (cell.textContent = text);
        const button = element("button", text);
        button.type = "button";
        button.title = "Show it on the board";
        button.addEventListener("click", () => draw(move.laid, [], "tried"));
        cell.append(button);
      });
    }
    const wide = element("div", undefined, "wide sortable small close");
    wide.tabIndex = 0;
    wide.append(table);
    return wide;
  }

  function copyButton(text, called) {
    const button = element("button", called, "copy");
    button.type = "button";
    button.dataset.text = text;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    });
    return button;
  }

  const address = () => (games.length > 1 ? `#g${game + 1}t${at + 1}` : `#t${at + 1}`);

  function show() {
    const { steps, name } = games[game];
    const step = steps[at];
    fresh(step);
    const facts = element("dl");
    for (const [fact, value] of step.facts) facts.append(element("dt", fact), element("dd", value));
    const rack = element("ul", undefined, "rack");
    for (const [label, points] of step.rack) {
      const tile = element("li", label);
      tile.append(element("sub", points || ""));
      rack.append(tile);
    }
    const parts = [element("h3", step.title)];
    if (step.cost) parts.push(element("p", step.cost, "cost"));
    if (step.rack.length) parts.push(rack);
    parts.push(facts);
    if (step.moves.length) parts.push(tableOf(step));
    const controls = element("p", undefined, "controls");
    if (step.cgp) controls.append(copyButton(step.cgp, "copy the position as CGP"));
    if (counter) controls.append(Object.assign(element("a", "link to this turn"), { href: address() }));
    parts.push(controls);
    panel.replaceChildren(...parts);
    makeSortable(panel);
    if (counter) counter.textContent = `${at + 1} of ${steps.length}, ${name}`;
    if (choice) choice.selectedIndex = game;
  }

  function go(step, keepsAddress) {
    at = Math.max(0, Math.min(step, games[game].steps.length - 1));
    show();
    if (counter && !keepsAddress) history.replaceState(null, "", address());
  }

  function fromAddress() {
    const found = location.hash.match(/^#(?:g(\d+))?t(\d+)$/);
    if (found) game = Math.max(0, Math.min(Number(found[1] || 1), games.length) - 1);
    go(found ? Number(found[2]) - 1 : 0, true);
  }

  function nextMistake() {
    const { steps } = games[game];
    const next = steps.findIndex((step, number) => number > at && step.cost);
    go(next < 0 ? Math.max(0, steps.findIndex(step => step.cost)) : next);
  }

  const moves = {
    first: () => go(0),
    back: () => go(at - 1),
    on: () => go(at + 1),
    last: () => go(games[game].steps.length - 1),
    mistake: nextMistake,
  };
  const keys = { Home: moves.first, ArrowLeft: moves.back, ArrowRight: moves.on, End: moves.last };
  if (counter) {
    document.addEventListener("keydown", event => {
      const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (isTyping || event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", moves[button.dataset.go]);
    addEventListener("hashchange", () => {
      fromAddress();
      board.scrollIntoView({ block: "nearest" });
    });
  }
  if (choice) {
    choice.addEventListener("change", () => {
      game = choice.selectedIndex;
      go(0);
    });
  }
  // The function that makes tables sortable is in the script after this one.
  addEventListener("DOMContentLoaded", fromAddress);
}
