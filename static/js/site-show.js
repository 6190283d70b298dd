// Lets a game that the site played play by itself. Without this script it is a picture, and a link to its replay.

import { calm, table } from "./board.js";
import { stepPlayer } from "./play-steps.js";
import { changePiles, walk } from "./steps.js";

const BEGINS = 1200; // milliseconds until it plays
const PACE = 1100;

const figure = document.querySelector(".show");
const { path } = figure.dataset;
const last = Number(figure.dataset.last);
const walker = walk({
  at: Number(table().dataset.at),
  last,
  address: (step) => `${path}?at=${step}`,
  show,
  fail: () => player.stop(),
});
const button = figure.querySelector(".play");
const player = stepPlayer({ walker, last, button, pace: () => PACE, repeats: true });

button.hidden = false;
if (!calm.matches) player.startIn(BEGINS);

function show(at, page, isNear) {
  changePiles(page.getElementById("table"), isNear);
  table().dataset.at = at;
  figure.querySelector(".at").textContent = at;
}
