// Claiming a name: a refused form stays as it was typed, passwords too, and says at each field what is wrong.

import { holdButtons } from "./leaving.js";
import { parsePage } from "./parse-page.js";
import { fetchPiece } from "./send.js";

const form = document.getElementById("claim");
const button = form.querySelector(".primary");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (button.disabled) return;
  const release = holdButtons([button]);
  try {
    const answer = await fetchPiece(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const address = answer.headers.get("HX-Redirect");
    if (address) return location.assign(address);
    if (show(parsePage(await answer.text()))) release();
  } catch {
    form.submit(); // the browser says what is wrong with the connection
  }
});

/** Whether a page has the form: another one, of an error, is left to the browser. */
function show(page) {
  if (!page.getElementById("claim")) {
    form.submit();
    return false;
  }
  const fields = [...form.querySelectorAll("input[id]")];
  for (const field of fields) {
    const fault = page.getElementById(`${field.id}-fault`).textContent;
    document.getElementById(`${field.id}-fault`).textContent = fault;
    field.ariaInvalid = fault ? "true" : null;
  }
  const faulty = fields.filter((field) => field.hasAttribute("aria-invalid"));
  // What was typed is still there, so only errors that belong to no field are shown above the fields.
  document.getElementById("wrong").textContent = faulty.length ? "" : page.getElementById("wrong").textContent;
  faulty[0]?.focus();
  return true;
}
