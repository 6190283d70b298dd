// The moment after a win: the cloth darkens and cards leave the foundations in an arc. Any key or touch skips it.

import { calm, cardsOf, drawingOf, faceOf, lasting, table } from "./board.js";
import { ghost } from "./animation.js";
import { feel } from "./feel.js";

const RANKS = "A23456789TJQK";
const ALL = 3600; // milliseconds
const FLIGHT = 1500; // of one card
const CARDS = 36;
const STEPS = 14; // of a curve
const FADE = 240;

export function celebrate() {
  feel("win");
  const layers = draw();
  const flights = calm.matches ? [] : launch();
  const end = () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", end, { capture: true });
    removeEventListener("keydown", end, { capture: true });
    document.removeEventListener("htmx:before:swap", end);
    for (const flight of flights) flight.cancel();
    for (const layer of layers) {
      layer.animate([{}, { opacity: 0 }], { duration: FADE, fill: "forwards" }).onfinish = () => layer.remove();
    }
    table().classList.remove("celebrating");
    document.querySelector(".ending")?.animate([{ opacity: 0 }, {}], FADE);
  };
  const timer = setTimeout(end, lasting(ALL));
  addEventListener("pointerdown", end, { capture: true });
  addEventListener("keydown", end, { capture: true });
  document.addEventListener("htmx:before:swap", end);
}

// What it says is in the line for screen readers already.
function draw() {
  const curtain = document.createElement("div");
  const words = document.createElement("p");
  curtain.className = "curtain";
  words.className = "curtain-words";
  words.textContent = "You won";
  // The cards fly between them.
  for (const layer of [curtain, words]) {
    layer.setAttribute("aria-hidden", "true");
    document.querySelector(".cloth").append(layer);
    layer.animate([{ opacity: 0 }, {}], FADE);
  }
  table().classList.add("celebrating");
  return [curtain, words];
}

// The foundations give up their cards in turn, the highest first.
function launch() {
  const homes = [...document.querySelectorAll(".foundations .pile")].flatMap((pile) => {
    const top = cardsOf(pile).at(-1);
    const face = top && faceOf(top);
    return face ? [{ face, rect: drawingOf(top).getBoundingClientRect() }] : [];
  });
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const apart = (ALL - FLIGHT) / CARDS;
  return homes.length === 0
    ? []
    : Array.from({ length: CARDS }, (_, n) => {
        const { face, rect } = homes[n % homes.length];
        const rank = RANKS[(RANKS.indexOf(face[0]) + 13 - Math.floor(n / homes.length)) % 13];
        return fly(ghost(rank + face[1], rect), rect, cloth, n * apart);
      });
}

// Thrown up and aside, then falling ever faster.
function fly(copy, rect, cloth, delay) {
  const fall = cloth.bottom - rect.top + rect.height;
  const up = Math.min(fall * 0.35, 160) * (0.6 + Math.random() * 0.6);
  const aside = (Math.random() - 0.5) * cloth.width * 1.1;
  const spin = (Math.random() - 0.5) * 240;
  const peak = 1 / (1 + Math.sqrt((fall + up) / up)); // when it is highest
  const frames = Array.from({ length: STEPS + 1 }, (_, step) => {
    const at = step / STEPS;
    const y = up * ((at / peak - 1) ** 2 - 1);
    return { transform: `translate(${aside * at}px, ${y}px) rotate(${spin * at}deg)` };
  });
  const flight = copy.animate(frames, { duration: lasting(FLIGHT), delay: lasting(delay), fill: "backwards" });
  flight.onfinish = flight.oncancel = () => copy.remove();
  return flight;
}
