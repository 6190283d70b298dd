// Shares a link through the clipboard or the device's share sheet. Without this script the link can be
// copied by hand.

import { copyFrom } from "./clipboard.js";

for (const box of document.querySelectorAll(".share")) offerSharing(box);

/** Give a link its buttons: one that copies it and, on devices that have one, one that opens the share sheet. */
export function offerSharing(box) {
  const link = box.querySelector("input");
  const copy = box.querySelector(".copy");
  const send = box.querySelector(".send");

  link.addEventListener("focus", () => link.select());
  if (navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", () => copyFrom(link, copy));
  }
  if (!navigator.share) send.remove(); // it only kept the place
  else {
    send.hidden = false;
    send.addEventListener("click", () => {
      const message = { title: document.title, text: box.dataset.text, url: link.value };
      navigator.share(message).catch(() => {}); // the user may close the sheet
    });
  }
}
