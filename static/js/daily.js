// The countdown to the end of the day, and the button that shares a result.

import "./share-text.js";
import { wordsFor } from "./words.js";

const MINUTE = 60_000;

/** "5 h 12 min" or "12 min", as the server says it: `time_left` in app/i18n/formats.py. */
function timeLeft(until) {
  const left = Math.max(Math.ceil((new Date(until) - Date.now()) / MINUTE), 0);
  const [hours, minutes] = [Math.floor(left / 60), left % 60];
  return hours ? wordsFor("hours", { hours, minutes }) : wordsFor("minutes", { minutes });
}

function updateCountdown() {
  for (const element of document.querySelectorAll("[data-countdown]")) {
    element.textContent = timeLeft(element.dataset.countdown);
  }
}

updateCountdown();
setInterval(updateCountdown, MINUTE / 4);
