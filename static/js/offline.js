// The page without a network: shows the last table of this browser, and goes on by itself when the network is back.

import { lastView } from "./last-view.js";
import { formatOf } from "./local-times.js";
import { parsePage } from "./parse-page.js";

const CHECK = 4000;
const SETTLED = 300; // a reader who goes somewhere as soon as the network is back goes there
const LEAVING = 10_000; // a page that should be left, and is still there after this, is not being left
const SAID = 4000;

const dateFormat = formatOf({ day: "numeric", month: "short" });

const view = lastView();
// The last table is shown at its own address and where a visit begins; any other page needs a connection.
const isHere = view !== null && ["/", "/offline", "/games", view.path].includes(location.pathname);
const status = document.getElementById("offline-status");
const again = document.getElementById("offline-again");

let leftAt = -Infinity; // when the page last began to be left
let silence = null;

if (isHere) {
  Object.assign(document.documentElement.dataset, view.look);
  document.title = status.dataset.sayTitle.replace("%(title)s", view.title);
  const table = atRest(parsePage(view.table).querySelector(".cloth"));
  document.getElementById("offline-table").replaceChildren(table);
  document.getElementById("offline-saved").hidden = !table.querySelector("#table:not([data-watching]) #state") || table.querySelector(".ending") !== null;
  document.body.classList.add("at-table", "has-table");
  document.getElementById("offline-when").textContent = dateFormat.format(view.at);
  document.getElementById("offline-title").textContent = view.title.split(" · ")[0];
  document.getElementById("offline-note").hidden = false;
}
document.getElementById("offline-empty").hidden = isHere;
again.hidden = !isHere;
document.getElementById("offline-newcomer").hidden = view !== null;
for (const id of ["offline-elsewhere", "offline-last"]) document.getElementById(id).hidden = view === null;

// Nothing can be played here, so nothing glows, and the keyboard passes by; screen readers can read the cards.
function atRest(table) {
  for (const control of table.querySelectorAll("button, a, summary, input")) {
    control.tabIndex = -1;
    control.removeAttribute("aria-pressed");
  }
  for (const button of table.querySelectorAll("button")) {
    button.type = "button";
    button.setAttribute("aria-disabled", "true");
  }
  for (const lit of table.querySelectorAll(".lit, .advised")) lit.classList.remove("lit", "advised");
  return table;
}

function say(sentence) {
  clearTimeout(silence);
  status.textContent = "";
  // A new text in the live region is read even if it is the same as before.
  requestAnimationFrame(() => (status.textContent = sentence));
  silence = setTimeout(() => (status.textContent = ""), SAID);
}

document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest(".cloth")) return;
    event.preventDefault();
    event.stopPropagation();
    say(status.dataset.sayOffline);
  },
  { capture: true },
);
document.addEventListener("submit", (event) => event.preventDefault(), { capture: true });

again.addEventListener("click", async (event) => {
  event.preventDefault();
  if (!(await isOnline())) say(status.dataset.sayStill);
  else location.reload();
});

async function isOnline() {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

// To load the page again would stop what the reader has just opened.
const isBeingLeft = () => performance.now() - leftAt < LEAVING;

async function check() {
  if (isBeingLeft() || !(await isOnline())) return;
  setTimeout(() => isBeingLeft() || location.reload(), SETTLED);
}

window.addEventListener("beforeunload", () => (leftAt = performance.now()));
window.addEventListener("online", check);
setInterval(check, CHECK);
