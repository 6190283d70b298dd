// The menu: closes when you are done with it, copies the deal code, shows the keyboard shortcuts.

import { closeByBack, isPlainClick, leave, showOver } from "./back.js";
import { state, version } from "./board.js";

const isOver = () => state().classList.contains("over");

export function watchMenu() {
  const menu = document.querySelector(".menu");
  closeByBack(menu);
  document.addEventListener("pointerdown", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
    closeMarks((mark) => !mark.contains(event.target));
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape") return;
    for (const mark of closeMarks(() => true)) if (mark.contains(target)) mark.querySelector("summary").focus();
  });
  // Wherever the focus is; but anything that lies over the menu closes first.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open || event.defaultPrevented || event.target.closest?.("dialog")) return;
    close(menu);
    event.stopPropagation();
  }, { capture: true });
  // An answer leaves an open menu alone, whatever was asked: you may have opened it meanwhile. Only the end of the game,
  // which has something to show, closes it.
  menu.addEventListener("click", (event) => event.target.closest("[hx-post]") && (menu.open = false));
  let over = isOver();
  let seen = version();
  document.addEventListener("htmx:after:swap", () => {
    if (seen !== version()) closeMarks((mark) => mark.matches(".occasion")); // it lies over the cards that you play
    seen = version();
    if (isOver() && !over) menu.open = false;
    over = isOver();
  });
  menu.addEventListener("toggle", (event) => (event.target.open ? showOpened(event.target) : closeParts(menu)), true);
  if (menu.open) openAudience(menu); // at its fragment
  else menu.addEventListener("toggle", () => openAudience(menu), { capture: true, once: true });
  offerCopy(menu.querySelector(".code .copy"));
  offerKeys(menu);
  openHere(menu, '.menu a[href^="/settings"]', async () => (await import("./settings-sheet.js")).openSettings);
  openHere(menu, '.menu a[href^="/rules/"], .game-bar nav a', async () => (await import("./rules-sheet.js")).openRules);
  openHere(menu, '.menu a[href$="/help/winnable"], .find', async () => (await import("./question-sheet.js")).openQuestion);
}

// What unfolds beside a mark of the line above, or at the end of a game.
function closeMarks(isDone) {
  const done = [...document.querySelectorAll(".occasion[open], .ending:not(.whole) .more[open]")].filter(isDone);
  for (const mark of done) mark.open = false;
  return done;
}

// Most games end without a look at who can watch them.
function openAudience(menu) {
  // Without it the form still works.
  if (menu.querySelector(".audience")) import("./audience.js").catch(() => null);
}

function close(menu) {
  menu.open = false;
  menu.querySelector("summary").focus();
}

// What opens in the sheet may lie below its edge.
function showOpened(details) {
  const sheet = details.closest(".sheet");
  if (sheet) details.scrollIntoView({ block: details.offsetHeight > sheet.clientHeight / 2 ? "start" : "nearest" });
}

// A menu that is opened again shows all of its rows: nothing has been asked yet.
function closeParts(menu) {
  if (menu.open) return;
  for (const part of menu.querySelectorAll("details[open]")) part.open = false;
}

// What links lead to, in a sheet over the table; some of them come with an answer.
function openHere(menu, selector, load) {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(selector);
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    const open = await load().catch(() => null);
    if (!open) return leave(() => location.assign(link.href)); // its script can't be had: offline, or since a release
    menu.open = false;
    open(link);
  });
}

function offerCopy(button) {
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = document.getElementById("code");
    const script = await import("./clipboard.js").catch(() => null);
    // Without it, to be copied by hand.
    script ? script.copyFrom(code, button) : code.select();
  });
}

function offerKeys(menu) {
  const button = menu.querySelector(".keys");
  button.hidden = false;
  button.addEventListener("click", () => {
    close(menu); // closing the dialog then leads back to the button of the menu
    showOver(document.getElementById("keys"));
  });
}
