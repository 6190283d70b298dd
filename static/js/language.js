// The choice of a language, in the footer and among the settings: what is chosen counts at once. By keys one passes others
// on the way, so then the button is there, as it is without this script.

export function chooseAtOnce(form) {
  const button = form.querySelector("button");
  let isByKeys = false;
  button.hidden = true;
  form.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return;
    isByKeys = true;
    button.hidden = false;
  });
  form.addEventListener("pointerdown", () => (isByKeys = false));
  form.addEventListener("change", () => isByKeys || form.requestSubmit());
}

document.querySelectorAll(".languages").forEach(chooseAtOnce);
