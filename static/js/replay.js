// Steps through a finished game without page loads. Each step has its own address, and every control is
// a link or a form that works without this script.

import { say } from "./words.js";
import { table } from "./board.js";
import { animateInNextFrame, rememberRects } from "./animation.js";

const rail = document.querySelector(".rail");
const slider = document.getElementById("at");
const fork = document.querySelector(".fork button");
const play = rail.querySelector(".play");
const pace = document.querySelector(".pace");
const menu = document.querySelector(".menu");
const last = Number(slider.max);
// The solver's way has steps of its own, under the same address.
const suffix = "way" in table().dataset ? "&way=solver" : "";
const address = (step) => `?at=${step}${suffix}`;
const pages = new Map();

let at = Number(slider.value);
let target = at;
let clock = null;

play.hidden = last === 0;
pace.hidden = last === 0;
document.querySelector(".hint").hidden = false;
document.querySelector(".jump button").hidden = true;

rail.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?at=']");
  const step = Number.parseInt(link?.getAttribute("href").slice("?at=".length), 10);
  if (link?.getAttribute("href") !== address(step)) return; // it leads to the other line
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(step);
});
slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});
slider.form.addEventListener("submit", (event) => event.preventDefault());
play.addEventListener("click", () => (clock ? stop() : start()));
pace.addEventListener("change", () => clock && start());
document.addEventListener("pointerdown", (event) => {
  if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, .sheet")) return;
  const step = { ArrowLeft: target - 1, ArrowRight: target + 1, Home: 0, End: last }[event.key];
  if (step !== undefined) {
    stop();
    go(step);
    event.preventDefault();
  } else if (event.key === " " && !event.target.closest("a, button, summary")) {
    play.click();
    event.preventDefault();
  }
});
prefetch(at + 1);

function start() {
  clearInterval(clock);
  if (target === last) go(0);
  clock = setInterval(() => (target < last ? go(target + 1) : stop()), Number(pace.querySelector("select").value));
  play.setAttribute("aria-pressed", "true");
}

function stop() {
  clearInterval(clock);
  clock = null;
  play.setAttribute("aria-pressed", "false");
}

async function go(step) {
  target = Math.min(Math.max(step, 0), last);
  const requested = target;
  try {
    const text = await fetchStep(requested);
    // If the user is faster than the network, only the last requested step is shown.
    if (requested === target && requested !== at) show(requested, text);
    prefetch(requested + 1);
    prefetch(requested - 1);
  } catch {
    stop();
    target = at;
    document.querySelector(".step-text").textContent = say("not-loaded");
  }
}

function prefetch(step) {
  if (step >= 0 && step <= last) fetchStep(step).catch(() => {});
}

function fetchStep(step) {
  if (!pages.has(step)) {
    const response = fetch(address(step), { headers: { "HX-Request": "true" } }).then((reply) => {
      if (!reply.ok) throw new Error(reply.status);
      return reply.text();
    });
    response.catch(() => pages.delete(step));
    pages.set(step, response);
  }
  return pages.get(step);
}

function show(step, text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("table");
  const changed = [...fresh.querySelectorAll(".pile")].filter(
    (pile) => document.getElementById(pile.id).outerHTML !== pile.outerHTML,
  );
  // Only a single step is animated.
  const isNear = Math.abs(step - at) === 1;
  if (isNear) rememberRects(changed.map((pile) => document.getElementById(pile.id)));
  for (const pile of changed) document.getElementById(pile.id).replaceWith(document.adoptNode(pile));
  if (isNear) animateInNextFrame();
  at = step;
  Object.assign(table().dataset, { at, text: fresh.dataset.text });
  showText(fresh.dataset.text);
  showChance(fresh.dataset);
  fork.value = at;
  fork.disabled = !("mayFork" in fresh.dataset);
  link("first", 0, at > 0);
  link("back", at - 1, at > 0);
  link("next", at + 1, at < last);
  link("last", last, at < last);
  history.replaceState(null, "", address(at));
  document.querySelector(".share input").value = location.href;
}

function showText(sentence) {
  document.querySelector(".step-line .at").textContent = at;
  document.querySelector(".step-text").textContent = sentence;
  slider.value = at;
  rail.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const line = rail.querySelector(`.moves a[href="${address(at)}"]`);
  line?.setAttribute("aria-current", "step");
  if (menu.open) line?.scrollIntoView({ block: "nearest" });
}

function showChance({ chance, chanceText }) {
  const bar = document.getElementById("chance");
  if (!bar || chance === undefined) return;
  bar.querySelector("meter").value = chance;
  bar.querySelector("b").textContent = chanceText;
}

function link(name, step, holds) {
  const control = rail.querySelector(`.${name}`);
  control.toggleAttribute("href", holds);
  if (holds) {
    control.setAttribute("href", address(step));
    control.removeAttribute("aria-disabled");
  } else {
    control.setAttribute("aria-disabled", "true");
  }
}
