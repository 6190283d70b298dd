// Drag and drop with mouse, pen and finger. A drop posts the same move that two clicks would.

import { calm, cardsFrom, cardsOf, drawingOf, faceOf, isHome, lasting, legalMoves, pileOf, piles, state, table } from "./board.js";
import { ghost, startFrom, stop } from "./animation.js";
import { feel } from "./feel.js";
import { overlap } from "./placing.js";
import { refuse } from "./refusal.js";
import { meantBy } from "./seen.js";
import { wordsFor } from "./words.js";

// Pixels that the pointer moves before a drag starts.
const THRESHOLD = 10;
// After a long press the finger must move further before a drag starts: it rolls a little.
const RESTED = 20;
const TOLERANCE = 14;

let press = null;
let flight = null;

export function watchDrags() {
  const form = table();
  form.addEventListener("pointerdown", begin);
  form.addEventListener("pointermove", follow);
  form.addEventListener("pointerup", drop);
  form.addEventListener("pointercancel", cancel);
  form.addEventListener("dragstart", (event) => event.preventDefault());
}

/** Whether cards are being dragged, of this pile if one is given. */
export const isDragging = (pile) => flight !== null && (pile === undefined || pile === flight.source);

/** Other piles changed while cards were dragged: they may go elsewhere now. */
export function aimAgain() {
  if (!flight) return;
  flight.targets = targetsOf(flight.source, flight.lifted.length);
  light();
}

/** Put everything back. */
export function cancel() {
  if (flight) comeBack(flight);
  press = flight = null;
}

/** The press has spread the fan: from now on the finger must move further to drag the card. */
export function rest() {
  if (press) press.threshold = RESTED;
}

/** The response to a drop was swapped in, or will not be: forget the dragged cards. */
export function land() {
  for (const copy of document.querySelectorAll(".ghost.landing")) copy.remove();
  for (const card of table().querySelectorAll(".lifted:not(.returning)")) card.classList.remove("lifted");
  coverAgain();
}

function begin(event) {
  const { button, drawn } = meantBy(event);
  if (event.button !== 0 || !event.isPrimary || !button || !faceOf(button)) return;
  const pile = pileOf(button);
  if (isHome(pile) && !pile.classList.contains("gives")) return;
  // A column's empty part takes clicks for its last card, but only a card can be picked up.
  const down = event.clientY - (drawn ?? button.getBoundingClientRect()).top;
  if (down > (drawn?.height ?? drawingOf(button).getBoundingClientRect().height)) return;
  const stuck = down < 0 ? cardsFrom(pile, event.clientY) : 0;
  const { pointerId: pointer, clientX: x, clientY: y } = event;
  press = { button, face: faceOf(button), drawn, stuck, pointer, x, y, threshold: THRESHOLD };
}

function follow(event) {
  if (!press || press.stuck || event.pointerId !== press.pointer) return;
  const x = event.clientX - press.x;
  const y = event.clientY - press.y;
  if (!flight) {
    if (Math.hypot(x, y) < press.threshold) return;
    if (!press.button.isConnected || faceOf(press.button) !== press.face) return cancel();
    lift(event);
  }
  const [from] = flight.rects;
  // Where the player picked it up.
  const held = press.drawn ?? from;
  const moved = [x + held.left - from.left, y + held.top - from.top];
  for (const copy of flight.ghosts) copy.style.transform = `translate(${moved[0]}px, ${moved[1]}px)`;
  aim(...moved, event);
}

function lift(event) {
  const pile = pileOf(press.button);
  const cards = cardsOf(pile);
  const lifted = cards.slice(cards.indexOf(press.button));
  // A card that is still moving was picked up at its target: it must follow the pointer, not lag behind.
  lifted.map(drawingOf).forEach(stop);
  flight = {
    source: pile.id,
    lifted,
    rects: lifted.map((card) => drawingOf(card).getBoundingClientRect()),
    targets: targetsOf(pile.id, lifted.length),
    lit: new Set(piles().filter((other) => other.classList.contains("lit"))),
    over: null,
  };
  flight.ghosts = lifted.map((card, i) => ghost(faceOf(card), flight.rects[i]));
  for (const copy of flight.ghosts) copy.classList.add("flying");
  for (const card of lifted) card.classList.add("lifted");
  // All of its face shows.
  lifted[0].previousElementSibling?.classList.add("bared");
  light();
  table().setPointerCapture(event.pointerId);
  table().classList.add("dragging");
  feel("lift");
}

function targetsOf(pile, count) {
  const moves = legalMoves().filter((move) => move.source === pile && move.count === count);
  // A face-up stock is dealt by dragging its card to the waste.
  if (pile === "stock" && state().classList.contains("can-deal")) moves.push({ target: "waste", text: "deal" });
  return new Map(moves.map((move) => [move.target, move.text]));
}

function light() {
  for (const other of piles()) other.classList.toggle("lit", flight.targets.has(other.id));
}

// A pile that takes the cards and is under the pointer comes before all that the cards cover.
function aim(x, y, { clientX, clientY }) {
  const pointer = { left: clientX, top: clientY, right: clientX + 1, bottom: clientY + 1 };
  const first = flight.rects[0];
  const card = { left: first.left + x, top: first.top + y, right: first.right + x, bottom: first.bottom + y };
  let best = null;
  let most = 0;
  for (const pile of piles()) {
    if (pile.id === flight.source) continue;
    const legal = flight.targets.has(pile.id);
    const box = pile.getBoundingClientRect();
    const isMeant = legal && overlap(pointer, box) > 0;
    const shared = isMeant ? Infinity : overlap(card, box, legal ? TOLERANCE : -TOLERANCE) * (legal ? 2 : 1);
    if (shared > most) [best, most] = [pile, shared];
  }
  if (best === flight.over) return;
  flight.over?.classList.remove("over");
  if (best && flight.targets.has(best.id)) best.classList.add("over");
  flight.over = best;
}

function drop(event) {
  if (!press || event.pointerId !== press.pointer) return;
  const done = flight;
  const { stuck, button, x, y, threshold } = press;
  press = flight = null;
  if (stuck && Math.hypot(event.clientX - x, event.clientY - y) >= threshold) return explain(pileOf(button), stuck, event);
  if (!done) return;
  swallowClick();
  settle(done);
  const { over, source, lifted } = done;
  if (!done.targets.has(over?.id)) dim(event);
  if (!over) return comeBack(done);
  const units = lifted.length > 1 ? `:${lifted.length}` : "";
  const move = done.targets.get(over.id) ?? `${source}-${over.id}${units}`;
  if (done.targets.has(over.id)) {
    startFrom(source, done.ghosts.map((copy) => copy.getBoundingClientRect()));
    for (const copy of done.ghosts) copy.classList.add("landing");
  } else {
    comeBack(done);
  }
  post(move);
}

// Where cards came back from, the card under the mouse lights up only once the mouse has left it: it would look like advice.
function dim({ clientX, clientY }) {
  const pile = pileOf(document.elementFromPoint(clientX, clientY));
  pile?.classList.add("missed");
  pile?.addEventListener("pointerleave", () => pile.classList.remove("missed"), { once: true });
}

function post(move) {
  const form = table();
  htmx.ajax("POST", `${form.dataset.address}/move`, { source: form, target: form, swap: "pieces", values: { move } });
}

// A card that cannot be picked up stays where it is, and the server says why. A face-down card says so as it does when pressed.
function explain(pile, count, event) {
  const over = piles().find((other) => {
    const box = other.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
  });
  if (!over || over === pile) return;
  swallowClick();
  const card = cardsOf(pile).at(-count);
  if (card && !faceOf(card)) return refuse(wordsFor("face-down"), card);
  post(`${pile.id}-${over.id}:${count}`);
}

function coverAgain() {
  for (const card of table().querySelectorAll(".bared:not(:has(+ .lifted))")) card.classList.remove("bared");
}

function settle(done) {
  table().classList.remove("dragging");
  done.over?.classList.remove("over");
  for (const pile of piles()) pile.classList.toggle("lit", done.lit.has(pile));
}

function comeBack(done) {
  settle(done);
  const show = () => {
    for (const card of done.lifted) card.classList.remove("lifted", "returning");
    coverAgain();
  };
  for (const card of done.lifted) card.classList.add("returning");
  for (const copy of done.ghosts) {
    const motion = copy.animate([{}, { transform: "none" }], {
      duration: calm.matches ? 0 : lasting(140),
      easing: "ease-out",
    });
    motion.onfinish = () => {
      copy.remove();
      show();
    };
  }
}

/** Ignore the click that the browser sends after a drag or a long press. */
export function swallowClick() {
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 50);
}
