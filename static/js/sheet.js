// A part of another page as a sheet over the table. Without this script the link leads to that page.

import { leave, showOver } from "./back.js";
import { parsePage } from "./parse-page.js";

let sheet = null;

/** Show a part of the page that a link leads to, once its style sheet is here. Returns the sheet, or null if
 * the page has no such part: then the link is followed after all. */
export async function openSheet(link, part, style, name) {
  const page = await fetchPage(link.href);
  const found = page?.querySelector(part);
  if (!found) {
    leave(() => location.assign(link.href));
    return null;
  }
  await loadStyle(page, style);
  sheet?.remove();
  sheet = document.createElement("dialog");
  sheet.className = name;
  sheet.setAttribute("aria-label", link.textContent.trim());
  sheet.append(found);
  document.body.append(sheet);
  sheet.addEventListener("close", () => {
    (link.closest("details:not([open])")?.querySelector("summary") ?? link).focus(); // of a menu, which has closed
  });
  showOver(sheet);
  return sheet;
}

async function fetchPage(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? parsePage(await answer.text()) : null;
  } catch {
    return null;
  }
}

function loadStyle(page, style) {
  const wanted = page.querySelector(`link[href$="/${style}"]`).getAttribute("href");
  if (document.querySelector(`link[href="${wanted}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = wanted;
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
