// The settings as a sheet beside the table: the same forms as on their own page.

import { chooseAtOnce } from "./language.js";
import { saveAtOnce } from "./settings-form.js";
import { openSheet } from "./sheet.js";

export async function openSettings(link) {
  const sheet = await openSheet(link, ".all-settings", "settings.css", "settings-sheet");
  if (!sheet) return;
  const form = sheet.querySelector("form.settings");
  saveAtOnce(form);
  form.querySelector("a.at-once")?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
  const languages = sheet.querySelector(".languages");
  if (!languages) return;
  languages.elements.back.value = location.pathname + location.search;
  chooseAtOnce(languages);
}
