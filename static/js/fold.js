// The panel at the end of a game can be folded away, and stays so in this tab, whatever the server sends next.

import { table } from "./board.js";

const key = () => `fold ${table().dataset.address}`;

export function keepFold() {
  document.addEventListener("toggle", remember, { capture: true });
  document.addEventListener("htmx:after:swap", apply);
  apply();
}

function remember(event) {
  if (!event.target.matches(".ending > details")) return;
  event.target.open ? sessionStorage.removeItem(key()) : sessionStorage.setItem(key(), "1");
}

function apply() {
  const panel = document.querySelector(".ending > details");
  if (!panel) sessionStorage.removeItem(key());
  else if (sessionStorage.getItem(key())) panel.open = false;
}
