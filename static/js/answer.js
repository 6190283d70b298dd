// The latest answer about this game, beside its name: it is void once the move that it is about is undone, or the game is over.

import { state } from "./board.js";

const place = () => document.querySelector(".game-bar .answered");

document.addEventListener("htmx:after:swap", () => {
  const isUndone = Number(state().dataset.counted) < Number(place()?.dataset.moves);
  if (isUndone || state().querySelector(".ending")) place()?.remove();
});

/** Show an answer in place of an earlier one. */
export function showAnswer(answer) {
  place()?.remove();
  document.querySelector(".game-bar .assisted").after(answer);
}
