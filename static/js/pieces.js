// An answer brings pieces of the table: piles, the state, the notice. One swap puts all of them in their places, which
// takes half as long as a swap of each.

import { state } from "./places.js";

/** The pieces of an answer, while they are about to be swapped in. */
export function arriving(tasks) {
  return tasks.flatMap(({ fragment }) => [...(fragment?.children ?? [])]).filter((piece) => piece.id);
}

/** Teach htmx to take in an answer. */
export function placePieces() {
  htmx.registerExtension("pieces", {
    handle_swap: (style, _table, answer) => style === "pieces" && place(answer),
  });
}

// Answers with what htmx has to look through: only what stands at the end of a game holds anything for it.
function place(answer) {
  for (const piece of answer.children) renew(document.getElementById(piece.id), piece);
  return [...state().querySelectorAll(".ending")];
}

function renew(old, piece) {
  // A sentence is said again, the same one too.
  if (piece.id === "notice") old.replaceChildren();
  become(old, piece);
}

function agree(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// What is there already is changed and not exchanged: that takes half as long, and what stays keeps the focus.
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
