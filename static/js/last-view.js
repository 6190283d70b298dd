// The last table that was seen, kept in this browser so that it can be shown without a network.

const KEY = "fairdeal.last-view";
const PAUSE = 400; // milliseconds: nothing is stored while a player clicks fast
const MOVING = ".ghost, .cloth > [aria-hidden]"; // cards in flight, and what lies over the table for a moment

let timer = null;
let isKept = false;

export function lastView() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

export function forgetLastView() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // storage is off: there is nothing to forget
  }
}

function keep() {
  const table = document.querySelector(".cloth");
  if (!table) return;
  const { player: owner, ...look } = document.documentElement.dataset;
  // If what was kept is gone, or belongs to another player, this one has signed out in another tab.
  if (isKept && lastView()?.owner !== owner) return;
  const view = { owner, look, path: location.pathname, title: document.title, at: Date.now(), table: atRest(table) };
  try {
    localStorage.setItem(KEY, JSON.stringify(view));
    isKept = true;
  } catch {
    forgetLastView(); // storage is full or off: no old table instead
  }
}

// The table without what scripts put there for a moment. Styles in its text, even empty ones that an animation leaves,
// would be against the policy of the page that reads it.
function atRest(table) {
  const copy = table.cloneNode(true);
  for (const layer of copy.querySelectorAll(MOVING)) layer.remove();
  for (const styled of copy.querySelectorAll("[style]")) styled.removeAttribute("style");
  return copy.outerHTML;
}

function keepLastView() {
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  };
  soon();
  document.addEventListener("htmx:after:swap", soon);
  window.addEventListener("pagehide", keep);
}

if (document.body.classList.contains("at-table") && document.documentElement.dataset.player) keepLastView();
