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
  agree(old, piece);
  // A sentence is said again, the same one too.
  if (piece.id === "notice") old.replaceChildren(...piece.childNodes);
  else fill(old, piece);
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
  let there = old.firstChild;
  for (let next, came = fresh.firstChild; came; came = next) {
    next = came.nextSibling;
    if (!there) {
      old.append(came);
      continue;
    }
    const place = there;
    there = there.nextSibling;
    if (place.isEqualNode(came)) continue;
    if (place.nodeName !== came.nodeName) {
      place.replaceWith(came);
    } else if (place.nodeType === Node.TEXT_NODE) {
      place.data = came.data;
    } else {
      agree(place, came);
      fill(place, came);
    }
  }
  while (there) {
    const gone = there;
    there = there.nextSibling;
    gone.remove();
  }
}
