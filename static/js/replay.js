// Steps through a finished game without page loads. Each step has its own address, and every control is
// a link or a form that works without this script.

import { wordsFor } from "./words.js";
import { calm, table } from "./board.js";
import { isPlainClick } from "./back.js";
import { stepPlayer } from "./play-steps.js";
import { changePiles, listenForKeys, walk } from "./steps.js";

const BEGINS = 600; // milliseconds until a replay that was opened plays

const rail = document.querySelector(".rail");
const slider = document.getElementById("at");
// A game that the site played has none.
const fork = document.querySelector(".fork button[name]");
const play = rail.querySelector(".play");
const pace = document.querySelector(".pace");
const menu = document.querySelector(".menu");
const last = Number(slider.max);
// The solver's line has steps of its own, under the same address.
const suffix = "solver" in table().dataset ? "&line=solver" : "";
const address = (step) => `?at=${step}${suffix}`;
const walker = walk({ at: Number(slider.value), last, address, show, fail });
const player = stepPlayer({ walker, last, button: play, pace: () => Number(pace.querySelector("select").value) });

play.hidden = last === 0;
pace.hidden = last === 0;
document.querySelector(".hint").hidden = false;
document.querySelector(".jump button").hidden = true;

rail.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?at=']");
  const step = Number.parseInt(link?.getAttribute("href").slice("?at=".length), 10);
  if (link?.getAttribute("href") !== address(step)) return; // it leads to the other line
  if (!isPlainClick(event)) return;
  event.preventDefault();
  jump(step);
});
slider.addEventListener("input", () => jump(Number(slider.value)));
slider.form.addEventListener("submit", (event) => event.preventDefault());
pace.addEventListener("change", () => player.plays() && player.start());
document.addEventListener("pointerdown", (event) => {
  if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key !== " " || event.target.closest("input, select, textarea, .sheet, a, button, summary")) return;
  play.click();
  event.preventDefault();
});
listenForKeys(walker.target, () => last, jump);

// A replay plays when it is opened; a link to a step shows that step.
if (last > 0 && !calm.matches && !new URLSearchParams(location.search).has("at")) player.startIn(BEGINS);

function jump(step) {
  player.stop();
  walker.go(step);
}

function fail() {
  player.stop();
  say(wordsFor("not-loaded"));
}

function show(at, page, isNear) {
  const fresh = page.getElementById("table");
  changePiles(fresh, isNear);
  const { text, seen } = fresh.dataset;
  Object.assign(table().dataset, { at, text, seen });
  showText(at, text, seen);
  showChance(fresh.dataset);
  if (fork) Object.assign(fork, { value: at, disabled: !("mayFork" in fresh.dataset) });
  link("first", 0, at > 0);
  link("back", at - 1, at > 0);
  link("next", at + 1, at < last);
  link("last", last, at < last);
  history.replaceState(null, "", address(at));
  document.querySelector(".share input").value = location.href;
}

// Only screen readers hear every card of a large deal.
function say(sentence, seen = sentence) {
  document.querySelector(".step-text").textContent = seen;
  document.querySelector(".step-whole").textContent = sentence;
}

function showText(at, sentence, seen) {
  document.querySelector(".step-line .at").textContent = at;
  say(sentence, seen);
  slider.value = at;
  rail.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const line = rail.querySelector(`.moves a[href="${address(at)}"]`);
  line?.setAttribute("aria-current", "step");
  if (menu.open) line?.scrollIntoView({ block: "nearest" });
}

function showChance({ chance, chanceText }) {
  const bar = document.getElementById("chance");
  if (!bar || chance === undefined) return;
  Object.assign(bar.querySelector("meter"), { value: Number(chance), hidden: chance === "" });
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
