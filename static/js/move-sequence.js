// Several moves that the server made at once are shown one after another, over a table that stands
// as it is by now. Any key or touch skips to the end.

import { calm, cardsOf, drawingOf, faceOf, piles, table } from "./places.js";
import { ghost } from "./travel.js";

const MILLISECONDS = 180;
const APART = 90;
const LONGEST = 4000;

let seen = new Map();

/** Remember where every card lies, in the moment before the table is swapped. */
export function prepareFilm() {
  seen = new Map(
    piles().map((pile) => [
      pile.id,
      cardsOf(pile)
        .map((card) => ({ face: faceOf(card), rect: drawingOf(card).getBoundingClientRect() }))
        .filter((card) => card.face),
    ]),
  );
}

/** Show moves such as `t3-f1:TD`; answers with what is settled at the end, or null without moves. */
export function showFilm(text) {
  if (!text || calm.matches) return null;
  const shots = text.split(" ").flatMap(readShot);
  return run(shots, likenesses(shots));
}

function readShot(text) {
  const [way, faces] = text.split(":");
  const [source, target] = way.split("-");
  return faces.split(",").map((face) => ({ source, target, face }));
}

// What is still to leave is drawn where it lay; what lies at home by now is hidden until it comes.
function likenesses(shots) {
  const flights = new Map();
  const leaving = [...shots];
  for (const [id, cards] of seen) {
    // Of two cards of one face the upper one leaves first.
    for (const [place, { face, rect }] of [...cards.entries()].reverse()) {
      const next = leaving.findIndex((shot) => shot.source === id && shot.face === face);
      if (next < 0) continue;
      const likeness = ghost(face, rect);
      likeness.style.zIndex = place + 1;
      flights.set(leaving.splice(next, 1)[0], likeness);
    }
  }
  return flights;
}

async function run(shots, flights) {
  const homes = new Map();
  for (const { target } of shots) if (!homes.has(target)) homes.set(target, open(target));
  let skipped = false;
  const skip = () => (skipped = true);
  addEventListener("pointerdown", skip, { once: true, capture: true });
  addEventListener("keydown", skip, { once: true, capture: true });
  table().classList.add("filming");
  const apart = Math.min(APART, LONGEST / shots.length);
  let last = null;
  for (const [number, shot] of shots.entries()) {
    if (skipped) break;
    last = fly(shot, flights, homes.get(shot.target), number);
    await Promise.race([last, pause(apart)]);
  }
  if (!skipped) await last;
  for (const home of homes.values()) home.close();
  for (const likeness of flights.values()) likeness.remove();
  table().classList.remove("filming");
  removeEventListener("pointerdown", skip, { capture: true });
  removeEventListener("keydown", skip, { capture: true });
}

// A foundation as it was: the face that lay on it, over the one that lies there in the end.
function open(target) {
  const card = cardsOf(document.getElementById(target)).at(-1);
  const drawing = drawingOf(card);
  const rect = drawing.getBoundingClientRect();
  const before = seen.get(target)?.at(-1)?.face;
  const likenesses = before ? [ghost(before, rect)] : [];
  drawing.style.visibility = "hidden";
  const close = () => {
    drawing.style.visibility = "";
    for (const likeness of likenesses) likeness.remove();
  };
  return { rect, likenesses, close };
}

function fly(shot, flights, home, number) {
  const likeness = flights.get(shot) ?? ghost(shot.face, home.rect);
  flights.delete(shot);
  home.likenesses.push(likeness);
  const from = likeness.getBoundingClientRect();
  likeness.style.zIndex = 100 + number;
  const flight = likeness.animate(
    [{ transform: "none" }, { transform: `translate(${home.rect.left - from.left}px, ${home.rect.top - from.top}px)` }],
    { duration: MILLISECONDS, easing: "cubic-bezier(0.2, 0.75, 0.25, 1)", fill: "forwards" },
  );
  return flight.finished.catch(() => {});
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
