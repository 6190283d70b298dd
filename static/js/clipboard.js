// Copies a text of the page, and the button says so for a moment. Where the browser does not allow that, the text is
// selected, to copy by hand.

import { wordsFor } from "./words.js";

const SAID = 2500; // milliseconds
const labels = new WeakMap(); // of the buttons that have said something

/** Copy the text of a field or another element. If it is hidden, `show(true)` shows it to be selected; it stays only where it
 * has to be copied by hand. */
export async function copyFrom(source, button, show = () => {}) {
  const isCopied = await copied(source, show);
  if (!labels.has(button)) labels.set(button, button.textContent);
  button.textContent = wordsFor(isCopied ? "copied" : "press-to-copy");
  setTimeout(() => (button.textContent = labels.get(button)), SAID);
}

async function copied(source, show) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    return true;
  } catch {
    show(true);
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    const isCopied = document.execCommand("copy");
    if (isCopied) show(false);
    else source.scrollIntoView({ block: "center" });
    return isCopied;
  }
}
