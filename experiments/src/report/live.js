"use strict";
// The page of a run that goes on is written again and again; this loads it again, unless its reader pauses it or is typing.
{
  const seconds = Number(document.currentScript.dataset.seconds);
  const root = document.documentElement;
  // Where pages from files have no storage, nothing is remembered.
  const recall = key => {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const remember = (key, value) => {
    try {
      sessionStorage.setItem(key, value);
    } catch {
      // The next page begins anew.
    }
  };
  const theme = recall("theme");
  if (theme) root.dataset.theme = theme;

  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: recall("paused") !== "yes" });
  const label = Object.assign(document.createElement("label"), { className: "live" });
  label.append(box, ` The run goes on: load the page again every ${seconds} s`);
  document.querySelector("header").append(label);
  box.addEventListener("change", () => remember("paused", box.checked ? "no" : "yes"));

  const isInUse = () =>
    document.activeElement?.type === "search" || [...document.querySelectorAll("input[type=search]")].some(input => input.value);
  setInterval(() => {
    if (!box.checked || isInUse()) return;
    remember("theme", root.dataset.theme || "");
    location.reload();
  }, seconds * 1000);
}
