// The games page, and the games on the page of challenges: typing and filters change the list at once and in place, and
// the choice of new deals is saved at once. Without this script, buttons and links do it.

import { parsePage } from "./parse-page.js";
import { isPlainClick } from "./back.js";

const PAUSE = 200; // milliseconds without a key before the search begins

const search = document.querySelector("form.search");
let waiting = 0;
let asked = null; // stops the last request

const field = (page) => page.querySelector("form.search [name=q]");

/** Shows the list of an address; whether it did, and null if another one was asked for meanwhile. */
async function find(address) {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  document.getElementById("found").ariaBusy = "true";
  try {
    const answer = await fetch(address, { signal });
    const page = parsePage(await answer.text());
    if (signal.aborted) return null;
    if (!answer.ok) return false;
    show(page);
    return true;
  } catch {
    return signal.aborted ? null : false;
  } finally {
    if (!signal.aborted) document.getElementById("found").ariaBusy = null;
  }
}

function show(page) {
  const focused = document.activeElement?.closest("#filters a")?.id;
  const unfolded = Array.from(document.querySelectorAll("#found details[open]"), ({ id }) => id);
  for (const id of ["active", "filters", "chosen", "found"]) document.getElementById(id)?.replaceWith(page.getElementById(id));
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  for (const hidden of search.querySelectorAll("[type=hidden]")) hidden.remove();
  field(document).after(...page.querySelectorAll("form.search [type=hidden]"));
  const back = document.querySelector("#star [name=back]");
  if (back) back.value = page.querySelector("#star [name=back]").value;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.getElementById("said").textContent = document.querySelector(".result span")?.textContent.trim() ?? "";
}

async function findTyped() {
  const wanted = [...new FormData(search)].filter(([, value]) => value.trim());
  const address = new URL(search.action);
  address.search = new URLSearchParams(wanted);
  // Where it fails, the list stays as it is; Enter asks again.
  if (await find(address)) history.replaceState(null, "", address);
}

search.elements.q.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(findTyped, PAUSE);
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest(":is(#filters, #chosen) a");
  if (!link || !isPlainClick(event)) return;
  event.preventDefault();
  clearTimeout(waiting); // what is typed would take the filter back
  link.focus({ preventScroll: true });
  const isShown = await find(link.href);
  if (isShown) {
    history.pushState(null, "", link.href);
    search.elements.q.value = new URL(link.href).searchParams.get("q") ?? ""; // a word such as "easy" became a filter
  }
  if (isShown === false) location.assign(link.href); // its page says what is wrong
});

// What "% won" means lies over the games until something else is clicked.
for (const sign of ["click", "keydown"]) {
  document.addEventListener(sign, ({ target, key }) => {
    const open = document.querySelector("#filters .measure[open]");
    if (open && (key ? key === "Escape" : !open.contains(target))) open.open = false;
  });
}

addEventListener("popstate", async () => {
  clearTimeout(waiting);
  if (location.hash || !(await find(location.href))) return;
  search.elements.q.value = new URLSearchParams(location.search).get("q") ?? "";
});

document.querySelector("form.choice")?.addEventListener("change", async (event) => {
  const { currentTarget: form, target: select } = event;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return form.submit(); // its page says what is wrong
  form.classList.add("changed");
  form.querySelector("[role=status]").textContent = select.selectedOptions[0].dataset.note;
  await find(location.href); // games without such deals then say so
});
