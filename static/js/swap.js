// A response brings fragments of the page: piles, the state, the notice. They are placed here, each in what has its id.
// A swap of htmx would look for other kinds of answers, and put an element into the page only to take it out again.

import { showNotice, state, table } from "./board.js";
import { morph } from "./morph.js";
import { wordsFor } from "./words.js";

const TO_READ = 1500; // milliseconds

/** Swap in responses for the table, in place of htmx. A response that asks for more by a header is left to htmx. */
export function registerSwap() {
  htmx.registerExtension("pieces", {
    htmx_after_request(_source, { ctx }) {
      if (ctx.swap !== "pieces" || Object.keys(ctx.hx).length) return true;
      swapIn(ctx.text, ctx);
      return false;
    },
  });
}

/** Swap in the fragments of a response. Listeners to the swaps of htmx hear of it with the `pieces`, and may prevent it. */
export async function swapIn(text, ctx = {}) {
  const answer = document.createElement("template");
  answer.innerHTML = text;
  const places = new Map([...answer.content.children].map((piece) => [piece, piece.id && document.getElementById(piece.id)]));
  const pieces = [...places.keys()].filter((piece) => places.get(piece));
  if (!htmx.trigger(table(), "htmx:before:swap", { ctx, pieces })) return;
  try {
    for (const piece of pieces) renew(places.get(piece), piece);
    for (const ending of state().querySelectorAll(".ending")) htmx.process(ending); // it has buttons
  } catch (error) {
    return startAfresh(error);
  }
  await null; // the page has changed: what follows may take its time
  htmx.trigger(table(), "htmx:after:swap", { ctx, pieces });
}

// Half of the answer may be in the page, which then shows no real position. The server has the right one.
function startAfresh(error) {
  const { address } = table().dataset;
  setTimeout(() => location.replace(address), TO_READ);
  console.error(error);
  showNotice(wordsFor("broken"));
}

function renew(old, piece) {
  const isOpen = piece.id === "notice" && old.querySelector("details[open]") && sentenceOf(old) === sentenceOf(piece);
  // Screen readers announce a sentence again, even the same one.
  if (piece.id === "notice") for (const line of old.querySelectorAll(":scope > :not(.first)")) line.remove();
  morph(old, piece);
  // A hint that is only refined stays open.
  if (isOpen) old.querySelector("details")?.setAttribute("open", "");
}

const sentenceOf = (notice) => notice.querySelector("span:not(.first)")?.textContent;
