// Turns what is on the page into what the server has sent. Existing nodes are changed, not replaced: that takes half as long
// and keeps the focus, and what the reader has opened or closed.

const READERS = "open"; // as in the settings of htmx in base.html

function agree(old, fresh) {
  for (const name of old.getAttributeNames()) if (name !== READERS && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    if (name === READERS) continue;
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// A single node more or less than before is inserted or removed where the kinds differ, so that its neighbors stay.
function fill(old, fresh) {
  const there = [...old.childNodes];
  const coming = [...fresh.childNodes];
  let more = coming.length - there.length;
  for (const came of coming) {
    const differs = () => there[0]?.nodeName !== came.nodeName;
    for (; more < 0 && differs(); more++) there.shift().remove();
    if (more > 0 && differs()) {
      old.insertBefore(came, there[0] ?? null);
      more--;
      continue;
    }
    const place = there.shift();
    if (!place.isEqualNode(came)) morph(place, came);
  }
  for (const gone of there) gone.remove();
}

/** Change an element of the page into a fresh one. */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
  } else if (old.nodeType === Node.TEXT_NODE) {
    old.data = fresh.data;
  } else {
    agree(old, fresh);
    fill(old, fresh);
  }
}
