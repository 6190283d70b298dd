// The company at a shared table: who is there, what they ask, and what they point at.

import { pileOf, say, table } from "./places.js";

const EVERY = 8000; // also how this page says that it lives
const SHOWN = 5000;
const HOLD = 550;
const company = document.getElementById("company");
const signs = document.querySelector(".signs");
const seen = new Set();
let due = null;
let pressed = null;
let swallow = false;
let shown = null;

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${company.dataset.address}/people`, { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) show(await answer.text());
  } catch {
    // The table itself says when the connection is gone.
  }
}

// Not as a swap of htmx: that would close the menu that somebody is reading.
function show(text) {
  const fresh = text.replace(/data-left="\d+"/, "").trim();
  if (fresh === shown) return;
  shown = fresh;
  const held = company.contains(document.activeElement) ? document.activeElement.value : null;
  company.innerHTML = text;
  htmx.process(company);
  if (held !== null) company.querySelector(`button[value="${CSS.escape(held)}"]`)?.focus();
  read();
}

// What came with the people: signs to show once, and a question that will be due.
function read() {
  for (const person of company.querySelectorAll("[data-sign]")) {
    const { sign, place } = person.dataset;
    const name = person.querySelector("bdi").textContent;
    if (seen.has(sign)) continue;
    seen.add(sign);
    if (!person.querySelector(".soft")) {
      say(`${name}${place ? "" : ":"} ${person.querySelector("em").textContent}`);
    }
    if (place) outline(place, name, person.className.match(/seat-\d/)[0]);
    setTimeout(look, SHOWN + 1500); // then it is over
  }
  clearTimeout(due);
  const question = company.querySelector(".question");
  if (!question) return;
  due = setTimeout(look, Number(question.dataset.left) + 400);
}

function outline(place, name, seat) {
  const there = table().querySelector(`button[value="${CSS.escape(place)}"]`);
  const spot = there ?? document.getElementById(place.split(":")[0]);
  if (!spot) return;
  const box = (spot.querySelector("svg") ?? spot).getBoundingClientRect();
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const frame = document.createElement("div");
  frame.className = `pointed ${seat}`;
  frame.setAttribute("aria-hidden", "true");
  frame.classList.toggle("at-end", box.left - cloth.left > cloth.width / 2);
  frame.style.left = `${box.left - cloth.left}px`;
  frame.style.top = `${box.top - cloth.top}px`;
  frame.style.width = `${box.width}px`;
  frame.style.height = `${box.height}px`;
  const label = document.createElement("bdi");
  label.textContent = name;
  frame.append(label);
  document.querySelector(".cloth").append(frame);
  setTimeout(() => frame.remove(), SHOWN);
}

// --- pointing oneself

async function pointAt(element) {
  const button = element?.closest?.("button[name=clicked]");
  const place = button?.value || pileOf(element)?.id;
  if (!place) return;
  const answer = await fetch(`${company.dataset.address}/point`, {
    method: "POST",
    headers: { "HX-Request": "true" },
    body: new URLSearchParams({ place }),
  });
  if (answer.ok) show(await answer.text());
}

function watchPointing() {
  const form = table();
  form.addEventListener("click", (event) => {
    if (!swallow && !event.altKey && !event.shiftKey) return;
    if (!swallow) pointAt(event.target);
    swallow = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  form.addEventListener("pointerdown", (event) => {
    swallow = false;
    clearTimeout(pressed?.timer);
    if (!event.isPrimary || event.button !== 0 || !pileOf(event.target)) return;
    const timer = setTimeout(() => {
      swallow = true;
      pointAt(event.target);
    }, HOLD);
    pressed = { timer, x: event.clientX, y: event.clientY };
  });
  form.addEventListener("pointermove", (event) => {
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 6) clearTimeout(pressed.timer);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => clearTimeout(pressed?.timer));
  }
  form.addEventListener("contextmenu", (event) => swallow && event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "p" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.activeElement?.closest?.("#table")) pointAt(document.activeElement);
  });
}

function offerCopy() {
  const button = document.querySelector(".copy-link");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("invitation").value);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

setInterval(look, EVERY);
document.addEventListener("news", look);
document.addEventListener("visibilitychange", look);
document.addEventListener("htmx:after:swap", read);
if (signs) {
  watchPointing();
  signs.querySelector("p").hidden = false;
  signs.addEventListener("submit", () => (signs.open = false));
  document.addEventListener("pointerdown", (event) => {
    if (!signs.contains(event.target)) signs.open = false;
  });
}
offerCopy();
read();
