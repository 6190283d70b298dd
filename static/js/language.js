// The choice of a language, in the footer and among the settings: what is chosen counts at once. By keys one passes others
// on the way, so then the button is there, as it is where no scripts run.

export function chooseAtOnce(form) {
  form.addEventListener("keydown", ({ key }) => key !== "Tab" && form.classList.add("by-keys"));
  form.elements.language.addEventListener("pointerdown", () => form.classList.remove("by-keys"));
  form.addEventListener("change", () => form.classList.contains("by-keys") || form.requestSubmit());
}

document.querySelectorAll(".languages").forEach(chooseAtOnce);
