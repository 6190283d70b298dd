// Between the page and the server: quick clicks, late answers, silence, and a line that breaks.

import { listen } from "./stream.js";
import { arriving } from "./pieces.js";
import { faceOf, heldGrip, hintsGiven, legalMoves, say, table, version } from "./places.js";

const PATIENCE = 3000;
const GLANCE = 15_000; // out of sight for less than this, a page stays connected
const SETTLED = 400; // what a player does first goes first
const RETRY = [1000, 2000, 4000, 8000];

let silence = null;
let waiting = false;
let attempts = 0;
let retry = null;
let silenced = null;
let coming = -1; // the version that is being brought
let glance = null;
let pressed = null; // the card under a finger that is down, and its face then

export function connect() {
  const form = table();
  form.addEventListener("pointerdown", press, { capture: true });
  form.addEventListener("click", forgive, { capture: true });
  document.addEventListener("htmx:config:request", (event) => note(event.detail.ctx));
  document.addEventListener("htmx:before:request", (event) => {
    if (!refresh(event.detail.ctx)) event.preventDefault();
    else wait();
  });
  document.addEventListener("htmx:finally:request", () => {
    waiting = false;
    clearTimeout(silence);
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (isLate(arriving(event.detail.tasks))) event.preventDefault();
  });
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.error instanceof TypeError) lost();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(glance);
    glance = document.hidden ? setTimeout(hangUp, GLANCE) : setTimeout(pickUp, SETTLED);
  });
  window.addEventListener("pageshow", (event) => event.persisted && catchUp());
  window.addEventListener("pagehide", hangUp);
  setTimeout(pickUp, SETTLED);
}

function wait() {
  waiting = true;
  silence = setTimeout(checkUp, PATIENCE);
}

function press(event) {
  const button = event.target.closest?.("button[name=clicked]");
  pressed = button && { button, face: faceOf(button) };
}

// A card that changed between press and release, because of somebody else's move, is not the one that was meant. And
// many players double-click out of habit: the second click would meet the next card of the pile.
function forgive(event) {
  const pile = event.target.closest?.(".pile");
  const changed = event.detail > 0 && pressed?.button.contains(event.target) && faceOf(pressed.button) !== pressed.face;
  const again = event.detail === 2 && pile && pile.id !== "stock";
  if (!changed && !again) return;
  event.preventDefault();
  event.stopPropagation();
}

// A click is kept with what it was aimed at: it may have to wait behind the one before.
function note(ctx) {
  const button = ctx.sourceEvent?.submitter;
  ctx.aim = button?.name === "clicked" ? faceOf(button) : null;
}

// When its turn comes, a click that waited is brought up to date if it still means the same.
function refresh(ctx) {
  const body = ctx.request.body;
  if (!(body instanceof URLSearchParams) || !body.has("version")) return true;
  if (Number(body.get("version")) !== version()) {
    if (body.has("clicked") && !stillThere(body.get("clicked"), ctx.aim)) return false;
    if (body.has("move") && !legalMoves().some((move) => move.text === body.get("move"))) return false;
    body.set("version", version());
  }
  if (body.has("hint")) body.set("hint", hintsGiven());
  body.set("held", heldGrip());
  return true;
}

function stillThere(grip, aim) {
  const button = table().querySelector(`button[value="${CSS.escape(grip)}"]`);
  return button !== null && faceOf(button) === aim;
}

// Never let an answer that was overtaken put the page back.
function isLate(pieces) {
  const fresh = pieces.find((piece) => piece.id === "state");
  return fresh !== undefined && Number(fresh.dataset.version) < version();
}

async function checkUp() {
  say("Checking…");
  const known = version();
  if (!(await catchUp())) return;
  if (version() === known) say("No answer to that yet. The table is as you see it.");
}

/** Fetch the table as it is. Answers whether the server could be reached. */
export async function catchUp() {
  const form = table();
  try {
    const answer = await fetch(`${form.dataset.address}/board?since=${version()}`, {
      headers: { "HX-Request": "true" },
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status === 200) {
      await bring(await answer.text());
    }
    if (answer.status === 403) location.reload(); // nobody may watch any more; the page says so
    found();
    return answer.ok;
  } catch {
    lost();
    return false;
  }
}

function bring(text) {
  return htmx.swap({ text, sourceElement: table(), target: table(), swap: "pieces" });
}

function count(viewers) {
  const line = document.getElementById("viewers");
  if (!line) return;
  line.hidden = viewers === 0;
  line.firstElementChild.textContent = viewers;
}

function lost() {
  clearTimeout(silence);
  clearTimeout(retry);
  say("The connection is gone. Your game is safe; trying again…");
  retry = setTimeout(catchUp, RETRY[Math.min(attempts++, RETRY.length - 1)]);
}

function found() {
  if (attempts > 0) say("Connected again.");
  attempts = 0;
  clearTimeout(retry);
}

// The doorbell: another tab moved, or a friend is being watched. It only says that there is something.
function pickUp() {
  silenced ??= listen(table().dataset.stream, hear, () => !waiting && catchUp());
}

function hear(news) {
  const { version: rung, topic, from, html, viewers } = news;
  if (topic !== undefined && !topic.startsWith("table:")) {
    document.dispatchEvent(new CustomEvent("news", { detail: news }));
    return;
  }
  if (viewers !== undefined) return count(viewers);
  if (html !== undefined) {
    // What leads on from this very version, shown to all who watch. At any other one the page asks by itself.
    if (from !== version() || waiting) return;
    coming = rung;
    bring(html);
    return;
  }
  // Usually the bell rings for our own move, whose answer is on its way.
  if (rung !== undefined) setTimeout(() => rung > Math.max(version(), coming) && !waiting && catchUp(), 200);
}

function hangUp() {
  silenced?.();
  silenced = null;
}
