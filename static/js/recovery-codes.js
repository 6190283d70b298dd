// Copying and printing recovery codes. Without JavaScript, the page prints like any other and offers the file.

import { copyFrom } from "./clipboard.js";

const codes = document.getElementById("codes");
const copy = document.querySelector(".copy-codes");
const print = document.querySelector(".print-codes");

if (codes && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", () => copyFrom(codes, copy));
}
if (codes) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
