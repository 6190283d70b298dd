// A hint appears at the cards or the button that it is about: the line below the cards moves there, so that everyone, screen
// readers too, gets one and the same sentence. It covers as little as possible, never what it speaks of, and moves no card.

import { showNotice, state, table, topButton } from "./board.js";
import { SLIVER, drawingIn, fitBeside, isFree, isHarmless, lay, occupied, overlap } from "./placing.js";

const NEARBY = [36, 96, 160]; // pixels from the cards
const FAR = [36, 160, 240];
const FARTHEST = [...FAR, 480]; // for a reason that has been opened, so that it can be
const WIDTHS = [300, 220, 380]; // pixels wide: a narrower note is tall and hard to read
const WITH_REASON = [380, 340, 300, 220]; // of one with a reason: few long lines are read faster than many short ones
const WIDE = [460, ...WITH_REASON.slice(0, 3)];

const REASON = "4.2em"; // of a reason, which a closer look may make longer: three lines

const line = () => document.getElementById("notice");
const watch = new MutationObserver(placeHint);
let meant = ""; // what the hint in its place is about, and where that lies
let place = ""; // its style there, which an answer takes away

export function watchHintPlace() {
  // Before the browser paints what has come, or the reason that has been opened.
  watch.observe(line(), { childList: true, subtree: true, attributeFilter: ["open"] });
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

// A hint that says more, or less, stays where it is, unless it would cover a card there and has room elsewhere.
function placeHint() {
  const isThere = isHintThere();
  const about = isThere && `${line().firstElementChild.textContent} ${JSON.stringify(spots())}`;
  const last = isThere && about === meant ? place : "";
  meant = about;
  line().classList.toggle("at-cards", isThere);
  line().style.cssText = last;
  if (!isThere) return;
  const { needed, seen } = occupied();
  if (last && !covers(...needed, ...seen)) return;
  const kept = last && !covers(...needed, ...spots()) ? last : "";
  line().removeAttribute("style");
  const found = findPlace() || keep(kept) || lieOnCards();
  line().classList.toggle("at-cards", found);
  if (!found) line().removeAttribute("style");
  place = line().style.cssText;
}

// Whether it covers any of these, or leaves the screen.
function covers(...boxes) {
  const own = line().getBoundingClientRect();
  return own.top < 0 || own.bottom > innerHeight || boxes.some((box) => overlap(own, box) >= SLIVER);
}

function keep(style) {
  line().style.cssText = style;
  return style !== "";
}

// Where the cards leave no room: on those that it does not speak of, and on as few as can be.
function lieOnCards() {
  const widths = line().querySelector("[open]") ? WITH_REASON : WIDTHS;
  return line().querySelector(".play") !== null && layInto(cheapest([Infinity], widths, Boolean));
}

const isHintThere = () => spots().length > 0 && [...line().children].some((each) => !each.matches(".sr-only, .first, .lost, .found"));

// At the cards to play, or where they go: over backs and empty places rather than far away. With a reason, where there is
// room to open that, too: so it opens without a move.
function findPlace() {
  const reason = line().querySelector(".odds > details");
  if (reason?.open) return WIDE.some((width) => layInto(cheapest(FARTHEST, [width])));
  if (reason) {
    const [text] = reason.getElementsByTagName("p");
    reason.open = true;
    text.style.minHeight = REASON;
    const found = layInto(cheapest(NEARBY, WITH_REASON) ?? cheapest(NEARBY, WITH_REASON, isHarmless) ?? cheapest(FAR, WITH_REASON));
    text.removeAttribute("style");
    reason.open = false;
    watch.takeRecords();
    if (found) return true;
  }
  // A dead end is about the whole table, has two buttons, side by side, and covers no empty place while there is room.
  const isDeadEnd = line().querySelector(".undo") !== null;
  const [far, widths] = isDeadEnd ? [FARTHEST, [380, ...WIDTHS]] : [FAR, WIDTHS];
  const tiers = [[NEARBY], [NEARBY, isHarmless], [far], [far, isHarmless]];
  const freeFirst = [[NEARBY], [far], [NEARBY, isHarmless], [far, isHarmless]];
  return (isDeadEnd ? freeFirst : tiers).some(([reaches, isGood]) => layInto(cheapest(reaches, widths, isGood)));
}

// It keeps its width and the edge that is next to its spot, whatever it comes to say.
function layInto(found) {
  if (!found) return false;
  lay(line(), found);
  const { top, bottom, width } = line().getBoundingClientRect();
  line().style.width = `${width}px`;
  if (top + bottom < found.spot.top + found.spot.bottom) Object.assign(line().style, { top: "auto", bottom: `calc(100% - ${bottom}px)` });
  return true;
}

function cheapest(reaches, widths, isGood = isFree) {
  let best = null;
  for (const spot of spots()) {
    const found = fitBeside(line(), spot, reaches, isGood, widths);
    if (isGood(found) && !(best?.cost <= found.cost)) best = { ...found, spot };
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
