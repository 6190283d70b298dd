// The settings as a sheet over the table: the same form as on their own page, which is where the link leads without
// this script. What is chosen is seen at once.

const ATTRIBUTES = { card_back: "back" }; // where the name in the form differs
const ON_SERVER = ["safe_home", "back"]; // not how the page looks

let sheet = null;

export async function openSettings(link) {
  const page = await fetchPage(link.href);
  const form = page?.querySelector("form.settings");
  if (!form) return location.assign(link.href);
  await loadStyle(page);
  sheet?.remove();
  sheet = document.createElement("dialog");
  sheet.className = "settings-sheet";
  sheet.setAttribute("aria-label", "Settings");
  sheet.append(form);
  document.body.append(sheet);
  form.addEventListener("submit", save);
  form.querySelector("a.plain")?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("close", () => link.focus());
  sheet.showModal();
}

async function save(event) {
  event.preventDefault();
  const chosen = new FormData(event.target);
  const answer = await fetch("/settings", { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return event.target.submit(); // the page says what is wrong
  for (const [name, value] of chosen) {
    if (!ON_SERVER.includes(name)) document.documentElement.dataset[ATTRIBUTES[name] ?? name] = value;
  }
  sheet.close();
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
