// The settings as a sheet beside the table: the same form as on their own page.

import { saveAtOnce } from "./settings-form.js";
import { openSheet } from "./sheet.js";

export async function openSettings(link) {
  const sheet = await openSheet(link, "form.settings", "settings.css", "settings-sheet");
  const form = sheet?.querySelector("form");
  if (!form) return;
  saveAtOnce(form);
  form.querySelector("a.at-once")?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet.close();
  });
}
