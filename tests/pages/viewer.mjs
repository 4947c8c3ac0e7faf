// The checks of the viewer of games: keys, the address of a turn, copies, and the size of texts.
import { checkNames, settled } from "./checks.mjs";

// The board of a position in CGP, then the racks: rows divided by slashes, a space, and racks divided by a slash.
const CGP = /^[^\s/]+(\/[^\s/]+){4,} [^\s/]*\/\S* /;

/// What a reader sees of the turn, and its address.
function stateOf(page) {
  return page.evaluate(() => {
    const counter = document.getElementById("turn");
    const written = document.getElementById("viewer").dataset.turn ?? counter?.textContent.match(/\d+/)?.[0];
    return {
      turn: written === undefined ? undefined : Number(written),
      tiles: document.querySelector("#board .tiles")?.innerHTML,
      hash: location.hash,
    };
  });
}

/// The least size of a text in the drawings, in pixels, on a phone.
const LEGIBLE = 11;

async function checkLegible(findings, page) {
  if (page.viewportSize().width > 640) return;
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll("#board text, .curves text")]
      .filter(text => text.textContent.trim() && text.getBoundingClientRect().width > 0)
      .map(text => {
        const { width } = text.ownerSVGElement.getBoundingClientRect();
        const scale = width / text.ownerSVGElement.viewBox.baseVal.width;
        return [scale * parseFloat(getComputedStyle(text).fontSize), text.textContent];
      }),
  );
  const [least, text] = sizes.reduce((one, other) => (other[0] < one[0] ? other : one));
  findings.expect(least >= LEGIBLE, `viewer: the text “${text}” has ${least.toFixed(1)} px, and the least is ${LEGIBLE}`);
}

export async function checkViewer(findings, page, url) {
  if (!(await page.locator("#viewer").count())) return;
  await checkLegible(findings, page);
  const state = () => stateOf(page);
  const start = await state();
  findings.expect(start.tiles !== undefined, "viewer: there is no #board .tiles");
  const controls = await page.locator("#viewer .controls :is(button[data-go], select)").count();
  if (start.turn === undefined) findings.expect(!controls, "viewer: it has controls, but neither #turn nor data-turn has a number");
  else await checkTurns(findings, page, url);
  await checkCopies(findings, page);
  await checkNames(findings, page);
}

async function checkTurns(findings, page, url) {
  const state = () => stateOf(page);
  const expect = (holds, message) => findings.expect(holds, `viewer: ${message}`);
  const press = async (key, isWanted) => {
    await page.keyboard.press(key);
    return settled(state, isWanted);
  };
  // Away from the inputs of the page, where keys write.
  await page.evaluate(() => document.activeElement?.blur());
  const start = await state();
  const last = await press("End", now => now.turn !== start.turn);
  const first = await press("Home", now => now.turn === start.turn);
  expect(first.turn === start.turn, `Home goes to turn ${first.turn}, and the page began at ${start.turn}`);
  expect(first.tiles === start.tiles, "Home draws another board than the start of the page");
  if (!expect(last.turn > first.turn || !(await hasMore(page)), `End goes from turn ${first.turn} to ${last.turn}`)) return;
  if (last.turn === first.turn) return;

  const presses = Math.min(3, last.turn - first.turn);
  const seen = [first];
  for (let at = 0; at < presses; at++) {
    const turn = seen.at(-1).turn + 1;
    const now = await press("ArrowRight", now => now.turn === turn);
    expect(now.turn === turn, `ArrowRight goes from turn ${turn - 1} to ${now.turn}`);
    expect(now.hash && now.hash !== seen.at(-1).hash, `the address of turn ${turn} is “${now.hash}”, and that before “${seen.at(-1).hash}”`);
    seen.push(now);
  }
  expect(seen.some(one => one.tiles !== first.tiles), `ArrowRight ${presses} times does not change the tiles on the board`);
  await checkNames(findings, page);
  const third = seen.pop();
  const before = seen.at(-1);
  const back = await press("ArrowLeft", now => now.turn === before.turn);
  expect(back.turn === before.turn, `ArrowLeft goes from turn ${third.turn} to ${back.turn}`);
  expect(back.tiles === before.tiles, `ArrowLeft draws another board for turn ${back.turn} than ArrowRight`);
  const end = await press("End", now => now.turn === last.turn);
  expect(end.turn === last.turn && end.tiles === last.tiles, `End goes to turn ${end.turn}, and before to ${last.turn}`);

  const games = page.locator("#viewer select");
  if ((await games.count()) && (await games.locator("option").count()) > 1) {
    await checkAddress(expect, page, url, last);
    const count = await games.locator("option").count();
    await games.selectOption({ index: count - 1 });
    const other = await settled(state, now => now.hash !== last.hash);
    expect(other.hash !== last.hash, `game ${count} has the address of game 1, “${other.hash}”`);
    await checkAddress(expect, page, url, other);
    await games.selectOption({ index: 0 });
  } else await checkAddress(expect, page, url, third);
  await page.evaluate(() => document.activeElement?.blur());
  await press("Home", now => now.turn === first.turn);
}

/// Whether there are turns to go to by the page's own count, as in “1 of 24”.
function hasMore(page) {
  return page.evaluate(() => {
    const [now, all] = document.getElementById("turn")?.textContent.match(/\d+/g) || [];
    return all === undefined || Number(all) > Number(now);
  });
}

/// Opens the address of a turn anew.
async function checkAddress(expect, page, url, wanted) {
  const other = await page.context().newPage();
  await other.goto(url + wanted.hash, { timeout: 20_000 });
  const now = await settled(() => stateOf(other), now => now.tiles === wanted.tiles);
  expect(now.turn === wanted.turn, `the address ${wanted.hash} opens at turn ${now.turn}, not ${wanted.turn}`);
  expect(now.tiles === wanted.tiles, `the address ${wanted.hash} draws another board than turn ${wanted.turn}`);
  await other.close();
  await page.bringToFront();
}

async function checkCopies(findings, page) {
  const buttons = page.locator("button.copy:visible");
  for (let at = 0; at < Math.min(5, await buttons.count()); at++) {
    const button = buttons.nth(at);
    const isPosition = await button.evaluate(one => Boolean(one.closest("#viewer")));
    const read = () => page.evaluate(() => navigator.clipboard.readText().catch(() => ""));
    await page.evaluate(() => navigator.clipboard.writeText("").catch(() => {}));
    await button.click();
    const copied = (await settled(read, text => text)) || (await button.getAttribute("data-text")) || "";
    const isRight = isPosition ? CGP.test(copied) : copied.trim();
    findings.expect(isRight, `copy: button ${at + 1} copies “${copied.slice(0, 80)}”`);
  }
}
