// Back, by Android's gesture or the browser's button, closes what lies over the page. While something is open the history
// has one more entry, of the same address. It is gone before a link or a form leads away, so Back then leads to the page.

const watched = new Set();
let isLeaving = false; // going back from the extra entry, which takes a moment
let next = null; // what to do after that

const isOurs = () => history.state?.over === true;
const opened = () => [...watched].filter(({ open, isConnected }) => open && isConnected);

/** Let Back close a menu, which is a details element, or a dialog whenever it is open. */
export function closeByBack(element) {
  if (watched.has(element)) return;
  watched.add(element);
  for (const event of ["toggle", "close"]) element.addEventListener(event, settle);
}

export function showOver(dialog) {
  closeByBack(dialog);
  // Most are never shown again.
  dialog.addEventListener("close", () => watched.delete(dialog), { once: true });
  dialog.showModal();
  settle();
}

/** Close everything, and go on when the history is as it was. */
export function leave(go) {
  opened().forEach(close);
  if (!isOurs() && !isLeaving) return go();
  next = go;
  settle();
}

function close(element) {
  if (element.localName === "dialog") return element.close();
  if (element.contains(document.activeElement)) element.querySelector("summary").focus();
  element.open = false;
}

// Also after a reload, and after Forward to the entry of something that is closed now: there it goes back.
function settle() {
  const isOpen = opened().length > 0;
  if (isLeaving || isOpen === isOurs()) return;
  if (isOpen) return history.pushState({ over: true }, "");
  isLeaving = true;
  history.back();
}

addEventListener("popstate", () => {
  if (!isLeaving && !isOurs()) opened().slice(-1).forEach(close);
  isLeaving = false;
  const go = next;
  next = null;
  settle();
  go?.();
});

addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  isLeaving = false; // if the page was left meanwhile
  settle();
});

/** Whether a click on a link is for this page, and not to open it elsewhere. */
export const isPlainClick = (event) => !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

const isOver = (event) => !event.defaultPrevented && (isOurs() || isLeaving);

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || !isOver(event) || !isPlainClick(event) || link.target || link.hasAttribute("download")) return;
  event.preventDefault();
  leave(() => location.assign(link.href));
});

addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!isOver(event) || form.method === "dialog") return;
  event.preventDefault();
  leave(() => form.requestSubmit(submitter));
});

settle();
