// A short animation after a win. Any key or touch skips it.

import { calm, cardsOf, drawingOf, faceOf } from "./board.js";
import { ghost } from "./animation.js";

const RANKS = "A23456789TJQK";
const SECONDS = 1.5;

export function celebrate() {
  if (calm.matches) return;
  const flights = [];
  const homes = [...document.querySelectorAll(".foundations .pile")];
  homes.forEach((pile, i) => {
    const top = cardsOf(pile).at(-1);
    const face = top && faceOf(top);
    if (!face) return;
    const rect = drawingOf(top).getBoundingClientRect();
    for (let n = 0; n < 4; n++) {
      const rank = RANKS[(RANKS.indexOf(face[0]) + 13 - n) % 13];
      flights.push(rise(ghost(rank + face[1], rect), rect, i / homes.length, i * 60 + n * 110));
    }
  });
  const skip = () => flights.forEach((flight) => flight.finish());
  addEventListener("pointerdown", skip, { once: true, capture: true });
  addEventListener("keydown", skip, { once: true, capture: true });
}

function rise(copy, rect, across, delay) {
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const x = (across - 0.45) * cloth.width * 0.5 + (Math.random() - 0.5) * 160;
  const up = Math.min(rect.top - 10, 60);
  const down = cloth.bottom - rect.top + 40;
  const spin = (Math.random() - 0.5) * 90;
  const flight = copy.animate(
    [
      { transform: "none", opacity: 1, easing: "ease-out" },
      { transform: `translate(${x * 0.35}px, ${-up}px) rotate(${spin * 0.3}deg)`, opacity: 1, offset: 0.25, easing: "ease-in" },
      { transform: `translate(${x}px, ${down}px) rotate(${spin}deg)`, opacity: 0.9 },
    ],
    { duration: SECONDS * 1000, delay, fill: "backwards" },
  );
  flight.onfinish = () => copy.remove();
  return flight;
}
