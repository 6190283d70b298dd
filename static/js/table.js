// The game page: sends clicks with htmx and animates what the server swaps in. Without this script the
// same buttons work as plain forms.

import { runClock } from "./clock.js";
import { connect } from "./connection.js";
import { aimAgain, cancel, isDragging, land, watchDrags } from "./drag.js";
import { watchHints } from "./hint.js";
import { prepareMoveSequence, showMoveSequence } from "./move-sequence.js";
import { watchKeys } from "./keys.js";
import { watchMenu } from "./menu.js";
import { heldGrip, pileOf, state, table, topButton, version } from "./board.js";
import { watchLongPresses } from "./spread.js";
import { registerSwap } from "./swap.js";
import { watchTaps } from "./taps.js";
import { shake, rememberRects, animateInNextFrame } from "./animation.js";
import { feel } from "./feel.js";
import { cardAt, hideRefusal, showAt, spotOf } from "./refusal.js";

let focused = null;
let inEnding = false;
let versionBefore = 0;
// Is loaded with the first answer, so that a first visit is lighter.
let ending = null;
// Likewise, or with the page of a game that is over.
let fold = null;

// The answer to a refused form of the menu is the table, too: it gets its own address back, to reload it.
if (location.pathname !== table().dataset.address) history.replaceState(history.state, "", table().dataset.address);
registerSwap();
connect();
watchHints();
loadSharing();
showWhatIsOff();
// A game that is opened again: nothing to celebrate.
table().toggleAttribute("data-won", state().classList.contains("won"));
if (table().dataset.dealt !== undefined) lieStill();

// What is swapped in later is not dealt again.
async function lieStill() {
  await Promise.allSettled(table().getAnimations({ subtree: true }).map(({ finished }) => finished));
  delete table().dataset.dealt;
  document.dispatchEvent(new Event("dealt"));
}

document.addEventListener("htmx:before:swap", (event) => {
  const { pieces } = event.detail;
  // Or another part of the page is swapped.
  if (event.defaultPrevented || !pieces) return;
  delete table().dataset.dealt;
  const swapped = pieces.filter((piece) => piece.classList.contains("pile")).map((pile) => document.getElementById(pile.id));
  if (swapped.some((pile) => isDragging(pile.id))) cancel();
  versionBefore = version();
  focused = pileOf(document.activeElement)?.id ?? null;
  inEnding = document.activeElement?.closest?.(".ending") !== null;
  for (const advised of document.querySelectorAll(".advised")) advised.classList.remove("advised");
  if (pieces.some((piece) => piece.dataset.sequence)) prepareMoveSequence();
  rememberRects(swapped, pieces.find((piece) => piece.id === "state")?.dataset.backs);
});

document.addEventListener("htmx:after:swap", (event) => {
  const { ctx, pieces } = event.detail;
  if (!pieces) return;
  const began = performance.now();
  const { long, backs } = state().dataset;
  Object.assign(table().dataset, { long, backs });
  land();
  aimAgain();
  const sequence = showMoveSequence(state().dataset.sequence ?? "");
  if (!sequence) animateInNextFrame();
  if (focused && document.activeElement === document.body) {
    topButton(document.getElementById(focused))?.focus({ preventScroll: true });
  }
  // The undo button of the ending is gone: move the focus to the one in the toolbar.
  if (inEnding && document.activeElement === document.body) document.querySelector(".rail .undo")?.focus();
  tell(ctx);
  document.querySelector(".rail").className = `rail ${state().className}`;
  showWhatIsOff();
  loadSharing();
  // Offline, or since a release, the end shows without it.
  ending ??= import("./ending.js").catch(() => (ending = null));
  loadFold();
  const isWon = state().classList.contains("won");
  const celebrate = async () => (await ending)?.celebrate(performance.now() - began);
  // It is its player who celebrates.
  const isNews = isWon && !table().hasAttribute("data-won") && !table().dataset.watching;
  if (isNews) sequence ? sequence.then(celebrate) : celebrate();
  table().toggleAttribute("data-won", isWon);
});

function loadFold() {
  fold ??= import("./fold.js").then(({ keepFold }) => keepFold(), () => (fold = null));
}

// The button that shares a result comes with the end of a game.
function loadSharing() {
  if (document.querySelector("button[data-share]")) import("./share-text.js").catch(() => null);
}

// A button that can do nothing now looks disabled and says so to screen readers. A press says why, and its title beforehand,
// which describes it to screen readers.
function showWhatIsOff() {
  for (const word of ["deal", "undo", "redo"]) {
    const isOff = !state().classList.contains(`can-${word}`);
    const button = document.querySelector(`.rail > .${word}`);
    if (!button) continue;
    button.dataset.title ??= button.title;
    button.title = state().getAttribute(`data-no-${word}`) ?? button.dataset.title;
    // Most of the time.
    if (button.hasAttribute("aria-disabled") === isOff) continue;
    if (isOff) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

document.addEventListener("htmx:finally:request", land);

// A refusal shows where the pointer is, and the card that may not move shakes. Sounds say what happened, if they are on.
function tell(ctx) {
  const body = ctx.request?.body;
  if (!(body instanceof URLSearchParams)) return;
  const line = document.querySelector("#notice span:not(.first)");
  hideRefusal();
  if (ctx.response?.status < 400 && !line?.classList.contains("why")) {
    const isDeal = body.get("clicked") === "stock" || ctx.request.action.endsWith("/deal");
    if (version() !== versionBefore) feel(isDeal ? "deal" : "place");
    else if (heldGrip()) {
      feel("lift");
      if (line && body.has("clicked")) showAt(line.textContent, spotOf(ctx), true); // between which places to choose
    }
    return;
  }
  if (!line) return;
  shake(cardAt(body.get("move")?.split("-")[0] || body.get("held") || body.get("clicked")));
  feel("refuse");
  line.classList.add("sr-only");
  showAt(line.textContent, spotOf(ctx));
}

watchDrags();
watchKeys();
watchMenu();
runClock();
if (document.querySelector(".ending")) loadFold();
watchLongPresses();
watchTaps();
