// Keyboard and slider for stepping through a game; without this script the links and the form do the same.

const keys = { ArrowLeft: ".back", ArrowRight: ".next", Home: ".first", End: ".last" };
const slider = document.getElementById("at");
const timeline = document.querySelector(".timeline .wide");
const current = timeline?.querySelector("[aria-current]");

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, .timeline .wide")) return;
  const link = keys[event.key] && document.querySelector(`.steps ${keys[event.key]}[href]`);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
});

if (slider) {
  slider.form.querySelector("button").hidden = true;
  slider.addEventListener("change", () => slider.form.requestSubmit());
}

// The step in view, without moving the page itself.
if (current) timeline.scrollTop = current.offsetTop - timeline.clientHeight / 2;
