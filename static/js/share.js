// Passing a link on: to the clipboard, or to whatever the device shares with. The link itself can
// always be read and copied by hand.

for (const box of document.querySelectorAll(".share")) {
  const link = box.querySelector("input");
  const copy = box.querySelector(".copy");
  const send = box.querySelector(".send");
  const words = copy.textContent;

  link.addEventListener("focus", () => link.select());
  if (navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(link.value);
        say("Copied");
      } catch {
        link.focus();
        say("Press Ctrl+C");
      }
    });
  }
  if (navigator.share) {
    send.hidden = false;
    send.addEventListener("click", () => {
      const message = { title: document.title, text: box.dataset.text, url: link.value };
      navigator.share(message).catch(() => {}); // closing the sheet is no failure
    });
  }

  copy.setAttribute("aria-live", "polite");

  function say(sentence) {
    copy.textContent = sentence;
    setTimeout(() => (copy.textContent = words), 2500);
  }
}
