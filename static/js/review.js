// Steps through the moves of a review without page loads: by the links around the board and in the lists, by key, and by
// a click anywhere on the curve. Each position has its own address, and every link works without this script.

import { morph } from "./morph.js";
import { isPlainClick } from "./back.js";
import { changePiles, listenForKeys, walk } from "./steps.js";
import { wordsFor } from "./words.js";

const page = document.querySelector(".review-page");
const board = document.getElementById("board");
const chart = page.querySelector(".chances[data-moves]"); // not one that is still being drawn
const steps = page.dataset.steps.split(" ");

// The game and that of the solver are two lines. The board shows a position of one of them.
const lines = {
  game: line(steps.length - 1, (n) => `?at=${steps[n]}`),
  solver: line(Number(page.dataset.solverMoves), (n) => `?at=${n}&line=solver`),
};
let shown = "solver" in board.dataset ? lines.solver : lines.game;
shown.walker.enter(Number(board.dataset.number));

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const place = link ? placeOf(link) : placeUnder(event);
  if (!place || place.n < 0 || !isPlainClick(event)) return;
  event.preventDefault();
  go(place.line, place.n);
  if (!board.contains(event.target)) board.querySelector(".preview").scrollIntoView({ block: "nearest" });
});
listenForKeys(() => shown.walker.target(), () => shown.last, (n) => go(shown, n));

function line(last, address) {
  const walker = walk({ at: Number.NaN, last, address, show, fail });
  return { walker, last, address };
}

function go(there, n) {
  if (there !== shown) shown.walker.leave();
  shown = there;
  there.walker.go(n);
}

/** The position that a link of this page leads to, if it leads to one. */
function placeOf(link) {
  const { pathname, searchParams } = new URL(link.getAttribute("href"), location.href);
  const at = searchParams.get("at");
  if (pathname !== location.pathname || at === null) return null;
  return searchParams.has("line") ? { line: lines.solver, n: Number(at) } : { line: lines.game, n: steps.indexOf(at) };
}

/** The position below the pointer on the curve, if it is there. */
function placeUnder(event) {
  if (!chart?.contains(event.target)) return null;
  const { from, to, moves } = chart.dataset;
  const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
  return { line: lines.game, n: Math.round(Math.min(Math.max((x - from) / (to - from), 0), 1) * moves) };
}

function show(n, fresh, isNear) {
  const came = fresh.getElementById("board");
  changePiles(came.querySelector("#table"), isNear);
  for (const part of [".steps", ".said", "form"]) morph(board.querySelector(part), came.querySelector(part));
  const address = shown.address(n);
  for (const link of page.querySelectorAll(".found [aria-current]")) link.removeAttribute("aria-current");
  if (shown === lines.solver) stepOfSolver(n)?.setAttribute("aria-current", "true");
  for (const link of page.querySelectorAll(`.found :is(li:not(.rest), td) a[href*="${CSS.escape(`${address}#`)}"]`)) {
    link.setAttribute("aria-current", "true");
  }
  if (chart && shown === lines.game) {
    const { from, to, moves } = chart.dataset;
    const x = Number(from) + (to - from) * Math.min(1, n / Math.max(1, moves));
    chart.querySelector(".here").setAttribute("transform", `translate(${x} 0)`);
  }
  history.replaceState(null, "", address);
}

/** The listed step that a position of the solver's line is in: deals in a row are one. */
function stepOfSolver(n) {
  const begun = [...page.querySelectorAll(".best li a")].filter((link) => placeOf(link).n <= n);
  return n < shown.last ? begun.at(-1)?.closest("li:not(.rest) a") : null;
}

function fail() {
  board.querySelector(".said").textContent = wordsFor("not-loaded");
}
