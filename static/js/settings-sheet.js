// The settings as a sheet beside the table: the same form as on their own page, which is where the link leads without
// this script. The table shows at once what is chosen, and takes it back if it is not saved.

const ATTRIBUTES = { card_back: "back" }; // where the name in the form differs
const ON_SERVER = ["safe_home", "back"]; // not how the page looks

let sheet = null;
let saved = null; // how the page looks without what is being tried

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
  saved = { ...document.documentElement.dataset };
  form.addEventListener("change", () => show(new FormData(form)));
  form.addEventListener("submit", save);
  form.querySelector("a.plain")?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("close", () => {
    Object.assign(document.documentElement.dataset, saved);
    link.closest("details").querySelector("summary").focus(); // the link is in a menu that has closed
  });
  sheet.showModal();
}

async function save(event) {
  event.preventDefault();
  const chosen = new FormData(event.target);
  const answer = await fetch("/settings", { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" }).catch(() => null);
  if (answer?.type !== "opaqueredirect") return event.target.submit(); // the page says what is wrong
  show(chosen);
  saved = {};
  sheet.close();
}

function show(chosen) {
  for (const [name, value] of chosen) {
    if (!ON_SERVER.includes(name)) document.documentElement.dataset[ATTRIBUTES[name] ?? name] = value;
  }
  const { dir, dataset } = document.documentElement;
  dataset.side = (dataset.hand === "right") !== (dir === "rtl") ? "end" : "start"; // as in the template
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
