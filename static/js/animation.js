// Animates cards from where they were to where they are. The swap has already happened, so nothing
// here can delay or refuse input.

import { calm, cardsOf, drawingOf, faceOf, lasting, pileOf, sizeOf, table } from "./board.js";

const EASE = "cubic-bezier(0.2, 0.75, 0.25, 1)";
const MILLISECONDS = 165;
const STAGGER = 16;
// A card that goes further than this is lifted, and comes down with some weight.
const FAR = 40;

const running = new Map();
// Where the cards of the piles of the last swap were until then.
let before = new Map();
let sizes = new Map();
let dropped = new Map();
// The coming frame in which the cards of the last swap begin to move, if any.
let frame = 0;

/** Remember where the cards of these piles are, just before they are swapped: of all columns, if their `backs` close up. */
export function rememberRects(swapped, backs) {
  const isAll = backs !== undefined && backs !== table().dataset.backs;
  const pileElements = isAll ? [...new Set([...swapped, ...table().querySelectorAll(".tableau .pile")])] : swapped;
  // The swap before was a moment ago: its cards begin to move now, not to be seen at their places first.
  if (frame) animateMoves();
  sizes = new Map(pileElements.map((pile) => [pile.id, sizeOf(pile)]));
  before = new Map(
    pileElements.map((pile) => [
      pile.id,
      cardsOf(pile).map((card, place) => {
        const drawing = drawingOf(card);
        return { face: faceOf(card), place, rect: drawing.getBoundingClientRect(), drawing };
      }),
    ]),
  );
  for (const [pile, rects] of dropped) {
    const cards = before.get(pile) ?? [];
    rects.forEach((rect, i) => {
      const card = cards[cards.length - rects.length + i];
      if (card) card.rect = rect;
    });
  }
  dropped = new Map();
}

/** The card {pile, place, face, rect} that was drawn at a point just before the last swap, if its pile was swapped. */
export function cardShownAt(x, y) {
  for (const [pile, cards] of before) {
    const card = cards.findLast(({ rect }) => x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom);
    if (card) return { pile, ...card };
  }
  return null;
}

/** The top cards of a pile were dropped elsewhere: the next animation starts from there. */
export function startFrom(pileId, rects) {
  dropped.set(pileId, rects);
}

/**
 * Animate every card of the remembered piles from where it was. The cards are measured with the layout that the browser
 * makes for the next frame anyway, and begin to move before that frame is painted.
 */
export function animateInNextFrame() {
  // A hidden page has no frames.
  if (!document.hidden) frame = requestAnimationFrame(animateMoves);
}

function animateMoves() {
  cancelAnimationFrame(frame);
  frame = 0;
  const old = before;
  const now = arrivals([...old.keys()]);
  const origins = match(old, now);
  const stock = document.getElementById("stock")?.getBoundingClientRect();
  let late = 0;
  for (const item of now) {
    const origin = origins.get(item);
    if (origin) {
      move(item.drawing, origin.rect, item.rect, 0);
    } else if (wasBack(old, item)) {
      turn(item.drawing);
    } else if (stock && growth(item.id) > 0) {
      move(item.drawing, stock, item.rect, late++ * STAGGER);
    }
  }
  keepFaces(old, late);
  keepBelow(old, origins, late);
  returnToStock(old, origins, stock);
}

// All measuring comes before all moving: the browser then lays the page out once.
function arrivals(ids) {
  const now = [];
  for (const id of ids) {
    const pile = document.getElementById(id);
    if (!pile) continue;
    cardsOf(pile).forEach((card, place) => {
      const drawing = drawingOf(card);
      stop(drawing);
      const face = faceOf(card);
      if (face) now.push({ id, place, face, drawing });
    });
  }
  for (const item of now) item.rect = item.drawing.getBoundingClientRect();
  return now;
}

/** Shake a card whose move was refused. */
export function shake(card) {
  if (!card) return;
  const frames = calm.matches
    ? [{ opacity: 1 }, { opacity: 0.6 }, { opacity: 1 }]
    : [0, -5, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  drawingOf(card).animate(frames, { duration: 220, easing: "ease-out" });
}

// First by pile, so that two cards of one face in a two-deck game do not change places, then by face.
function match(old, now) {
  const origins = new Map();
  const left = new Map([...old].map(([id, cards]) => [id, cards.filter((card) => card.face)]));
  const take = (id, item, fits) => {
    const cards = left.get(id);
    const found = cards.findIndex(fits);
    if (found >= 0) origins.set(item, cards.splice(found, 1)[0]);
    return found >= 0;
  };
  const seeking = now.filter(
    (item) =>
      !take(item.id, item, (card) => card.face === item.face && card.place === item.place) &&
      !take(item.id, item, (card) => card.face === item.face),
  );
  for (const item of seeking) {
    [...left.keys()].some((id) => take(id, item, (card) => card.face === item.face));
  }
  return origins;
}

function wasBack(old, item) {
  const card = old.get(item.id)?.[item.place];
  return card !== undefined && card.face === "" && card.drawing.tagName === "I";
}

// How many cards a pile has gained; a pile that has lost cards may show others that lay below.
const growth = (id) => sizeOf(document.getElementById(id)) - sizes.get(id);

// A card shows no more than its index when it is covered: that is when the first card that comes to lie on it has arrived.
function keepFaces(old, late) {
  const shown = { "--card-middle": "inline" };
  for (const id of old.keys()) {
    const pile = document.getElementById(id);
    const top = pile && growth(id) > 0 && cardsOf(pile)[sizes.get(id) - 1];
    if (top) top.animate([shown, shown], lasting(MILLISECONDS + late * STAGGER));
  }
}

// Where several cards are dealt onto the waste, the one that lay there stays visible until they arrive.
function keepBelow(old, origins, late) {
  const top = old.get("waste")?.at(-1);
  if (!late || !top?.face || calm.matches || growth("waste") <= 0 || [...origins.values()].includes(top)) return;
  const copy = ghost(top.face, top.rect);
  copy.style.zIndex = 1;
  setTimeout(() => copy.remove(), lasting(MILLISECONDS + late * STAGGER));
}

// Undoing a deal takes cards back to the stock: a copy moves there and disappears.
function returnToStock(old, origins, stock) {
  const stockWas = old.get("stock");
  if (!stockWas || !stock || calm.matches) return;
  const arrived = new Set([...origins.values()]);
  for (const [id, cards] of old) {
    const top = cards.at(-1);
    const pile = document.getElementById(id);
    if (id === "stock" || id[0] === "f" || !top?.face || arrived.has(top)) continue;
    if (pile && growth(id) >= 0) continue;
    const copy = ghost(top.face, top.rect);
    const flight = copy.animate(
      [
        { transform: "none" },
        { transform: `translate(${stock.left - top.rect.left}px, ${stock.top - top.rect.top}px)`, opacity: 0.5 },
      ],
      { duration: lasting(MILLISECONDS), easing: EASE },
    );
    flight.onfinish = flight.oncancel = () => copy.remove();
  }
}

/** A copy of a card above everything else, which takes no clicks. */
export function ghost(face, rect) {
  const any = table().querySelector("use[href]").getAttribute("href").split("#")[0];
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${any}#${face}`);
  svg.append(use);
  svg.classList.add("ghost");
  const cloth = table().parentElement.getBoundingClientRect();
  Object.assign(svg.style, {
    left: `${rect.left - cloth.left}px`,
    top: `${rect.top - cloth.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  });
  svg.setAttribute("aria-hidden", "true");
  table().append(svg);
  return svg;
}

function move(drawing, from, to, delay) {
  // Foundations may be smaller.
  const size = from.width / to.width;
  const x = from.left - to.left + (from.width - to.width) / 2;
  const y = from.top - to.top + ((size - 1) * to.height) / 2;
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  if (calm.matches) {
    start(drawing, [{ opacity: 0 }, { opacity: 1 }], 0);
    return;
  }
  raise(pileOf(drawing), delay + MILLISECONDS);
  const keyframes = [{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }];
  if (Math.hypot(x, y) > FAR) keyframes.splice(1, 0, ...weight(x, y));
  start(drawing, keyframes, delay);
}

// Lifted towards the eye on its way, and pressed down a little as it lands.
function weight(x, y) {
  return [
    { transform: `translate(${x * 0.5}px, ${y * 0.5}px) scale(1.06)`, offset: 0.4 },
    { transform: "translateY(1.5px) scale(0.985)", offset: 0.86 },
  ];
}

function turn(drawing) {
  const frames = calm.matches
    ? [{ opacity: 0 }, { opacity: 1 }]
    : [{ transform: "scaleX(0)" }, { transform: "none" }];
  start(drawing, frames, 0);
}

function start(drawing, frames, delay) {
  const flight = drawing.animate(frames, {
    duration: lasting(MILLISECONDS),
    delay: lasting(delay),
    easing: EASE,
    fill: "backwards",
  });
  running.set(drawing, flight);
  flight.onfinish = () => running.delete(drawing);
}

// Moving cards are drawn above the piles that they pass. The animation cleans up.
function raise(pile, duration) {
  pile?.animate([{ zIndex: 5 }, { zIndex: 5 }], { duration });
}

/** End the animation of a card at once. */
export function stop(drawing) {
  running.get(drawing)?.cancel();
  running.delete(drawing);
}
