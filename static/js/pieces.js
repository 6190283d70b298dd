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
  for (const { name } of [...old.attributes]) if (!piece.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of piece.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  // Cards that stay keep the focus and what they are in the middle of. A sentence is said again, the same one too.
  const kept = piece.id === "notice" ? 0 : countAlike(old.childNodes, piece.childNodes);
  while (old.childNodes.length > kept) old.lastChild.remove();
  old.append(...[...piece.childNodes].slice(kept));
}

function countAlike(ours, theirs) {
  let alike = 0;
  while (alike < ours.length && alike < theirs.length && ours[alike].isEqualNode(theirs[alike])) alike++;
  return alike;
}
