// A race room in the browser: the countdown, the way to the table when it is over, and stepping through the replays.
// Everything here also happens without this script, only less smoothly.

import { listen } from "./stream.js";

const AGAIN = 300; // milliseconds between knocks at a table that is not there yet

let phase = null;
let startsAt = null;
let ticking = null;
let waits = null;

function room() {
  return document.getElementById("room");
}

// The page is brought up to date every second; this looks what has changed with it.
function look() {
  const { phase: now, play, waits: table } = room().dataset;
  const was = phase;
  phase = now;
  if (now === "countdown") {
    const count = room().querySelector(".count");
    // By this device's stopwatch, never by its clock, which may say anything.
    const at = performance.now() + Number(count.dataset.in);
    startsAt = startsAt === null ? at : Math.min(startsAt, at);
    waits = table ?? null;
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
  if (waits) sitDown(waits);
}

// The table is there when the server says so.
async function sitDown(address) {
  try {
    const answer = await fetch(address, { redirect: "manual" });
    if (answer.type === "opaqueredirect") return location.assign(address);
    if (answer.status !== 425) return; // too few were left: the room says how it goes on
  } catch {
    // The line is gone for a moment.
  }
  setTimeout(sitDown, AGAIN, address);
}

// The page asks every second or three by itself; the bell spares it the waiting.
function ring() {
  htmx.trigger(room(), "rung");
}

document.addEventListener("htmx:after:swap", look);
look();
if (phase !== "ended") listen(`/api/v1${location.pathname.replace("/race/", "/races/")}/stream`, ring, ring);

// --- replays

const steps = document.querySelector(".steps");
if (steps) watchReplays();

function watchReplays() {
  const PACE = 350;
  const last = Number(steps.dataset.last);
  const slider = steps.querySelector("[type=range]");
  const play = steps.querySelector(".play");
  const plot = document.querySelector(".plot");
  const cursor = document.createElementNS(plot.namespaceURI, "line");
  const pages = new Map();
  let at = Number(slider.value);
  let clock = null;

  cursor.setAttribute("class", "cursor");
  cursor.setAttribute("y1", 10);
  cursor.setAttribute("y2", 234);
  plot.append(cursor);
  point();
  slider.parentElement.hidden = play.hidden = last === 0;

  steps.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    if (link.classList.contains("back")) go(at - 1);
    else if (link.classList.contains("next")) go(at + 1);
    else go(Number(new URL(link.href).searchParams.get("at")));
  });
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  play.addEventListener("click", () => (clock ? stop() : start()));

  function start() {
    if (at === last) go(0);
    clock = setInterval(() => (at < last ? go(at + 1) : stop()), PACE);
    play.setAttribute("aria-pressed", "true");
    play.textContent = "Pause";
  }

  function stop() {
    clearInterval(clock);
    clock = null;
    play.setAttribute("aria-pressed", "false");
    play.textContent = "Play";
  }

  async function go(step) {
    at = Math.min(Math.max(step, 0), last);
    slider.value = at;
    const aim = at;
    try {
      const text = await fetched(aim);
      if (aim !== at) return; // whoever is faster than the network sees only the last step asked for
      const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("replays");
      document.getElementById("replays").replaceWith(document.adoptNode(fresh));
      point();
      if (at < last) fetched(at + 1).catch(() => {});
    } catch {
      stop();
    }
  }

  function fetched(step) {
    if (!pages.has(step)) {
      const asked = fetch(`${location.pathname}/replays?at=${step}`).then((answer) => {
        if (!answer.ok) throw new Error(answer.status);
        return answer.text();
      });
      asked.catch(() => pages.delete(step));
      pages.set(step, asked);
    }
    return pages.get(step);
  }

  function point() {
    const { x } = document.getElementById("replays").dataset;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }
}
