// Times in the local time zone, the countdown to the end of the day, and the button that shares a result.

import "./share-text.js";
import { say } from "./words.js";

const MINUTE = 60_000;
const language = document.documentElement.lang;

function showLocalTimes() {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const timeFormat = new Intl.DateTimeFormat(language, time);
  const dateFormat = new Intl.DateTimeFormat(language, { day: "numeric", month: "long", ...time });
  for (const element of document.querySelectorAll("time[data-local]")) {
    const format = element.dataset.local === "day" ? dateFormat : timeFormat;
    if (new Date().getTimezoneOffset() === 0) continue;
    element.title = element.textContent; // in UTC, as the page says it without this script
    element.textContent = format.format(new Date(element.dateTime));
  }
}

/** "5 h 12 min" or "12 min", as the server says it: `time_left` in app/http/formats.py. */
function timeLeft(until) {
  const left = Math.max(Math.ceil((new Date(until) - Date.now()) / MINUTE), 0);
  const [hours, minutes] = [Math.floor(left / 60), left % 60];
  return hours ? say("hours", { hours, minutes }) : say("minutes", { minutes });
}

function updateCountdown() {
  for (const element of document.querySelectorAll("[data-countdown]")) {
    element.textContent = timeLeft(element.dataset.countdown);
  }
}

showLocalTimes();
updateCountdown();
setInterval(updateCountdown, MINUTE / 4);
