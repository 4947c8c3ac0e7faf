// The checks of a page. Each takes the findings and says what must hold.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { checkViewer } from "./viewer.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LARGEST = 3_000_000;
const PAPER = 794;
const opposite = theme => (theme === "dark" ? "light" : "dark");

export function checkSize(findings, path) {
  const { size } = statSync(path);
  findings.expect(size < LARGEST, `size: ${size} bytes, and fewer than ${LARGEST} are allowed`);
}

/// Opens a page as a reader does and tries all that can be tried.
export async function checkPage(findings, context, { url, width, theme, screenshot }) {
  const page = await context.newPage();
  const noise = listen(page, url);
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
  await findings.group("opening", async () => {
    await page.goto(url, { timeout: 20_000 });
    for (const colorScheme of screenshot ? [opposite(theme), theme] : []) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${screenshot}-${colorScheme}.png`, fullPage: true, timeout: 20_000 });
    }
    await findings.group("overflow", () => checkOverflow(findings, page));
    await findings.group("drawings", () => checkDrawings(findings, page, width));
    await page.evaluate(() => document.querySelectorAll("details").forEach(folded => (folded.open = true)));
    await findings.group("tables", () => checkWideTables(findings, page));
    await findings.group("theme", () => checkTheme(findings, page, theme));
    await findings.group("sorting", () => checkSorting(findings, page));
    await findings.group("filter", () => checkFilters(findings, page));
    await findings.group("names", () => checkNames(findings, page));
    await findings.group("viewer", () => checkViewer(findings, page, url));
    await findings.group("print", () => checkPrint(findings, page, screenshot));
  });
  for (const line of noise) findings.expect(false, line);
  findings.expect(true);
  await page.close();
}

/// Everything that a quiet page does not do. Listens until the page is closed.
function listen(page, url) {
  const noise = [];
  const leaves = request => !request.url().startsWith("data:") && request.url().split("#")[0] !== url;
  page.on("console", message => {
    if (["error", "warning"].includes(message.type())) noise.push(`console: ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", error => noise.push(`script: ${error.message}`));
  page.on("request", request => leaves(request) && noise.push(`request: leaves the page for ${request.url()}`));
  page.on("requestfailed", request => {
    if (!leaves(request)) noise.push(`request: ${request.url().slice(0, 100)} failed: ${request.failure()?.errorText}`);
  });
  page.on("websocket", socket => noise.push(`request: leaves the page for ${socket.url()}`));
  page.on("popup", popup => noise.push(`request: opens another page, ${popup.url()}`));
  return noise;
}

/// The elements that reach beyond a width, the widest first. An element that scrolls or cuts what it holds is right about that,
/// but not on paper.
function beyond([limit, isPaper]) {
  const name = element => {
    const classes = [...element.classList].map(one => `.${one}`).join("");
    return element.localName + (element.id ? `#${element.id}` : "") + classes;
  };
  const isHeld = element => {
    for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      if (outer.localName === "svg" || outer.getBoundingClientRect().width <= 1) return true;
      if (!isPaper && getComputedStyle(outer).overflowX !== "visible") return true;
    }
    return false;
  };
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    const { width, height, right } = element.getBoundingClientRect();
    if (!width || !height || (right <= limit + 1 && width <= limit + 1) || isHeld(element)) continue;
    const path = element.parentElement === document.body ? name(element) : `${name(element.parentElement)} > ${name(element)}`;
    found.push({ right, text: `${path} to ${Math.round(right)} px (${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)})` });
  }
  return found.sort((one, next) => next.right - one.right).map(({ text }) => text);
}

async function checkOverflow(findings, page) {
  const [needed, given] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  const culprits = needed > given ? await page.evaluate(beyond, [given, false]) : [];
  findings.expect(needed <= given, `overflow: needs ${needed} px of ${given}: ${culprits.slice(0, 4).join("; ")}`);
}

/// Every axis has four ticks or more with different texts, and no text of a drawing is smaller than 11 pixels on a phone.
async function checkDrawings(findings, page, width) {
  const { axes, small } = await page.evaluate(() => {
    const drawings = [...document.querySelectorAll("svg")].filter(drawing => drawing.checkVisibility());
    const texts = (drawing, way) => [...drawing.querySelectorAll(`.tick.${way}`)].map(tick => tick.textContent);
    const axes = drawings.flatMap(drawing => {
      return ["across", "up"].map(way => [`${way} of “${drawing.getAttribute("aria-label")}”`, texts(drawing, way)]);
    });
    const sizeOf = text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    const all = drawings.flatMap(drawing => [...drawing.querySelectorAll("text")]).filter(text => text.textContent && text.checkVisibility());
    const small = all.filter(text => sizeOf(text) < 10.95).map(text => `${text.getAttribute("class")} “${text.textContent}” ${sizeOf(text).toFixed(1)} px`);
    return { axes: axes.filter(([, ticks]) => ticks.length), small };
  });
  for (const [name, ticks] of axes) {
    findings.expect(new Set(ticks).size >= 4, `drawings: the axis ${name} has the ticks ${ticks.join(", ")}`);
  }
  if (width < 640) findings.expect(!small.length, `drawings: ${small.length} small texts: ${small.slice(0, 4).join("; ")}`);
}

/// A table that goes on beyond its place tells so.
async function checkWideTables(findings, page) {
  const silent = () =>
    page.evaluate(() => {
      const wide = [...document.querySelectorAll(".wide")].filter(one => one.scrollWidth > one.clientWidth + 1);
      return wide.filter(one => getComputedStyle(one, "::after").content === "none").map(one => one.textContent.trim().slice(0, 40));
    });
  const left = await settled(silent, now => !now.length);
  findings.expect(!left.length, `tables: ${left.length} scroll without a hint: ${left.slice(0, 3).join("; ")}`);
}

/// On paper nothing can be scrolled to, and nothing can be pressed.
async function checkPrint(findings, page, screenshot) {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: PAPER, height: 1123 });
  const culprits = await page.evaluate(beyond, [PAPER, true]);
  findings.expect(!culprits.length, `print: wider than ${PAPER} px: ${culprits.slice(0, 4).join("; ")}`);
  const controls = await page.evaluate(() => {
    return [...document.querySelectorAll("#viewer .controls")].filter(one => one.checkVisibility()).length;
  });
  findings.expect(!controls, `print: ${controls} groups of .controls are shown`);
  if (screenshot) await page.screenshot({ path: `${screenshot}-print.png`, fullPage: true, timeout: 20_000 });
}

async function checkTheme(findings, page, theme) {
  const { expect } = bound(findings);
  const state = () =>
    page.evaluate(() => {
      const colour = getComputedStyle(document.body).backgroundColor;
      const canvas = new OffscreenCanvas(1, 1).getContext("2d");
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return { colour, brightness: red + green + blue, chosen: document.documentElement.dataset.theme };
    });
  const other = opposite(theme);
  const before = await state();
  await page.emulateMedia({ colorScheme: other });
  const swapped = await state();
  await page.emulateMedia({ colorScheme: theme });
  const [light, dark] = theme === "light" ? [before, swapped] : [swapped, before];
  expect(light.brightness > dark.brightness, `theme: the page does not follow the system: ${light.colour} if light, ${dark.colour} if dark`);

  if (!expect(await page.locator("button#theme").count(), "theme: there is no button#theme")) return;
  const steps = [
    ["once", other, swapped.colour],
    ["again", theme, before.colour],
  ];
  for (const [times, wanted, colour] of steps) {
    await page.click("button#theme");
    const after = await settled(state, now => now.chosen === wanted && now.colour === colour);
    expect(after.chosen === wanted, `theme: clicked ${times}, data-theme is ${after.chosen}, not ${wanted}`);
    expect(after.colour === colour, `theme: clicked ${times}, the background is ${after.colour}, not ${colour}`);
  }
}

/// Clicks a head of every sortable table twice.
async function checkSorting(findings, page) {
  const results = await page.evaluate(() => {
    const results = [];
    const numberOf = text => {
      const plain = text.replaceAll("\u2212", "-").replace(/[,\s]/g, "");
      const found = plain.match(/^[^\d.+-]*([+-]?\d*\.?\d+(e[+-]?\d+)?)/i);
      return found ? Number(found[1]) : NaN;
    };
    // An order of text is right if it is that of the language, or that of the code units.
    const orders = [(one, next) => one.localeCompare(next), (one, next) => (one > next) - (one < next)];
    const isOrdered = (cells, isNumber, direction) => {
      const values = isNumber ? cells.map(numberOf) : cells;
      const isEmpty = value => (isNumber ? isNaN(value) : value === "");
      const end = values.findIndex(isEmpty);
      const full = end < 0 ? values : values.slice(0, end);
      if (!values.slice(full.length).every(isEmpty)) return "empty cells are not last";
      const sign = direction === "ascending" ? 1 : -1;
      const fits = compare => full.every((value, at) => at === 0 || sign * compare(full[at - 1], value) <= 0);
      if ((isNumber ? [(one, next) => one - next] : orders).some(fits)) return "";
      return `the cells are not ${direction}: ${cells.slice(0, 12).join(", ")}`;
    };
    [...document.querySelectorAll(".sortable table, table.sortable")].forEach((table, number) => {
      const called = `${table.id ? `#${table.id}` : `table ${number + 1}`} (${table.tHead?.textContent.trim().replace(/\s+/g, " ").slice(0, 40)})`;
      const button = table.querySelector("th.n button") || table.querySelector("th button");
      results.push([Boolean(button), `${called} has no th button`]);
      if (!button) return;
      const head = button.closest("th");
      const isNumber = head.classList.contains("n");
      const rows = table.tBodies[0].rows.length;
      const directions = [];
      for (const times of ["once", "again"]) {
        button.click();
        const direction = head.isConnected ? head.getAttribute("aria-sort") : "lost with its head";
        directions.push(direction);
        const isDirection = ["ascending", "descending"].includes(direction);
        results.push([isDirection, `${called}: clicked ${times}, aria-sort is ${direction}`]);
        results.push([table.querySelectorAll("[aria-sort]").length <= 1, `${called}: clicked ${times}, two heads have aria-sort`]);
        const cells = [...table.tBodies[0].rows].map(row => row.cells[head.cellIndex]?.textContent.trim() ?? "");
        results.push([cells.length === rows, `${called}: clicked ${times}, it has ${cells.length} rows and had ${rows}`]);
        if (!isDirection) return;
        const wrong = isOrdered(cells, isNumber, direction);
        results.push([!wrong, `${called}: clicked ${times}, ${wrong} (by ${head.textContent.trim()})`]);
      }
      results.push([directions[0] !== directions[1], `${called}: a second click does not reverse the order`]);
    });
    return results;
  });
  for (const [holds, message] of results) findings.expect(holds, `sorting: ${message}`);
}

/// Types into the filter of every table, within the page: each step is one call.
async function checkFilters(findings, page) {
  const results = await page.evaluate(async () => {
    const results = [];
    const plain = text => text.trim().replace(/\s+/g, " ").toLowerCase();
    for (const input of document.querySelectorAll("input[type=search][data-filter]")) {
      const called = `#${input.dataset.filter}`;
      const rows = () => [...(document.getElementById(input.dataset.filter)?.querySelectorAll("tbody tr") || [])];
      const shown = () => rows().filter(row => row.checkVisibility()).map(row => plain(row.textContent));
      // The rows that are left after a text, once they are as wanted or after a second.
      const after = async (text, isWanted) => {
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        const end = performance.now() + 1000;
        while (!isWanted(shown()) && performance.now() < end) await new Promise(resume => setTimeout(resume, 5));
        return shown();
      };
      const all = rows().length;
      const first = [...(rows()[0]?.cells || [])].map(cell => plain(cell.textContent)).find(text => text);
      results.push([first, `${called} has no row with text`]);
      if (!first) continue;
      const some = await after(first, left => left.length < all);
      const others = some.filter(text => !text.includes(first));
      results.push([some.length, `${called}: “${first}” hides every row`]);
      results.push([!others.length, `${called}: “${first}” leaves “${others[0]}” and ${others.length - 1} more`]);
      const none = await after("zzzzqqqq", left => !left.length);
      results.push([!none.length, `${called}: “zzzzqqqq” leaves ${none.length} rows`]);
      const back = await after("", left => left.length === all);
      results.push([back.length === all, `${called}: cleared, it shows ${back.length} of ${all} rows`]);
    }
    return results;
  });
  for (const [holds, message] of results) findings.expect(holds, `filter: ${message}`);
}

export async function checkNames(findings, page) {
  const nameless = await page.evaluate(() => {
    const named = id => document.getElementById(id)?.textContent.trim();
    const isNamed = button =>
      button.getAttribute("aria-label")?.trim() ||
      (button.getAttribute("aria-labelledby") || "").split(" ").some(named) ||
      button.textContent.trim() ||
      button.title.trim();
    return [...document.querySelectorAll("button")].filter(button => !isNamed(button)).map(button => button.outerHTML.slice(0, 80));
  });
  findings.expect(!nameless.length, `names: ${nameless.length} buttons without a name: ${nameless.slice(0, 3).join(" ")}`);
}

/// What axe-core finds that is serious or critical. In the opposite theme only the colours can differ.
export async function checkAccess(findings, context, { url, width, theme }) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
  await findings.group("access", async () => {
    await page.goto(url, { timeout: 20_000 });
    await page.evaluate(AXE);
    const judge = rules => page.evaluate(rules => axe.run({ resultTypes: ["violations"], ...rules }), rules);
    report(findings, theme, await judge({}));
    await page.emulateMedia({ colorScheme: opposite(theme) });
    report(findings, opposite(theme), await judge({ runOnly: ["color-contrast"] }));
  });
  await page.close();
}

function report(findings, theme, { violations, passes }) {
  findings.expect(passes.length, `access: nothing could be judged, ${theme}`);
  findings.checks += passes.length;
  for (const { id, impact, help, nodes } of violations) {
    if (!["serious", "critical"].includes(impact)) continue;
    const examples = nodes.slice(0, 3).map(({ target, any }) => {
      const { fgColor, bgColor, contrastRatio } = any[0]?.data || {};
      return target.join(" ") + (contrastRatio ? ` (${fgColor} on ${bgColor}: ${contrastRatio})` : "");
    });
    findings.expect(false, `access: ${theme}: ${impact}: ${id}: ${help}: ${nodes.length} times, at ${examples.join("; ")}`);
  }
}

const bound = findings => ({ expect: findings.expect.bind(findings) });

/// Asks for a state until it is as wanted, for at most a second. Gives the last.
export async function settled(state, isWanted) {
  const end = performance.now() + 1000;
  for (;;) {
    const now = await state();
    if (isWanted(now) || performance.now() > end) return now;
  }
}
