// A response brings fragments of the page: piles, the state, the notice. One htmx swap replaces all of them, which
// takes half as long as a swap of each.

import { state } from "./board.js";

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

function agree(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// Existing nodes are changed and not replaced: that takes half as long and keeps the focus.
function fill(old, fresh) {
  const there = [...old.childNodes];
  for (const came of [...fresh.childNodes]) {
    const place = there.shift();
    if (!place) old.append(came);
    else if (!place.isEqualNode(came)) become(place, came);
  }
  for (const gone of there) gone.remove();
}

function become(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
  } else if (old.nodeType === Node.TEXT_NODE) {
    old.data = fresh.data;
  } else {
    agree(old, fresh);
    fill(old, fresh);
  }
}
