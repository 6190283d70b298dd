// Choosing who may watch, without leaving the menu. Without this script the form reloads the page.

import { showNotice } from "./board.js";
import { parsePage, refusalIn } from "./parse-page.js";
import { fetchPiece } from "./send.js";
import { offerSharing } from "./share.js";
import { wordsFor } from "./words.js";

const part = document.querySelector(".audience");

part?.addEventListener("submit", async (event) => {
  const form = event.target;
  const chosen = event.submitter;
  event.preventDefault();
  try {
    const answer = await fetchPiece(form.action, {
      method: "POST",
      body: new URLSearchParams({ [chosen.name]: chosen.value }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    if (answer.ok) return show(text, chosen.value);
    part.querySelector(".meaning").textContent = refusalIn(text, "not-saved");
  } catch {
    part.querySelector(".meaning").textContent = wordsFor("not-saved");
  }
});

function show(text, value) {
  const fresh = parsePage(text).getElementById("audience-choice");
  document.getElementById("audience-choice").replaceWith(document.adoptNode(fresh));
  fresh.querySelector(`button[value="${value}"]`)?.focus();
  for (const box of fresh.querySelectorAll(".share")) offerSharing(box);
  const badge = document.getElementById("watchable");
  badge.title = badge.textContent = fresh.dataset.badge;
  badge.hidden = !fresh.dataset.badge;
  part.querySelector("summary small").textContent = fresh.dataset.chosen;
  showNotice(fresh.querySelector(".meaning").textContent); // screen readers read it, and it stays when the menu is closed
}
