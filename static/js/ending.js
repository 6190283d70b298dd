// The moment after a win: the cards leave the foundations in arcs and open into a wheel around "You won!", which turns and
// closes and fades; then the words settle on the card that says what the win meant. Any key or touch skips it.

import { calm, cardsOf, faceOf, lasting, table } from "./board.js";
import { ghost } from "./animation.js";
import { feel } from "./feel.js";

const RANKS = "A23456789TJQK";
const FADE = 240; // milliseconds, as all that follow
const LANDED = 260; // until the last card lies on its foundation
const APART = 24; // from one card that leaves to the next
const FLIGHT = 650; // of one card to its place in the wheel
const CLOSING = 3100; // when the wheel begins to close
const CLOSED = 3750;
const ALL = 4000;
const APPEARS = 1900; // the wheel is open: the words are there
const SETTLING = 420; // of the words on the card
const CARDS = 52; // of a game with two decks, those on top
const TURN = 0.35; // of the wheel, in radians a second
const CURVE = 8; // steps in which an arc is drawn

export function celebrate() {
  feel("win");
  const [curtain, words] = draw();
  const flights = calm.matches ? [] : launch();
  const end = () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", end, { capture: true });
    removeEventListener("keydown", end, { capture: true });
    document.removeEventListener("htmx:before:swap", end);
    for (const flight of flights) flight.cancel();
    table().classList.remove("celebrating");
    leave(curtain);
    settle(words);
    const card = document.querySelector(".ending");
    card?.animate([{ opacity: 0, scale: calm.matches ? 1 : 0.9 }, {}], { duration: FADE, easing: "ease-out" });
  };
  const timer = setTimeout(end, lasting(ALL));
  addEventListener("pointerdown", end, { capture: true });
  addEventListener("keydown", end, { capture: true });
  document.addEventListener("htmx:before:swap", end);
}

function leave(layer) {
  layer.animate([{}, { opacity: 0 }], { duration: FADE, fill: "forwards" }).onfinish = () => layer.remove();
}

// The words become the heading of the card.
function settle(words) {
  const heading = document.querySelector(".ending h2");
  const [from, to] = [words.firstChild, heading].map((each) => each?.getBoundingClientRect());
  if (calm.matches || !to?.width) return leave(words);
  words.classList.add("settled");
  table().classList.add("settling");
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const color = getComputedStyle(heading).color;
  const way = [{}, { transform: `translate(${x}px, ${y}px) scale(${to.height / from.height})`, color, textShadow: "none" }];
  words.animate(way, { duration: lasting(SETTLING), easing: "ease-in-out", fill: "forwards" }).onfinish = () => {
    words.remove();
    table().classList.remove("settling");
  };
}

// What it says is in the line for screen readers already.
function draw() {
  const curtain = document.createElement("div");
  const words = document.createElement("p");
  curtain.className = "curtain";
  words.className = "curtain-words";
  words.append(document.createElement("span"));
  words.firstChild.textContent = document.querySelector(".ending h2")?.textContent ?? "";
  words.dataset.fact = document.querySelector(".ending > div > p")?.textContent ?? "";
  // The cards fly between them.
  for (const layer of [curtain, words]) {
    layer.setAttribute("aria-hidden", "true");
    document.querySelector(".cloth").append(layer);
    layer.animate([{ opacity: 0 }, {}], FADE);
  }
  if (!calm.matches) {
    words.animate([{ opacity: 0 }, { opacity: 0, offset: 0.62 }, {}], lasting(APPEARS));
  }
  table().classList.add("celebrating");
  return [curtain, words];
}

// The foundations give up their cards in turn, the highest first.
function launch() {
  const tops = [...document.querySelectorAll(".foundations .pile")].map((pile) => cardsOf(pile).at(-1)).filter((top) => top && faceOf(top));
  // The last card is still on its way: what takes the clicks lies where it goes.
  const homes = tops.map((top) => ({ face: faceOf(top), rect: top.getBoundingClientRect() }));
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const leaving = homes.length === 0 ? [] : Array.from({ length: CARDS }, (_, n) => [n, homes[n % homes.length]]);
  // Appended from the lowest on, so that each leaves from the top of its pile.
  const flights = leaving.toReversed().map(([n, { face, rect }]) => {
    const rank = RANKS[(RANKS.indexOf(face[0]) + 13 - (Math.floor(n / homes.length) % 13)) % 13];
    return fly(ghost(rank + face[1], rect), rect, cloth, n);
  });
  const gone = { delay: lasting(LANDED), duration: lasting(ALL - LANDED) };
  return [...flights, document.querySelector(".foundations").animate([{ opacity: 0 }, { opacity: 0 }], gone)];
}

function fly(copy, rect, cloth, n) {
  const leaves = n * APART;
  const arrives = leaves + FLIGHT;
  const whole = Math.min(cloth.width, cloth.height) * 0.48; // from the middle to the edge of the wheel
  const size = (whole * 0.36) / rect.height;
  const far = whole * 0.82;
  const middle = [cloth.left + cloth.width / 2 - rect.left - rect.width / 2, cloth.top + cloth.height / 2 - rect.top - rect.height / 2];
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
  turning.at(-1).opacity = 1; // from here on it fades, so that the words stay clear
  const closed = { ...frame(CLOSED, middle, -2 * Math.PI + (Math.random() - 0.5) * 0.12, size), opacity: 0, easing: "ease-in" };

  copy.animate([{ opacity: 0 }, { opacity: 0 }], lasting(LANDED));
  const timing = { delay: lasting(LANDED + leaves), duration: lasting(CLOSED - leaves), fill: "both" };
  const flight = copy.animate([...arc, ...turning, closed], timing);
  flight.oncancel = () => copy.remove();
  return flight;
}
