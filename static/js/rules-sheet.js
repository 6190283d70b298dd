// The rules as a sheet over the table: reading them leaves the game as it is, and leads back to the same cards.

import { unfoldParts } from "./rules-parts.js";
import { openSheet } from "./sheet.js";

export async function openRules(link) {
  const sheet = await openSheet(link, ".rules", "rules.css", "rules-sheet");
  if (!sheet) return;
  sheet.closedBy = "any"; // by a touch beside it, too
  for (const part of sheet.querySelectorAll("form, .on, .for-keys")) part.remove(); // what leads away, and keys with an id of the table
  sheet.prepend(sheet.querySelector(".to-game")); // it stays in sight
  unfoldParts(sheet); // before a link scrolls to a part
  sheet.addEventListener("click", (event) => {
    const address = event.target.closest("a")?.getAttribute("href");
    if (!address) return;
    event.preventDefault();
    if (address.startsWith("#")) sheet.querySelector(address).scrollIntoView();
    else sheet.close();
  });
}
