import { wordsFor } from "./words.js";

/** What a text of HTML holds, as a document of its own: its scripts do not run. */
export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

/** Why a table refused something: what its answer says, or else the sentence of a name. */
export const refusalIn = (text, name = "unreachable") =>
  parsePage(text).getElementById("notice")?.textContent.trim() || wordsFor(name);
