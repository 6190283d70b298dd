// Plays the steps of a game, one after another, until its button is pressed again.

/**
 * `walker` walks to `last`; `pace()` is the time from step to step. At the end playing stops, unless it `repeats`: then
 * the last step rests for a while, and the first one follows. A page that nobody sees waits.
 */
export function stepPlayer({ walker, last, button, pace, repeats = false }) {
  const RESTS = 5; // steps long
  let clock = null;
  let rested = 0;

  button.addEventListener("click", () => (clock ? stop() : start()));

  /** Play on, after `milliseconds`. */
  function startIn(milliseconds) {
    button.classList.add("running");
    clock = setTimeout(() => {
      start();
      step();
    }, milliseconds);
  }

  function start() {
    clearInterval(clock);
    if (walker.target() === last) walker.go(0);
    clock = setInterval(step, pace());
    button.classList.add("running");
  }

  function step() {
    if (document.hidden) return;
    if (walker.target() < last) {
      walker.go(walker.target() + 1);
    } else if (!repeats) {
      stop();
    } else if (++rested === RESTS) {
      rested = 0;
      walker.go(0);
    }
  }

  function stop() {
    clearInterval(clock);
    clock = null;
    button.classList.remove("running");
  }

  return { start, startIn, stop, plays: () => clock !== null };
}
