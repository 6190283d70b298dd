// Copies a text of the page, and the button says so for a moment. Where the browser does not allow that, the text is
// selected, to copy by hand.

import { wordsFor } from "./words.js";

const SAID = 2500; // milliseconds
const labels = new WeakMap(); // of the buttons that have said something

/** Copy the text of a field or another element. `reveal` shows it, if it is hidden and has to be selected. */
export async function copyFrom(source, button, reveal = () => {}) {
  const isCopied = await copied(source, reveal);
  if (!labels.has(button)) labels.set(button, button.textContent);
  button.textContent = wordsFor(isCopied ? "copied" : "press-to-copy");
  setTimeout(() => (button.textContent = labels.get(button)), SAID);
}

async function copied(source, reveal) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    return true;
  } catch {
    reveal();
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}
