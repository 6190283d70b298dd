// A hint appears at the cards or the button that it is about: the line below the cards moves there, so that everyone, screen
// readers too, gets one and the same sentence. Where it would cover a card that lies face up, it stays in its line.

import { showNotice, state, table, topButton } from "./board.js";
import { fitBeside, isFree, isHarmless, lay } from "./beside.js";
import { drawingIn } from "./placing.js";

const NEARBY = [36, 96, 160]; // pixels from the cards
const FAR = [36, 160, 240];
const FARTHEST = [...FAR, 480]; // for a reason that has been opened, so that it can be
const WIDTHS = [300, 220, 380]; // pixels wide: a narrower note is tall and hard to read
const WIDE = [460, 380, 340, 300]; // of an opened reason: few long lines are read faster than many short ones

const line = () => document.getElementById("notice");

export function watchHintPlace() {
  // Before the browser paints what has come, or the reason that has been opened.
  new MutationObserver(placeHint).observe(line(), { childList: true, subtree: true, attributeFilter: ["open"] });
  addEventListener("resize", placeHint);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && putAway());
  document.querySelector(".cloth").addEventListener("click", ({ target }) => target.closest("button, a, summary, #notice, .ending") ?? putAway());
  placeHint();
}

function putAway() {
  if (!isHintThere()) return;
  for (const each of table().querySelectorAll(".advised")) each.classList.remove("advised");
  for (const each of [state(), document.querySelector(".rail")]) each.classList.remove("deal-advised", "finish-advised");
  showNotice("");
}

function placeHint() {
  const found = isHintThere() && findPlace();
  line().classList.toggle("at-cards", Boolean(found));
  if (found) lay(line(), found);
  else line().removeAttribute("style");
}

const isHintThere = () => spots().length > 0 && [...line().children].some((each) => !each.matches(".sr-only, .first, .lost, .found"));

// At the cards to play, or where they go: over backs and empty places rather than far away. A reason that has been opened is as
// wide as there is room.
function findPlace() {
  line().classList.add("at-cards");
  if (!line().querySelector(".odds > [open]")) {
    // A dead end is about the whole table, and has two buttons, side by side.
    const [far, widths] = line().querySelector(".undo") ? [FARTHEST, [380, ...WIDTHS]] : [FAR, WIDTHS];
    return cheapest(NEARBY, widths) ?? cheapest(NEARBY, widths, isHarmless) ?? cheapest(far, widths) ?? cheapest(far, widths, isHarmless);
  }
  for (const width of WIDE) {
    const found = cheapest(FARTHEST, [width]);
    if (found) return found;
  }
  return null;
}

function cheapest(reaches, widths, isGood = isFree) {
  let best = null;
  for (const spot of spots()) {
    const found = fitBeside(line(), spot, reaches, isGood, widths);
    if (isGood(found) && !(best?.cost <= found.cost)) best = found;
  }
  return best;
}

// Or at the button that the hint names: Undo, where nothing wins any more.
function spots() {
  const cards = [...table().querySelectorAll(".pile button.advised")].map(boxOf);
  const targets = [...table().querySelectorAll(".pile.advised")].map(topButton).filter(Boolean).map(boxOf);
  return [...(cards.length ? [around(cards)] : []), ...targets, ...buttons().map(boxOf)];
}

function buttons() {
  const names = ["deal", "finish"].filter((name) => state().classList.contains(`${name}-advised`));
  if (line().querySelector(".find, .undo")) names.push("undo");
  return names.flatMap((name) => [...document.querySelectorAll(`.rail > .${name}`)]).filter((button) => button.offsetHeight); // a spare one may have none
}

const boxOf = (card) => drawingIn(card).getBoundingClientRect();

function around(boxes) {
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  return { left: least("left"), top: least("top"), right: most("right"), bottom: most("bottom") };
}
