// Walks through positions that have an address each, without page loads: the next and the last one are fetched before
// they are asked for, and if the user is faster than the network, only the last requested one is shown.

import { animateInNextFrame, rememberRects } from "./animation.js";
import { table } from "./board.js";
import { parsePage } from "./parse-page.js";
import { fetchPiece } from "./send.js";

/**
 * `address(n)` leads to position n of 0 to `last`, and `at` is the one on the screen, or not a number; `show(n, page,
 * isNear)` puts its page there, and `fail()` says that it could not be loaded.
 */
export function walk({ at, last, address, show, fail }) {
  const pages = new Map();
  let target = at;

  function load(n) {
    if (!pages.has(n)) {
      const page = fetchPiece(address(n)).then((reply) => {
        if (!reply.ok) throw new Error(reply.status);
        return reply.text();
      });
      page.catch(() => pages.delete(n));
      pages.set(n, page);
    }
    return pages.get(n);
  }

  function prefetch(n) {
    if (n >= 0 && n <= last) load(n).catch(() => {});
  }

  async function go(n) {
    target = Math.min(Math.max(n, 0), last);
    const requested = target;
    let text;
    try {
      text = await load(requested);
    } catch {
      if (requested !== target) return; // another position was asked for meanwhile
      target = at;
      return fail();
    }
    if (requested === target && requested !== at) {
      const isNear = Math.abs(requested - at) === 1;
      at = requested;
      show(at, parsePage(text), isNear);
    }
    prefetch(requested + 1);
    prefetch(requested - 1);
  }

  /** Position n is on the screen, or, after `leave`, one of another walk. */
  function enter(n) {
    at = target = n;
    prefetch(n + 1);
  }

  enter(at);
  return { go, enter, leave: () => enter(Number.NaN), target: () => target };
}

/** Arrow keys go back and on, Home and End to the ends; `go(n)` is called with the position. */
export function listenForKeys(target, last, go) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .sheet") || event.target.matches(".scroll")) return;
    const n = { ArrowLeft: target() - 1, ArrowRight: target() + 1, Home: 0, End: last() }[event.key];
    if (n === undefined) return;
    go(n);
    event.preventDefault();
  });
}

/** Put the piles of another table in place of those that differ; from one step to the next, the cards travel. */
export function changePiles(fresh, isNear) {
  const changed = [...fresh.querySelectorAll(".pile")].filter(
    (pile) => document.getElementById(pile.id).outerHTML !== pile.outerHTML,
  );
  const { backs, long } = fresh.dataset;
  if (isNear) rememberRects(changed.map((pile) => document.getElementById(pile.id)), backs);
  for (const pile of changed) document.getElementById(pile.id).replaceWith(document.adoptNode(pile));
  if (backs !== undefined) table().dataset.backs = backs;
  if (long !== undefined) table().dataset.long = long;
  if (isNear) animateInNextFrame();
}
