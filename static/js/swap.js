// A response brings fragments of the page: piles, the state, the notice. One htmx swap replaces all of them, which
// takes half as long as a swap of each.

import { state } from "./board.js";
import { become } from "./become.js";

/** The fragments of a response that is about to be swapped in. */
export function fragmentsOf(tasks) {
  return tasks.flatMap(({ fragment }) => [...(fragment?.children ?? [])]).filter((piece) => piece.id);
}

/** Register the swap with htmx. */
export function registerSwap() {
  htmx.registerExtension("pieces", {
    handle_swap: (style, _table, answer) => style === "pieces" && place(answer),
  });
}

// Returns what htmx has to process: only the state, which has buttons at the end of a game.
function place(answer) {
  for (const piece of answer.children) renew(document.getElementById(piece.id), piece);
  return [...state().querySelectorAll(".ending")];
}

function renew(old, piece) {
  const isOpen = piece.id === "notice" && old.querySelector("details[open]") && sentenceOf(old) === sentenceOf(piece);
  // Screen readers announce a sentence again, even the same one.
  if (piece.id === "notice") for (const line of old.querySelectorAll(":scope > :not(.first)")) line.remove();
  become(old, piece);
  // A hint that is only refined stays open.
  if (isOpen) old.querySelector("details")?.setAttribute("open", "");
}

const sentenceOf = (notice) => notice.querySelector("span:not(.first)")?.textContent;
