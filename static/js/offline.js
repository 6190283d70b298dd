// The page without a network: shows the last table of this browser, and goes on by itself when the network is back.

import { lastView } from "./last-view.js";

const CHECK = 4000;

const view = lastView();
const status = document.getElementById("offline-status");

if (view) {
  Object.assign(document.documentElement.dataset, view.look);
  document.title = status.dataset.sayTitle.replace("%(title)s", view.title);
  const stored = new DOMParser().parseFromString(view.table, "text/html").querySelector(".cloth");
  for (const control of stored.querySelectorAll("button")) control.type = "button";
  document.getElementById("offline-table").replaceChildren(stored);
  document.body.classList.add("at-table", "has-table");
  document.getElementById("offline-when").textContent = new Date(view.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  document.getElementById("offline-note").hidden = false;
}
document.getElementById("offline-empty").hidden = view !== null;

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
