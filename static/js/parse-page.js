/** What a text of HTML holds, as a document of its own: its scripts do not run. */
export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");
