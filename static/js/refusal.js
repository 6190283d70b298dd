// Says why something was refused, beside the card that it concerns. The line below the cards says the same to screen
// readers.

import { calm, drawingOf, say, topButton } from "./board.js";

const SHOWN = 4000;
const APART = 8; // pixels from the card and from the edge of the screen

let toast = null;
let timer = null;

/** Say a sentence at an element, and to screen readers. */
export function refuse(sentence, element) {
  say(sentence, "quiet why");
  showAt(sentence, element);
}

/** Show a sentence at an element for some seconds. */
export function showAt(sentence, element) {
  put();
  toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("aria-hidden", "true"); // the line below the cards is the live region
  toast.textContent = sentence;
  document.body.append(toast);
  const [left, top] = spotFor(toast.getBoundingClientRect(), drawingOf(element).getBoundingClientRect());
  Object.assign(toast.style, { left: `${left}px`, top: `${top}px` });
  if (!calm.matches) toast.animate([{ transform: "translateY(4px)" }, { transform: "none" }], 120);
  timer = setTimeout(put, SHOWN);
}

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

// Above the card, else below or beside it: never over it, and never outside the screen.
function spotFor(own, card) {
  const width = document.documentElement.clientWidth;
  const within = (start, size, all) => Math.max(APART, Math.min(start, all - size - APART));
  const left = within(card.left + card.width / 2 - own.width / 2, own.width, width);
  const above = card.top - own.height - APART;
  if (above >= APART) return [left, above];
  const below = card.bottom + APART;
  if (below + own.height + APART <= innerHeight) return [left, below];
  const after = card.right + APART;
  const side = after + own.width + APART <= width ? after : card.left - own.width - APART;
  return [within(side, own.width, width), within(card.top, own.height, innerHeight)];
}
