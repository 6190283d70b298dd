// A long press spreads a fan: all its cards, large, in order, above the table until the next touch or key; the one under
// the finger is marked. A touch on a spread card is a click on that card of the column, where little of it shows; a
// touch on the other piles only puts the fan back. Screen readers have every card in the page anyway, so this copy
// is hidden from them. A finger that moves on after the look drags its card, as it would have done without the look.

import { aimAt, submit } from "./aim.js";
import { cardsOf, faceOf, pileOf, table } from "./board.js";
import { isDragging, rest, swallowClick } from "./drag.js";

const LONG = 450; // milliseconds
const STILL = 10; // pixels that a resting finger moves

let timer = null;
let start = null;

export function watchLongPresses() {
  table().addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    const pile = pileOf(event.target);
    if (event.button !== 0 || !event.isPrimary || !pile || cardsOf(pile).length < 2) return;
    start = event;
    timer = setTimeout(() => isDragging() || spread(pile, cardUnder(pile, event)), LONG);
  });
  table().addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL) clearTimeout(timer);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => clearTimeout(timer));
  table().addEventListener("contextmenu", (event) => start?.pointerType === "touch" && event.preventDefault());
}

// A card of a fan takes the touches on its strip.
function cardUnder(pile, { clientX: x, clientY: y }) {
  return cardsOf(pile).findLast((card) => {
    const box = card.getBoundingClientRect();
    return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  });
}

function spread(pile, pressed) {
  rest();
  const any = table().querySelector("use[href]").getAttribute("href").split("#")[0];
  const sheet = document.createElement("div");
  sheet.className = "spread";
  sheet.setAttribute("aria-hidden", "true");
  for (const card of cardsOf(pile).filter(faceOf)) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `${any}#${faceOf(card)}`);
    svg.append(use);
    svg.classList.toggle("pressed", card === pressed);
    if (card.matches("button")) {
      const aim = aimAt(card);
      svg.classList.add("playable");
      svg.onclick = () => {
        close();
        submit(aim);
      };
    }
    sheet.append(svg);
  }
  table().parentElement.append(sheet);
  const away = new AbortController();
  const close = () => {
    sheet.remove();
    away.abort();
  };
  // The release of this very press plays nothing, unless it drops the card; from then on the copies can be touched.
  atRelease(() => {
    swallowClick();
    sheet.classList.add("released");
  });
  const { signal } = away;
  const putAway = (event) => {
    if (event.target.closest?.(".spread .playable")) return;
    close();
    if (!pileOf(event.target)) return; // a button does what it says
    event.stopPropagation();
    atRelease(swallowClick);
  };
  const byKey = (event) => {
    if (event.key === "Escape") event.stopPropagation(); // the cards that are held stay in the hand
    close();
  };
  addEventListener("pointerdown", putAway, { signal, capture: true });
  addEventListener("keydown", byKey, { signal, capture: true });
  addEventListener("resize", close, { signal });
  // Another player's move, or an answer that came late, may have changed the fan.
  const shown = facesOf(pile);
  document.addEventListener("htmx:after:swap", () => facesOf(pile) === shown || close(), { signal });
  table().addEventListener("pointermove", () => isDragging() && close(), { signal });
}

const facesOf = (pile) => cardsOf(pile).map(faceOf).join();

function atRelease(act) {
  const pressed = new AbortController();
  const release = (event) => {
    pressed.abort();
    if (event.type === "pointerup") act();
  };
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal: pressed.signal, capture: true });
}
