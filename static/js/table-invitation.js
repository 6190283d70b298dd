// The invitation on a shared table: it goes by itself when somebody joins or asks to, and comes back from the menu.

import { showNotice } from "./board.js";
import { wordsFor } from "./words.js";

const panel = document.getElementById("invite");
const summary = panel?.querySelector("summary");
const link = panel?.querySelector("#invitation");
const notice = document.getElementById("notice");
const welcome = panel?.open ? notice.querySelector(":scope > :not(.first)")?.textContent : null;
let seated = null;

/** Follow who is at the table; call it with the list of players whenever that may have changed. */
export function updateInvitation(list) {
  if (!panel) return;
  const { invitation } = list.dataset;
  const names = [...list.querySelectorAll("li bdi:first-of-type")].map((name) => name.textContent);
  panel.hidden = !invitation; // all seats are taken
  if (invitation && link.value !== invitation) {
    link.value = invitation; // the owner removed somebody, so that the old one is void
    const image = panel.querySelector("img");
    if (image) image.src = `${invitation}/qr.svg`;
  }
  if (seated !== null && names.length > seated) {
    panel.open = false;
    showNotice(wordsFor("joined", { name: names.at(-1) }));
  }
  seated = names.length;
  if (document.querySelector(".asker")) panel.open = false; // the question would lie over the link
}

function putAside() {
  panel.open = false;
  summary.focus();
}

// The welcome speaks of the link: it goes with it.
function endWelcome() {
  const line = notice.querySelector(":scope > :not(.first)");
  if (!panel.open && line && line.textContent === welcome) line.remove();
}

if (panel) {
  panel.addEventListener("toggle", endWelcome);
  const aside = panel.querySelector(".put-aside");
  aside.hidden = false;
  aside.addEventListener("click", putAside);
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !panel.open) return;
    putAside();
    event.stopPropagation();
  });
  document.querySelector(".invite-link")?.addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector(".menu").open = false;
    panel.open = true;
    [link, panel.querySelector(".copy")].find((each) => each.checkVisibility()).focus();
  });
}
