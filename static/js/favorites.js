// The stars of games: pressed in place. Without this script each is a form, and the page loads again.

import { wordsFor } from "./words.js";

const SHOWN = 4000; // milliseconds
const told = document.querySelector(".told");
let hiding = 0;

document.querySelector("#star")?.addEventListener("submit", async (event) => {
  const { submitter, currentTarget: form } = event;
  if (!submitter) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form, submitter));
  const answer = await fetch(form.action, { method: "POST", body: data, redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return withField(form, submitter).submit();
  const isFavorite = submitter.name === "add";
  for (const star of document.querySelectorAll(`.star[value="${CSS.escape(submitter.value)}"]`)) {
    star.name = isFavorite ? "remove" : "add";
    star.title = wordsFor(isFavorite ? "favorite" : "make-favorite");
    star.ariaPressed = String(isFavorite);
  }
  const title = submitter.closest(".tile").querySelector(".name").textContent;
  tell(wordsFor(isFavorite ? "is-favorite" : "no-favorite", { title }));
});

function tell(sentence) {
  clearTimeout(hiding);
  told.textContent = sentence;
  hiding = setTimeout(() => told.replaceChildren(), SHOWN);
}

// A refusal is shown as without a script: the form is sent with the button's field.
function withField(form, button) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: button.name, value: button.value });
  form.append(field);
  return form;
}
