// Buttons that copy a text of the page, or open the share sheet of a device that has one. Without this script the text can be selected by hand.

import { say } from "./words.js";

document.addEventListener("click", async ({ target }) => {
  const sharing = target.closest?.("button[data-share]");
  if (sharing) {
    const shared = document.getElementById(sharing.dataset.share);
    navigator.share({ text: shared.value ?? shared.textContent }).catch(() => {}); // the user may close the sheet
  }
  const button = target.closest?.("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
  } catch {
    getSelection().selectAllChildren(source); // without permission, at least the text is selected
    source.select?.();
    document.execCommand("copy");
  }
  button.textContent = say("copied");
});

function reveal() {
  for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
  if (!navigator.share) return;
  for (const button of document.querySelectorAll("button[data-share][hidden]")) button.hidden = false;
}

document.addEventListener("htmx:after:swap", reveal);
reveal();
