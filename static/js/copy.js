// Buttons that copy a text of the page. Without this script it can be selected by hand.

import { copyFrom } from "./clipboard.js";

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button[data-copy]");
  if (button) copyFrom(document.getElementById(button.dataset.copy), button);
});

for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
