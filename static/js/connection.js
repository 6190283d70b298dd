// The connection to the server: queued clicks, late responses, timeouts, reconnecting, and the event stream.

import { listen } from "./stream.js";
import { swapIn } from "./swap.js";
import { shake } from "./animation.js";
import { aimOf, buttonFor, isStillCovered, sayWhyNot, watchClicks } from "./aim.js";
import { heldGrip, hintsGiven, isHint, isOfTable, legalMoves, showNotice, table, version } from "./board.js";
import { cardAt, refuse, spotOf } from "./refusal.js";
import { fetchPiece, send } from "./send.js";
import { wordsFor } from "./words.js";

const SLOW = 3000; // after this the page checks whether the server is there
const THINKING = 8000; // the same for a hint, for which the server thinks for seconds
const HIDDEN = 15_000; // a page hidden for less than this stays connected
const SETTLED = 400; // the first click goes before the stream
const RETRY = [1000, 2000, 4000, 8000];
const TO_READ = 4000; // milliseconds that a passing message stays

let slowTimer = null;
let waiting = null; // the request that has no answer
let attempts = 0; // to reconnect
let retry = null;
let read = null; // the timer of what is said for a moment
let unsure = null; // the version at which an unanswered click was sent
let close = null; // closes the stream
let coming = -1; // the version that is being swapped in
let visibility = null;

export function connect() {
  watchClicks();
  document.addEventListener("htmx:config:request", (event) => noteTarget(event.detail.ctx));
  document.addEventListener("htmx:before:request", (event) => {
    if (!bringUpToDate(event.detail.ctx)) event.preventDefault();
    else startWaiting(event.detail.ctx);
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx !== waiting) return;
    waiting = null;
    clearTimeout(slowTimer);
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (isLate(event.detail.pieces ?? [])) event.preventDefault();
  });
  document.addEventListener("htmx:error", (event) => {
    if (!(event.detail.error instanceof TypeError)) return;
    unsure ??= version();
    lost();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(visibility);
    visibility = document.hidden ? setTimeout(closeStream, HIDDEN) : setTimeout(openStream, SETTLED);
    if (!document.hidden && attempts) catchUp();
  });
  document.addEventListener("submit", keepHere);
  window.addEventListener("offline", lost);
  window.addEventListener("online", catchUp);
  window.addEventListener("pageshow", (event) => (event.persisted || attempts) && catchUp());
  window.addEventListener("pagehide", closeStream);
  setTimeout(openStream, SETTLED);
}

function startWaiting(ctx) {
  ctx.fetch = send;
  if (!isOfTable(ctx)) return;
  clearTimeout(slowTimer);
  waiting = ctx;
  slowTimer = setTimeout(checkServer, isHint(ctx) ? THINKING : SLOW);
}

// Remember the card that was clicked: the request may have to wait for the one before.
function noteTarget(ctx) {
  const button = ctx.sourceEvent?.submitter;
  ctx.aim = button?.name === "clicked" ? aimOf(button) : null;
}

// A request that waited is brought up to date if it still makes sense; else the page says why it is dropped.
function bringUpToDate(ctx) {
  const body = ctx.request.body;
  if (!isOfTable(ctx)) return true;
  const { watching } = table().dataset;
  if (watching) return refuse(watching, spotOf(ctx));
  if (!navigator.onLine) {
    sayOffline();
    shake(spotOf(ctx));
    return false;
  }
  // With a card in hand, a press only says where to put it.
  const { covered, advised } = heldGrip() ? {} : (ctx.aim ?? {});
  if (covered && !isStillCovered(covered)) return sayWhyNot({ ...ctx.aim, face: "" });
  if (covered && !covered.face) return refuse(wordsFor("face-down"), cardAt(covered.grip));
  if (advised && !covered && Number(body.get("version")) === version()) {
    ctx.request.action = `${table().dataset.address}/move`;
    body.delete("clicked");
    body.set("move", advised);
  }
  if (Number(body.get("version")) !== version()) {
    if (ctx.aim && !covered) {
      const button = buttonFor(ctx.aim);
      if (!button) return sayWhyNot(ctx.aim);
      body.set("clicked", button.value);
    }
    const move = body.get("move");
    if (move && !legalMoves().some(({ text }) => text === move)) {
      return refuse(wordsFor("move-gone"), cardAt(move.split("-")[0]));
    }
    body.set("version", version());
  }
  if (covered) body.set("clicked", covered.grip);
  if (body.has("hint")) body.set("hint", hintsGiven());
  if (body.has("rough")) body.set("rough", 0); // the page refines hints by itself
  body.set("held", heldGrip());
  return true;
}

// A plain form, such as that of a new deal, would leave the table for the browser's own page of errors.
function keepHere(event) {
  if (navigator.onLine || event.defaultPrevented || event.target.method !== "post") return;
  event.preventDefault();
  event.target.closest(".menu[open]")?.removeAttribute("open"); // it would cover what is said
  sayOffline();
}

function sayOffline() {
  lost();
  sayNews("offline", "why lost"); // below the cards: no card is at fault
  read = setTimeout(sayNews, TO_READ, "lost", "lost");
}

// A response older than the page must not replace it.
function isLate(pieces) {
  const fresh = pieces.find((piece) => piece.id === "state");
  return fresh !== undefined && Number(fresh.dataset.version) < version();
}

async function checkServer() {
  showNotice(wordsFor("checking"));
  const [known, asked] = [version(), waiting];
  if (!(await catchUp())) return;
  // The answer may have come meanwhile; its message stays.
  if (version() === known && waiting === asked) showNotice(wordsFor("no-response"));
}

/** Fetch the current state. Returns whether the server could be reached. */
async function catchUp() {
  const form = table();
  try {
    const answer = await fetchPiece(`${form.dataset.address}/board?since=${version()}`, { signal: AbortSignal.timeout(10_000) });
    if (answer.status === 200) {
      await swapIn(await answer.text());
    }
    if (answer.status >= 500) throw new Error(answer.status);
    if (answer.status === 403) location.reload(); // watching was turned off; the page says so
    found();
    return answer.ok;
  } catch {
    lost();
    return false;
  }
}

function showViewers(viewers) {
  const line = document.getElementById("viewers");
  if (!line) return;
  line.hidden = viewers === 0;
  line.firstElementChild.textContent = viewers;
}

// A banner over the line below the cards, while there is no connection and for a moment when it is back.
function sayNews(name, kind) {
  clearTimeout(read);
  showNotice(wordsFor(name), kind);
}

const newsOf = (kind) => document.querySelector(`#notice > .${kind}`);

function lost() {
  clearTimeout(slowTimer);
  clearTimeout(retry);
  if (!newsOf("lost")) sayNews("lost", "lost"); // it is read once, not with every attempt
  retry = setTimeout(catchUp, RETRY[Math.min(attempts++, RETRY.length - 1)]);
}

function found() {
  clearTimeout(retry);
  if (attempts === 0) return;
  const isLost = version() === unsure;
  sayNews(isLost ? "not-made" : "reconnected", "found");
  if (!isLost) read = setTimeout(() => newsOf("found")?.remove(), TO_READ);
  attempts = 0;
  unsure = null;
}

// The stream says that there is a new version: from another tab, or of a game that is being watched.
function openStream() {
  close ??= listen(table().dataset.stream, receive, () => !waiting && catchUp(), check);
}

// The server says again what is newest, in case the page has missed it.
function check({ topic, version: newest }) {
  if (topic.startsWith("table:")) receive({ version: newest });
}

function receive(news) {
  const { version: published, topic, from, language, html, viewers } = news;
  if (topic !== undefined && !topic.startsWith("table:")) {
    document.dispatchEvent(new CustomEvent("news", { detail: news }));
    return;
  }
  if (viewers !== undefined) return showViewers(viewers);
  if (html !== undefined) {
    // A change from this very version, broadcast to all viewers. At any other version, or in another language, the page polls.
    if (from !== version() || language !== document.documentElement.lang || waiting) return;
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
