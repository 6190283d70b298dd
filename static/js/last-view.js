// The last table that was seen, kept in this browser so that it can be shown without a network.

const KEY = "fairdeal.last-view";
const PAUSE = 400; // milliseconds: nothing is stored while a player clicks fast

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
  const view = { owner, look, path: location.pathname, title: document.title, at: Date.now(), table: table.outerHTML };
  try {
    localStorage.setItem(KEY, JSON.stringify(view));
    isKept = true;
  } catch {
    forgetLastView(); // storage is full or off: no old table instead
  }
}

export function keepLastView() {
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  };
  soon();
  document.addEventListener("htmx:after:swap", soon);
  window.addEventListener("pagehide", keep);
}

if (document.body.classList.contains("at-table") && document.documentElement.dataset.player) keepLastView();
