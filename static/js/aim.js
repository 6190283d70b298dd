// What a click was aimed at: the card that the player saw when pressing, wherever that card lies by the time the click is
// sent. An answer may arrive between the press and its release, or while the click waits for the one before.

import { advisedMove, cardsFrom, cardsOf, faceOf, heldGrip, isHome, pileOf, piles, table, topButton } from "./board.js";
import { isDragging } from "./drag.js";
import { refuse } from "./refusal.js";
import { UNSEEN, meantBy, sinceSwap } from "./seen.js";
import { wordsFor } from "./words.js";

// A second press on the same card within this is an accident.
const AGAIN = 150;
// Milliseconds; a press that lasts longer may mean something else.
const LONG = 400;
// After a release no click comes any more.
const NO_CLICK = 100;
// Pixels: a press that moves further is no click.
const SLIP = 10;

// What the finger that is down has pressed.
let pressed = null;
// The press before.
let last = null;
// The click that is being submitted.
let taken = null;

export function watchClicks() {
  const form = table();
  form.addEventListener("pointerdown", press, { capture: true });
  document.addEventListener("pointerup", release, { capture: true });
  form.addEventListener("click", take, { capture: true });
  for (const type of ["pointerover", "pointermove"]) form.addEventListener(type, showWhatIsMeant);
  // A card that has just been put down is meant when it is pressed again.
  document.addEventListener("keydown", (event) => event.key === "Escape" && (last = null), { capture: true });
}

/** The aim of a form that is being submitted by `button`. */
export function aimOf(button) {
  const aim = taken ?? aimAt(button);
  taken = null;
  return aim;
}

/** The button that the aim means now, or null if the click makes no sense any more. */
export function buttonFor(aim) {
  const there = table().querySelector(`button[value="${CSS.escape(aim.grip)}"]`);
  if (there && faceOf(there) === aim.face) return there;
  const pile = document.getElementById(aim.pile);
  // A click there only says where to put a card.
  if (isHome(pile)) return topButton(pile);
  const now = placeOf(aim);
  if (!aim.face || isHome(now)) return null;
  return [...now.querySelectorAll("button")].findLast((button) => faceOf(button) === aim.face) ?? null;
}

/** Say why a click was not made. */
export function sayWhyNot(aim) {
  const now = placeOf(aim);
  let why = wordsFor("place-changed");
  if (aim.face && isHome(now)) why = wordsFor("card-home", { card: aim.name });
  else if (aim.face) why = wordsFor("card-gone", { card: aim.name });
  refuse(why, topButton(now) ?? now);
}

const countIn = (pile, face) => cardsOf(pile).filter((card) => faceOf(card) === face).length;

/** What a click on a button would be aimed at. */
export function aimAt(button) {
  const pile = pileOf(button).id;
  const face = faceOf(button);
  const places = new Map(face ? piles().map((each) => [each.id, countIn(each, face)]) : []);
  const name = button.getAttribute("aria-label");
  return { button, grip: button.value, pile, face, name, places, advised: advisedMove(button) };
}

// The pile that the card went to: the one that shows it more often than before, as two decks hold every card twice.
function placeOf({ pile, face, places }) {
  const went = face && piles().find((each) => countIn(each, face) > places.get(each.id));
  return went || document.getElementById(pile);
}

const isSameCard = (one, other) => one.face === other.face && one.covered?.grip === other.covered?.grip;

// Two presses on a face-down stock are two deals: the second is for the next card.
function isAccident(aim, at, unseen) {
  const apart = aim.face && aim.pile === last?.pile ? at - last.at : Infinity;
  if (apart < AGAIN && (isSameCard(aim, last) || sinceSwap(at) < unseen)) return true;
  last = { ...aim, at };
  return false;
}

// The covered card of a column at a height on the screen, if it cannot be picked up: its place takes clicks for the last
// card, which is meant only while cards are held. A back has no face.
function coveredAt(button, y) {
  const pile = pileOf(button);
  const count = pile.closest(".tableau") ? cardsFrom(pile, y) : 0;
  const card = count > 1 && cardsOf(pile).at(-count);
  return card && card.matches("b, i") ? { pile: pile.id, count, face: faceOf(card), grip: `${pile.id}:${count}` } : null;
}

/** Whether a covered card lies where it was pressed. */
export function isStillCovered({ pile, count, face }) {
  const card = cardsOf(document.getElementById(pile)).at(-count);
  return card?.matches("b, i") && faceOf(card) === face;
}

// If the pointer is elsewhere in a column, its last card does not light up: a press there would not play it.
function showWhatIsMeant({ target, clientY: y }) {
  const button = target.closest?.("button[name=clicked]");
  if (button) button.classList.toggle("not-meant", !heldGrip() && coveredAt(button, y) !== null);
}

function press(event) {
  pressed = null;
  if (event.button !== 0 || !event.isPrimary) return;
  const { timeStamp: at, clientX: x, clientY: y, target } = event;
  const button = target.closest?.("button[name=clicked]") ?? null;
  const { button: seen, drawn } = meantBy(event);
  if (!seen && !button) return;
  const aim = { ...aimAt(seen ?? button), covered: drawn ? null : coveredAt(seen ?? button, y) };
  pressed = { ...aim, at, x, y, done: isAccident(aim, at, UNSEEN) };
  if (seen || pressed.done) return;
  pressed.done = true;
  refuse(wordsFor("place-changed"), button);
}

// The browser sends no click when the card under the finger went away while it was down, and none for a tap right after
// another touch.
function release(event) {
  const aim = pressed;
  if (!aim || aim.done || !event.isPrimary) return;
  const { clientX: x, clientY: y } = event;
  if (isDragging() || event.timeStamp - aim.at > LONG || Math.hypot(x - aim.x, y - aim.y) > SLIP) return;
  const under = document.elementFromPoint(x, y)?.closest("button");
  if (under !== aim.button) submit(aim);
  else setTimeout(() => pressed === aim && !aim.done && submit(aim), NO_CLICK);
}

function take(event) {
  const button = event.target.closest?.("button[name=clicked]");
  const aim = pressed;
  pressed = null;
  if (event.detail === 0) {
    // A click by key, which repeats while the key is down, or by a script.
    if (button && event.isTrusted && isAccident(aimAt(button), event.timeStamp, 0)) swallow(event);
  } else if (aim) {
    const asSeen = button === aim.button && faceOf(button) === aim.face && button.value === aim.grip;
    if (asSeen && !aim.done) taken = aim;
    else swallow(event);
    if (!asSeen && !aim.done) submit(aim);
  }
}

/** Click on what was aimed at, wherever it is now. */
export function submit(aim) {
  aim.done = true;
  const button = buttonFor(aim);
  if (!button) return sayWhyNot(aim);
  taken = aim;
  table().requestSubmit(button);
}

function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}
