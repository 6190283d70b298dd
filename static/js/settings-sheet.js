// The settings as a sheet beside the table: the same form as on their own page, which is where the link leads without
// this script.

import { saveAtOnce } from "./settings-form.js";

let sheet = null;

export async function openSettings(link) {
  const page = await fetchPage(link.href);
  const form = page?.querySelector("form.settings");
  if (!form) return location.assign(link.href);
  await loadStyle(page);
  sheet?.remove();
  sheet = document.createElement("dialog");
  sheet.className = "settings-sheet";
  sheet.setAttribute("aria-label", link.textContent);
  sheet.append(form);
  document.body.append(sheet);
  saveAtOnce(form);
  form.querySelector("a.at-once")?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("close", () => {
    link.closest("details").querySelector("summary").focus(); // the link is in a menu that has closed
  });
  sheet.showModal();
}

async function fetchPage(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

function loadStyle(page) {
  const wanted = page.querySelector('link[href$="/settings.css"]').getAttribute("href");
  if (document.querySelector(`link[href="${wanted}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = wanted;
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
