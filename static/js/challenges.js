// The line beside a try goes on with every move, and with time.

const EVERY = 5_000;
const SOON = 300;
const ghost = document.getElementById("rival");
let soon = null;

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(ghost.dataset.address, { signal: AbortSignal.timeout(10_000) });
    const text = answer.ok ? await answer.text() : "";
    // What holds the focus stays: only a changed strip is drawn anew, and never under a finger.
    if (text && !ghost.contains(document.activeElement)) ghost.innerHTML = text;
    if (ghost.querySelector("[data-done]")) clearInterval(often);
  } catch {
    // The table itself says when the connection is gone.
  }
}

document.addEventListener("htmx:after:swap", () => {
  clearTimeout(soon);
  soon = setTimeout(look, SOON);
});
const often = setInterval(look, EVERY);
