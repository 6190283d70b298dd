// Times in the local time zone, the countdown to the end of the day, and copying the text to share.

const MINUTE = 60_000;
const language = document.documentElement.lang;

function showLocalTimes() {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const timeFormat = new Intl.DateTimeFormat(language, time);
  const dateFormat = new Intl.DateTimeFormat(language, { day: "numeric", month: "long", ...time });
  for (const element of document.querySelectorAll("time[data-local]")) {
    const format = element.dataset.local === "day" ? dateFormat : timeFormat;
    element.title = element.textContent;
    element.textContent = `${format.format(new Date(element.dateTime))} your time`;
  }
}

function timeLeft(until) {
  const minutes = Math.ceil((new Date(until) - Date.now()) / MINUTE);
  if (minutes <= 0) return ", now";
  const hours = Math.floor(minutes / 60);
  const parts = [];
  if (hours) parts.push(`${hours} h`);
  if (minutes % 60) parts.push(`${minutes % 60} min`);
  return `, in ${parts.join(" ")}`;
}

function updateCountdown() {
  for (const span of document.querySelectorAll("[data-countdown]")) {
    span.hidden = false;
    span.textContent = timeLeft(span.dataset.countdown);
  }
}

function addCopyButtons() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.value);
      } catch {
        source.select(); // without permission, at least the text is selected
        document.execCommand("copy");
      }
      button.textContent = "Copied";
    });
  }
}

showLocalTimes();
updateCountdown();
setInterval(updateCountdown, MINUTE / 4);
addCopyButtons();
