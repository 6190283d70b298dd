// After a card was flicked, a browser takes the next tap for one that stops a scroll, and sends no click. This handles the
// controls; for the cards see aim.js.

const CONTROL = ".rail > button, .menu > summary";
const NO_CLICK = 100; // milliseconds after a release in which its click comes, if at all
const LONG = 400; // a press that lasts longer is no tap
const SLIP = 10; // how far a tap may slip, in pixels

let tap = null; // the last one on a control

export function watchTaps() {
  document.addEventListener("pointerdown", press, { capture: true });
  document.addEventListener("pointerup", release, { capture: true });
  document.addEventListener("click", take, { capture: true });
}

function press({ isPrimary, pointerType, target, clientX: x, clientY: y, timeStamp: at }) {
  const control = isPrimary && pointerType === "touch" ? target.closest?.(CONTROL) : null;
  tap = control && { control, x, y, at, isMade: false };
}

function release({ isPrimary, clientX: x, clientY: y, timeStamp: at }) {
  const done = tap;
  if (!done || !isPrimary || at - done.at > LONG || Math.hypot(x - done.x, y - done.y) > SLIP) return;
  setTimeout(() => {
    if (done.isMade || !done.control.checkVisibility()) return;
    done.isMade = true;
    done.control.click();
  }, NO_CLICK);
}

// A click that comes after all, later than the one that was made for it, is the same tap.
function take(event) {
  if (!event.isTrusted || !tap?.control.contains(event.target)) return;
  if (tap.isMade) {
    event.preventDefault();
    event.stopPropagation();
  }
  tap.isMade = true;
}
