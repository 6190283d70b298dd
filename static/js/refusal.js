// Says why something was refused, beside the card that it concerns. The line below the cards says the same to screen
// readers.

import { calm, drawingOf, say, topButton } from "./board.js";
import { APART, placeFor } from "./placing.js";

const SHOWN = 4000;
const SHOWN_ON_PHONES = 2800;
const REACH = 36; // pixels from the card
const phone = matchMedia("(max-width: 560px), (max-height: 480px)");

let toast = null;
let hand = null; // where it was last on the screen
let timer = null;

/** Say a sentence at an element, and to screen readers. */
export function refuse(sentence, element) {
  say(sentence, "quiet why");
  showAt(sentence, element);
}

/** Show a sentence at an element for some seconds, or until the next touch. */
export function showAt(sentence, element) {
  put();
  toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("aria-hidden", "true"); // the line below the cards is the live region
  toast.textContent = sentence;
  document.body.append(toast);
  const own = toast.getBoundingClientRect();
  const spot = spotAt(element);
  const [left, top] = placeFor(own, spot, REACH) ?? placeFor(own, spot) ?? [(innerWidth - own.width) / 2, APART];
  Object.assign(toast.style, { left: `${left}px`, top: `${top}px` });
  if (!calm.matches) toast.animate([{ transform: "translateY(4px)" }, { transform: "none" }], 120);
  timer = setTimeout(put, phone.matches ? SHOWN_ON_PHONES : SHOWN);
}

// A button of a menu that has closed is nowhere, and a whole table is everywhere: then the hand says where.
function spotAt(element) {
  const spot = drawingOf(element).getBoundingClientRect();
  const isThere = element.checkVisibility() && spot.width < innerWidth / 2 && spot.height < innerHeight / 2;
  return isThere || !hand ? spot : hand;
}

addEventListener("pointerdown", put, { capture: true }); // the next touch
addEventListener("pointerup", ({ clientX: x, clientY: y }) => (hand = new DOMRect(x - 1, y - 1, 2, 2)), { capture: true });

/** Put the sentence away. */
export function put() {
  clearTimeout(timer);
  toast?.remove();
  toast = null;
}

/** The card that a grip such as `t3` or `t3:4` names, or the empty place. */
export function cardAt(grip) {
  const pile = grip && document.getElementById(grip.split(":")[0]);
  return pile && (pile.querySelector(`button[value="${CSS.escape(grip)}"]`) ?? topButton(pile) ?? pile);
}

/** Where the hand is that sent a request: where a card was dropped, what was clicked, or a button beside the cards. */
export function spotOf({ request, sourceElement, sourceEvent }) {
  const { body } = request;
  const byKey = sourceEvent?.detail === 0 && request.action.endsWith("/deal");
  return cardAt(body.get("move")?.split(/[-:]/)[1] ?? body.get("clicked") ?? (byKey && "stock")) || sourceElement;
}
