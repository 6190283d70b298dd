// A hint appears at the cards or the button that it is about: the line below the cards moves there, so that everyone, screen
// readers too, gets one and the same sentence. Where it would cover a card or a place, it stays in its line.

import { state, table, topButton } from "./board.js";
import { fitBeside, isFree, lay } from "./beside.js";
import { drawingIn } from "./placing.js";

const REACHES = [36, 160, 240]; // pixels from the cards
const FAR = 480; // for a reason that has been opened, so that it can be
const WIDE = [460, 380, 340, 300]; // pixels wide: few long lines are read faster than many short ones
const NARROW = 200; // pixels: a narrower note is tall and hard to read,
const WORSE = 100; // which counts as much as lying this many pixels further away

const line = () => document.getElementById("notice");

export function watchHintPlace() {
  // Before the browser paints what has come, or the reason that has been opened.
  new MutationObserver(placeHint).observe(line(), { childList: true, subtree: true, attributeFilter: ["open"] });
  addEventListener("resize", placeHint);
  placeHint();
}

function placeHint() {
  const found = isHintThere() && findPlace();
  line().classList.toggle("at-cards", Boolean(found));
  if (found) lay(line(), found);
  else line().removeAttribute("style");
}

const isHintThere = () => spots().length > 0 && [...line().children].some((each) => !each.matches(".sr-only, .first, .lost, .found"));

// At the cards to play, or where they go. A reason that has been opened is as wide as there is room.
function findPlace() {
  line().classList.add("at-cards");
  if (!line().querySelector(".odds > [open]")) return cheapest(REACHES);
  for (const width of WIDE) {
    const found = cheapest([...REACHES, FAR], [width]);
    if (found) return found;
  }
  return null;
}

function cheapest(reaches, widths) {
  let best = null;
  for (const spot of spots()) {
    const found = fitBeside(line(), spot, reaches, isFree, widths);
    if (isFree(found) && costOf(found) < costOf(best)) best = found;
  }
  return best;
}

const costOf = (found) => (found ? found.cost + (found.width < NARROW ? WORSE : 0) : Infinity);

// Or at the button that the hint names: Undo, where nothing wins any more.
function spots() {
  const cards = [...table().querySelectorAll(".pile button.advised")].map(boxOf);
  const targets = [...table().querySelectorAll(".pile.advised")].map(topButton).filter(Boolean).map(boxOf);
  return [...(cards.length ? [around(cards)] : []), ...targets, ...buttons().map(boxOf)];
}

function buttons() {
  const names = ["deal", "finish"].filter((name) => state().classList.contains(`${name}-advised`));
  if (line().querySelector(".find")) names.push("undo");
  return names.flatMap((name) => [...document.querySelectorAll(`.rail > .${name}`)]).filter((button) => button.offsetHeight); // a spare one may have none
}

const boxOf = (card) => drawingIn(card).getBoundingClientRect();

function around(boxes) {
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  return { left: least("left"), top: least("top"), right: most("right"), bottom: most("bottom") };
}
