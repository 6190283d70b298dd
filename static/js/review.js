// Steps through the moves of a review without page loads: by the links around the board and in the lists, by key, and by
// a click anywhere on the curve. Each position has its own address, and every link works without this script.

import { become } from "./become.js";
import { changePiles, isPlainClick, listenForKeys, walk } from "./steps.js";
import { say } from "./words.js";

const page = document.querySelector(".review-page");
const board = document.getElementById("board");
const chart = page.querySelector(".chances");
const steps = page.dataset.steps.split(" ");
const last = steps.length - 1;
const address = (n) => `?at=${steps[n]}`;
const { go, target } = walk({ at: Number(board.dataset.number), last, address, show, fail });

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const n = link ? numberOf(link) : numberUnder(event);
  if (n < 0 || !isPlainClick(event)) return;
  event.preventDefault();
  go(n);
  if (!board.contains(event.target)) board.querySelector(".preview").scrollIntoView({ block: "nearest" });
});
listenForKeys(target, last, go);

/** The position that a link of this page leads to, or -1. */
function numberOf(link) {
  const to = new URL(link.getAttribute("href"), location.href);
  return to.pathname === location.pathname ? steps.indexOf(to.searchParams.get("at")) : -1;
}

/** The position below the pointer on the curve, or -1. */
function numberUnder(event) {
  if (!chart?.contains(event.target)) return -1;
  const { from, to, moves } = chart.dataset;
  const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
  return Math.round(Math.min(Math.max((x - from) / (to - from), 0), 1) * moves);
}

function show(n, fresh, isNear) {
  const came = fresh.getElementById("board");
  changePiles(came.querySelector("#table"), isNear);
  for (const part of [".steps", ".said", "form"]) become(board.querySelector(part), came.querySelector(part));
  for (const link of page.querySelectorAll(".found [aria-current]")) link.removeAttribute("aria-current");
  for (const link of page.querySelectorAll(`.found a[href*="review?at=${steps[n]}#"]`)) {
    link.setAttribute("aria-current", "true");
  }
  if (chart) {
    const { from, to, moves } = chart.dataset;
    const x = Number(from) + (to - from) * Math.min(1, n / Math.max(1, moves));
    chart.querySelector(".here").setAttribute("transform", `translate(${x} 0)`);
  }
  history.replaceState(null, "", address(n));
}

function fail() {
  board.querySelector(".said").textContent = say("not-loaded");
}
