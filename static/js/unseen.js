// Polling rests while the page is hidden, and asks at once when it is visible again. A player who waits in a
// race still says now and then that they are here: after 15 seconds of silence, the others would read that they are away.

const RARELY = 10_000; // milliseconds, for a part with `data-present`

let askedAt = performance.now();

document.addEventListener("htmx:before:request", (event) => {
  const { sourceElement: part, sourceEvent } = event.detail.ctx;
  if (sourceEvent?.type !== "every") return;
  const now = performance.now();
  const isDue = "present" in part.dataset && now - askedAt >= RARELY;
  if (document.hidden && !isDue) event.preventDefault();
  else askedAt = now;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const part of document.querySelectorAll("[hx-trigger^=seen]")) htmx.trigger(part, "seen");
});
