// Refreshes the strip beside an attempt after every move, and every few seconds.

const INTERVAL_MS = 5_000;
const AFTER_MOVE_MS = 300;
const strip = document.getElementById("rival");
let timer = null;

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(strip.dataset.address, { signal: AbortSignal.timeout(10_000) });
    const text = answer.ok ? await answer.text() : "";
    // Don't replace the strip while something in it has focus.
    if (text && !strip.contains(document.activeElement)) strip.innerHTML = text;
    if (strip.querySelector("[data-done]")) clearInterval(interval);
  } catch {
    // The game page reports a lost connection itself.
  }
}

document.addEventListener("htmx:after:swap", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, AFTER_MOVE_MS);
});
const interval = setInterval(refresh, INTERVAL_MS);
