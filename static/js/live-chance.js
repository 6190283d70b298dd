// The chance to win beside a game that you watch: fetched again when the page shows another version.

import { version } from "./board.js";
import { parsePage } from "./parse-page.js";
import { fetchPiece } from "./send.js";

const AGAIN = 2000; // milliseconds after the server had no time for it
const LATER = 8000; // after it refused to answer at all
const place = () => document.getElementById("live-chance");

let asked = null; // stops the last request
let retry = null;

document.addEventListener("htmx:after:swap", refresh);
refresh();

async function refresh() {
  if (Number(place().dataset.version) === version()) return;
  asked?.abort();
  clearTimeout(retry);
  asked = new AbortController();
  const { signal } = asked;
  try {
    const answer = await fetchPiece(place().dataset.address, { signal });
    if (answer.status === 429 || answer.status >= 500) retry = setTimeout(refresh, LATER);
    if (!answer.ok) return;
    const text = await answer.text();
    if (signal.aborted) return;
    const fresh = parsePage(text).getElementById("live-chance");
    if (Number(fresh.dataset.version) >= 0) place().replaceWith(document.adoptNode(fresh));
    else retry = setTimeout(refresh, AGAIN);
  } catch {
    // The bar stays as it is until the next move.
  }
}
