// Buttons that copy a text of the page. Without this script it can be selected by hand.

import { say } from "./words.js";

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source); // without permission, at least the text is selected
    document.execCommand("copy");
  }
  button.textContent = say("copied");
});

for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
