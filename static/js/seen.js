// Which card a press means: the one that was seen there. Within a moment of an answer nobody has seen what it brought, so
// the card that was drawn there until then is meant, wherever it lies now.

import { cardShownAt } from "./animation.js";
import { cardsOf, faceOf, isHome } from "./board.js";

export const UNSEEN = 45; // milliseconds in which nobody has seen what came under the hand

let swapped = -Infinity; // when the last answer was swapped in

document.addEventListener("htmx:before:swap", () => (swapped = performance.now()));

/** Milliseconds from the last answer to a time; below zero if it came later. */
export const sinceSwap = (at) => at - swapped;

/** What a press on the table means: the `button` under it or, if a card was drawn there until just now, the button of that
 * card, which is null if it cannot be clicked any more; and where the card was `drawn`, if that is another place. */
export function meantBy({ timeStamp, clientX: x, clientY: y, target }) {
  const button = target.closest?.("button[name=clicked]") ?? null;
  const seen = sinceSwap(timeStamp) < UNSEEN ? cardShownAt(x, y) : null;
  if (!seen?.face || (button && faceOf(button) === seen.face)) return { button };
  const pile = document.getElementById(seen.pile);
  if (pile.id === "stock" || isHome(pile)) return { button }; // whatever card they show
  const cards = cardsOf(pile);
  const now = [cards[seen.place], ...cards.reverse()].find((card) => card && faceOf(card) === seen.face);
  return { button: now?.closest("button") ?? null, drawn: seen.rect };
}
