// The bubbles of a first game: each rings a thing on the table, and is gone for good when the player does what it says,
// chooses Next, or plays on beside it.
// After some actions all of them go, because cards need the room.

import { placeForBubble, canServe, canStay } from "./bubble-place.js";
import { legalMoves, sizeOf, state, topButton, version } from "./board.js";
import { drawingIn } from "./placing.js";
import { wordsFor } from "./words.js";

// Milliseconds after which cards have stopped moving.
const SETTLED = 450;
// Actions beside a bubble, after which it counts as read.
const PLAYED_ON = 3;
// Fewer, beside short ones.
const PLAYED_ON_BESIDE = { deal: 1, undo: 2 };
// Pixels of a ring that would lie off the screen.
const EDGE = 4;

const coach = document.getElementById("coach");
const ring = document.querySelector(".coach-ring");
const words = coach.querySelector(".words");
const said = coach.querySelector(".said");
const next = coach.querySelector(".next");
const more = next.textContent;
const steps = [...coach.querySelectorAll("template")];
const done = new Set();
// Of the bubbles that had a place: others taught nothing.
const seenTopics = new Set();
// Actions beside each bubble, which may come back after another one.
const playedOn = new Map();
let seen = version();
let told = Promise.resolve();
let shown = null;
let hasDealt = false;
// Whether the bubble that is shown has found its place.
let isPlaced = false;

const anchors = {
  goal: () => document.querySelector('#table .pile[id^="f"]'),
  move: () => {
    const moves = legalMoves().filter(({ source }) => source !== "stock");
    const chosen = moves.find(({ source, count }) => gripOf(source, count) === coach.dataset.card) ?? moves[0];
    return chosen && document.querySelector(`#table button[value="${gripOf(chosen.source, chosen.count)}"]`);
  },
  deal: () => {
    const plays = legalMoves().some(({ source }) => source === "stock");
    return (plays || (!isStockEmpty() && state().classList.contains("can-deal"))) && topButton(document.getElementById("stock"));
  },
  undo: () => state().classList.contains("can-undo") && document.querySelector(".rail .undo"),
};

const isStockEmpty = () => sizeOf(document.getElementById("stock")) === 0;

const gripOf = (source, count) => (count > 1 ? `${source}:${count}` : source);

function show() {
  if (isLate()) {
    if (shown && seenTopics.has(shown.dataset.topic)) finish(shown.dataset.topic);
    return leave();
  }
  const [step, following] = stepsNow();
  if (!step || state().querySelector(".ending") || isSomethingSaid()) return hideBubble();
  coach.hidden = ring.hidden = false;
  coach.classList.add("placed");
  if (step !== shown) {
    shown = step;
    isPlaced &&= canServe(anchors[step.dataset.topic]());
    next.textContent = following ? more : wordsFor("got-it");
    coach.dataset.topic = step.dataset.topic;
    words.replaceChildren(step.content.cloneNode(true));
    // Filled when it is on the page already: only then screen readers announce it, and only once. The words that are
    // seen are those for a mouse or those for touch.
    requestAnimationFrame(() => (said.textContent = words.innerText));
  }
  place();
}

const stepsNow = () => steps.filter(({ dataset }) => !isDone(dataset.topic) && anchors[dataset.topic]());

function hideBubble() {
  coach.hidden = ring.hidden = true;
}

// One message at a time: a hint, a problem or the offer of a gentler game comes first.
function isSomethingSaid() {
  return [...document.querySelectorAll("#notice > span:not(.sr-only, .first), .nearest")].some((each) => each.checkVisibility());
}

function finish(...topics) {
  for (const topic of topics) done.add(topic);
  tellServer({ done: [...done].join(".") });
  if (steps.every(({ dataset }) => isDone(dataset.topic))) leave();
}

const isLate = () => version() >= Number(coach.dataset.late);

// An empty stock teaches nobody how to deal, and who has dealt knows, even if no bubble had a place then.
const isDone = (topic) => done.has(topic) || (topic === "deal" && (hasDealt || isStockEmpty()));

function showAgain() {
  if (coach.isConnected) show();
}

// One request after another: the answer to an earlier one would undo the cookie of a later one.
function tellServer(more = {}) {
  const body = new URLSearchParams({ ...Object.fromEntries(new FormData(coach)), ...more });
  const tell = () => fetch(coach.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => null);
  told = told.then(tell);
}

function leave() {
  coach.remove();
  ring.remove();
  observer.disconnect();
  listener.disconnect();
  removeEventListener("resize", settleAgain);
  document.removeEventListener("dealt", settleAgain);
  document.removeEventListener("htmx:after:swap", follow);
}

function place() {
  const anchor = anchors[shown.dataset.topic]();
  if (!anchor || !coach.isConnected) return;
  const target = shown.dataset.topic === "goal" ? boxOf(anchor.parentElement) : drawingIn(anchor).getBoundingClientRect();
  const left = Math.max(target.left, EDGE);
  const width = Math.min(target.right, innerWidth - EDGE) - left;
  Object.assign(ring.style, { width: `${width}px`, height: `${target.height}px`, translate: `${left}px ${target.top}px` });
  if (isPlaced && canStay(coach.getBoundingClientRect())) return;
  const found = findPlace(anchor, target);
  if (!found) return hideBubble();
  isPlaced = true;
  seenTopics.add(shown.dataset.topic);
  coach.style.translate = `${found[0]}px ${found[1]}px`;
  coach.classList.toggle("at-edge", found[1] === 0);
}

// Where it would cover cards it becomes lower, and then may lie on the backs of some.
function findPlace(anchor, target) {
  coach.classList.toggle("beside", document.querySelector("#table.in-two-rows") !== null);
  coach.classList.remove("low");
  const found = placeForBubble(coach.getBoundingClientRect(), anchor, target);
  if (found) return found;
  coach.classList.add("low");
  return placeForBubble(coach.getBoundingClientRect(), anchor, target, true);
}

// Around all foundations that are seen: their places stand beside one another.
function boxOf(zone) {
  const places = [...zone.querySelectorAll('.pile[id^="f"]')].map((pile) => pile.firstElementChild ?? pile);
  const boxes = places.map((place) => place.getBoundingClientRect()).filter(({ width }) => width > 0);
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  return new DOMRect(least("left"), least("top"), most("right") - least("left"), most("bottom") - least("top"));
}

// What was done is told by the request that led to a new version.
function follow({ detail: { ctx } }) {
  const { body, action } = ctx.request ?? {};
  if (version() !== seen && action) {
    const isFirst = seen === 0;
    seen = version();
    const clicked = body instanceof URLSearchParams ? body.get("clicked") : null;
    const isDeal = action.endsWith("/deal") || clicked === "stock";
    const topic = action.endsWith("/undo") ? "undo" : isDeal ? "deal" : /\/(click|move)$/.test(action) && "move";
    const read = readNow(isFirst);
    hasDealt ||= isDeal;
    if (topic && seenTopics.size && !done.has(topic)) {
      // Whoever plays has read it, or knows the game.
      finish(...(seenTopics.has("goal") ? ["goal"] : []), ...read, topic);
      // The next one comes when the cards lie still, so that it is placed once.
      hideBubble();
    } else if (read.length) {
      finish(...read);
    }
  }
  if (!coach.isConnected) return;
  // Measured with the layout that the browser makes for the next frame anyway.
  if (!coach.hidden) requestAnimationFrame(showAgain);
  setTimeout(showAgain, SETTLED);
}

// The bubble that has been read by now, if any: one more action was made beside it. That about undo is counted even before
// the cards of a fast player have settled, from the first action that may be taken back.
function readNow(isFirst) {
  const [step] = stepsNow();
  if (!step) return [];
  const { topic } = step.dataset;
  if (topic === "undo" ? isFirst : step !== shown || coach.hidden) return [];
  playedOn.set(topic, (playedOn.get(topic) ?? 0) + 1);
  return playedOn.get(topic) >= (PLAYED_ON_BESIDE[topic] ?? PLAYED_ON) ? [topic] : [];
}

function settleAgain() {
  // The cards are on their way.
  if (document.querySelector("[data-dealt]")) return;
  isPlaced = false;
  show();
}

const observer = new ResizeObserver(settleAgain);
const listener = new MutationObserver(() => isSomethingSaid() && hideBubble());
document.addEventListener("htmx:after:swap", follow);
addEventListener("resize", settleAgain);
next.addEventListener("click", () => {
  finish(shown.dataset.topic);
  requestAnimationFrame(showAgain);
});
coach.addEventListener("submit", (event) => {
  event.preventDefault();
  tellServer();
  leave();
});
observer.observe(document.getElementById("table"));
document.addEventListener("dealt", settleAgain);
listener.observe(document.getElementById("notice"), { childList: true, subtree: true });
