// The settings as a sheet beside the table: the same forms as on their own page, below a heading and the way back, which
// stay in sight.

import { chooseAtOnce } from "./language.js";
import { saveAtOnce } from "./settings-form.js";
import { openSheet } from "./sheet.js";

export async function openSettings(link) {
  const sheet = await openSheet(link, ".all-settings", "settings.css", "settings-sheet");
  if (!sheet) return;
  const form = sheet.querySelector("form.settings");
  saveAtOnce(form);
  showHead(sheet, form.querySelector(".save"));
  const languages = sheet.querySelector(".languages");
  if (!languages) return;
  languages.elements.back.value = location.pathname + location.search;
  chooseAtOnce(languages);
}

function showHead(sheet, row) {
  const head = document.createElement("header");
  const title = document.createElement("h2");
  title.textContent = sheet.getAttribute("aria-label");
  title.tabIndex = -1; // the title has the focus: screen readers begin with it, and no choice looks selected
  const done = row.querySelector("a.at-once");
  done.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
  head.append(title, row.querySelector("[role=status]"), done);
  row.remove();
  sheet.prepend(head);
  title.focus();
}
