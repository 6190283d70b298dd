// The choice of a language, in the footer and among the settings: it takes effect at once. With the keyboard you pass other
// languages on the way, so then the button is there, as it is without scripts.

export function chooseAtOnce(form) {
  form.addEventListener("keydown", ({ key }) => key !== "Tab" && form.classList.add("by-keys"));
  form.elements.language.addEventListener("pointerdown", () => form.classList.remove("by-keys"));
  form.addEventListener("change", () => form.classList.contains("by-keys") || form.requestSubmit());
}

document.querySelectorAll(".languages").forEach(chooseAtOnce);
