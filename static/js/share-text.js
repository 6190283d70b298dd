// The button that shares a text of the page: through the share sheet of a phone, else through the clipboard. Without this
// script, or where neither works, the text lies in a field to copy by hand.

import { say } from "./words.js";

const SAID = 2500; // milliseconds
const finger = matchMedia("(pointer: coarse)");

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("button[data-share]");
  if (!button) return;
  const field = document.getElementById(button.dataset.share);
  if (navigator.share && finger.matches) {
    navigator.share({ text: field.value }).catch(() => {}); // you may close the sheet
    return;
  }
  const label = button.textContent;
  if (await copied(field)) {
    button.textContent = say("copied");
    setTimeout(() => (button.textContent = label), SAID);
  }
});

async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.parentElement.classList.add("shown"); // without permission, at least it is selected
    field.select();
    return document.execCommand("copy");
  }
}

function reveal() {
  for (const button of document.querySelectorAll("button[data-share][hidden]")) button.hidden = false;
}

document.addEventListener("htmx:after:swap", reveal);
reveal();
