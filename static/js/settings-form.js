// The form of the settings, on its page and in its sheet: each choice shows and is saved at once. Without this
// script, a button saves it.

const ATTRIBUTES = { card_back: "back" }; // where the name in the form differs
const SAID = 4000; // milliseconds that it is said for
const SHOWN = ["theme", "suits", "hand", "cloth", "card_back", "speed", "sound", "vibration", "clock", "keys"]; // by the page

/** Save a form whenever something is chosen in it, and say so: in it, unless another place is given. The row of the
 * choice is marked as `just-saved`, too, which shows where there is no room for words. */
export function saveAtOnce(form, status = form.querySelector("[data-say-saved]")) {
  let last = Promise.resolve(); // one after another, so that the last choice stays
  let latest = null;
  form.classList.add("saves-at-once");
  form.addEventListener("change", ({ target }) => {
    const row = target.closest("fieldset");
    const chosen = new FormData(form);
    show(chosen);
    status.textContent = "";
    form.querySelector(".just-saved")?.classList.remove("just-saved");
    latest = chosen;
    last = last.then(async () => {
      const isSaved = await save(form, chosen);
      if (chosen !== latest) return; // an earlier choice
      status.textContent = isSaved ? status.dataset.saySaved : status.dataset.sayNotSaved;
      status.classList.toggle("failed", !isSaved);
      if (!isSaved) return;
      row?.classList.add("just-saved");
      setTimeout(() => {
        if (chosen !== latest) return;
        status.textContent = "";
        row?.classList.remove("just-saved");
      }, SAID);
    });
  });
}

async function save(form, chosen) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" });
    return answer.type === "opaqueredirect";
  } catch {
    return false;
  }
}

function show(chosen) {
  for (const [name, value] of chosen) {
    if (SHOWN.includes(name)) document.documentElement.dataset[ATTRIBUTES[name] ?? name] = value;
  }
  const { dir, dataset } = document.documentElement;
  dataset.side = (dataset.hand === "right") !== (dir === "rtl") ? "end" : "start"; // as in the template
}

const own = document.querySelector("main form.settings");
if (own) saveAtOnce(own, document.querySelector(".shown [role=status]"));
