// The game page: sends clicks with htmx and animates what the server swaps in. Without this script the
// same buttons work as plain forms.

import { connect } from "./connection.js";
import { cancel, isDragging, land, watchDrags } from "./drag.js";
import { celebrate } from "./ending.js";
import { prepareMoveSequence, showMoveSequence } from "./move-sequence.js";
import { watchKeys } from "./keys.js";
import { watchMenu } from "./menu.js";
import { pileOf, state, table, topButton } from "./board.js";
import { fragmentsOf, registerSwap } from "./swap.js";
import { shake, rememberRects, animateMoves } from "./animation.js";

let focused = null;
let inEnding = false;

registerSwap();
connect();

document.addEventListener("htmx:before:swap", (event) => {
  if (event.defaultPrevented) return;
  const pieces = fragmentsOf(event.detail.tasks);
  const swapped = pieces.filter((piece) => piece.classList.contains("pile")).map((pile) => document.getElementById(pile.id));
  if (isDragging() && swapped.length) cancel();
  focused = pileOf(document.activeElement)?.id ?? null;
  inEnding = document.activeElement?.closest?.(".ending") !== null;
  for (const advised of document.querySelectorAll(".advised")) advised.classList.remove("advised");
  if (pieces.some((piece) => piece.dataset.sequence)) prepareMoveSequence();
  rememberRects(swapped);
});

document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = event.detail;
  table().dataset.long = state().dataset.long;
  land();
  const sequence = showMoveSequence(state().dataset.sequence ?? "");
  if (!sequence) animateMoves();
  if (focused && document.activeElement === document.body) {
    topButton(document.getElementById(focused))?.focus({ preventScroll: true });
  }
  // The undo button of the ending is gone: move the focus to the one in the toolbar.
  if (inEnding && document.activeElement === document.body) document.querySelector(".rail .undo")?.focus();
  if (ctx.response?.status === 422 || isRefused()) shake(refusedButton(ctx.request?.body));
  document.querySelector(".rail").className = `rail ${state().className}`;
  const isWon = state().classList.contains("won");
  if (isWon && !table().hasAttribute("data-won")) sequence ? sequence.then(celebrate) : celebrate();
  table().toggleAttribute("data-won", isWon);
});

document.addEventListener("htmx:finally:request", land);

// A refused click changes no pile, and a visible sentence says why.
function isRefused() {
  return document.querySelector("#notice .why") !== null;
}

function refusedButton(body) {
  if (!(body instanceof URLSearchParams)) return null;
  const place = body.get("move")?.split("-")[0] || body.get("held") || body.get("clicked");
  const pile = place && document.getElementById(place.split(":")[0]);
  return pile ? topButton(pile) : null;
}

watchDrags();
watchKeys();
watchMenu();
