// Times in the reader's own time zone and language. Without this script they are in UTC, and say so.

import { wordsFor } from "./words.js";

/** A format of dates and times, as on the pages: the day before the month, and a clock of 24 hours. */
export function formatOf(parts) {
  const { lang } = document.documentElement;
  return new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { ...parts, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

// A format takes a good part of a millisecond to make.
const once = (make) => {
  let made = null;
  return () => (made ??= make());
};
const formats = { time: once(() => formatOf({})), day: once(() => formatOf({ day: "numeric", month: "long" })) };

/** Rewrites the times of a page; the first of a paragraph says whose time it is. */
export function showLocalTimes() {
  const named = new Set();
  for (const element of document.querySelectorAll("time[data-local]")) {
    const paragraph = element.closest("p, li, dd, td");
    const at = new Date(element.dateTime);
    const isToday = at.toDateString() === new Date().toDateString();
    const time = (formats[element.dataset.local] ?? formats[isToday ? "time" : "day"])().format(at);
    const text = named.has(paragraph) ? time : wordsFor("your-time", { time });
    named.add(paragraph);
    if (element.textContent === text) continue;
    element.title = element.textContent;
    element.textContent = text;
  }
}
