// Copying and printing recovery codes. Without JavaScript, the page prints like any other and offers the file.

import { wordsFor } from "./words.js";

const codes = document.getElementById("codes");
const copy = document.querySelector(".copy-codes");
const print = document.querySelector(".print-codes");

if (codes && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const lines = [...codes.querySelectorAll("code")].map((code) => code.textContent);
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      copy.textContent = wordsFor("copied");
    } catch {
      copy.textContent = wordsFor("copying-refused");
    }
  });
}
if (codes) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
