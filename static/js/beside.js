// The shape and the place of a note beside something on the table: wide or narrow, and as near as possible.

import { APART, occupied, placeFor } from "./placing.js";

export const SLIVER = 60; // square pixels of cards and empty places that may be covered without looking further
const WIDTHS = [300, 220, 380, 160, 132, 96]; // largest widths of a sentence, in pixels at the usual font size
const TYPE = 16; // the usual font size, in pixels

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
