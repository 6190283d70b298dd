// Finds the shape of a note about something on the table, wide or narrow, and its place on the screen: near to it, and over as
// little as possible.

import { drawingOf, legalMoves, piles, topButton } from "./board.js";

// Pixels from the thing it is about and from the edge of the screen.
export const APART = 8;
// Pixels between the places that are tried first, all over the screen.
const COARSE = 48;
// Pixels between those that follow, where a better one may be.
const FINE = 6;
// The cost of distance: a place twice as far away costs two to this power as much.
const POWER = 1.5;
// What covering a square pixel costs, if lying a pixel further away costs 1, the worst first:
const KINDS = [
  // Of what may be played next.
  ["needed", 1000],
  // Of any other card or button.
  ["seen", 20],
  // Of an empty place, or of a card that lies face down.
  ["empty", 2],
];
// Square pixels of cards and empty places that may be covered without looking further.
export const SLIVER = 60;
// The largest widths of a sentence, in pixels at the usual font size.
const WIDTHS = [300, 220, 380, 160, 132, 96];
// The usual font size, in pixels.
const TYPE = 16;

/** The place of a note on the page beside `spot`, at most as far as the `reaches`, where it covers as little as possible: with
 * its `width`, one of the `widths`, and what `placeFor` tells. It looks no further than `isEnough` asks for; null if there is
 * no place. */
export function fitBeside(note, spot, reaches, isEnough = isFree, widths = WIDTHS) {
  const around = occupied();
  let best = null;
  for (const reach of reaches) {
    if (isEnough(best, reach)) break;
    for (const width of widths) {
      note.style.maxWidth = widest(width);
      const found = placeFor(note.getBoundingClientRect(), spot, reach, around);
      if (found && !(best?.cost <= found.cost)) best = { ...found, width };
      if (isFree(best)) break;
    }
  }
  return best;
}

/** Whether a place was found that covers hardly anything. */
export const isFree = (found) => found?.needed === 0 && found.seen + found.empty < SLIVER;

/** Whether a place was found that covers at most empty places and cards that lie face down. */
export const isHarmless = (found) => found?.needed === 0 && found.seen < SLIVER;

/** Lay a note into its place. */
export function lay(note, { left, top, width } = { left: APART, top: APART, width: WIDTHS[0] }) {
  Object.assign(note.style, { left: `${left}px`, top: `${top}px`, maxWidth: widest(width) });
}

const widest = (width) => `min(${width / TYPE}rem, 100vw - ${2 * APART}px)`;

/** The place for a note of this size, at most `reach` from `target`, which it never covers; null if there is none. It has
 * `left` and `top`, its `cost`, and how many square pixels it covers of what may be played next (`needed`), of the other
 * cards and buttons (`seen`) and of the other places (`empty`). To ask for several sizes, pass what lies `around`. */
function placeFor({ width, height }, target, reach = Infinity, around = occupied()) {
  const near = { left: target.left - reach - width, top: target.top - reach - height, right: target.right + reach + width, bottom: target.bottom + reach + height };
  const things = KINDS.flatMap(([kind, worse]) => around[kind].filter((rect) => overlap(rect, near) > 0).map((rect) => ({ ...edgesOf(rect), kind, worse })));
  const { left: start, top: above, right: end, bottom: below } = target;
  const [lastLeft, lastTop] = [document.documentElement.clientWidth - APART - width, innerHeight - APART - height];
  let best = null;
  // What lies further away is worse than the best one, whatever it covers.
  let limit = Infinity;
  for (const grid of [COARSE, FINE]) {
    const far = Math.min(reach, limit);
    const tops = [...steps(grid, height, lastTop, above, below, far), ...edges(grid, height, around.needed, "top", "bottom")];
    const lefts = [...steps(grid, width, lastLeft, start, end, far), ...edges(grid, width, around.needed, "left", "right")]
      .filter((left) => left >= APART && left <= lastLeft)
      .map((left) => ({ left, across: gap(left, left + width, start, end), off: Math.abs(2 * left + width - start - end) / 16 }));
    for (const top of tops) {
      const down = gap(top, top + height, above, below);
      if (top < APART || top > lastTop || down > reach || down >= limit) continue;
      const row = things.map((thing) => ({ ...thing, high: Math.min(top + height, thing.bottom) - Math.max(top, thing.top) })).filter(({ high }) => high > 0);
      for (const { left, across, off } of lefts) {
        const away = Math.hypot(across, down);
        if (away > reach || away + off >= limit || (across < APART && down < APART)) continue;
        let cost = (away + off) ** POWER;
        const covered = { needed: 0, seen: 0, empty: 0 };
        for (const thing of row) {
          const wide = Math.min(left + width, thing.right) - Math.max(left, thing.left);
          if (wide <= 0) continue;
          covered[thing.kind] += wide * thing.high;
          cost += wide * thing.high * thing.worse;
          if (cost >= best?.cost) break;
        }
        if (cost >= best?.cost) continue;
        best = { left, top, ...covered, cost };
        limit = cost ** (1 / POWER);
      }
    }
  }
  return best;
}

/** The drawing of something on the table, or a button beside it. */
export const drawingIn = (element) => (element.closest("#table") ? drawingOf(element) : element);

/** The boxes of what may be played next, with the places where it may go and the stock; of all else worth seeing, with the
 * `faces` among it and the `backs` of cards; of the other places, which are empty; and of all empty foundations. */
export function taken() {
  const ids = new Set(["stock", ...legalMoves().flatMap(({ source, target }) => [source, target])]);
  const tops = new Set(piles().filter(({ id }) => ids.has(id)).map((pile) => topButton(pile)));
  const all = [...document.querySelectorAll("#table .pile > :is(button, b, i, small), .rail > button, .menu > summary, .top")];
  const boxes = (elements) => elements.map((each) => drawingIn(each).getBoundingClientRect());
  const rest = all.filter((each) => !tops.has(each));
  const isEmpty = (each) => each.classList.contains("empty");
  const isBack = (each) => each.matches(".tableau i");
  const empty = rest.filter(isEmpty);
  return {
    needed: boxes(all.filter((each) => tops.has(each))),
    seen: boxes(rest.filter((each) => !isEmpty(each))),
    empty: boxes(empty),
    faces: boxes(rest.filter((each) => !isEmpty(each) && !isBack(each))),
    backs: boxes(rest.filter(isBack)),
    homes: boxes(all.filter((each) => isEmpty(each) && each.closest(".foundations"))),
  };
}

/** The same for a note, where another one must not be covered either, and cards that lie face down count as empty places. */
export function occupied() {
  const { needed, faces, backs, empty } = taken();
  return { needed: [...needed, ...notes()], seen: faces, empty: [...empty, ...backs] };
}

// A note about the deal and the end of a game stay readable. A bubble of a first game is hidden while a refusal shows.
function notes() {
  return [...document.querySelectorAll(".nearest, .ending")].filter((note) => note.checkVisibility()).map((note) => note.getBoundingClientRect());
}

// The places along one axis: a grid, and right before, at and behind the target.
function steps(grid, size, last, start, end, far) {
  const near = [start - APART - size, (start + end - size) / 2, end + APART];
  const most = Math.min(last, end + far);
  for (let each = APART; each <= most; each += grid) if (each + size >= start - far) near.push(each);
  return near;
}

// The places right before and behind what may be played next: a gap between two cards may be no wider than the note.
function edges(grid, size, needed, start, end) {
  return grid === FINE ? new Set(needed.flatMap((rect) => [rect[start] - size, rect[end]])) : [];
}

/** How many square pixels two boxes share, the second one wider by `tolerance` on each side. */
export function overlap(a, b, tolerance = 0) {
  const width = Math.min(a.right, b.right + tolerance) - Math.max(a.left, b.left - tolerance);
  const height = Math.min(a.bottom, b.bottom + tolerance) - Math.max(a.top, b.top - tolerance);
  return width > 0 && height > 0 ? width * height : 0;
}

/** How far two boxes are from each other. */
export function distance(a, b) {
  return Math.hypot(gap(a.left, a.right, b.left, b.right), gap(a.top, a.bottom, b.top, b.bottom));
}

const gap = (start, end, otherStart, otherEnd) => Math.max(start - otherEnd, otherStart - end, 0);

// Of plain numbers: to ask a box of the page for each costs more than all the rest.
const edgesOf = ({ left, top, right, bottom }) => ({ left, top, right, bottom });

/** How far the middles of two boxes are from each other, across. */
export const offCenter = (a, b) => Math.abs((a.left + a.right - b.left - b.right) / 2);
