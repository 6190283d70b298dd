// Copies a text of the page, and the button says so for a moment, as does the status beside it to screen readers. Where the
// browser does not allow that, the text is shown and selected, to copy by hand.

import { wordsFor } from "./words.js";

const SAID = 2500; // milliseconds
const labels = new WeakMap(); // of the buttons that have said something

/** Copy the text of a field or another element. */
export async function copyFrom(source, button) {
  const isCopied = await copied(source);
  if (!labels.has(button)) labels.set(button, button.textContent);
  const words = wordsFor(isCopied ? "copied" : "copy-selected");
  say(button, words, words);
  setTimeout(say, SAID, button, labels.get(button), "");
}

function say(button, words, status) {
  button.textContent = words;
  button.nextElementSibling.textContent = status;
}

async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.innerText);
    return true;
  } catch {
    source.closest(".shared-text")?.classList.add("shown");
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    const isCopied = document.execCommand("copy");
    if (!isCopied) source.scrollIntoView({ block: "center" });
    return isCopied;
  }
}
