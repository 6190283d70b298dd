// Which card a press means: the one that the player saw there. For a moment after an answer nobody has seen the change yet, so
// a press means the card that was drawn there before, wherever it lies now.

import { cardShownAt } from "./animation.js";
import { cardsOf, faceOf, heldGrip, isHome, legalMoves, pileOf } from "./board.js";

const FINGER = 24; // pixels of a column that a card needs for a finger
export const UNSEEN = 45; // milliseconds in which nobody has seen what came under the hand

let swapped = -Infinity; // when the last answer was swapped in

document.addEventListener("htmx:before:swap", () => (swapped = performance.now()));

/** Milliseconds from the last answer to a time; below zero if it came later. */
export const sinceSwap = (at) => at - swapped;

/** What a press on the table means: the `button` under it or, if a card was drawn there until just now, the button of that
 * card, which is null if it cannot be clicked any more; and where the card was `drawn`, if that is another place. */
export function meantBy({ timeStamp, clientX: x, clientY: y, target, pointerType }) {
  const button = target.closest?.("button[name=clicked]") ?? null;
  const isUnseen = sinceSwap(timeStamp) < UNSEEN;
  const near = !isUnseen && pointerType === "touch" && button ? cardBeside(button, y) : null;
  if (near) return near;
  const seen = isUnseen ? cardShownAt(x, y) : null;
  if (!seen?.face || (button && faceOf(button) === seen.face)) return { button };
  const pile = document.getElementById(seen.pile);
  if (pile.id === "stock" || isHome(pile)) return { button }; // whatever card they show
  const cards = cardsOf(pile);
  const now = [cards[seen.place], ...cards.reverse()].find((card) => card && faceOf(card) === seen.face);
  return { button: now?.closest("button") ?? null, drawn: seen.rect };
}

// In a long column on a low screen a strip is lower than a fingertip. There a card that can move borrows the missing height
// from a neighboring card that cannot, where a touch would do nothing.
function cardBeside(button, y) {
  const pile = pileOf(button);
  if (!pile.closest(".tableau") || heldGrip()) return null;
  const cards = cardsOf(pile);
  const here = cards.indexOf(button);
  const counts = new Set(legalMoves().filter((move) => move.source === pile.id).map((move) => move.count));
  const canMove = (place) => counts.has(cards.length - place);
  if (canMove(here)) return null;
  for (const place of [here - 1, here + 1].filter(canMove)) {
    const { top, bottom, left } = cards[place].getBoundingClientRect();
    const lacking = Math.max(0, FINGER - (bottom - top)) / 2;
    if (y > top - lacking && y < bottom + lacking) return { button: cards[place], drawn: { left, top: Math.min(top, y) } };
  }
  return null;
}
