// Shares a link through the clipboard or the device's share sheet. Without this script the link can be
// copied by hand.

import { say } from "./words.js";

for (const box of document.querySelectorAll(".share")) offerSharing(box);

/** Give a link its buttons: one that copies it and, on devices that have one, one that opens the share sheet. */
export function offerSharing(box) {
  const link = box.querySelector("input");
  const copy = box.querySelector(".copy");
  const send = box.querySelector(".send");
  const label = copy.textContent;

  link.addEventListener("focus", () => link.select());
  if (navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(link.value);
        showOnButton(say("copied"));
      } catch {
        link.focus();
        showOnButton(say("press-to-copy"));
      }
    });
  }
  if (!navigator.share) send.remove(); // it kept a place
  else {
    send.hidden = false;
    send.addEventListener("click", () => {
      const message = { title: document.title, text: box.dataset.text, url: link.value };
      navigator.share(message).catch(() => {}); // the user may close the sheet
    });
  }

  copy.setAttribute("aria-live", "polite");

  function showOnButton(sentence) {
    copy.textContent = sentence;
    setTimeout(() => (copy.textContent = label), 2500);
  }
}
