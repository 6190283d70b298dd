// The latest answer about this game, beside its name: it is void once the move that it is about is undone.

import { state } from "./board.js";

const place = () => document.querySelector(".game-bar .answered");

document.addEventListener("htmx:after:swap", () => {
  if (Number(state().dataset.counted) < Number(place()?.dataset.moves)) place().remove();
});

/** Show an answer in place of an earlier one. */
export function showAnswer(answer) {
  place()?.remove();
  document.querySelector(".game-bar .assisted").after(answer);
}
