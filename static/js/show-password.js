// A button beside a password shows it, so that a new one need not be typed twice.

for (const button of document.querySelectorAll(".with-show > .show")) {
  const field = document.getElementById(button.getAttribute("aria-controls"));
  const status = button.nextElementSibling;
  const show = (isShown) => {
    const now = isShown ? "Hide" : "Show";
    field.type = isShown ? "text" : "password";
    button.textContent = button.dataset[now.toLowerCase()];
    button.setAttribute("aria-label", button.dataset[`label${now}`]);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const isShown = field.type === "password";
    show(isShown);
    status.textContent = button.dataset[isShown ? "sayShow" : "sayHide"];
  });
  // The browser must know it as a password to remember it, and it must not stand open on the next screen.
  field.form.addEventListener("submit", () => show(false));
}
