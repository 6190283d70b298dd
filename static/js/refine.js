// A hint comes at once and is refined while one looks: the page asks once more, and the answer replaces the sentence
// and, if need be, the cards that are highlighted.

import { heldGrip, hintsGiven, isRough, table, version } from "./board.js";
import { swapIn } from "./connection.js";
import { isDragging } from "./drag.js";

let asked = null; // stops the last request

/** Refine every rough hint that is swapped in. */
export function refineHints() {
  document.addEventListener("htmx:after:swap", refine);
  document.addEventListener("htmx:config:request", () => asked?.abort()); // what is played goes first
}

async function refine() {
  asked?.abort();
  if (!isRough()) return;
  asked = new AbortController();
  const { signal } = asked;
  const body = new URLSearchParams({ version: version(), held: heldGrip(), hint: hintsGiven(), rough: 1 });
  try {
    const answer = await fetch(`${table().dataset.address}/help/hint`, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body,
      signal,
    });
    const text = await answer.text();
    if (answer.ok && !signal.aborted && !isDragging()) swapIn(text);
  } catch {
    // The hint stays as it is.
  }
}
