// Playing a move cancels a pending hint. The bulb shows that one is being computed. A new hint is shown once, as a moving
// card. It comes at once and is refined while you look: the page asks again, and the answer replaces the sentence and, if
// need be, the cards that are highlighted.

import { calm, cardsOf, drawingOf, faceOf, heldGrip, hintsGiven, isHint, isOfTable, isRough, lasting, showNotice, table, version } from "./board.js";
import { ghost } from "./animation.js";
import { swapIn } from "./swap.js";
import { isDragging } from "./drag.js";
import { fetchPiece } from "./send.js";
import { wordsFor } from "./words.js";

// Comments stand above their lines, since those beside them would be sent along: a first visit loads this script.

// Milliseconds that a hint moves, and after which the line says that one is being computed.
const GLIDE = 400;
const LONG = 1000;
// The layer of the cards that glide: the sentence lies above them.
const BELOW_NOTE = 17;
// Of a card's height: how far below the last card of a column the next one lies.
const STRIP = 0.26;

// Requests for hints: the one under way and those that wait for it.
const pending = new Set();
// The cards that glide, and the hint that was shown as a move.
let copies = [];
let shown = "";
// The timer until the line says that a hint is being computed.
let waiting = null;
// What stops the request that refines a hint.
let refining = null;
// The script that finds a hint its place.
let placing = null;

export function watchHints() {
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!isOfTable(ctx)) return;
    refining?.abort(); // a move goes first
    if (isHint(ctx)) pending.add(ctx);
    else for (const hint of pending) hint.request.abort();
    showThinking();
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    pending.delete(ctx);
    showThinking();
  });
  document.addEventListener("htmx:after:swap", glide);
  document.addEventListener("htmx:after:swap", refine);
  // A first visit does without what no hint needs yet.
  for (const sign of ["pointerdown", "keydown", "htmx:config:request"]) document.addEventListener(sign, placeHints, { once: true });
  if (document.querySelector("#notice > :not(.sr-only, .first)")) placeHints();
  document.getElementById("notice").addEventListener("click", play);
}

// Where it can't be had, offline or since a release, hints stay in their line.
function placeHints() {
  placing ??= import("./hint-place.js").then(({ watchHintPlace }) => watchHintPlace(), () => (placing = null));
}

// The button of a hint plays it, as a press on what is highlighted does, or finishes, or undoes.
function play(event) {
  const pressed = event.target.closest(".play, .undo");
  if (!pressed) return;
  // Without a script it sends the form.
  event.preventDefault();
  const inRail = (name) => document.querySelector(`.rail > .${name}`);
  const button = pressed.matches(".undo") ? inRail("undo") : (table().querySelector(".pile button.advised, #stock.advised > button") ?? document.querySelector(".rail.finish-advised > .finish") ?? inRail("deal"));
  button.focus();
  button.click();
}

function showThinking() {
  document.querySelector(".rail .hint")?.setAttribute("aria-busy", pending.size > 0);
  clearTimeout(waiting);
  // A hint that is on the table stays until the next one is there.
  const isShown = table().querySelector(".pile.advised, .pile .advised");
  if (pending.size && !isShown) waiting = setTimeout(() => showNotice(wordsFor("looking")), LONG);
}

// A hint that is only refined is not shown again.
function glide() {
  for (const copy of copies) copy.remove();
  copies = [];
  const cards = [...table().querySelectorAll(".pile button.advised")];
  const target = table().querySelector(".pile.advised");
  const hint = cards.length && target ? `${version()} ${cards[0].value} ${target.id}` : "";
  const isNew = hint !== shown;
  shown = hint;
  if (!hint || !isNew || hintsGiven() === "0" || calm.matches) return;
  const end = landing(target);
  const rects = cards.map((card) => drawingOf(card).getBoundingClientRect());
  copies = cards.map((card, n) => ghost(faceOf(card), rects[n]));
  const x = end.left - rects[0].left;
  const y = end.top - rects[0].top;
  const there = `translate(${x}px, ${y}px)`;
  for (const copy of copies) {
    copy.style.zIndex = BELOW_NOTE;
    const frames = [
      { transform: "none", opacity: 0.9 },
      { transform: there, opacity: 0.9, offset: 0.8 },
      { transform: there, opacity: 0 },
    ];
    copy.animate(frames, { duration: lasting(GLIDE), easing: "ease-in-out" }).onfinish = () => copy.remove();
  }
}

// Where the first card would come to lie.
function landing(pile) {
  const last = cardsOf(pile).at(-1);
  const { left, top, height } = drawingOf(last).getBoundingClientRect();
  const isOnACard = pile.closest(".tableau") && faceOf(last);
  return { left, top: top + (isOnACard ? height * STRIP : 0) };
}

const advised = () => table().querySelector("[class*=advised]") !== null;

async function refine() {
  refining?.abort();
  if (!isRough()) return;
  refining = new AbortController();
  const { signal } = refining;
  const before = advised();
  const body = new URLSearchParams({ version: version(), held: heldGrip(), hint: hintsGiven(), rough: 1 });
  try {
    const answer = await fetchPiece(`${table().dataset.address}/help/hint`, {
      method: "POST",
      body,
      signal,
    });
    const text = await answer.text();
    // Nobody has put it away.
    if (answer.ok && !signal.aborted && !isDragging() && (advised() || !before)) swapIn(text);
  } catch {
    // The hint stays as it is.
  }
}
