// The clock in the line above the board. The server says the time; this counts on from it between its answers.

// A longer time without a move is a break, which the server leaves out of the time played.
const BREAK = 60_000;

// What the server said last.
let known = "";
// When a clock that counts on from there showed 0:00, on the clock of this page.
let zero = 0;
// When the server said it.
let seen = 0;
let tick = null;

const clock = () => document.querySelector("#status .clock");

export function runClock() {
  if (!clock()) return;
  read();
  document.addEventListener("htmx:after:swap", read);
  document.addEventListener("visibilitychange", () => document.hidden || show());
}

function read() {
  const { ms, runs } = clock().dataset;
  const state = document.getElementById("state");
  const said = `${state.dataset.version} ${runs === undefined ? ms : ""}`;
  // A card was only picked up, or the clock of a ranked game runs on: nothing to correct.
  if (said !== known && !(runs !== undefined && known)) {
    known = said;
    seen = performance.now();
    zero = seen - Number(ms);
  }
  show();
}

function show() {
  clearTimeout(tick);
  const { ms, runs } = clock().dataset;
  const now = performance.now();
  const over = document.getElementById("state").classList.contains("over") || document.querySelector(".ending");
  const counts = runs !== undefined || (!over && now - seen < BREAK);
  const time = counts ? now - zero : Number(ms);
  const text = format(Math.floor(time / 1000));
  if (clock().textContent !== text) clock().textContent = text;
  if (counts && !document.hidden) tick = setTimeout(show, 1000 - (time % 1000) + 5);
}

function format(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours) parts.unshift(hours);
  return parts.map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
}
