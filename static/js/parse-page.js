import { wordsFor } from "./words.js";

/** What a text of HTML holds, as a document of its own: its scripts do not run. */
export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

/** Why a table refused something: what its answer says, or that there is none. */
export const refusalIn = (text) => parsePage(text).getElementById("notice")?.textContent.trim() || wordsFor("unreachable");
