// On every page: times in the reader's own zone, the service worker, the offer to install, and deleting what another
// player left in the browser.

import { forgetLastView, lastView } from "./last-view.js";
import { showLocalTimes } from "./local-times.js";

showLocalTimes();
document.addEventListener("htmx:after:swap", showLocalTimes);

const isOffline = document.body.classList.contains("offline");

// The last table is deleted when its player signs out or deletes their data.
if (!isOffline && lastView() && lastView().owner !== document.documentElement.dataset.player) forgetLastView();

if ("serviceWorker" in navigator) {
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js").catch(() => {}); // the site works without it
  });
}

// The browser's own banner stays away; the settings have a button to install the site.
let offer = null;
const button = document.querySelector("button[data-install]");

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  if (button) button.closest("[hidden]")?.removeAttribute("hidden");
});

button?.addEventListener("click", async () => {
  await offer?.prompt();
  button.disabled = true;
});
