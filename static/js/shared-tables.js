// The players of a shared table: presence, proposals, and what they point at.

import { pileOf, showNotice, table } from "./board.js";
import { isTurnedOff, letterOf } from "./keys.js";
import { refusalIn } from "./parse-page.js";
import { refuse } from "./refusal.js";
import { fetchPiece } from "./send.js";
import { updateInvitation } from "./table-invitation.js";
import { wordsFor } from "./words.js";

const POLL_MS = 8000; // each request is also the heartbeat of this page
const SHOWN_MS = 5000;
const HOLD_MS = 550;
const people = document.getElementById("people");
const phrases = document.querySelector(".gestures");
const role = people.querySelector(".people").dataset.role;
const seen = new Set();
let dueTimer = null;
let pressed = null;
let isPointing = false;
let willPoint = false; // at what is pressed next
let shown = null;

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${people.dataset.address}/people`, { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) show(await answer.text());
  } catch {
    // The game page itself shows when the connection is lost.
  }
}

// Not a swap of htmx, which would close an open menu.
function show(text) {
  const fresh = text.replace(/data-left="\d+"/, "").trim();
  if (fresh === shown) return;
  shown = fresh;
  const held = document.activeElement?.closest("#people, .proposal") ? document.activeElement.value : null;
  proposal()?.remove(); // it may lie in a sheet
  people.innerHTML = text;
  htmx.process(people);
  const list = people.querySelector(".people");
  if (list.dataset.role !== role) return location.reload(); // let in, declined, removed: another page
  updateInvitation(list);
  showSignals();
  if (held !== null) document.querySelector(`:is(#people, .proposal) button[value="${CSS.escape(held)}"]`)?.focus();
}

const proposal = () => document.querySelector(".proposal");

// What lies under a sheet can neither be seen nor pressed, so a question of the others moves into the sheet.
function placeProposal() {
  const place = document.querySelector("dialog:modal") ?? people;
  const asked = proposal();
  if (asked && asked.parentElement !== place) place.append(asked);
}

// Show new gestures once, and refresh when a proposal is due.
function showSignals() {
  placeProposal();
  for (const person of people.querySelectorAll("[data-gesture]")) {
    const { gesture, place } = person.dataset;
    const name = person.querySelector("bdi").textContent;
    if (seen.has(gesture)) continue;
    seen.add(gesture);
    // It is seen at the name.
    if (!person.classList.contains("me")) {
      showNotice(`${name}${place ? "" : ":"} ${person.querySelector("em").textContent}`, "sr-only");
    }
    if (place) outline(place, name, person.className.match(/seat-\d/)[0]);
    setTimeout(refresh, SHOWN_MS + 1500); // then it has expired
  }
  clearTimeout(dueTimer);
  const left = proposal()?.dataset.left;
  if (left) dueTimer = setTimeout(refresh, Number(left) + 400);
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
  setTimeout(() => frame.remove(), SHOWN_MS);
}

// --- pointing

async function pointAt(element) {
  const button = element?.closest?.("button[name=clicked]");
  const pile = pileOf(element);
  const place = button?.value || pile?.id;
  if (!place) return;
  const answer = await fetchPiece(`${people.dataset.address}/point`, {
    method: "POST",
    body: new URLSearchParams({ place }),
  }).catch(() => null);
  const text = (await answer?.text().catch(() => "")) ?? "";
  if (answer?.ok && text) show(text);
  else refuse(refusalIn(text), button ?? pile);
}

// After "Point", the next press on a card or a pile points at it. By the keyboard, the form chooses the place.
function letPoint(will) {
  willPoint = will;
  phrases.classList.toggle("pointing", will);
  if (will) showNotice(wordsFor("point"), "to-point");
  else document.querySelector("#notice > .to-point")?.remove();
}

function pressInstead(event) {
  if (!willPoint) return;
  const summary = event.target.closest?.(".gestures > summary");
  if (!summary && !event.target.closest?.("#table")) return;
  event.stopImmediatePropagation();
  if (event.type === "pointerdown") return;
  event.preventDefault();
  letPoint(false);
  if (!summary) pointAt(event.target);
}

function initPointing() {
  const form = table();
  for (const press of ["pointerdown", "click"]) document.addEventListener(press, pressInstead, { capture: true });
  phrases.querySelector(".to-point").addEventListener("click", (event) => {
    if (!event.detail) return; // by the keyboard
    event.preventDefault();
    phrases.open = false;
    letPoint(true);
  });
  form.addEventListener("click", (event) => {
    if (!isPointing && !event.altKey && !event.shiftKey) return;
    if (!isPointing) pointAt(event.target);
    isPointing = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  form.addEventListener("pointerdown", (event) => {
    isPointing = false;
    clearTimeout(pressed?.timer);
    if (!event.isPrimary || event.button !== 0 || !pileOf(event.target)) return;
    const timer = setTimeout(() => {
      isPointing = true;
      pointAt(event.target);
    }, HOLD_MS);
    pressed = { timer, x: event.clientX, y: event.clientY };
  });
  form.addEventListener("pointermove", (event) => {
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 6) clearTimeout(pressed.timer);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => clearTimeout(pressed?.timer));
  }
  form.addEventListener("contextmenu", (event) => isPointing && event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (letterOf(event) !== "p" || isTurnedOff(event) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.activeElement?.closest?.("#table")) pointAt(document.activeElement);
  });
}

setInterval(refresh, POLL_MS);
document.addEventListener("news", refresh);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:after:swap", showSignals);
new MutationObserver(placeProposal).observe(document.body, { attributeFilter: ["open"], subtree: true });
// The answer replaces everything in there.
document.addEventListener("submit", ({ target }) => target === proposal() && people.append(target));
if (phrases) {
  initPointing();
  for (const hint of phrases.querySelectorAll("p")) hint.hidden = false;
  phrases.addEventListener("submit", () => (phrases.open = false));
  document.addEventListener("pointerdown", (event) => {
    if (!phrases.contains(event.target)) phrases.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && willPoint) {
      letPoint(false);
      return event.stopPropagation();
    }
    if (event.key !== "Escape" || !phrases.open || event.defaultPrevented || event.target.closest?.("dialog")) return;
    phrases.open = false;
    phrases.querySelector("summary").focus();
    event.stopPropagation();
  }, { capture: true });
}
updateInvitation(people.querySelector(".people"));
showSignals();
