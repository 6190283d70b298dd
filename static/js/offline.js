// The page without a network: shows the last table of this browser, and goes on by itself when the network is back.

import { lastView } from "./last-view.js";
import { formatOf } from "./local-times.js";
import { parsePage } from "./parse-page.js";

const CHECK = 4000;

const dateFormat = formatOf({ day: "numeric", month: "short" });

const view = lastView();
// The last table is shown at its own address and where a visit begins; any other page needs a connection.
const isHere = view !== null && ["/", "/offline", "/games", view.path].includes(location.pathname);
const status = document.getElementById("offline-status");

if (isHere) {
  Object.assign(document.documentElement.dataset, view.look);
  document.title = status.dataset.sayTitle.replace("%(title)s", view.title);
  const stored = parsePage(view.table).querySelector(".cloth");
  for (const control of stored.querySelectorAll("button")) {
    control.type = "button";
    control.removeAttribute("aria-pressed");
  }
  // Nothing can be played here, so nothing glows.
  for (const lit of stored.querySelectorAll(".lit, .advised")) lit.classList.remove("lit", "advised");
  document.getElementById("offline-table").replaceChildren(stored);
  document.body.classList.add("at-table", "has-table");
  document.getElementById("offline-when").textContent = dateFormat.format(view.at);
  document.getElementById("offline-title").textContent = view.title.split(" · ")[0];
  document.getElementById("offline-note").hidden = false;
}
document.getElementById("offline-empty").hidden = isHere;
document.getElementById("offline-newcomer").hidden = view !== null;
for (const id of ["offline-elsewhere", "offline-last"]) document.getElementById(id).hidden = view === null;

document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest(".cloth")) return;
    event.preventDefault();
    event.stopPropagation();
    status.textContent = "";
    // A new text in the live region is read even if it is the same as before.
    requestAnimationFrame(() => (status.textContent = status.dataset.sayOffline));
  },
  { capture: true },
);
document.addEventListener("submit", (event) => event.preventDefault(), { capture: true });

async function check() {
  try {
    if ((await fetch("/healthz", { cache: "no-store" })).ok) location.reload();
  } catch {
    // still offline
  }
}

window.addEventListener("online", check);
setInterval(check, CHECK);
