// Checks the HTML pages that tilewright writes, in Chromium: that they ask for nothing, fit the screen and the paper, can be read
// by everyone in both themes, and that their controls do what they say. checks.mjs has the checks.
//
//   tests/pages/install target/pages                                    Chromium, the packages, and a copy of these scripts
//   node target/pages/check.mjs [--screenshots DIR] PAGE.html…
//
// Every page is opened at two widths, and its colours are judged in both themes at each. CHROMIUM may name another browser than /usr/bin/chromium. The exit code is 0
// if nothing was found, 1 if something was, 2 if the arguments are wrong.
import { mkdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { checkAccess, checkPage, checkSize } from "./checks.mjs";

/// The widths, each with the theme in which the page is opened.
const WAYS = [
  { width: 1280, theme: "light" },
  { width: 390, theme: "dark" },
];
const BROWSER = {
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

function usage(message) {
  console.error(`${message}\nusage: node check.mjs [--screenshots DIR] PAGE.html…`);
  process.exit(2);
}

function readArguments(words) {
  const pages = [];
  let screenshots;
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "--screenshots") {
      screenshots = words[++at];
      if (!screenshots) usage("--screenshots needs a folder");
    } else if (words[at].startsWith("-")) usage(`unknown option ${words[at]}`);
    else if (!statSync(words[at], { throwIfNoEntry: false })?.isFile()) usage(`${words[at]} is not a file`);
    else pages.push(words[at]);
  }
  if (!pages.length) usage("no page is given");
  return { pages, screenshots };
}

/// Counts the checks of one page and keeps what they found.
class Findings {
  checks = 0;
  found = new Set();
  where = "";

  expect(holds, message) {
    this.checks++;
    if (!holds) this.found.add(`${this.where}: ${message}`);
    return Boolean(holds);
  }

  /// Runs a group of checks. What stops it, such as a control that cannot be clicked, is a finding too.
  async group(name, run) {
    try {
      await run();
    } catch (error) {
      this.expect(false, `${name}: cannot be checked: ${String(error.message).split("\n").slice(0, 6).join(" ")}`);
    }
  }
}

const { pages, screenshots } = readArguments(process.argv.slice(2));
if (screenshots) mkdirSync(screenshots, { recursive: true });
const browser = await chromium.launch(BROWSER);
const options = { offline: true, reducedMotion: "reduce" };
const plain = await browser.newContext({ ...options, permissions: ["clipboard-read", "clipboard-write"] });
// The pages forbid every script but their own, so the one that judges them needs a context without their policy.
const open = await browser.newContext({ ...options, bypassCSP: true });
for (const context of [plain, open]) context.setDefaultTimeout(3000);

let total = 0;
for (const [number, path] of pages.entries()) {
  const started = performance.now();
  const findings = new Findings();
  const url = pathToFileURL(resolve(path)).href;
  findings.where = path;
  checkSize(findings, path);
  for (const { width, theme } of WAYS) {
    const screenshot = screenshots && join(screenshots, `${number + 1}-${basename(path, ".html")}-${width}`);
    findings.where = `${path}, ${width} px, ${theme}`;
    await checkPage(findings, plain, { url, width, theme, screenshot });
    await checkAccess(findings, open, { url, width, theme });
  }
  for (const line of findings.found) console.log(line);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${path}: ${findings.checks} checks, ${findings.found.size} findings, ${seconds} s`);
  total += findings.found.size;
}
await browser.close();
process.exitCode = total ? 1 : 0;
