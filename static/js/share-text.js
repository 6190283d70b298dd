// The button that shares a text of the page: through the share sheet of a phone, else through the clipboard. Without this script,
// or where neither works, the text lies in a field to copy by hand.

import { copyFrom } from "./clipboard.js";

const finger = matchMedia("(pointer: coarse)");

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.share);
  if (navigator.share && finger.matches) {
    navigator.share({ text: field.value }).catch(() => {}); // you may close the sheet
  } else {
    copyFrom(field, button);
  }
});

/** Show the buttons, which stay hidden where no script can use them. */
export function revealShareButtons() {
  for (const button of document.querySelectorAll("button[data-share][hidden]")) button.hidden = false;
}

document.addEventListener("htmx:after:swap", revealShareButtons);
revealShareButtons();
