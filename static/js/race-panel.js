// The strip at a table of a race: asks every second how the others are doing, which also tells that somebody is here.
// Whoever opens the same table in a second window plays there, and this one becomes read-only.

const EVERY = 1000;

let next = null;

async function look() {
  clearTimeout(next);
  const { address, tab } = strip().dataset;
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ tab }),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) show(await answer.text());
  } catch {
    // The table itself says when the connection is gone.
  }
  clearTimeout(next);
  if (!("over" in strip().dataset)) next = setTimeout(look, EVERY);
}

function strip() {
  return document.getElementById("race");
}

function show(text) {
  const old = strip();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("race");
  if (fresh === null || fresh.outerHTML === old.outerHTML) return;
  const isFocused = old.contains(document.activeElement);
  old.replaceWith(document.adoptNode(fresh));
  if (isFocused) fresh.querySelector("a")?.focus();
  for (const part of document.querySelectorAll(".cloth, .rail")) part.inert = "elsewhere" in fresh.dataset;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".elsewhere a")) return;
  event.preventDefault();
  location.reload(); // the newest window is the one to play in
});
// Browsers slow the timers of hidden pages down: catch up as soon as somebody looks.
document.addEventListener("visibilitychange", () => document.hidden || look());
next = setTimeout(look, EVERY);
