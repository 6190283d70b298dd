// The berth of a tip: above the toolbar, or at the lower edge of the cloth beside it. Cards that lie there push the tip
// aside, or up.

import { APART, overlap, taken } from "./placing.js";

const GAP = 12; // pixels to the toolbar and to the lower edge
const STEP = 8;

/** The [left, top] of a tip of this size, near `subject` if that is in the toolbar. It may cover cards that cannot be played
 * next where nothing else is left; null if even so there is none. */
export function berthFor({ width, height }, subject) {
  const room = roomFor(width, height);
  const obstacles = obstaclesOf();
  const [x, y] = wish(room, { width, height }, subject);
  const free = (left, top, boxes) => boxes.every((box) => overlap({ left, top, right: left + width, bottom: top + height }, box) === 0);
  const lefts = outwards(x, room.left, room.right);
  const all = [...obstacles.needed, ...obstacles.seen];
  const tops = [...new Set([y, room.bottom, ...all.map((box) => box.top - height - APART).sort((a, b) => b - a)])];
  const inReach = tops.filter((top) => top >= room.top && top <= room.bottom);
  const find = (heights, boxes) => {
    for (const top of heights) for (const left of lefts) if (free(left, top, boxes)) return [left, top];
    return null;
  };
  const low = inReach.filter((top) => top >= (room.top + room.bottom) / 2);
  return find(low, all) ?? find(inReach, obstacles.needed);
}

/** Whether a tip with this box can stay where it is. */
export const canStay = (box) => obstaclesOf().needed.every((other) => overlap(box, other) === 0);

// What is said in the line below the cards, or about the deal, is read: nothing lies over it.
function obstaclesOf() {
  const { needed, seen } = taken();
  const said = [...document.querySelectorAll("#notice > :not(.quiet), .nearest")].filter((each) => each.checkVisibility());
  return { needed: [...needed, ...said.map((each) => each.getBoundingClientRect())], seen };
}

// Between which places its left upper corner may lie, and on which side the toolbar is.
function roomFor(width, height) {
  const rail = document.getElementById("rail").getBoundingClientRect();
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const isBelow = rail.top >= cloth.bottom;
  const isRight = rail.left > cloth.left;
  const [left, right] = isBelow ? [APART, innerWidth - APART] : isRight ? [APART, rail.left - GAP] : [rail.right + GAP, innerWidth - APART];
  const bottom = (isBelow ? rail.top : innerHeight) - GAP;
  return { isBelow, isRight, left, right: Math.max(right - width, left), top: cloth.top, bottom: bottom - height };
}

function wish({ isBelow, isRight, left, right, top, bottom }, { width, height }, subject) {
  const at = subject?.closest(".rail") && subject.getBoundingClientRect();
  const within = (least, value, most) => Math.min(Math.max(value, least), most);
  const x = at ? at.left + (at.width - width) / 2 : (left + right) / 2;
  if (isBelow) return [within(left, x, right), bottom];
  return [isRight ? right : left, at ? within(top, at.top + (at.height - height) / 2, bottom) : bottom];
}

// From a place to both ends, the nearest first.
function outwards(from, least, most) {
  const places = [from];
  for (let away = STEP; away <= most - least + STEP; away += STEP) {
    for (const place of [from + away, from - away]) if (place >= least && place <= most) places.push(place);
  }
  return [...places, least, most];
}
