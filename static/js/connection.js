// The connection to the server: queued clicks, late responses, timeouts, reconnecting, and the event stream.

import { listen } from "./stream.js";
import { fragmentsOf } from "./swap.js";
import { faceOf, heldGrip, hintsGiven, legalMoves, say, table, version } from "./board.js";

const SLOW = 3000; // after this the page checks whether the server is there
const HIDDEN = 15_000; // a page hidden for less than this stays connected
const SETTLED = 400; // the first click goes before the stream
const RETRY = [1000, 2000, 4000, 8000];

let slowTimer = null;
let waiting = false;
let attempts = 0;
let retry = null;
let close = null; // closes the stream
let coming = -1; // the version that is being swapped in
let visibility = null;
let pressed = null; // the card under a finger that is down, and its face then

export function connect() {
  const form = table();
  form.addEventListener("pointerdown", press, { capture: true });
  form.addEventListener("click", ignoreAccident, { capture: true });
  document.addEventListener("htmx:config:request", (event) => noteTarget(event.detail.ctx));
  document.addEventListener("htmx:before:request", (event) => {
    if (!bringUpToDate(event.detail.ctx)) event.preventDefault();
    else startWaiting();
  });
  document.addEventListener("htmx:finally:request", () => {
    waiting = false;
    clearTimeout(slowTimer);
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (isLate(fragmentsOf(event.detail.tasks))) event.preventDefault();
  });
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.error instanceof TypeError) lost();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(visibility);
    visibility = document.hidden ? setTimeout(closeStream, HIDDEN) : setTimeout(openStream, SETTLED);
  });
  window.addEventListener("pageshow", (event) => event.persisted && catchUp());
  window.addEventListener("pagehide", closeStream);
  setTimeout(openStream, SETTLED);
}

function startWaiting() {
  waiting = true;
  slowTimer = setTimeout(checkServer, SLOW);
}

function press(event) {
  const button = event.target.closest?.("button[name=clicked]");
  pressed = button && { button, face: faceOf(button) };
}

// A card that changed between press and release, because of another player's move, is not the one that was meant. And
// many players double-click out of habit: the second click would hit the next card of the pile.
function ignoreAccident(event) {
  const pile = event.target.closest?.(".pile");
  const changed = event.detail > 0 && pressed?.button.contains(event.target) && faceOf(pressed.button) !== pressed.face;
  const again = event.detail === 2 && pile && pile.id !== "stock";
  if (!changed && !again) return;
  event.preventDefault();
  event.stopPropagation();
}

// Remember the card that was clicked: the request may have to wait for the one before.
function noteTarget(ctx) {
  const button = ctx.sourceEvent?.submitter;
  ctx.aim = button?.name === "clicked" ? faceOf(button) : null;
}

// A request that waited is brought up to date if it still means the same; else it is dropped.
function bringUpToDate(ctx) {
  const body = ctx.request.body;
  if (!(body instanceof URLSearchParams) || !body.has("version")) return true;
  if (Number(body.get("version")) !== version()) {
    if (body.has("clicked") && !isStillThere(body.get("clicked"), ctx.aim)) return false;
    if (body.has("move") && !legalMoves().some((move) => move.text === body.get("move"))) return false;
    body.set("version", version());
  }
  if (body.has("hint")) body.set("hint", hintsGiven());
  body.set("held", heldGrip());
  return true;
}

function isStillThere(grip, aim) {
  const button = table().querySelector(`button[value="${CSS.escape(grip)}"]`);
  return button !== null && faceOf(button) === aim;
}

// A response older than the page must not replace it.
function isLate(pieces) {
  const fresh = pieces.find((piece) => piece.id === "state");
  return fresh !== undefined && Number(fresh.dataset.version) < version();
}

async function checkServer() {
  say("Checking…");
  const known = version();
  if (!(await catchUp())) return;
  if (version() === known) say("No response yet. This is the current state of the game.");
}

/** Fetch the current state. Returns whether the server could be reached. */
export async function catchUp() {
  const form = table();
  try {
    const answer = await fetch(`${form.dataset.address}/board?since=${version()}`, {
      headers: { "HX-Request": "true" },
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status === 200) {
      await swapIn(await answer.text());
    }
    if (answer.status === 403) location.reload(); // watching was turned off; the page says so
    found();
    return answer.ok;
  } catch {
    lost();
    return false;
  }
}

function swapIn(text) {
  return htmx.swap({ text, sourceElement: table(), target: table(), swap: "pieces" });
}

function showViewers(viewers) {
  const line = document.getElementById("viewers");
  if (!line) return;
  line.hidden = viewers === 0;
  line.firstElementChild.textContent = viewers;
}

function lost() {
  clearTimeout(slowTimer);
  clearTimeout(retry);
  say("Connection lost. Your game is saved. Reconnecting…");
  retry = setTimeout(catchUp, RETRY[Math.min(attempts++, RETRY.length - 1)]);
}

function found() {
  if (attempts > 0) say("Reconnected.");
  attempts = 0;
  clearTimeout(retry);
}

// The stream says that there is a new version: from another tab, or of a game that is being watched.
function openStream() {
  close ??= listen(table().dataset.stream, receive, () => !waiting && catchUp());
}

function receive(news) {
  const { version: published, topic, from, html, viewers } = news;
  if (topic !== undefined && !topic.startsWith("table:")) {
    document.dispatchEvent(new CustomEvent("news", { detail: news }));
    return;
  }
  if (viewers !== undefined) return showViewers(viewers);
  if (html !== undefined) {
    // A change from this very version, broadcast to all viewers. At any other version the page polls.
    if (from !== version() || waiting) return;
    coming = published;
    swapIn(html);
    return;
  }
  // Usually this is our own move, and its response is on the way.
  if (published !== undefined) setTimeout(() => published > Math.max(version(), coming) && !waiting && catchUp(), 200);
}

function closeStream() {
  close?.();
  close = null;
}
