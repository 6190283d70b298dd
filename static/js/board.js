// Reads the board from the page: piles, cards, and the state of the game.

export const table = () => document.getElementById("table");
export const state = () => document.getElementById("state");
export const version = () => Number(state().dataset.version);
export const heldGrip = () => state().querySelector("[name=held]").value;
export const hintsGiven = () => state().querySelector("[name=hint]").value;
/** Whether a request asks for a hint. */
export const isHint = ({ request }) => request.action.endsWith("/help/hint");
/** Whether a request is about the table as it stands: a move or a hint, and no saying. */
export const isOfTable = ({ request: { body } }) => body?.has("version") ?? false;
/** Whether asking again refines the last hint. */
export const isRough = () => state().querySelector("[name=rough]").value === "1";

export const piles = () => [...table().querySelectorAll(".pile")];
export const pileOf = (element) => element?.closest?.(".pile") ?? null;

export const isHome = (pile) => pile.matches(".foundations > *");

/** A pile's faces and backs, bottom first, without its count. */
export const cardsOf = (pile) => [...pile.children].filter((child) => child.tagName !== "SMALL");

/** How many cards a pile has. Of a squared pile, only the count beside it says so. */
export const sizeOf = (pile) =>
  Number(/\d+/.exec(pile.querySelector("small")?.textContent)?.[0] ?? cardsOf(pile).filter((card) => !card.classList.contains("empty")).length);

/** The button of a pile: its top card or its empty place. */
export const topButton = (pile) => [...pile.querySelectorAll("button")].at(-1) ?? null;

/** How many cards of a column lie at or below a height on the screen. */
export function cardsFrom(pile, y) {
  return cardsOf(pile).filter((card) => card.getBoundingClientRect().bottom > y).length;
}

/** Which card an element shows, as `7H`; empty for a back or an empty place. */
export function faceOf(card) {
  if (card.classList.contains("empty")) return "";
  return card.querySelector("use")?.getAttribute("href").split("#")[1] ?? "";
}

/** The part of a card that moves: its drawing, which hangs over the strip that takes the clicks. */
export const drawingOf = (card) => card.querySelector("svg") ?? card;

/** The legal moves, each as {source, target, count}. */
export function legalMoves() {
  return state()
    .dataset.moves.split(" ")
    .filter(Boolean)
    .map((text) => {
      const [source, rest] = text.split("-");
      const [target, count] = rest.split(":");
      return { source, target, count: Number(count ?? 1), text };
    });
}

/** The move of the hint that is shown, if a button is one of its cards or its target; else nothing. */
export function advisedMove(button) {
  const card = table().querySelector(".pile button.advised"); // the lowest one
  const target = table().querySelector(".pile.advised");
  if (!card || !target || (!button.matches(".advised") && button !== topButton(target))) return null;
  const [source, count = "1"] = card.value.split(":");
  const isAdvised = (move) => move.source === source && move.target === target.id && move.count === Number(count);
  return legalMoves().find(isAdvised)?.text ?? null;
}

/** Say a sentence in the line below the cards; what has to be done first stays there. */
export function showNotice(sentence, kind = "") {
  const line = document.createElement("span");
  line.textContent = sentence;
  line.className = kind;
  const notice = document.getElementById("notice");
  notice.replaceChildren(line, ...notice.querySelectorAll(".first"));
}

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const speed = () => document.documentElement.dataset.speed;

/** Whether nothing may move across the screen: fades only. */
export const calm = {
  get matches() {
    return reduced.matches || speed() === "off";
  },
};

/** How long an animation that usually takes `milliseconds` takes now. */
export const lasting = (milliseconds) => (speed() === "fast" ? milliseconds * 0.6 : milliseconds);
