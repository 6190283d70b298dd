// The place of a bubble: as near to what it is about as the cards leave room, or beside the button of the toolbar that it is
// about. On a phone on its side it is below the cards, which push it aside, or up; where the columns fill the cloth, it is the
// line above, beside the name, if that has room for all of the bubble.

import { APART, distance, offCenter, overlap, taken } from "./placing.js";

// Pixels to a toolbar beside the cards and to the lower edge.
const GAP = 12;
// Pixels to a toolbar below the cards, where there is less room.
const LOW_GAP = 8;
// Pixels to the lower edge of a phone on its side.
const LEAST_GAP = 4;
// Pixels from the lowest card.
const BELOW = 28;
const STEP = 8;
// Pixels that a place on the cloth may be farther away than one on empty places.
const FAR = 120;
// Pixels of a card that may be covered: less than its margin.
const EDGE = 2;
// As in coach.css.
const ON_ITS_SIDE = matchMedia("(max-height: 480px) and (min-width: 561px)");

/** The [left, top] of a bubble of this size, near `subject`, which is drawn at `target`, if that is in the toolbar or that lies
 * below the cards. It may cover empty places where nothing else is left, or all else is far away, foundations last. As a last
 * resort it lies close to a toolbar below, or on cards that lie face down; null if it would cover another card. */
export function placeForBubble({ width, height }, subject, target, isLastResort = false) {
  const obstacles = obstaclesOf();
  const room = roomFor(width, height);
  const [x, y] = wish(room, { width, height }, subject, obstacles);
  const free = (left, top, boxes) => boxes.every((box) => overlap({ left, top, right: left + width, bottom: top + height }, box) === 0);
  const lefts = outwards(x, room.left, room.right);
  const all = [...obstacles.needed, ...obstacles.seen, ...obstacles.empty];
  const tops = [...new Set([y, room.bottom, ...all.map((box) => box.top - height - APART).sort((a, b) => b - a)])];
  const inReach = tops.filter((top) => top >= room.top && top <= room.bottom);
  const isOfRail = subject.closest(".rail") !== null;
  const isNear = !ON_ITS_SIDE.matches && !(isOfRail && room.isBelow);
  const find = (boxes) => {
    if (isNear) return nearest(boxes);
    for (const top of inReach) for (const left of lefts) if (free(left, top, boxes)) return [left, top];
    return null;
  };
  const nearest = (boxes) => {
    const below = [...all, target].map((box) => box.bottom + APART).filter((top) => top >= room.top && top <= room.bottom);
    const kept = [...boxes, target];
    let [best, least] = [null, Infinity];
    for (const top of [...inReach, ...below]) {
      for (const left of [...lefts, within(room.left, target.left, room.right)]) {
        const own = { left, top, right: left + width, bottom: top + height };
        const cost = distance(own, target) + offCenter(own, target) / 8;
        if (cost < least && free(left, top, kept)) [best, least] = [[left, top], cost];
      }
    }
    return best && aside(best, kept);
  };
  // The place or, if it touches a card beside it there, one a small step aside.
  const aside = ([left, top], boxes) => {
    const isRoomy = (x) => x >= room.left && x <= room.right && free(x - APART, top, boxes) && free(x + APART, top, boxes);
    const roomy = [left, left + 4, left - 4, left + 8, left - 8].find(isRoomy);
    return [roomy ?? left, top];
  };
  const away = (place) => (place ? distance({ left: place[0], top: place[1], right: place[0] + width, bottom: place[1] + height }, target) : Infinity);
  const line = () => (ON_ITS_SIDE.matches ? inTheLine({ width, height }, belowTheLine(obstacles)) : null);
  const cards = [...obstacles.needed, ...obstacles.seen];
  const close = room.bottom + LOW_GAP - EDGE;
  const closeTo = () => (isLastResort && room.isBelow && free(x, close, cards) ? [x, close] : null);
  const onBacks = () => (isLastResort ? find([...obstacles.needed, ...obstacles.faces]) : null);
  const onCloth = find(all);
  // Beside the stock there may be only foundations.
  const isPlain = ({ left, top }) => !subject.closest("#stock") || !obstacles.homes.some((home) => home.left === left && home.top === top);
  const overEmpty = isNear && find(isOfRail ? [...obstacles.needed, ...obstacles.faces] : cards.filter(isPlain)); // a button may have only backs beside it
  if (overEmpty && away(overEmpty) + FAR < away(onCloth)) return overEmpty;
  return onCloth ?? line() ?? find([...cards, ...obstacles.homes]) ?? find(cards) ?? closeTo() ?? onBacks();
}

/** Whether a bubble with this box can stay where it is. */
export function canStay({ left, top, right, bottom }) {
  const obstacles = obstaclesOf();
  const cards = top <= 0 ? belowTheLine(obstacles) : [...obstacles.needed, ...obstacles.seen];
  return bottom <= innerHeight && cards.every((other) => overlap({ left, top, right, bottom: bottom - EDGE }, other) === 0);
}

/** Whether a bubble in its place can be about another thing, too: not about a button of the toolbar, which it lies beside, and
 * not above a toolbar, where its lower edge has a place. */
export const canServe = (subject) => ON_ITS_SIDE.matches && !subject.closest(".rail");

const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
const within = (least, value, most) => Math.min(Math.max(value, least), most);
const isRailBelow = () => boxOf("#rail").top >= boxOf(".cloth").bottom;

// The line above the cards is one of the things that are seen.
const belowTheLine = ({ needed, seen }) => [...needed, ...seen].filter(({ top }) => top > 0);

function inTheLine({ width, height }, cards) {
  const left = document.dir === "rtl" ? APART : innerWidth - APART - width;
  const box = { left, top: 0, right: left + width, bottom: height - EDGE };
  return cards.every((other) => overlap(box, other) === 0) ? [left, 0] : null;
}

// What is said in the line below the cards, or about the deal, is read: nothing lies over it.
function obstaclesOf() {
  const { needed, ...others } = taken();
  const said = [...document.querySelectorAll("#notice > :not(.sr-only), .nearest")].filter((each) => each.checkVisibility());
  return { needed: [...needed, ...said.map((each) => each.getBoundingClientRect())], ...others };
}

// Between which places its left upper corner may lie, and on which side the toolbar is.
function roomFor(width, height) {
  const [rail, cloth, isBelow] = [boxOf("#rail"), boxOf(".cloth"), isRailBelow()];
  const isRight = rail.left > cloth.left;
  const [left, right] = isBelow ? [APART, innerWidth - APART] : isRight ? [APART, rail.left - GAP] : [rail.right + GAP, innerWidth - APART];
  const bottom = isBelow ? rail.top - LOW_GAP : innerHeight - (ON_ITS_SIDE.matches ? LEAST_GAP : GAP);
  return { isBelow, isRight, left, right: Math.max(right - width, left), top: cloth.top, bottom: bottom - height };
}

function wish({ isBelow, isRight, left, right, top, bottom }, { width, height }, subject, { needed, seen, empty }) {
  const at = subject?.closest(".rail") && subject.getBoundingClientRect();
  const x = at ? at.left + (at.width - width) / 2 : (left + right) / 2;
  if (isBelow) return [within(left, x, right), bottom];
  if (at) return [isRight ? right : left, within(top, at.top + (at.height - height) / 2, bottom)];
  const table = boxOf("#table");
  const cards = [...needed, ...seen, ...empty].filter((box) => box.left >= table.left - EDGE && box.right <= table.right + EDGE);
  const lowest = Math.max(...cards.map((box) => box.bottom));
  return [within(left, (table.left + table.right - width) / 2, right), within(top, lowest + BELOW, bottom)];
}

// From a place to both ends, the nearest first.
function outwards(from, least, most) {
  const places = [from];
  for (let away = STEP; away <= most - least + STEP; away += STEP) {
    for (const place of [from + away, from - away]) if (place >= least && place <= most) places.push(place);
  }
  return [...places, least, most];
}
