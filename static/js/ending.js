// The moment after a win: the cards leave the foundations in arcs, and dance around "You won!" as suits the game. Then a panel
// says what the win meant, and the last cards of the foundations rise behind it. After a clean win they have an edge of gold.
// Any key or touch skips it.

import { calm, cardsOf, faceOf, lasting, table } from "./board.js";
import { ghost } from "./animation.js";
import { AWAY, DANCES, LENGTH, RADIUS } from "./dances.js";
import { feel } from "./feel.js";

const RANKS = "A23456789TJQK";
const FADE = 240; // milliseconds, like the durations that follow
const LANDED = 260; // until the last card lies on its foundation
const APART = 24; // from one card that leaves to the next
const ROUND = 2 * Math.PI;
const FLIGHT = 650; // of one card to its place in the wheel
const CLOSING = 3500; // when the words are gone and the cards fly home
const CLOSED = 4300;
const ONE_BY_ONE = 240; // from the first card that flies home to the last
const ALL = 4400;
const LATEST = 3000; // of a browser that takes long to begin, or of a hidden page, which never does
const WHOLE = 4800; // from the last move to the panel: if cards went home by themselves, the moment is shorter
const LEAST = 3000; // of the moment alone, however long cards went home before it
const CARDS = 52; // of a game with two decks, those on top
const APPEARS = LANDED + (CARDS - 1) * APART + FLIGHT; // the cards are in their places: the words are there
const CLEARED = 0.85; // of that time, when the last cards no longer fly over the words
const GOLD = "2px solid #f0c75e";
const WIDE = 0.85; // the widest line of the words, as a part of the hole in the wheel
const CLEAR = 0.95; // from corner to corner of the words, likewise
const SMALLEST = 16; // pixels, of the words
const CURVE = 8; // steps in which an arc is drawn
const DANCING = 24; // likewise, the dance
const RISE = 520; // of a card of the court behind the panel
const LATER = 80; // from one of them to the next
const FANS = 900; // of a whole run from a packet to a fan
// Where a card of the court comes from: up, out of a packet in the middle, or the row behind and the one before it from
// either side. The packet is turned as the template turns a card.
const ENTRANCES = {
  "": () => ({ translate: "0 150px" }),
  run: () => ({ transform: "translate(0px, 398px) rotate(0deg) translate(0px, -398px)" }),
  rows: (n) => ({ translate: `${n < 4 ? -430 : 430}px 0` }),
};

let pace = 1; // the length of this moment, as a fraction of the usual one

const how = () => document.querySelector(".ending")?.dataset ?? {};
const paced = (milliseconds) => lasting(milliseconds * pace);

/** Show the moment; `spent` is how long the cards have been on their way home before. */
export function celebrate(spent = 0) {
  pace = Math.min(1, Math.max(LEAST, WHOLE - spent - FADE) / ALL);
  feel("win");
  const [curtain, words] = draw();
  const [flights, copies] = calm.matches ? [[], []] : launch(words);
  let timer = setTimeout(end, paced(ALL) + (flights.length ? LATEST : 0));
  // However long it takes to draw so many cards: all of it is seen.
  flights[0]?.ready.then(() => {
    clearTimeout(timer);
    timer = setTimeout(end, paced(ALL));
  }, () => null);
  function end(event) {
    clearTimeout(timer);
    removeEventListener("pointerdown", end, { capture: true });
    removeEventListener("keydown", end, { capture: true });
    document.removeEventListener("htmx:before:swap", end);
    for (const flight of flights) flight.cancel();
    for (const copy of copies) copy.remove();
    leave(curtain);
    // The panel lies where the words are; at the usual end they have gone.
    if (event || calm.matches) return leave(words, show);
    words.remove();
    show();
  }
  addEventListener("pointerdown", end, { capture: true });
  addEventListener("keydown", end, { capture: true });
  document.addEventListener("htmx:before:swap", end);
}

// By a timer: an animation says that it ended only with a frame, for which a hidden page or a busy browser may wait long.
function leave(layer, then) {
  layer.animate([{}, { opacity: 0 }], { duration: FADE, fill: "forwards" });
  setTimeout(() => {
    layer.remove();
    then?.();
  }, FADE);
}

// The panel can be read from its first frame on: on a busy machine the frames that follow may come late.
function show() {
  table().classList.remove("celebrating");
  const card = document.querySelector(".ending");
  if (!card || calm.matches) return;
  card.animate([{ scale: 0.94 }, {}], { duration: FADE, easing: "ease-out" });
  const { entrance } = card.querySelector(".court").dataset;
  for (const [n, one] of card.querySelectorAll(".court use").entries()) {
    const timing = { duration: RISE, delay: n * LATER, easing: "cubic-bezier(0.2, 0.9, 0.3, 1.15)", fill: "backwards" };
    one.animate([ENTRANCES[entrance](n), {}], entrance === "run" ? { ...timing, duration: FANS, delay: 0 } : timing);
  }
}

// The line for screen readers says the same already.
function draw() {
  const curtain = document.createElement("div");
  const words = document.createElement("p");
  curtain.className = "curtain";
  words.className = "curtain-words";
  words.append(document.createElement("span"));
  words.firstChild.textContent = document.querySelector(".ending h2")?.textContent ?? "";
  const fact = [how().clean, document.querySelector(".ending .spent")?.textContent].filter(Boolean).join("\n");
  words.dataset.fact = fact.replace(/ (?=[^(]*\))/g, "\u00a0"); // no line ends within brackets
  // The cards fly between them.
  for (const layer of [curtain, words]) {
    layer.setAttribute("aria-hidden", "true");
    document.querySelector(".cloth").append(layer);
    layer.animate([{ opacity: 0 }, {}], FADE);
  }
  fit(words);
  if (!calm.matches) {
    words.animate([{ opacity: 0 }, { opacity: 0, offset: CLEARED }, {}], paced(APPEARS));
    words.animate([{}, { opacity: 0 }], { delay: paced(CLOSING - FADE), duration: paced(FADE), fill: "forwards" });
  }
  table().classList.add("celebrating");
  return [curtain, words];
}

// As large as the hole in the wheel allows, in lines of equal length.
function fit(words) {
  const hole = 2 * radiusOn(words.parentElement.getBoundingClientRect()) * (AWAY - LENGTH / 2);
  let most = Math.floor(Number.parseFloat(getComputedStyle(words).fontSize));
  let least = Math.min(SMALLEST, most);
  const lines = document.createRange();
  lines.selectNodeContents(words.firstChild);
  words.style.maxWidth = `${WIDE * hole}px`;
  while (least < most) {
    const size = Math.ceil((least + most) / 2);
    words.style.fontSize = `${size}px`;
    const { width } = lines.getBoundingClientRect(); // of the longest, or of a word that is longer than a line
    const fits = width <= WIDE * hole + 0.5 && Math.hypot(width, words.offsetHeight) <= CLEAR * hole;
    if (fits) least = size;
    else most = size - 1;
  }
  words.style.fontSize = `${least}px`;
}

const radiusOn = ({ width, height }) => Math.min(width, height) * RADIUS;

// The foundations give up their cards in turn, the highest first. Returns the animations, and the copies that fly.
function launch(words) {
  const tops = [...document.querySelectorAll(".foundations .pile")].map((pile) => cardsOf(pile).at(-1)).filter((top) => top && faceOf(top));
  // The last card is still on its way: what takes the clicks lies where it goes.
  const homes = tops.map((top) => ({ face: faceOf(top), rect: top.getBoundingClientRect() }));
  const cloth = words.parentElement.getBoundingClientRect();
  const hole = words.getBoundingClientRect();
  const unit = radiusOn(cloth);
  const dance = DANCES[how().dance] ?? DANCES.wheel;
  const leaving = homes.length === 0 ? [] : Array.from({ length: CARDS }, (_, n) => [n, homes[n % homes.length]]);
  // Appended from the lowest on, so that each leaves from the top of its pile.
  const copies = [];
  const flights = leaving.toReversed().map(([n, { face, rect }]) => {
    const rank = RANKS[(RANKS.indexOf(face[0]) + 13 - (Math.floor(n / homes.length) % 13)) % 13];
    const copy = ghost(rank + face[1], rect);
    if (how().clean) copy.style.outline = GOLD;
    copies.push(copy);
    return fly(copy, rect, unit, hole, n * APART, dance(n, CARDS, cloth.width / unit, cloth.height / unit));
  });
  const gone = { delay: paced(LANDED), duration: paced(ALL - LANDED) };
  return [[...flights, document.querySelector(".foundations").animate([{ opacity: 0 }, { opacity: 0 }], gone)], copies];
}

// Out to its place in the dance, and home in the end: those that left last first, so that the highest lie on top.
function fly(copy, rect, unit, hole, leaves, at) {
  const arrives = leaves + FLIGHT;
  const closes = CLOSING + ONE_BY_ONE * (1 - leaves / (APART * CARDS));
  const size = (unit * LENGTH) / rect.height;
  const middle = [hole.left + hole.width / 2 - rect.left - rect.width / 2, hole.top + hole.height / 2 - rect.top - rect.height / 2];
  const place = ({ x, y }) => [middle[0] + unit * x, middle[1] + unit * y];
  const frame = (time, [x, y], turn, scale) => ({
    offset: (time - leaves) / (CLOSED - leaves),
    transform: `translate(${x}px, ${y}px) rotate(${turn}rad) scale(${scale})`,
  });

  const target = place(at(arrives));
  const above = [target[0] / 2, Math.min(0, target[1]) - unit * 0.5]; // what the arc bends towards
  const arc = Array.from({ length: CURVE }, (_, step) => {
    const part = step / CURVE;
    const eased = 1 - (1 - part) ** 2;
    const point = target.map((value, axis) => 2 * eased * (1 - eased) * above[axis] + eased ** 2 * value);
    return frame(leaves + part * FLIGHT, point, eased * at(arrives).turn, 1 + eased * (size - 1));
  });
  const dancing = Array.from({ length: DANCING + 1 }, (_, step) => {
    const time = arrives + ((closes - arrives) * step) / DANCING;
    return frame(time, place(at(time)), at(time).turn, size);
  });
  Object.assign(dancing.at(-1), { easing: "ease-in-out" });
  const ended = frame(CLOSED, [0, 0], ROUND * Math.round(at(closes).turn / ROUND), 1);

  copy.animate([{ opacity: 0 }, { opacity: 0 }], paced(LANDED));
  const timing = { delay: paced(LANDED + leaves), duration: paced(CLOSED - leaves), fill: "both" };
  return copy.animate([...arc, ...dancing, ended], timing);
}
