// Reads the board from the page: piles, cards, and the state of the game.

export const table = () => document.getElementById("table");
export const state = () => document.getElementById("state");
export const version = () => Number(state().dataset.version);
export const heldGrip = () => state().querySelector("[name=held]").value;
export const hintsGiven = () => state().querySelector("[name=hint]").value;
export const piles = () => [...table().querySelectorAll(".pile")];
export const pileOf = (element) => element?.closest?.(".pile") ?? null;

/** A pile's faces and backs, bottom first, without its count. */
export const cardsOf = (pile) => [...pile.children].filter((child) => child.tagName !== "SMALL");

/** The button of a pile: its top card or its empty place. */
export const topButton = (pile) => [...pile.querySelectorAll("button")].at(-1) ?? null;

/** Which card an element shows, as `7H`; empty for a back or an empty place. */
export function faceOf(card) {
  if (card.classList.contains("space")) return "";
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

export function say(sentence) {
  const line = document.createElement("span");
  line.textContent = sentence;
  document.getElementById("notice").replaceChildren(line);
}

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
