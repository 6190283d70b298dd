// The page of a race room: the countdown, opening the game at its end, and stepping through the replays.
// All of it also works without this script, only less smoothly.

import { isPlainClick } from "./back.js";
import { stepPlayer } from "./play-steps.js";
import { walk } from "./steps.js";
import { listen } from "./stream.js";

const RETRY_MS = 300; // between requests for a game that is not dealt yet

let phase = null;
let startsAt = null;
let ticking = null;
let gamePath = null;
let isOpening = false;

function room() {
  return document.getElementById("room");
}

const title = document.title;

// htmx replaces #room every second; this reacts to what has changed.
function update() {
  const { phase: now, play, waits, players, invitation } = room().dataset;
  // In another tab, the title shows that somebody has come, or wants a rematch.
  const some = now === "lobby" && players > 1 ? `(${players})` : invitation && `${invitation} ·`;
  document.title = some ? `${some} ${title}` : title;
  const was = phase;
  phase = now;
  if (now === "countdown") {
    const count = room().querySelector(".count");
    // Use the monotonic clock: the wall clock of a device may be wrong.
    const at = performance.now() + Number(count.dataset.in);
    startsAt = startsAt === null ? at : Math.min(startsAt, at);
    gamePath = waits ?? null;
    ticking ??= setInterval(tick, 100);
    tick();
    return;
  }
  clearInterval(ticking);
  ticking = startsAt = null;
  if (now === "racing" && (was === "lobby" || was === "countdown") && play) location.assign(play);
  if (now === "ended" && was !== null && was !== "ended") location.reload(); // with the replays
}

function tick() {
  const left = startsAt - performance.now();
  const count = room().querySelector(".count");
  const shown = String(Math.max(Math.ceil(left / 1000), 0));
  if (count && count.textContent !== shown) count.textContent = shown;
  if (left > 0) return;
  clearInterval(ticking);
  ticking = null;
  if (!gamePath || isOpening) return; // the room may say for a moment longer that it counts
  isOpening = true;
  openGame(gamePath);
}

// Opens the game as soon as the server has dealt it.
async function openGame(address) {
  try {
    const answer = await fetch(address, { redirect: "manual" });
    if (answer.type === "opaqueredirect") return location.assign(address);
    if (answer.status !== 425 && answer.status < 500) {
      isOpening = false; // too few players were left: the room shows it
      return;
    }
  } catch {
    // Offline for a moment: try again.
  }
  setTimeout(openGame, RETRY_MS, address);
}

// The room polls every few seconds, with a stream or without; an event makes it refresh at once.
function refresh() {
  htmx.trigger(room(), "room-changed");
}

document.addEventListener("htmx:after:swap", update);
update();
if (phase !== "ended" || "raced" in room().dataset) listen(`/api/v1${location.pathname.replace("/race/", "/races/")}/stream`, refresh, () => {});

// --- replays

const steps = document.querySelector(".steps");
if (steps) initReplays();

function initReplays() {
  const STEP_MS = 350;
  const last = Number(steps.dataset.last);
  const slider = steps.querySelector("[type=range]");
  const play = steps.querySelector(".play");
  const plot = document.querySelector(".plot"); // none if no line in it would rise
  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const address = (step) => `${location.pathname}/replays?at=${step}`;
  const walker = walk({ at: Number(slider.value), last, address, show, fail: () => player.stop() });
  const player = stepPlayer({ walker, last, button: play, pace: () => STEP_MS });

  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", 12);
  cursor.setAttribute("y2", 242);
  plot?.append(cursor);
  moveCursor();
  slider.parentElement.hidden = play.hidden = last === 0;

  steps.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    player.stop();
    if (link.classList.contains("back")) walker.go(walker.target() - 1);
    else if (link.classList.contains("next")) walker.go(walker.target() + 1);
    else walker.go(Number(new URL(link.href).searchParams.get("at")));
  });
  slider.addEventListener("input", () => {
    player.stop();
    walker.go(Number(slider.value));
  });

  function show(at, page) {
    document.getElementById("replays").replaceWith(document.adoptNode(page.getElementById("replays")));
    slider.value = at;
    moveCursor();
  }

  function moveCursor() {
    const { x } = document.getElementById("replays").dataset;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }
}
