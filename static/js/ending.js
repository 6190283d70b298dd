// The moment after a win: the cards leave the foundations in arcs and open into a wheel around "You won!". The wheel turns
// and closes; then a panel says what the win meant: the last cards of the foundations rise behind it, and its figures count up.
// Any key or touch skips it.

import { calm, cardsOf, faceOf, hasWonOften, lasting, table } from "./board.js";
import { ghost } from "./animation.js";
import { feel } from "./feel.js";

const RANKS = "A23456789TJQK";
const FADE = 240; // milliseconds, like the durations that follow
const LANDED = 260; // until the last card lies on its foundation
const APART = 24; // from one card that leaves to the next
const FLIGHT = 650; // of one card to its place in the wheel
const CLOSING = 3400; // when the words are gone and the wheel begins to close
const CLOSED = 4000;
const ALL = 4200;
const WHOLE = 4300; // from the last move to the panel: if cards went home by themselves, the moment is shorter
const WHOLE_LATER = 2500; // for a player who has won often, and seen it
const SHORTEST = 800; // of the moment alone
const APPEARS = 1900; // the wheel is open: the words are there
const CARDS = 52; // of a game with two decks, those on top
const RADIUS = 0.48; // of the wheel, as a part of the shorter side of the cloth
const LENGTH = 0.36; // of a card in it, as a part of that radius
const AWAY = 0.82; // from the middle of the wheel to that of a card, likewise
const WIDE = 0.85; // the widest line of the words, as a part of the hole in the wheel
const CLEAR = 0.95; // from corner to corner of the words, likewise
const SMALLEST = 16; // pixels, of the words
const TURN = 0.35; // of the wheel, in radians a second
const CURVE = 8; // steps in which an arc is drawn
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
const COUNT = 800; // until the figures say what they are

let pace = 1; // the length of this moment, as a fraction of the usual one

const paced = (milliseconds) => lasting(milliseconds * pace);

/** Show the moment; `spent` is how long the cards have been on their way home before. */
export function celebrate(spent = 0) {
  const began = performance.now();
  pace = Math.min(1, Math.max(SHORTEST, (hasWonOften() ? WHOLE_LATER : WHOLE) - spent - FADE) / ALL);
  feel("win");
  const [curtain, words] = draw();
  const flights = calm.matches ? [] : launch(words);
  const end = () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", end, { capture: true });
    removeEventListener("keydown", end, { capture: true });
    document.removeEventListener("htmx:before:swap", end);
    for (const flight of flights) flight.cancel();
    leave(curtain);
    leave(words, show); // one after the other: the card lies where the words are
  };
  const timer = setTimeout(end, paced(ALL) + began - performance.now()); // also where it takes long to draw
  addEventListener("pointerdown", end, { capture: true });
  addEventListener("keydown", end, { capture: true });
  document.addEventListener("htmx:before:swap", end);
}

function leave(layer, then) {
  layer.animate([{}, { opacity: 0 }], { duration: FADE, fill: "forwards" }).onfinish = () => {
    layer.remove();
    then?.();
  };
}

function show() {
  table().classList.remove("celebrating");
  const card = document.querySelector(".ending");
  card?.animate([{ opacity: 0, scale: calm.matches ? 1 : 0.9 }, {}], { duration: FADE, easing: "ease-out" });
  if (!card || calm.matches) return;
  const { entrance } = card.querySelector(".court").dataset;
  for (const [n, one] of card.querySelectorAll(".court use").entries()) {
    const timing = { duration: RISE, delay: n * LATER, easing: "cubic-bezier(0.2, 0.9, 0.3, 1.15)", fill: "backwards" };
    one.animate([ENTRANCES[entrance](n), {}], entrance === "run" ? { ...timing, duration: FANS, delay: 0 } : timing);
  }
  card.querySelectorAll(".tally b").forEach(countUp);
}

// Counts from zero to the value, a number or a time. A figure in any other form stays as it is.
function countUp(figure) {
  const said = figure.textContent;
  const places = said.split(":").length;
  const whole = said.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  if (!(whole > 0)) return;
  figure.style.minWidth = `${figure.offsetWidth}px`; // what is beside it stays where it is
  const began = performance.now();
  let isOver = false;
  const step = (now) => {
    if (isOver) return;
    const part = Math.min((now - began) / COUNT, 1);
    figure.textContent = part < 1 ? written(Math.round(whole * (1 - (1 - part) ** 3)), places) : said;
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  // Also where frames are rare, as on a busy machine, or do not come, as in a page that nobody sees.
  setTimeout(() => {
    isOver = true;
    figure.textContent = said;
  }, COUNT);
}

function written(count, places) {
  if (places === 1) return `${count}`;
  return `${written(Math.floor(count / 60), places - 1)}:${String(count % 60).padStart(2, "0")}`;
}

// The line for screen readers says the same already.
function draw() {
  const curtain = document.createElement("div");
  const words = document.createElement("p");
  curtain.className = "curtain";
  words.className = "curtain-words";
  words.append(document.createElement("span"));
  words.firstChild.textContent = document.querySelector(".ending h2")?.textContent ?? "";
  words.dataset.fact = document.querySelector(".ending .spent")?.textContent ?? "";
  // The cards fly between them.
  for (const layer of [curtain, words]) {
    layer.setAttribute("aria-hidden", "true");
    document.querySelector(".cloth").append(layer);
    layer.animate([{ opacity: 0 }, {}], FADE);
  }
  fit(words);
  if (!calm.matches) {
    words.animate([{ opacity: 0 }, { opacity: 0, offset: 0.62 }, {}], paced(APPEARS));
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

// The foundations give up their cards in turn, the highest first.
function launch(words) {
  const tops = [...document.querySelectorAll(".foundations .pile")].map((pile) => cardsOf(pile).at(-1)).filter((top) => top && faceOf(top));
  // The last card is still on its way: what takes the clicks lies where it goes.
  const homes = tops.map((top) => ({ face: faceOf(top), rect: top.getBoundingClientRect() }));
  const radius = radiusOn(words.parentElement.getBoundingClientRect());
  const hole = words.getBoundingClientRect();
  const leaving = homes.length === 0 ? [] : Array.from({ length: CARDS }, (_, n) => [n, homes[n % homes.length]]);
  // Appended from the lowest on, so that each leaves from the top of its pile.
  const flights = leaving.toReversed().map(([n, { face, rect }]) => {
    const rank = RANKS[(RANKS.indexOf(face[0]) + 13 - (Math.floor(n / homes.length) % 13)) % 13];
    return fly(ghost(rank + face[1], rect), rect, radius, hole, n);
  });
  const gone = { delay: paced(LANDED), duration: paced(ALL - LANDED) };
  return [...flights, document.querySelector(".foundations").animate([{ opacity: 0 }, { opacity: 0 }], gone)];
}

function fly(copy, rect, whole, hole, n) {
  const leaves = n * APART;
  const arrives = leaves + FLIGHT;
  const size = (whole * LENGTH) / rect.height;
  const far = whole * AWAY;
  const middle = [hole.left + hole.width / 2 - rect.left - rect.width / 2, hole.top + hole.height / 2 - rect.top - rect.height / 2];
  // Against the clock, so that each card shows the corner with its index.
  const angle = (time) => -(2 * Math.PI * n) / CARDS - Math.PI / 2 - (TURN * time) / 1000;
  const place = (time) => [middle[0] + far * Math.cos(angle(time)), middle[1] + far * Math.sin(angle(time))];
  const frame = (time, [x, y], turn, scale) => ({
    offset: (time - leaves) / (CLOSED - leaves),
    transform: `translate(${x}px, ${y}px) rotate(${turn}rad) scale(${scale})`,
  });
  const upright = (time) => angle(time) + Math.PI / 2;

  const target = place(arrives);
  const above = [target[0] / 2, Math.min(0, target[1]) - whole * 0.5]; // what the arc bends towards
  const arc = Array.from({ length: CURVE }, (_, step) => {
    const at = step / CURVE;
    const eased = 1 - (1 - at) ** 2;
    const point = target.map((value, axis) => 2 * eased * (1 - eased) * above[axis] + eased ** 2 * value);
    return frame(leaves + at * FLIGHT, point, eased * upright(arrives), 1 + eased * (size - 1));
  });
  const turning = Array.from({ length: CURVE + 1 }, (_, step) => {
    const time = arrives + ((CLOSING - arrives) * step) / CURVE;
    return frame(time, place(time), upright(time), size);
  });
  turning.at(-1).opacity = 1;
  const closed = { ...frame(CLOSED, middle, -2 * Math.PI + (Math.random() - 0.5) * 0.12, size), opacity: 0, easing: "ease-in" };

  copy.animate([{ opacity: 0 }, { opacity: 0 }], paced(LANDED));
  const timing = { delay: paced(LANDED + leaves), duration: paced(CLOSED - leaves), fill: "both" };
  const flight = copy.animate([...arc, ...turning, closed], timing);
  flight.oncancel = () => copy.remove();
  return flight;
}
