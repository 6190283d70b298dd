// Times in the visitor's own zone, how long is left, and copying the sentence to share.

const MINUTE = 60_000;
const language = document.documentElement.lang;

function localTimes() {
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = new Intl.DateTimeFormat(language, {
    day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
  for (const time of document.querySelectorAll("time[data-local]")) {
    const form = time.dataset.local === "day" ? day : clock;
    time.title = time.textContent;
    time.textContent = `${form.format(new Date(time.dateTime))} your time`;
  }
}

function left(until) {
  const minutes = Math.ceil((new Date(until) - Date.now()) / MINUTE);
  if (minutes <= 0) return ", now";
  const hours = Math.floor(minutes / 60);
  const parts = [];
  if (hours) parts.push(`${hours} h`);
  if (minutes % 60) parts.push(`${minutes % 60} min`);
  return `, in ${parts.join(" ")}`;
}

function countDown() {
  for (const span of document.querySelectorAll("[data-left]")) {
    span.hidden = false;
    span.textContent = left(span.dataset.left);
  }
}

function copying() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.value);
      } catch {
        source.select(); // without the permission, one key is left to press
        document.execCommand("copy");
      }
      button.textContent = "Copied";
    });
  }
}

localTimes();
countDown();
setInterval(countDown, MINUTE / 4);
copying();
