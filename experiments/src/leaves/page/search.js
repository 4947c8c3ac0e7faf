"use strict";
(() => {
  const data = JSON.parse(document.getElementById("leaves").textContent);
  const query = document.getElementById("query");
  const status = document.getElementById("status");
  const head = document.querySelector("#found thead tr");
  const body = document.querySelector("#found tbody");
  const more = document.getElementById("more");
  const pageful = 40;

  // Every leave as a string with one character per tile, in the order of the tile set.
  const leaves = [];
  for (const group of data.groups) {
    for (let at = 0; at < group.value.length; at++) {
      leaves.push({
        tiles: group.leaves.substr(at * group.tiles, group.tiles),
        value: group.value[at],
        error: group.error[at],
        support: group.support[at],
      });
    }
  }
  // A bare table has neither errors nor support.
  const columns = ["leave", "value", "error", "support"].filter(
    (column) => column === "leave" || (leaves.length > 0 && leaves[0][column] !== undefined),
  );
  const names = { leave: "leave", value: "value", error: "standard error", support: "turns held" };
  let state = { text: "", mode: "with", sort: "value", falling: true };
  let shown = [];

  const labels = data.labels.map((label, kind) => ({ label: label.toUpperCase(), tile: data.alphabet[kind] }));
  const longestFirst = [...labels].sort((a, b) => b.label.length - a.label.length);

  // Reads typed tiles: [CH] or CH, ? for the blank. Returns their characters in order, or the first character that begins
  // no tile.
  function read(text) {
    let rest = text.toUpperCase().replace(/\s+/g, "");
    let tiles = [];
    while (rest) {
      const bracketed = labels.find(({ label }) => rest.startsWith("[" + label + "]"));
      const plain = longestFirst.find(({ label }) => rest.startsWith(label));
      const found = bracketed || plain;
      if (!found) return { unknown: [...rest][0] };
      tiles.push(found.tile);
      rest = rest.slice(found.label.length + (bracketed ? 2 : 0));
    }
    const place = (tile) => data.alphabet.indexOf(tile);
    return { tiles: tiles.sort((a, b) => place(a) - place(b)).join("") };
  }

  // Writes a leave in notation, blanks last.
  function write(tiles) {
    let letters = "", blanks = "";
    for (const tile of tiles) {
      const label = data.labels[data.alphabet.indexOf(tile)];
      if (tile === data.alphabet[0]) blanks += label;
      else letters += [...label].length > 1 ? "[" + label + "]" : label;
    }
    return letters + blanks;
  }

  // Whether every tile of `small` is in `large`; both are in order.
  function contains(large, small) {
    let at = 0;
    for (let next = 0; at < small.length && next < large.length; next++) if (large[next] === small[at]) at++;
    return at === small.length;
  }

  function signed(hundredths) {
    const text = (Math.abs(hundredths) / 100).toFixed(2);
    return hundredths === 0 ? text : (hundredths < 0 ? "−" : "+") + text;
  }

  const cell = {
    leave: (leave) => write(leave.tiles),
    value: (leave) => signed(leave.value),
    error: (leave) => (leave.error / 100).toFixed(2),
    support: (leave) => leave.support.toLocaleString("en"),
  };

  function order(a, b) {
    const by = state.sort === "leave" ? a.tiles.length - b.tiles.length : a[state.sort] - b[state.sort];
    return (state.falling ? -by : by) || a.place - b.place;
  }

  function rows(from, to) {
    for (const leave of shown.slice(from, to)) {
      const row = body.insertRow();
      if (leave.exact) row.className = "exact";
      for (const column of columns) {
        const td = row.insertCell();
        if (column === "leave") {
          const span = document.createElement("span");
          span.className = "leave";
          span.textContent = cell.leave(leave);
          td.append(span);
        } else {
          td.className = "n";
          td.textContent = cell[column](leave);
        }
      }
    }
    more.hidden = body.rows.length >= shown.length;
  }

  // Built once: a replaced button would lose the keyboard focus.
  function heads() {
    for (const column of columns) {
      const th = document.createElement("th");
      th.scope = "col";
      if (column !== "leave") th.className = "n";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = names[column];
      button.addEventListener("click", () => {
        const again = state.sort === column;
        state = { ...state, sort: column, falling: again ? !state.falling : column !== "leave" };
        find();
      });
      th.append(button);
      head.append(th);
    }
  }

  function markSorted() {
    columns.forEach((column, place) => {
      const th = head.cells[place];
      if (column === state.sort) th.setAttribute("aria-sort", state.falling ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
  }

  function find() {
    const { tiles, unknown } = read(state.text);
    body.replaceChildren();
    markSorted();
    if (unknown !== undefined) {
      status.textContent = "No tile of this set begins with “" + unknown + "”.";
      shown = [];
      more.hidden = true;
      return;
    }
    // More tiles than a leave can have are a rack.
    const rack = tiles.length > data.longest;
    const match = (leave) => !tiles || (rack || state.mode === "from" ? contains(tiles, leave.tiles) : contains(leave.tiles, tiles));
    const matching = leaves.filter(match);
    matching.forEach((leave, place) => Object.assign(leave, { place, exact: leave.tiles === tiles }));
    matching.sort(order);
    shown = [...matching.filter((leave) => leave.exact), ...matching.filter((leave) => !leave.exact)];
    const long = rack && state.mode !== "from" ? "A leave has at most " + data.longest + " tiles. From this rack: " : "";
    const many = shown.length.toLocaleString("en") + (shown.length === 1 ? " leave" : " leaves");
    const absent = tiles && tiles.length > data.whole && tiles.length <= data.longest && !shown.some((leave) => leave.exact);
    const ask = absent ? " " + write(tiles) + " itself is not on this page: tilewright leaves show \"" + write(tiles) + "\"" : "";
    status.textContent = long + many + "." + ask;
    rows(0, pageful);
  }

  function remember() {
    const parts = new URLSearchParams({ q: state.text, mode: state.mode });
    try { history.replaceState(null, "", "#search?" + parts); } catch { /* In a frame the address may be read-only. */ }
  }

  // An address that ends in #search?q=AEINR&mode=from opens with that search.
  function recall() {
    const fragment = location.hash.split("?");
    if (fragment[0] !== "#search" || fragment.length < 2) return;
    const parts = new URLSearchParams(fragment.slice(1).join("?"));
    state.text = parts.get("q") || "";
    state.mode = parts.get("mode") === "from" ? "from" : "with";
    query.value = state.text;
    document.querySelector("input[name=mode][value=" + state.mode + "]").checked = true;
    document.getElementById("search").scrollIntoView({ behavior: "instant" });
  }

  query.addEventListener("input", () => { state.text = query.value; find(); remember(); });
  document.getElementById("find").addEventListener("submit", (event) => event.preventDefault());
  for (const radio of document.querySelectorAll("input[name=mode]")) {
    radio.addEventListener("change", () => { state.mode = radio.value; find(); remember(); });
  }
  more.addEventListener("click", () => rows(body.rows.length, body.rows.length + 5 * pageful));
  addEventListener("hashchange", () => { recall(); find(); });
  heads();
  recall();
  find();
})();
