// Animates several moves that the server made at once, one after another, over the board as it is
// now. Any key or touch skips to the end.

import { calm, cardsOf, drawingOf, faceOf, lasting, piles, state, table } from "./board.js";
import { ghost } from "./animation.js";
import { wordsFor } from "./words.js";

const MILLISECONDS = 180;
const APART = 90;
const LONGEST = 4000; // of all together, also where the machine is slow
const LATEST = 1000; // of the last flight: an animation ends with a frame, for which a busy browser may wait long
const BEFORE_A_WIN = 1600; // of all together if they win the game, since the moment after a win follows

let seen = new Map();

/** Remember where every card is, just before the swap. */
export function prepareMoveSequence() {
  seen = new Map(
    piles().map((pile) => [
      pile.id,
      cardsOf(pile)
        .map((card) => ({ face: faceOf(card), rect: drawingOf(card).getBoundingClientRect() }))
        .filter((card) => card.face),
    ]),
  );
}

/** Show moves such as `t3-f1:TD`; returns a promise of the end, or null without moves. */
export function showMoveSequence(text) {
  if (!text || calm.matches) return null;
  const shots = text.split(" ").flatMap(readShot);
  return run(shots, makeCopies(shots));
}

function readShot(text, nth) {
  const [move, faces] = text.split(":");
  const [source, target] = move.split("-");
  return faces.split(",").map((face) => ({ source, target, face, nth }));
}

// Cards that have yet to move are drawn where they were; those at home are hidden until they arrive.
function makeCopies(shots) {
  const flights = new Map();
  const leaving = [...shots];
  const copied = new Set();
  const copyWhere = (isItsPile) => {
    for (const [id, cards] of seen) {
      // Of two cards of one face the upper one leaves first.
      for (const [place, card] of [...cards.entries()].reverse()) {
        const next = leaving.findIndex((shot) => shot.face === card.face && isItsPile(shot, id));
        if (next < 0 || copied.has(card)) continue;
        copied.add(card);
        const copy = ghost(card.face, card.rect);
        copy.style.zIndex = place + 1;
        flights.set(leaving.splice(next, 1)[0], copy);
      }
    }
  };
  copyWhere((shot, id) => shot.source === id);
  copyWhere((shot, id) => !id.startsWith("f")); // what the player has just moved lay elsewhere
  return flights;
}

const longest = () => (state().classList.contains("won") ? BEFORE_A_WIN : LONGEST);

async function run(shots, flights) {
  const homes = new Map();
  for (const { target } of shots) if (!homes.has(target)) homes.set(target, open(target));
  let skipped = false;
  const skip = () => (skipped = true);
  addEventListener("pointerdown", skip, { once: true, capture: true });
  addEventListener("keydown", skip, { once: true, capture: true });
  table().classList.add("in-sequence");
  const said = sayHowToSkip();
  const apart = lasting(Math.min(APART, longest() / shots.length));
  const began = performance.now();
  const count = document.querySelector("#status span").firstChild; // of moves: it grows with each card
  const total = Number(count.data);
  let last = null;
  for (const [number, shot] of shots.entries()) {
    if (skipped) break;
    if (total) count.data = total - shots.at(-1).nth + shot.nth;
    last = fly(shot, flights, homes.get(shot.target), number);
    const early = began + (number + 1) * apart - performance.now();
    if (early > 0) await Promise.race([last, pause(early)]); // what is late follows at once
  }
  if (!skipped) await Promise.race([last, pause(LATEST)]);
  for (const home of homes.values()) home.close();
  for (const copy of flights.values()) copy.remove();
  if (total) count.data = total;
  said.remove();
  table().classList.remove("in-sequence");
  removeEventListener("pointerdown", skip, { capture: true });
  removeEventListener("keydown", skip, { capture: true });
}

// Screen readers hear what was played instead.
function sayHowToSkip() {
  const said = document.createElement("p");
  said.className = "how-to-skip";
  said.setAttribute("aria-hidden", "true");
  said.textContent = wordsFor(matchMedia("(pointer: coarse)").matches ? "skip-tap" : "skip-key");
  document.querySelector(".cloth").append(said);
  return said;
}

// A foundation as it was: the face that lay on it, over the one that lies there in the end.
function open(target) {
  const card = cardsOf(document.getElementById(target)).at(-1);
  const drawing = drawingOf(card);
  const rect = drawing.getBoundingClientRect();
  const before = seen.get(target)?.at(-1)?.face;
  const copies = before ? [ghost(before, rect)] : [];
  drawing.style.visibility = "hidden";
  const close = () => {
    drawing.style.visibility = "";
    for (const copy of copies) copy.remove();
  };
  return { rect, copies, close };
}

function fly(shot, flights, home, number) {
  const copy = flights.get(shot) ?? ghost(shot.face, home.rect);
  flights.delete(shot);
  home.copies.push(copy);
  const from = copy.getBoundingClientRect();
  copy.style.zIndex = 100 + number;
  const flight = copy.animate(
    [{ transform: "none" }, { transform: `translate(${home.rect.left - from.left}px, ${home.rect.top - from.top}px)` }],
    { duration: lasting(MILLISECONDS), easing: "cubic-bezier(0.2, 0.75, 0.25, 1)", fill: "forwards" },
  );
  return flight.finished.catch(() => {});
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
