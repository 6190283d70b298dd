// The table in the browser: what the server swaps in is shown to arrive. Without this script the
// same buttons work as plain forms.

import { connect } from "./connection.js";
import { cancel, isDragging, land, watchDrags } from "./drag.js";
import { celebrate } from "./ending.js";
import { prepareFilm, showFilm } from "./move-sequence.js";
import { watchKeys } from "./keys.js";
import { watchMenu } from "./menu.js";
import { pileOf, state, table, topButton } from "./places.js";
import { arriving, placePieces } from "./pieces.js";
import { nod, remember, travel } from "./travel.js";

let focused = null;
let inEnding = false;

placePieces();
connect();

document.addEventListener("htmx:before:swap", (event) => {
  if (event.defaultPrevented) return;
  const pieces = arriving(event.detail.tasks);
  const swapped = pieces.filter((piece) => piece.classList.contains("pile")).map((pile) => document.getElementById(pile.id));
  if (isDragging() && swapped.length) cancel();
  focused = pileOf(document.activeElement)?.id ?? null;
  inEnding = document.activeElement?.closest?.(".ending") !== null;
  for (const advised of document.querySelectorAll(".advised")) advised.classList.remove("advised");
  if (pieces.some((piece) => piece.dataset.film)) prepareFilm();
  remember(swapped);
});

document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = event.detail;
  table().dataset.long = state().dataset.long;
  land();
  const film = showFilm(state().dataset.film ?? "");
  if (!film) travel();
  if (focused && document.activeElement === document.body) {
    topButton(document.getElementById(focused))?.focus({ preventScroll: true });
  }
  // The button that led back into the game went with the ending; the next undo lies in the rail.
  if (inEnding && document.activeElement === document.body) document.querySelector(".rail .undo")?.focus();
  if (ctx.response?.status === 422 || refusedQuietly()) nod(aimedAt(ctx.request?.body));
  document.querySelector(".rail").className = `rail ${state().className}`;
  const isWon = state().classList.contains("won");
  if (isWon && !table().hasAttribute("data-won")) film ? film.then(celebrate) : celebrate();
  table().toggleAttribute("data-won", isWon);
});

document.addEventListener("htmx:finally:request", land);

// A click that leads nowhere changes no pile, and a visible sentence says why.
function refusedQuietly() {
  return document.querySelector("#notice .why") !== null;
}

function aimedAt(body) {
  if (!(body instanceof URLSearchParams)) return null;
  const place = body.get("move")?.split("-")[0] || body.get("held") || body.get("clicked");
  const pile = place && document.getElementById(place.split(":")[0]);
  return pile ? topButton(pile) : null;
}

watchDrags();
watchKeys();
watchMenu();
