// Keyboard control. Enter and Space press the focused card without any script.

import { showOver } from "./back.js";
import { heldGrip, pileOf, state, table, topButton, version } from "./board.js";
import { cancel, isDragging } from "./drag.js";
import { refuse } from "./refusal.js";
import { wordsFor } from "./words.js";

const COMMANDS = { d: "deal", u: "undo", z: "undo", r: "redo", h: "hint", f: "finish" };
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The version at which the last key asked for a hint, which Enter then plays.
let askedAt = null;

export function watchKeys() {
  document.addEventListener("htmx:after:swap", focusAdvice);
  // Who opens the reason of a hint by mouse keeps the focus where it is: Enter still plays the hint.
  document.addEventListener("mousedown", (event) => event.target.closest("#notice summary") && event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) return takeBack(event);
    if (event.key === "Escape") return putBack();
    if (isElsewhere(event) || isTurnedOff(event)) return;
    if (event.key in DIRECTIONS) {
      walk(DIRECTIONS[event.key]);
      event.preventDefault();
    } else if (event.key === "?") {
      showOver(document.getElementById("keys"));
    } else if (letterOf(event) in COMMANDS && !event.repeat) {
      command(COMMANDS[letterOf(event)]);
    }
  });
}

/** The key without Caps Lock: with Shift it is another one. */
export const letterOf = ({ key, shiftKey }) => (shiftKey ? key : key.toLowerCase());

const isElsewhere = (event) => event.target.closest?.("input, select, textarea, dialog, .sheet");

/** Whether a key is a single character, and those are turned off in the settings: who speaks to the page, or slips, types some. */
export const isTurnedOff = ({ key }) => key.length === 1 && document.documentElement.dataset.keys === "off";

const button = (word) => document.querySelector(`.rail .${word}`);

// In ranked play there is no button for hints: the page has a sentence that says why.
function command(word) {
  askedAt = word === "hint" ? version() : null;
  if (button(word)) return button(word).click();
  const why = word === "hint" ? wordsFor("no-help") : "";
  if (why) refuse(why, button("undo"));
}

function focusAdvice() {
  if (version() !== askedAt) return;
  const advised = table().querySelector(".pile button.advised, #stock.advised > button");
  const finish = state().matches(".finish-advised") ? button("finish") : null;
  (advised ?? finish)?.focus({ preventScroll: true });
}

// Ctrl+Z, or Cmd+Z on a Mac, undoes as everywhere; in a text field it belongs to the text.
function takeBack(event) {
  const key = event.key.toLowerCase();
  const redoes = key === "y" || (key === "z" && event.shiftKey);
  if (isElsewhere(event) || (key !== "z" && !(key === "y" && event.ctrlKey && !event.shiftKey))) return;
  event.preventDefault();
  command(redoes ? "redo" : "undo");
}

function putBack() {
  if (isDragging()) return cancel();
  const grip = heldGrip();
  const card = grip && table().querySelector(`button[value="${CSS.escape(grip)}"]`);
  if (!card) return;
  card.value = ""; // puts it down: a press on the card may play it
  card.click();
}

// Move the focus to the nearest button in a direction: straight ahead counts more than sideways.
function walk([x, y]) {
  askedAt = null;
  const from = document.activeElement?.closest?.("#table button") ?? null;
  if (!from) {
    const first = table().querySelector(".tableau .pile");
    return topButton(first)?.focus({ preventScroll: true });
  }
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const button of table().querySelectorAll(".pile button")) {
    if (button === from) continue;
    // Within a pile only up and down count; in another pile, its top card comes first.
    const samePile = pileOf(button) === pileOf(from);
    if (x && samePile && !pileOf(button).closest(".terrace .reserve")) continue;
    if (x && !samePile && button !== topButton(pileOf(button))) continue;
    // Columns stand beside each other, so up and down lead to rows above and below, not to a neighbor.
    const lower = pileOf(button).getBoundingClientRect().top - pileOf(from).getBoundingClientRect().top;
    if (y && !samePile && lower * y <= 1) continue;
    const there = middle(button);
    const ahead = (there.x - start.x) * x + (there.y - start.y) * y;
    const aside = Math.abs((there.x - start.x) * y) + Math.abs((there.y - start.y) * x);
    if (ahead <= 1) continue;
    const far = ahead + aside * (x ? 2.2 : 3);
    if (far < least) [best, least] = [button, far];
  }
  best?.focus({ preventScroll: true });
}

// The middle of a card's upper edge.
function middle(button) {
  const { left, top, width } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top };
}
