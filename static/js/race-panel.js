// The panel of a race game: a heartbeat every second, answered with the progress of the others.
// That time runs out is said once at 30 and at 10 seconds; that a game without a move ends, in a banner.
// Another player's win is a banner over the line below the cards, until it is dismissed or goes by itself. When the player
// opens the game in a newer window, this one becomes read-only.
// After the race it listens: a wish for a rematch is a banner that stays.

import { parsePage } from "./parse-page.js";
import { revealShareButtons } from "./share-text.js";
import { listen } from "./stream.js";

const HEARTBEAT_MS = 1000;
const NEWS_MS = 8_000;
const GAIN_MS = 4_000;

let next = null;
let away = null; // puts the news away
let unlisten = null;
const gains = new Map(); // by the class of a racer

async function beat() {
  clearTimeout(next);
  const { address, tab } = panel().dataset;
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ tab }),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) show(await answer.text());
  } catch {
    // The game page itself shows when the connection is lost.
  }
  clearTimeout(next);
  if (!("over" in panel().dataset)) next = setTimeout(beat, HEARTBEAT_MS);
  else awaitRematch();
}

function awaitRematch() {
  const race = panel().dataset.address.replace("/race/", "/races/").replace(/here$/, "stream");
  unlisten ??= listen(`/api/v1${race}`, beat, beat, beat); // with each heartbeat: it may have begun without the player
}

function panel() {
  return document.getElementById("race");
}

function show(text) {
  const old = panel();
  const fresh = parsePage(text).getElementById("race");
  if (fresh === null || fresh.outerHTML === old.outerHTML) return;
  const isFocused = old.contains(document.activeElement);
  const ends = "over" in fresh.dataset && !("over" in old.dataset);
  const news = newsIn(old, fresh);
  showGains(old, fresh);
  old.replaceWith(document.adoptNode(fresh));
  if (news) tell(news);
  else if (!fresh.querySelector("[data-news]")) newsLine()?.replaceChildren(); // the run or the race is over
  if (isFocused) fresh.querySelector("a")?.focus();
  for (const part of document.querySelectorAll(".cloth, .rail")) part.inert = "elsewhere" in fresh.dataset;
  if (ends) tellPlace().catch(() => {}); // the page of the race says it as well
}

// What the others have gained since the last beat stands beside their number for a moment.
function showGains(old, fresh) {
  const before = [...old.querySelectorAll("li")];
  for (const racer of fresh.querySelectorAll("li:not(.mine)")) {
    const [name] = racer.classList;
    const same = before.find((each) => each.classList[0] === name);
    const [now, then] = [racer, same].map((each) => Number(each?.querySelector(".bar")?.dataset.home ?? 0));
    if (same && now > then) gains.set(name, { text: `+${now - then}`, until: Date.now() + GAIN_MS });
    const gain = gains.get(name);
    if (gain?.until > Date.now()) racer.querySelector("b")?.setAttribute("data-gain", gain.text);
  }
}

function newsIn(old, fresh) {
  const known = [...old.querySelectorAll("[data-news]")].map((line) => line.dataset.news);
  return [...fresh.querySelectorAll("[data-news]")].find((line) => !known.includes(line.dataset.news));
}

// For a screen reader only.
function whisper(news) {
  const said = document.createElement("p");
  said.className = "sr-only";
  said.textContent = news.content.textContent.trim().replace(/\s+/g, " ");
  newsLine().append(said);
  setTimeout(() => said.remove(), NEWS_MS);
}

function tell(news) {
  if ("quiet" in news.dataset) return whisper(news);
  const banner = document.createElement("div");
  banner.className = "banner";
  banner.append(document.importNode(news.content, true));
  banner.querySelector(".away").addEventListener("click", close);
  banner.addEventListener("keydown", (event) => event.key === "Escape" && close());
  newsLine().replaceChildren(banner);
  clearTimeout(away);
  if (news.dataset.news !== "rematch") away = setTimeout(putAway, NEWS_MS);
}

function putAway() {
  if (newsLine().matches(":hover, :focus-within")) away = setTimeout(putAway, NEWS_MS);
  else newsLine().replaceChildren();
}

function close() {
  clearTimeout(away);
  newsLine().replaceChildren();
  panel().querySelector("a")?.focus({ preventScroll: true });
}

const newsLine = () => document.querySelector(".news");

// The end card of a run that ended earlier says the place as soon as all have finished, and offers another race.
async function tellPlace() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = parsePage(await answer.text());
  for (const part of [".ending > div", ".ending .choices"]) {
    const [now, next] = [document, page].map((one) => one.querySelector(part));
    if (!now || !next) continue;
    const isFocused = now.contains(document.activeElement);
    now.replaceWith(document.adoptNode(next));
    if (isFocused) next.querySelector("a, button")?.focus({ preventScroll: true });
  }
  revealShareButtons();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".elsewhere a")) return;
  event.preventDefault();
  location.reload(); // the newest window is the one to play in
});
// Browsers slow down timers of hidden pages: catch up when the page is shown again.
document.addEventListener("visibilitychange", () => document.hidden || beat());
next = setTimeout(beat, HEARTBEAT_MS);
const rematch = panel().querySelector("[data-news=rematch]");
if (rematch) tell(rematch);
