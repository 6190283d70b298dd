// Says why something was refused, beside the card that it concerns. The line below the cards says the same to screen
// readers.

import { calm, cardsOf, drawingOf, showNotice, topButton } from "./board.js";
import { fitBeside, isFree, lay } from "./placing.js";

const SHOWN = 4000;
const SHOWN_ON_PHONES = 2800;
const FAR = 420; // pixels from the card: as far as it may lie, rather than cover much of the cards nearby
const REACHES = [36, 160, FAR, Infinity]; // the nearest that does not hide what may be played next
const WIDE = [300, 220, 380, 160]; // pixels: further away, rather than a word a line
const MUCH = 400; // square pixels of cards
const UNREAD = 150; // milliseconds: the second press of a double click is no answer to it
const phone = matchMedia("(max-width: 560px), (max-height: 480px)");

let toast = null;
let shownAt = 0;
let hand = null; // where the pointer was last on the screen
let timer = null;

/** Say a sentence at an element, and to screen readers. */
export function refuse(sentence, element) {
  showNotice(sentence, "sr-only why");
  showAt(sentence, element);
}

/** Show a sentence at an element for some seconds, or until the next touch. What `mayLack` is said
 * only where it covers nothing. */
export function showAt(sentence, element, mayLack = false) {
  hideRefusal();
  toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("aria-hidden", "true"); // the line below the cards is the live region
  toast.textContent = sentence;
  document.body.append(toast);
  const fit = (widths) => fitBeside(toast, spotAt(element), REACHES, isEnough, widths);
  const wide = fit(WIDE);
  const found = isFree(wide) || sparesMost(wide) || element.closest(".rail") ? wide : fit();
  if (mayLack && !isFree(found)) return hideRefusal();
  lay(toast, found ?? undefined);
  if (!calm.matches) toast.animate([{ transform: "translateY(4px)" }, { transform: "none" }], 120);
  shownAt = performance.now();
  timer = setTimeout(hideRefusal, phone.matches ? SHOWN_ON_PHONES : SHOWN);
}

// As near to the card as possible, and in another shape rather than over a card that may be played next.
const isEnough = (best, reach) => isFree(best) || (reach === FAR && sparesMost(best)) || (reach === Infinity && best?.needed === 0);

const sparesMost = (found) => found?.needed === 0 && found.seen < MUCH;

// A button of a closed menu has no place, and a whole table has no one place: then the pointer says where.
function spotAt(element) {
  const spot = drawingOf(element).getBoundingClientRect();
  const isThere = element.checkVisibility() && spot.width < innerWidth / 2 && spot.height < innerHeight / 2;
  return isThere || !hand ? spot : hand;
}

const hideAtNextTouch = (event) => event.timeStamp - shownAt > UNREAD && hideRefusal();

addEventListener("pointerdown", hideAtNextTouch, { capture: true });
addEventListener("pointerup", ({ clientX: x, clientY: y }) => (hand = new DOMRect(x - 1, y - 1, 2, 2)), { capture: true });

/** Put the sentence away. */
export function hideRefusal() {
  clearTimeout(timer);
  toast?.remove();
  toast = null;
}

/** The card that a grip such as `t3` or `t3:4` names, also a covered one, or the empty place. */
export function cardAt(grip) {
  const [name, count] = (grip || "").split(":");
  const pile = name && document.getElementById(name);
  const card = pile && (pile.querySelector(`button[value="${CSS.escape(grip)}"]`) ?? (count && cardsOf(pile).at(-count)));
  return pile && (card || topButton(pile) || pile);
}

/** Where the hand is that sent a request: where a card was dropped, what was clicked, or a button beside the cards. */
export function spotOf({ request, sourceElement, sourceEvent }) {
  const { body } = request;
  const byKey = sourceEvent?.detail === 0 && request.action.endsWith("/deal");
  return cardAt(body.get("move")?.split(/[-:]/)[1] ?? body.get("clicked") ?? (byKey && "stock")) || sourceElement;
}
