// The bubbles of a first game: each points at a thing on the table, and goes when the player does it or taps Next.

import { legalMoves, state, topButton, version } from "./board.js";
import { drawingIn, placeFor } from "./placing.js";
import { say } from "./words.js";

const SETTLED = 450; // milliseconds after which cards have stopped moving

const coach = document.getElementById("coach");
const ring = document.querySelector(".coach-ring");
const words = coach.querySelector(".words");
const said = coach.querySelector(".said");
const next = coach.querySelector(".next");
const more = next.textContent;
const steps = [...coach.querySelectorAll("template")];
const done = new Set();
let seen = version();
let shown = null;

const anchors = {
  move: () => {
    const moves = legalMoves().filter(({ source }) => source !== "stock");
    const chosen = moves.find(({ source, count }) => gripOf(source, count) === coach.dataset.card) ?? moves[0];
    return chosen && document.querySelector(`#table button[value="${gripOf(chosen.source, chosen.count)}"]`);
  },
  deal: () => state().classList.contains("can-deal") && topButton(document.getElementById("stock")),
  undo: () => document.querySelector(".rail .undo"),
};

const gripOf = (source, count) => (count > 1 ? `${source}:${count}` : source);

function show() {
  const step = steps.find(({ dataset }) => !done.has(dataset.topic) && anchors[dataset.topic]());
  if (!step || state().querySelector(".ending")) return put();
  coach.hidden = ring.hidden = false;
  coach.classList.add("placed");
  if (step !== shown) {
    shown = step;
    next.textContent = step === steps.at(-1) ? say("got-it") : more;
    words.textContent = step.content.textContent;
    // Filled when it is on the page already: only then screen readers announce it, and only once.
    requestAnimationFrame(() => (said.textContent = words.textContent));
  }
  place();
}

function put() {
  coach.hidden = ring.hidden = true;
}

function finish(topic) {
  done.add(topic);
  if (done.size === steps.length) dismiss();
  else requestAnimationFrame(showAgain);
}

function showAgain() {
  if (coach.isConnected) show();
}

function dismiss() {
  fetch(coach.action, { method: "POST", body: new URLSearchParams(new FormData(coach)), redirect: "manual", keepalive: true }).catch(() => null);
  coach.remove();
  ring.remove();
  observer.disconnect();
  removeEventListener("resize", show);
  document.removeEventListener("htmx:after:swap", follow);
}

function place() {
  const anchor = anchors[shown.dataset.topic]();
  if (!anchor || !coach.isConnected) return;
  const target = drawingIn(anchor).getBoundingClientRect();
  Object.assign(ring.style, { width: `${target.width}px`, height: `${target.height}px`, translate: `${target.left}px ${target.top}px` });
  const found = placeFor(coach.getBoundingClientRect(), target);
  if (!found) return put();
  coach.style.translate = `${found[0]}px ${found[1]}px`;
}

// What was done is told by the request that led to a new version.
function follow({ detail: { ctx } }) {
  const { body, action } = ctx.request ?? {};
  if (version() !== seen && action) {
    seen = version();
    const clicked = body instanceof URLSearchParams ? body.get("clicked") : null;
    const isDeal = action.endsWith("/deal") || clicked === "stock";
    const topic = action.endsWith("/undo") ? "undo" : isDeal ? "deal" : /\/(click|move)$/.test(action) && "move";
    if (topic && !done.has(topic)) finish(topic);
  }
  if (!coach.isConnected) return;
  // Measured with the layout that the browser makes for the next frame anyway.
  requestAnimationFrame(showAgain);
  setTimeout(showAgain, SETTLED);
}

const observer = new ResizeObserver(() => show());
document.addEventListener("htmx:after:swap", follow);
addEventListener("resize", show);
next.addEventListener("click", () => finish(shown.dataset.topic));
coach.addEventListener("submit", (event) => {
  event.preventDefault();
  dismiss();
});
observer.observe(document.getElementById("table"));
